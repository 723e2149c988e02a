import CSQLite
import Glibc

/// One open connection to a database file.
///
/// Two parties may use a connection at the same time: the instance that reads its snapshot, and the worker
/// that compares old values with new ones. Each prepares statements of its own, in its own
/// ``StatementCache``.
final class Connection: @unchecked Sendable {
  // Opened in SQLite's serialized mode, which guards the handle; each statement cache is used by one party
  // only.

  let handle: OpaquePointer
  // Of the instance, as are its statements.
  private var begin: Statement?
  private var commitment: Statement?

  /// Whether it has taken ``LogLock/reading``.
  var keepsLog = false
  private var busyTimeout: Int32 = 0
  /// Takes the place of the timeout: when it no longer waits for any lock, however many there are.
  var busyDeadline: ContinuousClock.Instant?
  private var waitingSince = ContinuousClock.now
  /// Statements of the instance, on the thread that the instance is confined to.
  private(set) var instance: StatementCache! = nil
  /// Statements of whoever calculates change sets; guarded by the coordinator, which lets one party
  /// calculate.
  private(set) var worker: StatementCache! = nil

  init(path: String, create: Bool, isReadOnly: Bool = false) throws(StoreError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    if create { flags |= SQLITE_OPEN_CREATE }
    let result = sqlite3_open_v2(path, &opened, flags, LogFile.fileSystem)
    guard result == SQLITE_OK, let opened else {
      let error = StoreError(sqlite: result, handle: opened, path: path, while: "open")
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    defineFunctions()
    instance = StatementCache(self)
    worker = StatementCache(self)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs SQL that returns no rows.
  func execute(_ sql: String) throws(StoreError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK {
      throw StoreError(sqlite: result, handle: handle, while: sql)
    }
  }

  /// The extended result code of SQL that returns no rows, for callers that decide by it.
  func executeResult(_ sql: String) -> Int32 {
    sqlite3_exec(handle, sql, nil, nil, nil)
  }

  /// Takes the write lock, on the version that the connection holds; the extended result code.
  ///
  /// Prepared once, as ``commit()`` is: every transaction begins and ends so.
  ///
  /// - Parameter deadline: Until when to wait for another program that writes.
  func beginImmediate(waitingUntil deadline: ContinuousClock.Instant) -> Int32 {
    busyDeadline = deadline
    defer { busyDeadline = nil }
    if begin == nil { begin = try? Statement(self, "BEGIN IMMEDIATE") }
    return begin?.result() ?? executeResult("BEGIN IMMEDIATE")
  }

  func commit() throws(StoreError) {
    let statement: Statement
    if let commitment {
      statement = commitment
    } else {
      statement = try Statement(self, "COMMIT")
      commitment = statement
    }
    try LogFile.gathering(on: handle) { () throws(StoreError) in try statement.run() }
  }

  /// The rowid that the last `INSERT` gave.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows statements have changed through the connection.
  var changeCount: Int64 { sqlite3_total_changes64(handle) }

  /// The first column of the first row, or `nil` when there is none.
  func firstValue(_ sql: String) throws(StoreError) -> SQLiteValue? {
    let statement = try Statement(self, sql)
    return try statement.step() ? statement.value(0) : nil
  }

  /// The name of the order in which a column is compared; `nil` where there is no such column.
  func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(handle, "main", table, column, nil, &name, nil, nil, nil)
    return result == SQLITE_OK ? name.map { String(cString: $0).uppercased() } : nil
  }

  /// How long a statement waits for another program's lock.
  ///
  /// SQLite's own way of waiting sleeps up to a tenth of a second between two attempts, and so hardly ever
  /// finds the lock free while others write one transaction after the other.
  func setBusyTimeout(milliseconds: Int32) {
    busyTimeout = milliseconds
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        guard let context else { return 0 }
        return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().wait(attempts: attempts)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs something that waits for locks no longer than so.
  func withBusyTimeout<R>(
    milliseconds: Int32, _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let usual = busyTimeout
    busyTimeout = milliseconds
    defer { busyTimeout = usual }
    return try body()
  }

  /// Takes a lock of the log, waiting for it as a statement does. Returns whether it came.
  func wait(for lock: LogLock) -> Bool {
    repeating(milliseconds: busyTimeout) { take(lock) }
  }

  /// Tries something, with pauses, until it succeeds or the time is over; whether it has.
  func repeating<Failure: Error>(
    milliseconds: Int32, _ attempt: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let usual = busyTimeout
    busyTimeout = milliseconds
    defer { busyTimeout = usual }
    var attempts: Int32 = 0
    while try !attempt() {
      guard wait(attempts: attempts) != 0 else { return false }
      attempts += 1
    }
    return true
  }

  private func wait(attempts: Int32) -> Int32 {
    let now = ContinuousClock.now
    if attempts == 0 { waitingSince = now }
    guard now < busyDeadline ?? waitingSince + .milliseconds(Int64(busyTimeout)) else { return 0 }
    // Of different length, so that two who wait do not go on disturbing one another.
    usleep(attempts < 10 ? .random(in: 20...200) : .random(in: 200...1000))
    return 1
  }

  /// Whether the database has another name by now than the one by which it was opened, or none.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Whether a transaction has been begun and not ended.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Has SQLite refuse a name in double quotes that is no column, which it would otherwise take for a text: a
  /// column that another program has dropped would be read as its own name.
  func disableStringsInDoubleQuotes() {
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
  }

  /// Runs something that makes indexes and triggers, with a name in double quotes being that of a column and
  /// never a text.
  func withoutStringsInIndexes(_ body: () -> Void) {
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    body()
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 1)
  }

  /// Whether triggers fire for what is written through the connection. Those that log other programs' writes
  /// log nothing here either way: the connection logs its own.
  var firesTriggers = true {
    didSet {
      guard firesTriggers != oldValue else { return }
      _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, firesTriggers ? 1 : 0)
      // Asked once for each statement that is prepared: what it says no to is left out of the trigger.
      sqlite3_set_authorizer(
        handle,
        firesTriggers
          ? { _, action, table, _, _, trigger in
            guard action == SQLITE_INSERT, let trigger, strncmp(trigger, "_livestore_", 11) == 0, let table,
              strcmp(table, "_livestore_log") == 0
            else { return SQLITE_OK }
            return SQLITE_IGNORE
          } : nil, nil)
    }
  }

  /// What SQLite said last.
  var lastError: (result: Int32, message: String) {
    (sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
  }
}

/// Prepared statements by their SQL, for one party that uses a connection.
final class StatementCache {
  private unowned let connection: Connection
  private var statements: [String: Statement] = [:]

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// A statement that is reset and may be bound.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(connection, sql)
    // A program that builds SQL from its values would otherwise fill the memory with statements.
    if statements.count >= 512 { statements.removeAll() }
    statements[sql] = statement
    return statement
  }

  func removeAll() {
    statements.removeAll()
  }
}
