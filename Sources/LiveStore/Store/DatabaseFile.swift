import CSQLite
import LibC

/// Opens and prepares the file of a store.
struct DatabaseFile {
  let identity: FileIdentity
  let configuration: Store.Configuration
  let schema: Schema

  var path: String { identity.files.path }

  struct Connections {
    let first: Connection
    /// `nil` if it is opened when it is needed.
    let second: Connection?
    /// SQLite's number of the file's tables, which fit the classes; `nil` if that is yet to be checked.
    let schemaVersion: Int64?
  }

  /// Opens the connections to the file, after creating everything that the schema needs in it. Other programs
  /// may block it for the configuration's timeout in all.
  func open() throws(StoreError) -> Connections {
    let end = ContinuousClock.now + .milliseconds(Int64(configuration.busyTimeout))
    let connections = try configuration.isReadOnly ? openReadOnly(until: end) : openForWriting(until: end)
    let opened = [connections.first, connections.second].compactMap(\.self)
    for connection in opened {
      try identity.requireSameFile(connection)
      connection.busyDeadline = nil
    }
    if !configuration.isReadOnly { try identity.claimName(for: opened) }
    return connections
  }

  private func openForWriting(until end: ContinuousClock.Instant) throws(StoreError) -> Connections {
    if !identity.isOfOpenDatabase { try createIfMissing() }
    let first = try connect(until: end)
    try checkOwner(first)
    let schemaVersion = try prepare(first, until: end)
    return Connections(first: first, second: try openSecond(until: end), schemaVersion: schemaVersion)
  }

  private func openSecond(until end: ContinuousClock.Instant) throws(StoreError) -> Connection? {
    guard configuration.followsCommits else { return nil }
    let second = try connect(until: end)
    try setUp(second)
    return second
  }

  /// Opens a further connection to a file that has been prepared.
  func openAnother() throws(StoreError) -> Connection {
    let connection = try connect()
    try setUp(connection)
    return connection
  }

  /// - Parameter end: The time after which it no longer waits for other programs.
  private func connect(until end: ContinuousClock.Instant? = nil) throws(StoreError) -> Connection {
    try identity.connect(isReadOnly: configuration.isReadOnly) { connection in
      connection.setBusyTimeout(milliseconds: configuration.busyTimeout)
      connection.busyDeadline = end
      if let trace = configuration.trace { connection.setTrace(trace) }
    }
  }

  private func openReadOnly(until end: ContinuousClock.Instant) throws(StoreError) -> Connections {
    guard access(path, F_OK) == 0 else {
      throw StoreError(
        .fileAccess, "“\(path)” cannot be opened read-only: \(String(cString: strerror(errno))).")
    }
    try checkKind()
    if access(path, R_OK) != 0 {
      throw StoreError(
        .fileAccess,
        "“\(path)” may not be read (\(String(cString: strerror(errno)))); change its permissions.")
    }
    let first = try connect(until: end)
    do throws(StoreError) {
      try checkOwner(first)
    } catch {
      // SQLite's readers share a file beside the database, which the first of them has to create.
      guard error.code == .fileAccess else { throw error }
      throw StoreError(
        .fileAccess,
        "“\(path)” cannot be read: its folder may not be written, and SQLite needs “\(path)-shm” there, "
          + "which is made when a program opens the file that may write; "
          + "have one open it, or copy the file, and “\(path)-wal” if it is there, to a folder of your own."
      )
    }
    guard case .text("wal")? = try first.firstValue("PRAGMA journal_mode") else {
      throw StoreError(
        .schema, "“\(path)” holds no store yet; open it for writing once, so that it is prepared.")
    }
    let number = try schemaVersion(first)
    let isStamped = try SchemaStamp(of: schema, on: first)?.isValid == true
    if isStamped { try schema.checkCollations(first) } else { try update(first).requireReadable() }
    try setUp(first)
    return Connections(
      first: first, second: try openSecond(until: end), schemaVersion: isStamped ? number : nil)
  }

  /// Creates an empty file that only its owner may read.
  private func createIfMissing() throws(StoreError) {
    if access(path, F_OK) != 0 { try NameClaim.requireNone(files: identity.files) }
    // This opens only a file that did not exist. Closing a database that this process has open would drop the
    // locks that SQLite holds on it.
    let descriptor = LibC.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    let code = errno
    if try checkKind() {
      if access(path, R_OK | W_OK) != 0 {
        let code = errno
        throw StoreError(
          .fileAccess,
          code == EROFS
            ? "“\(path)” may not be written: its file system can only be read; name another file."
            : "“\(path)” may not be read and written (\(String(cString: strerror(code)))); "
              + "change its permissions or name another file.")
      }
      return
    }
    if code == EEXIST {
      throw StoreError(
        .fileAccess,
        "“\(path)” is a link to a file that is not there; make that file, or remove the link.")
    }
    throw StoreError(
      .fileAccess, "“\(path)” cannot be created: \(String(cString: strerror(code))).")
  }

  /// Whether the file exists. Throws if it cannot be a database.
  @discardableResult
  func checkKind() throws(StoreError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
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
    return true
  }

  /// Refuses files of other applications before anything is written.
  func checkOwner(_ connection: Connection) throws(StoreError) {
    let application: Int64
    let version: Int64
    let tables: Int64
    let encoding: SQLiteValue?
    do {
      // In one snapshot: another process may be creating what the store needs at this moment.
      let isInTransaction = connection.isInTransaction
      if !isInTransaction { try connection.execute("BEGIN") }
      defer { if !isInTransaction { _ = connection.executeResult("ROLLBACK") } }
      application = try connection.firstInteger("PRAGMA application_id")
      version = try connection.firstInteger("PRAGMA user_version")
      tables = try connection.firstInteger("SELECT count(*) FROM sqlite_schema")
      encoding = try connection.firstValue("PRAGMA encoding")
    }
    if application == 0, version == 0, tables == 0 { return }
    // The output of `.dump` lacks the marks in the header, and creates the same tables again.
    if application == 0, version == 0, try FileSchema(connection).isPrepared {
      try requireUTF8(encoding)
      if (try? update(connection, version: 0))?.holdsSchema == true { return }
      throw StoreError(
        .otherApplication,
        "“\(path)” is marked with no application and no version, as what was made from a dump, and "
          + "its tables are not those of this version; mark it as the original was, or name another file.")
    }
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
    try requireUTF8(encoding)
  }

  /// Throws for other encodings, with which SQLite orders texts differently from the bytes that it returns.
  private func requireUTF8(_ encoding: SQLiteValue?) throws(StoreError) {
    guard encoding != .text("UTF-8") else { return }
    throw StoreError(
      .schema,
      "“\(path)” keeps its texts as \(encoding?.textReading ?? ""); "
        + "copy it into a file that keeps them as UTF-8, with sqlite3 and .dump.")
  }

  private func setUp(_ connection: Connection) throws(StoreError) {
    // The store that commits writes the log back itself (`Store+Log.swift`). SQLite would try it with every
    // commit while the file is observed.
    let synchronous = configuration.durability == .full ? "FULL" : "NORMAL"
    try connection.execute(
      """
      PRAGMA synchronous = \(synchronous); PRAGMA foreign_keys = ON; PRAGMA cache_size = -8192;
      PRAGMA journal_size_limit = 4194304; PRAGMA wal_autocheckpoint = 0
      """)
    // A write enables them if other programs have added some.
    connection.firesTriggers = false
    connection.disableStringsInDoubleQuotes()
  }

  /// Creates what is missing in the file; returns SQLite's number of the tables if nothing was.
  private func prepare(
    _ connection: Connection, until end: ContinuousClock.Instant
  ) throws(StoreError) -> Int64? {
    // Changing the mode takes the write lock, which the readers and writers of a new file may hold for a
    // moment. SQLite does not call the busy handler while they do.
    guard
      case .text("wal")? = try retryingWhenBusy(
        until: end,
        { () throws(StoreError) in
          try connection.firstValue("PRAGMA journal_mode = WAL")
        })
    else {
      throw StoreError(
        .fileAccess, "“\(path)” is on a file system without shared memory; put it on a local disk.")
    }
    try setUp(connection)
    if configuration.isPrepared {
      try schema.check(connection)
      return nil
    }
    // Before the tables are read: another program may change them at any moment.
    let number = try schemaVersion(connection)
    let stamp = try SchemaStamp(of: schema, on: connection)
    var fits = stamp?.isValid == true
    if !fits, try !update(connection).isNeeded() {
      fits = true
      stamp?.writeIfPossible(on: connection)
    }
    if fits {
      try schema.checkCollations(connection)
      return number
    }
    // A table can be rebuilt only while foreign keys do not follow it. Neither setting can be changed inside
    // a transaction.
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
    try connection.execute("BEGIN IMMEDIATE")
    var backup: String?
    do {
      // Another process may have prepared the file while this one waited for the lock.
      try checkOwner(connection)
      let update = try update(connection)
      if try update.isNeeded() {
        if update.isMigration, configuration.backsUpBeforeMigration {
          backup = try backUp(beforeMigrationFrom: update.version)
        }
        try update.run(
          applicationID: configuration.applicationID, migration: configuration.migration,
          snapshot: { () throws(StoreError) in
            let old = try connect(until: end)
            try old.execute("BEGIN")
            _ = try old.firstValue("SELECT count(*) FROM sqlite_schema")
            return old
          })
        try SchemaStamp(of: schema, on: connection)?.write(on: connection)
      }
      try connection.execute("COMMIT")
    } catch {
      _ = connection.executeResult("ROLLBACK")
      // The file is as it was, and each further attempt would copy it again.
      if let backup { unlink(backup) }
      throw error as? StoreError
        ?? StoreError(.migration, "The migration of “\(path)” failed, and the file is as it was: \(error).")
    }
    try connection.execute("PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON")
    return nil
  }

  /// SQLite's number of the tables, which each change of them raises.
  private func schemaVersion(_ connection: Connection) throws(StoreError) -> Int64 {
    try connection.firstInteger("PRAGMA schema_version")
  }

  /// The update of the file to the classes, with the file's own version.
  func update(_ connection: Connection) throws(StoreError) -> SchemaUpdate {
    try update(connection, version: Int(connection.firstInteger("PRAGMA user_version")))
  }

  private func update(_ connection: Connection, version: Int) throws(StoreError) -> SchemaUpdate {
    try SchemaUpdate(path: path, schema: schema, version: version, connection: connection)
  }

  /// Whether nothing is in the file. One that another program has open has at least a header, unless it was
  /// emptied meanwhile.
  private var isEmptied: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  private func retryingWhenBusy<R>(
    until end: ContinuousClock.Instant, _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    while true {
      do throws(StoreError) {
        return try body()
      } catch {
        guard error.code == .busy else { throw error }
        guard ContinuousClock.now < end else { throw isEmptied ? .emptied(path) : error }
        usleep(1_000)
      }
    }
  }
}

extension StoreError {
  fileprivate static func emptied(_ path: String) -> StoreError {
    StoreError(
      .busy,
      "“\(path)” was emptied while another program had it open; end that program, and go back to a copy.")
  }
}
