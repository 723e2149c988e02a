import CSQLite
import TestSupport
import Testing

@testable import LiveStore

@Suite("The log, written once a transaction")
struct LogFileTests {
  private let file = TestFile()

  private func connect() throws -> Connection {
    let connection = try Connection(path: file.path, create: true)
    #expect(try connection.firstValue("PRAGMA journal_mode = WAL") == .text("wal"))
    // So small that a transaction has to write pages before it is committed.
    try connection.execute(
      "PRAGMA synchronous = NORMAL; PRAGMA cache_size = 10; PRAGMA wal_autocheckpoint = 50")
    return connection
  }

  /// The contents that a program without LiveStore finds.
  private func contents() -> [Int64: Int64] {
    let database = TestDatabase(path: file.path)
    #expect(database.rows("PRAGMA integrity_check") == [[.text("ok")]])
    var contents: [Int64: Int64] = [:]
    for row in database.rows("SELECT id, length(text) FROM t") {
      guard case .integer(let id) = row[0], case .integer(let length) = row[1] else { continue }
      contents[id] = length
    }
    return contents
  }

  @Test("Random transactions of several programs, some taken back, leave what was committed")
  func random() throws {
    try withSeededGenerator { generator in
      let connections = [try connect(), try connect()]
      try connections[0].execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
      let other = TestDatabase(path: file.path)
      var model: [Int64: Int64] = [:]
      for step in 0..<150 {
        var changed = model
        let isLarge = Int.random(in: 0..<4, using: &generator) == 0
        var statements: [String] = []
        for _ in 0..<(isLarge ? 400 : 3) {
          let id = Int64.random(in: 0..<1_000, using: &generator)
          if Int.random(in: 0..<5, using: &generator) == 0 {
            statements.append("DELETE FROM t WHERE id = \(id)")
            changed[id] = nil
          } else {
            let length = Int64.random(in: 1..<600, using: &generator)
            statements.append("REPLACE INTO t VALUES (\(id), hex(zeroblob(\(length / 2))) || 'x')")
            changed[id] = length / 2 * 2 + 1
          }
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
          for sql in ["BEGIN IMMEDIATE"] + statements + ["COMMIT"] { other.rows(sql) }
          model = changed
        } else {
          let connection = connections[step % 2]
          #expect(connection.beginImmediate(waitingUntil: .now + Patience.duration) == SQLITE_OK)
          for sql in statements { try connection.execute(sql) }
          // Reading what was written to the log before the commit.
          _ = try connection.firstValue("SELECT sum(length(text)) FROM t")
          if Int.random(in: 0..<3, using: &generator) == 0 {
            try connection.execute("ROLLBACK")
          } else {
            try connection.commit()
            model = changed
          }
        }
        if step % 10 == 0 { #expect(contents() == model, "step \(step)") }
      }
      #expect(contents() == model)
    }
  }

  @Test("What was committed is in the log when the process ends without closing anything")
  func unclosed() throws {
    let connection = try connect()
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
    #expect(connection.beginImmediate(waitingUntil: .now + Patience.duration) == SQLITE_OK)
    for id in 1...200 { try connection.execute("INSERT INTO t VALUES (\(id), hex(zeroblob(100)))") }
    try connection.commit()
    // Another process has nothing but the files.
    #expect(sqlite3(file.path, "SELECT count(*), sum(length(text)) FROM t") == "200|40000\n")
  }
}
