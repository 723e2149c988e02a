import CSQLite
import Glibc

/// SQLite as a program in C uses it; a failure ends the program.
package final class RawDatabase {
  fileprivate let handle: OpaquePointer

  /// - Parameter firesTriggers: Whether the triggers of LiveStore's files log what is written.
  package init(_ path: String, firesTriggers: Bool = true) {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      fatalError("“\(path)” cannot be opened.")
    }
    handle = opened
    // With the settings of LiveStore's connections, so that only their use differs.
    execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8192
      """)
    if !firesTriggers { _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) }
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  package func execute(_ sql: String) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      fatalError("\(String(cString: sqlite3_errmsg(handle))): \(sql.prefix(200))")
    }
  }

  package func prepare(_ sql: String) -> RawStatement {
    RawStatement(self, sql)
  }

  package func integer(_ sql: String) -> Int {
    let statement = prepare(sql)
    return statement.step() ? statement.integer(0) : 0
  }

  /// Rows that the last statement has changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }
}

package final class RawStatement {
  private let database: RawDatabase
  private let handle: OpaquePointer

  fileprivate init(_ database: RawDatabase, _ sql: String) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database.handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      fatalError("\(String(cString: sqlite3_errmsg(database.handle))): \(sql)")
    }
    self.database = database
    handle = prepared
  }

  deinit {
    sqlite3_finalize(handle)
  }

  package func bind(_ value: Int, at position: Int32) {
    sqlite3_bind_int64(handle, position, Int64(value))
  }

  package func bind(_ text: String, at position: Int32) {
    // SQLITE_TRANSIENT: SQLite copies the text before the call returns.
    sqlite3_bind_text(handle, position, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  package func bind(_ bytes: [UInt8], at position: Int32) {
    sqlite3_bind_blob(
      handle, position, bytes, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  package func step() -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: fatalError(String(cString: sqlite3_errmsg(database.handle)))
    }
  }

  /// Runs a statement that returns no rows.
  package func run() {
    while step() {}
    reset()
  }

  package func reset() {
    sqlite3_reset(handle)
  }

  package func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  package func text(_ column: Int32) -> String {
    sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
  }

  /// The bytes of a blob; valid until the statement goes on.
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Whether a text has the same bytes as that of another statement.
  package func hasSameText(as other: RawStatement, in column: Int32) -> Bool {
    let own = sqlite3_column_text(handle, column)
    let others = sqlite3_column_text(other.handle, column)
    let count = sqlite3_column_bytes(handle, column)
    guard let own, let others, count == sqlite3_column_bytes(other.handle, column) else { return false }
    return memcmp(own, others, Int(count)) == 0
  }
}
