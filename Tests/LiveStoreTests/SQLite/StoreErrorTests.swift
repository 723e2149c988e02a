import CSQLite
import Glibc
import Testing

@testable import LiveStore

@Suite("Errors of SQLite")
struct StoreErrorTests {
  let file = TestFile()
  let connection: Connection

  init() throws {
    connection = try Connection(path: file.path, create: true)
    try connection.execute("create table pieces (id integer primary key, name text unique)")
  }

  /// The error that SQL meets.
  private func failure(of sql: String) -> StoreError? {
    do throws(StoreError) {
      try Statement(connection, sql).run()
      return nil
    } catch {
      return error
    }
  }

  @Test("A full disk is told in a sentence that says what to do; the SQL is for programmers only")
  func full() throws {
    try connection.execute("pragma max_page_count = 4")
    let error = try #require(failure(of: "insert into pieces (name) values (hex(zeroblob(100000)))"))
    #expect(error.code == .diskFailure)
    #expect("\(error)" == "The disk is full; make room for “\(file.path)” and try again.")
    #expect(
      error.debugDescription
        == "\(error) (SQLite code 13, “database or disk is full”, while: "
        + "insert into pieces (name) values (hex(zeroblob(100000))))")
  }

  @Test("A refused value names the column, and no SQL")
  func constraint() throws {
    try connection.execute("insert into pieces (name) values ('one')")
    let error = try #require(failure(of: "insert into pieces (name) values ('one')"))
    #expect(error.isConstraint)
    #expect(
      "\(error)" == "“\(file.path)” refuses what was to be written: another pieces has the same name.")
  }

  @Test("A disk that cannot read the header is the cause, and not a file of another kind")
  func unreadableHeader() {
    for (result, systemError) in [(SQLITE_NOTADB, EIO), (SQLITE_CORRUPT, EIO)] {
      let (code, sentence) = StoreError.kind(
        of: result, file: "“t.db”", systemError: systemError, message: "file is not a database")
      #expect(code == .diskFailure)
      #expect(sentence == "“t.db” cannot be read: Input/output error; check the disk and try again.")
    }
    let other = StoreError.kind(of: SQLITE_NOTADB, file: "“t.db”", systemError: 0, message: "")
    #expect(other == (.notADatabase, "“t.db” is not an SQLite database; name another file."))
  }

  @Test("A damaged page is called damage, not a file of another kind")
  func damage() throws {
    try connection.execute("pragma journal_mode = delete; insert into pieces (name) values ('one')")
    let descriptor = try #require(fopen(file.path, "r+"))
    fseek(descriptor, 4096, SEEK_SET)
    fwrite([UInt8](repeating: 0xEE, count: 4096), 1, 4096, descriptor)
    fclose(descriptor)
    let damaged = try Connection(path: file.path, create: false)
    let error = #expect(throws: StoreError.self) { try damaged.firstValue("select name from pieces") }
    #expect(
      error?.description
        == "“\(file.path)” is damaged; go back to a copy of it, or save what can still be read.")
  }

  @Test(
    "Whatever SQLite reports is one sentence without SQL and numbers",
    arguments: [
      SQLITE_ERROR, SQLITE_PERM, SQLITE_ABORT, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY,
      SQLITE_IOERR, SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 12 << 8, SQLITE_CORRUPT, SQLITE_FULL,
      SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_MISUSE,
      SQLITE_NOTADB, SQLITE_READONLY | 4 << 8,
    ])
  func sentence(_ code: Int32) {
    let error = StoreError(sqlite: code, handle: connection.handle, while: "SELECT 1")
    #expect("\(error)".contains("“\(file.path)”"))
    #expect("\(error)".hasSuffix(".") && !"\(error)".dropLast().contains(". "))
    #expect(!"\(error)".contains("SELECT") && !"\(error)".contains("code"))
    #expect(error.debugDescription.contains("SQLite code \(code), "))
    #expect(error.debugDescription.contains("while: SELECT 1"))
  }
}
