import CSQLite

/// SQLite as a program in C uses it; what fails ends the program.
final class RawDatabase {
  fileprivate let handle: OpaquePointer

  /// - Parameter firesTriggers: Whether the triggers of LiveStore's files log what is written.
  init(_ path: String, firesTriggers: Bool = true) {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      fatalError("“\(path)” cannot be opened.")
    }
    handle = opened
    // As LiveStore sets its connections up, so that only what is done with them differs.
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

  func execute(_ sql: String) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      fatalError("\(String(cString: sqlite3_errmsg(handle))): \(sql.prefix(200))")
    }
  }

  func prepare(_ sql: String) -> RawStatement {
    RawStatement(self, sql)
  }

  func integer(_ sql: String) -> Int {
    let statement = prepare(sql)
    return statement.step() ? statement.integer(0) : 0
  }

  /// Rows that the last statement has changed.
  var changes: Int { Int(sqlite3_changes(handle)) }
}

final class RawStatement {
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

  func bind(_ value: Int, at position: Int32) {
    sqlite3_bind_int64(handle, position, Int64(value))
  }

  func bind(_ text: String, at position: Int32) {
    // SQLITE_TRANSIENT: SQLite copies the text before the call returns.
    sqlite3_bind_text(handle, position, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  func step() -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: fatalError(String(cString: sqlite3_errmsg(database.handle)))
    }
  }

  /// Runs a statement that returns no rows.
  func run() {
    while step() {}
    reset()
  }

  func reset() {
    sqlite3_reset(handle)
  }

  func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  func text(_ column: Int32) -> String {
    sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
  }
}

/// The table of ``Record`` as a program would make it that knows nothing of LiveStore: no change log.
final class RawRecords {
  let database: RawDatabase
  private let begin: RawStatement
  private let commit: RawStatement
  private let updateText: RawStatement
  private let updateRank: RawStatement
  private let insert: RawStatement
  private let delete: RawStatement

  /// - Parameter hasTable: Whether the file is one of LiveStore's, whose triggers then log each row.
  init(_ path: String, hasTable: Bool = false) {
    database = RawDatabase(path)
    if !hasTable {
      database.execute(
        """
        CREATE TABLE Record (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, category INTEGER NOT NULL,
          text TEXT NOT NULL);
        CREATE INDEX Record_rank ON Record (rank)
        """)
    }
    begin = database.prepare("BEGIN IMMEDIATE")
    commit = database.prepare("COMMIT")
    updateText = database.prepare("UPDATE Record SET text = ?2 WHERE id = ?1")
    updateRank = database.prepare("UPDATE Record SET rank = ?2 WHERE id = ?1")
    insert = database.prepare("INSERT INTO Record (id, rank, category, text) VALUES (?, ?, ?, ?)")
    delete = database.prepare("DELETE FROM Record WHERE id = ?")
  }

  func transaction(_ body: () -> Void) {
    begin.run()
    body()
    commit.run()
  }

  func setText(_ text: String, of id: Int) {
    updateText.bind(id, at: 1)
    updateText.bind(text, at: 2)
    updateText.run()
  }

  func setRank(_ rank: Int, of id: Int) {
    updateRank.bind(id, at: 1)
    updateRank.bind(rank, at: 2)
    updateRank.run()
  }

  func add(id: Int, rank: Int, text: String) {
    insert.bind(id, at: 1)
    insert.bind(rank, at: 2)
    insert.bind(Record.category(of: id), at: 3)
    insert.bind(text, at: 4)
    insert.run()
  }

  func remove(_ id: Int) {
    delete.bind(id, at: 1)
    delete.run()
  }
}
