import CSQLite
import Glibc

/// Opens and prepares the file of a store.
struct DatabaseFile {
  let path: String
  let configuration: Store.Configuration
  let schema: Schema

  /// Two connections to the file, which then has all that the schema needs.
  func open() throws(StoreError) -> (Connection, Connection) {
    try createIfMissing()
    let first = try Connection(path: path, create: false)
    first.setBusyTimeout(milliseconds: configuration.busyTimeout)
    try checkOwner(first)
    try prepare(first)
    return (first, try openAnother())
  }

  /// A further connection to a file that has been prepared.
  func openAnother() throws(StoreError) -> Connection {
    let connection = try Connection(path: path, create: false)
    connection.setBusyTimeout(milliseconds: configuration.busyTimeout)
    try setUp(connection)
    return connection
  }

  /// Makes an empty file that only its owner may read.
  private func createIfMissing() throws(StoreError) {
    // Only a file that did not exist is opened here: closing a database that this process has open would drop the locks
    // that SQLite holds on it.
    let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    let code = errno
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw StoreError(.fileAccess, "“\(path)” is a folder; name a file instead.")
      }
      if status.st_mode & S_IFMT != S_IFREG {
        throw StoreError(.fileAccess, "“\(path)” is not a regular file; name one instead.")
      }
      // SQLite takes such a file for an empty database and overwrites it.
      if (1..<512).contains(status.st_size) {
        throw StoreError(.notADatabase, "“\(path)” is not an SQLite database; name another file.")
      }
      if access(path, R_OK | W_OK) != 0 {
        throw StoreError(
          .fileAccess,
          "“\(path)” may not be read and written (\(String(cString: strerror(errno)))); "
            + "change its permissions or name another file.")
      }
      return
    }
    throw StoreError(
      .fileAccess, "“\(path)” cannot be created: \(String(cString: strerror(code))).")
  }

  /// Refuses files that are not ours before anything is written.
  private func checkOwner(_ connection: Connection) throws(StoreError) {
    let application: Int64
    let version: Int64
    let tables: Int64
    do throws(StoreError) {
      // In one snapshot: another process may be creating what the store needs at this moment.
      let isInTransaction = sqlite3_get_autocommit(connection.handle) == 0
      if !isInTransaction { try connection.execute("BEGIN") }
      defer { if !isInTransaction { _ = connection.executeResult("ROLLBACK") } }
      application = try integer("PRAGMA application_id", connection)
      version = try integer("PRAGMA user_version", connection)
      tables = try integer("SELECT count(*) FROM sqlite_schema", connection)
    } catch {
      if error.code == .notADatabase {
        throw StoreError(.notADatabase, "“\(path)” is not an SQLite database; name another file.")
      }
      throw error
    }
    if application == 0, version == 0, tables == 0 { return }
    guard application == Int64(configuration.applicationID) else {
      throw StoreError(
        .otherApplication, "“\(path)” is the database of another application; name another file.")
    }
    guard version <= Int64(configuration.schemaVersion) else {
      throw StoreError(
        .newerVersion,
        "“\(path)” was written by a newer version of this program (\(version), this one knows "
          + "\(configuration.schemaVersion)); update the program.")
    }
  }

  private func integer(_ sql: String, _ connection: Connection) throws(StoreError) -> Int64 {
    if case .integer(let value)? = try connection.firstValue(sql) { value } else { 0 }
  }

  private func setUp(_ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8192;
      PRAGMA journal_size_limit = 4194304
      """)
    connection.disableTriggers()
  }

  /// Creates what is missing in the file; when nothing is, only reads.
  private func prepare(_ connection: Connection) throws(StoreError) {
    // Changing the mode asks for the write lock, which the readers and writers of a new file may hold for a moment; the
    // busy handler is not asked while they do.
    guard
      case .text("wal")? = try retryingWhenBusy({ () throws(StoreError) in
        try connection.firstValue("PRAGMA journal_mode = WAL")
      })
    else {
      throw StoreError(
        .fileAccess, "“\(path)” is on a file system without shared memory; put it on a local disk.")
    }
    try setUp(connection)
    let fingerprint = schema.fingerprint
    if try isPrepared(connection, fingerprint) { return }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Another process may have been faster while this one waited for the lock.
      try checkOwner(connection)
      if try !isPrepared(connection, fingerprint) { try create(connection, fingerprint) }
      try connection.execute("COMMIT")
    } catch {
      _ = connection.executeResult("ROLLBACK")
      throw error
    }
  }

  private func retryingWhenBusy<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    var waited: Int32 = 0
    while true {
      do throws(StoreError) {
        return try body()
      } catch {
        guard error.code == .busy, waited < configuration.busyTimeout else { throw error }
        usleep(1_000)
        waited += 1
      }
    }
  }

  private func isPrepared(_ connection: Connection, _ fingerprint: String) throws(StoreError) -> Bool {
    guard try integer("PRAGMA user_version", connection) == Int64(configuration.schemaVersion),
      try integer(
        "SELECT count(*) FROM sqlite_schema WHERE name = '_livestore_meta'", connection) == 1
    else { return false }
    return try connection.firstValue("SELECT value FROM _livestore_meta WHERE name = 'schema'")
      == .text(fingerprint)
  }

  private func create(_ connection: Connection, _ fingerprint: String) throws(StoreError) {
    let known = try integer("PRAGMA user_version", connection)
    for sql in ChangeLog.creation { try connection.execute(sql) }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS _livestore_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID")
    for table in schema.tables {
      let existing = try columns(of: table, connection)
      if !existing.isEmpty {
        let missing = table.columns.filter { !existing.contains($0.name) }
        for column in missing {
          guard known < Int64(configuration.schemaVersion) else {
            throw StoreError(
              .schema,
              "“\(path)” has no column \(table.name).\(column.name); raise the schema version to add it.")
          }
          try connection.execute(
            "ALTER TABLE \(quoted(table.name)) ADD COLUMN \(quoted(column.name)) \(column.definition)")
        }
        if let column = missing.first {
          // The rows now stored have no value for the new columns, and the preupdate hook shows NULL for them instead of
          // the default (SQLite 3.40). Assigning any column stores them whole.
          let name = quoted(column.name)
          try connection.execute("UPDATE \(quoted(table.name)) SET \(name) = \(name)")
        }
      }
      for sql in schema.creation(of: table) { try connection.execute(sql) }
    }
    for table in schema.tables {
      for trigger in schema.triggers(of: table) {
        try connection.execute("DROP TRIGGER IF EXISTS \(quoted(trigger.name))")
        try connection.execute(trigger.sql)
      }
    }
    let note = try Statement(connection, "INSERT OR REPLACE INTO _livestore_meta VALUES ('schema', ?)")
    try note.run(.text(fingerprint))
    try connection.execute("PRAGMA application_id = \(configuration.applicationID)")
    try connection.execute("PRAGMA user_version = \(configuration.schemaVersion)")
  }

  private func columns(of table: Table, _ connection: Connection) throws(StoreError) -> Set<String> {
    let statement = try Statement(connection, "SELECT name FROM pragma_table_info(?)")
    statement.bind(.text(table.name), at: 1)
    var names: Set<String> = []
    while try statement.step() {
      if case .text(let name) = statement.value(0) { names.insert(name) }
    }
    return names
  }
}
