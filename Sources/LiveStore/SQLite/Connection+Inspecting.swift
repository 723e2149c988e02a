import CSQLite
import LibC

/// The tables that a statement reads and writes, as SQLite says when it prepares it.
struct StatementAccess {
  /// The columns that are read, by table; none where only the number of rows matters.
  fileprivate(set) var reads: [String: Set<String>] = [:]
  /// The tables whose rows are inserted, updated or deleted by the statement itself.
  fileprivate(set) var writes: Set<String> = []
  fileprivate var isRefused = false
}

extension StoreError {
  /// The error of a statement that does what SQL of the program may not.
  fileprivate static func refused(_ sql: String, mayWrite: Bool) -> StoreError {
    StoreError(
      .misuse,
      mayWrite
        ? "SQL in a write may insert, update and delete rows, and read them; it may do nothing else."
        : "SQL that is selected may only read rows; to change them, execute it in a write.",
      report: sql)
  }
}

/// The access of the statement that is being prepared. See <https://sqlite.org/c3ref/set_authorizer.html>.
private final class AccessRecorder {
  var access = StatementAccess()
  private let mayWrite: Bool

  init(mayWrite: Bool) {
    self.mayWrite = mayWrite
  }

  func result(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ trigger: UnsafePointer<CChar>?
  ) -> Int32 {
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    switch action {
    case SQLITE_READ:
      let column = text(second)
      access.reads[text(first), default: []].formUnion(column.isEmpty ? [] : [column])
      return SQLITE_OK
    case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION where text(second) != "load_extension": return SQLITE_OK
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      let table = text(first)
      // That of a trigger is part of the file, and no matter of the statement.
      if trigger != nil { return SQLITE_OK }
      // The log is what observers depend on.
      if mayWrite, !table.hasPrefix("_livestore_"), !table.hasPrefix("sqlite_") {
        access.writes.insert(table)
        return SQLITE_OK
      }
    default: break
    }
    // SQLite asks for this when a connection first uses a function that returns a table, such as json_each. A
    // statement that changes the table of the schema itself does not even come here.
    if action == SQLITE_UPDATE, text(first) == "sqlite_master" { return SQLITE_OK }
    access.isRefused = true
    return SQLITE_DENY
  }
}

extension Connection {
  /// Prepares a statement of the program, which may only read rows or, if `mayWrite`, change them.
  ///
  /// Other users of the connection wait meanwhile: SQLite asks the recorder about every statement that is
  /// prepared, also about those of the worker and of frozen copies.
  func prepare(
    _ sql: String, mayWrite: Bool
  ) throws(StoreError) -> (statement: Statement, access: StatementAccess) {
    sqlite3_mutex_enter(sqlite3_db_mutex(handle))
    defer { sqlite3_mutex_leave(sqlite3_db_mutex(handle)) }
    let recorder = AccessRecorder(mayWrite: mayWrite)
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, trigger in
        guard let context else { return SQLITE_DENY }
        return Unmanaged<AccessRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.result(action, first, second, trigger)
        }
      }, Unmanaged.passUnretained(recorder).toOpaque())
    defer { authorizeTriggers() }
    return try withExtendedLifetime(recorder) { () throws(StoreError) in
      do throws(StoreError) {
        let statement = try Statement(self, sql)
        guard statement.isWhole(sql) else {
          throw StoreError(.misuse, "Several statements cannot be run at once; run one after the other.")
        }
        // SQLite does not ask about VACUUM, which neither writes rows of its own nor returns any.
        guard statement.columnCount > 0 || !recorder.access.writes.isEmpty else {
          throw .refused(sql, mayWrite: mayWrite)
        }
        return (statement, recorder.access)
      } catch {
        guard recorder.access.isRefused else { throw error.isGeneral ? Self.error(of: sql, self) : error }
        throw .refused(sql, mayWrite: mayWrite)
      }
    }
  }

  private static func error(of sql: String, _ connection: Connection) -> StoreError {
    StoreError(
      .misuse, "SQLite does not understand a statement of this program: \(connection.lastError.message).",
      report: sql)
  }

  /// Calls a closure while triggers fire, even if those of the connection are switched off.
  func withTriggers<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    let fired = firesTriggers
    firesTriggers = true
    defer { firesTriggers = fired }
    return try body()
  }
}

extension Statement {
  var columnNames: [String] {
    (0..<Int32(columnCount)).map { name(of: $0) }
  }
}
