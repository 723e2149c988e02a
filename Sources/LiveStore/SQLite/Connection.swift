import CSQLite
import LibC

/// An open connection to a database file.
///
/// Two parties may use a connection at the same time: the instance that reads its snapshot, and the worker
/// that compares old values with new ones. Each prepares its own statements, in its own ``StatementCache``.
package final class Connection: @unchecked Sendable {
  // Opened in SQLite's serialized mode, which guards the handle; each statement cache is used by one party
  // only.

  let handle: OpaquePointer
  // Used by the instance, like its statements.
  private var begin: Statement?
  private var commitment: Statement?

  // Set once, when the connection is opened.
  var trace: Trace?
  /// Whether it has taken ``LogLock/reading``.
  var keepsLog = false
  // Set by the instance, while the worker or a reader of frozen objects may be waiting on its own thread.
  private let waiting = Guarded(Waiting())
  /// Statements of the instance, on the thread that the instance is confined to.
  package private(set) var instance: StatementCache! = nil
  /// Statements of the worker, which are used by the party that has the snapshots; see ``DeliveryState``.
  private(set) var worker: StatementCache! = nil
  // Set once, before anything is read, and released after the connection is closed.
  var claim: NameClaim?
  /// The identity of the file, once that is known to be the one which was opened.
  var identity: FileIdentity?

  /// - Parameter option: A parameter of <https://sqlite.org/uri.html> for a file that is only read.
  package init(
    path: String, create: Bool, isReadOnly: Bool = false, option: String? = nil
  ) throws(StoreError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= isReadOnly || option != nil ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    if create { flags |= SQLITE_OPEN_CREATE }
    if option != nil { flags |= SQLITE_OPEN_URI }
    let name = option.map { Self.address(of: path, with: $0) } ?? path
    let result = sqlite3_open_v2(name, &opened, flags, LogFile.fileSystem)
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
    if identity?.leavesLog == true { emptyLog() }
    sqlite3_close_v2(handle)
  }

  private static func address(of path: String, with option: String) -> String {
    let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
    let name = path.map { special[$0] ?? String($0) }.joined()
    return (path.hasPrefix("/") ? "file://" : "file:") + name + "?" + option
  }

  /// Runs SQL that returns no rows.
  package func execute(_ sql: String) throws(StoreError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK {
      throw StoreError(sqlite: result, handle: handle, while: sql)
    }
  }

  /// Runs SQL that returns no rows; returns the extended result code, for callers that depend on it.
  func executeResult(_ sql: String) -> Int32 {
    sqlite3_exec(handle, sql, nil, nil, nil)
  }

  /// Takes the write lock, on the version that the connection holds; returns the extended result code.
  ///
  /// Prepared once, like ``commit()``: every transaction uses both.
  ///
  /// - Parameter deadline: The time until which to wait for the write of another program.
  package func beginImmediate(waitingUntil deadline: ContinuousClock.Instant) -> Int32 {
    busyDeadline = deadline
    defer { busyDeadline = nil }
    if begin == nil { begin = try? Statement(self, "BEGIN IMMEDIATE") }
    return begin?.result() ?? executeResult("BEGIN IMMEDIATE")
  }

  package func commit() throws(StoreError) {
    let statement: Statement
    if let commitment {
      statement = commitment
    } else {
      statement = try Statement(self, "COMMIT")
      commitment = statement
    }
    try LogFile.gathering(on: handle) { () throws(StoreError) in try statement.run() }
  }

  /// The rowid of the last `INSERT`.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that statements have changed through the connection.
  package var changeCount: Int64 { sqlite3_total_changes64(handle) }

  /// The number of rows that the last `INSERT`, `UPDATE` or `DELETE` has changed itself.
  package var lastChangeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The first column of the first row, or `nil` when there is none.
  package func firstValue(_ sql: String) throws(StoreError) -> SQLiteValue? {
    let statement = try Statement(self, sql)
    return try statement.step() ? statement.value(0) : nil
  }

  /// The number in the first column of the first row, or 0 when there is none.
  func firstInteger(_ sql: String) throws(StoreError) -> Int64 {
    try firstValue(sql)?.integerReading ?? 0
  }

  /// Runs `body`, whose reads are of one version of the file, whatever other programs write meanwhile.
  func readingOneVersion<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    try execute("BEGIN")
    defer { _ = executeResult("ROLLBACK") }
    return try body()
  }

  /// The name of a column's collation; `nil` if the column does not exist.
  func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(handle, "main", table, column, nil, &name, nil, nil, nil)
    return result == SQLITE_OK ? name.map { String(cString: $0).uppercased() } : nil
  }

  private struct Waiting {
    var timeout: Int32 = 0
    var deadline: ContinuousClock.Instant?
    var start = ContinuousClock.now

    var end: ContinuousClock.Instant { deadline ?? start + .milliseconds(Int64(timeout)) }
  }

  private var busyTimeout: Int32 {
    get { waiting.withLock { $0.timeout } }
    set { waiting.withLock { $0.timeout = newValue } }
  }

  /// The time after which a call no longer waits for any lock, in place of the timeout.
  var busyDeadline: ContinuousClock.Instant? {
    get { waiting.withLock { $0.deadline } }
    set { waiting.withLock { $0.deadline = newValue } }
  }

  /// Sets the time that a statement waits for another program's lock.
  ///
  /// SQLite's default handler sleeps up to a tenth of a second between two attempts, and so rarely finds the
  /// lock free while other programs write one transaction after the other.
  package func setBusyTimeout(milliseconds: Int32) {
    busyTimeout = milliseconds
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        guard let context else { return 0 }
        return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().wait(attempts: attempts)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a closure that waits for locks no longer than a given time.
  func withBusyTimeout<R>(
    milliseconds: Int32, _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let usual = busyTimeout
    busyTimeout = milliseconds
    defer { busyTimeout = usual }
    return try body()
  }

  /// Takes a lock of the log, and waits for it like a statement. Returns whether it was acquired.
  func wait(for lock: LogLock) -> Bool {
    repeating(milliseconds: busyTimeout) { take(lock) }
  }

  /// Repeats an attempt, with pauses, until it succeeds or the time is over; returns whether it succeeded.
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
    let end = waiting.withLock { waiting in
      if attempts == 0 { waiting.start = now }
      return waiting.end
    }
    guard now < end else { return 0 }
    // Of random length, so that two waiting programs do not keep colliding.
    usleep(attempts < 10 ? .random(in: 20...200) : .random(in: 200...1000))
    return 1
  }

  /// Whether the file of the database was renamed or deleted since it was opened.
  package var hasMoved: Bool {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Keeps the write-ahead log as it is when the connection is closed, without writing it back.
  func keepLogWhenClosed() {
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// Makes SQLite refuse a name in double quotes that is no column. By default it takes such a name for a
  /// text: a column that another program has dropped would be read as its own name.
  func disableStringsInDoubleQuotes() {
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
  }

  /// Runs a closure that creates indexes and triggers, in which a name in double quotes is always that of a
  /// column and never a text.
  func withoutStringsInIndexes(_ body: () -> Void) {
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    body()
    _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 1)
  }

  /// Whether triggers fire for the writes of the connection. Those that log the writes of other programs log
  /// nothing here in either case: the connection logs its own.
  var firesTriggers = true {
    didSet {
      guard firesTriggers != oldValue else { return }
      _ = csqlite_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, firesTriggers ? 1 : 0)
      authorizeTriggers()
    }
  }

  /// Whether the triggers do nothing that delete the parts which leave their owners, and refuse those that
  /// are in two places. All others fire.
  package var keepsParts = false {
    didSet { if keepsParts != oldValue, firesTriggers { authorizeTriggers() } }
  }

  /// Whether the triggers that log the writes of other programs log those of the connection as well.
  package var isLoggedByTriggers = false {
    didSet { if isLoggedByTriggers != oldValue, firesTriggers { authorizeTriggers() } }
  }

  /// Sets the function that is called for each statement that is prepared: what it denies is left out of a
  /// trigger.
  func authorizeTriggers() {
    guard firesTriggers else {
      sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    let denied = (keepsParts ? Self.parts : 0) | (isLoggedByTriggers ? 0 : Self.log)
    sqlite3_set_authorizer(
      handle,
      { denied, action, table, _, _, trigger in
        guard let trigger, strncmp(trigger, "_livestore_", 11) == 0 else { return SQLITE_OK }
        let denied = Int(bitPattern: denied)
        // Such a trigger then reads NULL, so that none of its conditions holds.
        if denied & Connection.parts != 0, action == SQLITE_READ, isEmbedding(trigger) {
          return SQLITE_IGNORE
        }
        guard denied & Connection.log != 0, action == SQLITE_INSERT, let table,
          strcmp(table, "_livestore_log") == 0
        else { return SQLITE_OK }
        return SQLITE_IGNORE
      }, UnsafeMutableRawPointer(bitPattern: denied))
  }

  /// The bits that say to the function what it denies.
  private static let parts = 1
  private static let log = 2

  /// The last error of SQLite.
  package var lastError: (result: Int32, message: String) { Self.lastError(of: handle) }

  /// The last error of SQLite at a handle, whose text a call on another thread would release.
  static func lastError(of handle: OpaquePointer) -> (result: Int32, message: String) {
    let mutex = sqlite3_db_mutex(handle)
    sqlite3_mutex_enter(mutex)
    defer { sqlite3_mutex_leave(mutex) }
    return (sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
  }
}

/// Whether a trigger of LiveStore is one of those that keep parts in one place; see
/// ``LogTriggers/embeddings(of:)``.
private func isEmbedding(_ trigger: UnsafePointer<CChar>) -> Bool {
  guard let name = strstr(trigger, "_own_") else { return false }
  return strrchr(name, CInt(UInt8(ascii: "."))) != nil
}

/// Prepared statements by their SQL, for one party that uses a connection.
package final class StatementCache {
  private unowned let connection: Connection
  private var statements: [String: Statement] = [:]

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// A statement that is reset and may be bound.
  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(connection, sql)
    // It would keep the values of its parameters, of which another query is likely to have another number.
    if statement.parameterCount > 1_000 { return statement }
    // A program that builds SQL from values would otherwise fill the memory with statements.
    if statements.count >= 512 { statements.removeAll() }
    statements[sql] = statement
    return statement
  }
}
