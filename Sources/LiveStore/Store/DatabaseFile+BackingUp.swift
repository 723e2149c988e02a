import LibC

extension DatabaseFile {
  /// Runs `body` with a configuration's file and a connection that only reads it, without opening a store.
  static func look<R>(
    at configuration: Store.Configuration,
    _ body: (_ file: DatabaseFile, _ connection: Connection) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let schema = try Schema.of(configuration.objectTypes, version: configuration.schemaVersion)
    let file = try StoreFile(configuration.location)
    let database = DatabaseFile(
      identity: FileIdentity(files: file.files), configuration: configuration, schema: schema)
    // A store in memory is removed with its last user.
    return try withExtendedLifetime(file) { () throws(StoreError) in
      try body(database, try database.openToLook())
    }
  }

  /// Opens a read-only connection to a file of this application, which is not created, prepared or migrated.
  func openToLook() throws(StoreError) -> Connection {
    guard access(path, R_OK) == 0 else {
      throw StoreError(.fileAccess, "“\(path)” cannot be read: \(String(cString: strerror(errno))).")
    }
    try checkKind()
    do throws(StoreError) {
      let timeout = configuration.busyTimeout
      let connection = try identity.connect(isReadOnly: true) { $0.setBusyTimeout(milliseconds: timeout) }
      try checkOwner(connection)
      return connection
    } catch {
      let other: Connection?
      switch error.code {
      case .diskFailure: other = try? openAlone()
      case .fileAccess where identity.files.cannotBeShared: other = try? openUnchangeable()
      default: other = nil
      }
      guard let other else { throw error }
      return other
    }
  }

  /// Opens a connection that only reads a copy, and leaves no file beside one that no program has open.
  func openCopy() throws(StoreError) -> Connection {
    let files = identity.files
    guard try checkKind(), !files.areInUse, access(path, R_OK | W_OK) == 0, access(files.directory, W_OK) == 0
    else { return try openToLook() }
    // SQLite removes what it needs beside the file only for connections that may write.
    let connection = try Connection(path: path, create: false)
    connection.setBusyTimeout(milliseconds: configuration.busyTimeout)
    try connection.execute("PRAGMA query_only = ON")
    try checkOwner(connection)
    return connection
  }

  /// Opens a connection to a file that nothing can change, or that no other program has open. SQLite could
  /// not make the `-shm` beside it, and needs none: without locks its index of the log is memory of its own.
  private func openUnchangeable() throws(StoreError) -> Connection {
    var log = stat()
    let hasLog = stat(identity.files.wal, &log) == 0 && log.st_size > 0
    let option = hasLog ? "vfs=unix-none" : "immutable=1"
    let connection = try Connection(path: path, create: false, option: option)
    if hasLog { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
    try checkOwner(connection)
    return connection
  }

  /// Opens a connection that reads the file with no `-shm`, for which a full disk has no room.
  ///
  /// Its index of the log is memory of its own, which is safe because it locks the whole file: nobody else
  /// has the file open, and others wait until it is closed. See <https://sqlite.org/wal.html#noshm>.
  ///
  /// - Throws: ``StoreError``, also when the file may not be written, as SQLite then cannot take the lock.
  private func openAlone() throws(StoreError) -> Connection {
    let connection = try Connection(path: path, create: false)
    connection.setBusyTimeout(milliseconds: configuration.busyTimeout)
    connection.keepLogWhenClosed()
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
    try checkOwner(connection)
    return connection
  }

  /// Copies a file that is about to be migrated, which the caller has locked for writing and not changed yet;
  /// returns the path of the copy, or `nil` for a store in memory.
  func backUp(beforeMigrationFrom version: Int) throws(StoreError) -> String? {
    do throws(StoreError) {
      return try backUp(named: "version-\(version)")
    } catch {
      throw StoreError(
        error.code,
        "“\(path)” is of an older version, \(version), and was not migrated, because it is copied before: "
          + error.description)
    }
  }

  /// Copies a file, which the caller has locked for writing and not changed yet, beside it; returns the path
  /// of the copy, or `nil` for a store in memory.
  ///
  /// - Parameter name: The ending of the copy's name. A number follows if there is such a copy already, such
  ///   as of a file that was migrated from this version before, and then restored.
  func backUp(named name: String) throws(StoreError) -> String? {
    guard case .file = configuration.location else { return nil }
    var copy = "\(path).\(name)"
    var number = 1
    var status = stat()
    while lstat(copy, &status) == 0 {
      number += 1
      copy = "\(path).\(name).\(number)"
    }
    try openToLook().copy(to: copy)
    return copy
  }
}
