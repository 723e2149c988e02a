import LibC

/// The size of the file, and making it smaller.
extension Store {
  /// The sizes of a file's parts, in bytes.
  public struct FileSizes: Encodable, Equatable, Sendable {
    /// The database itself.
    public var database: Int
    /// The part of the database that holds nothing, which later writes fill, and ``Store/compact()`` gives
    /// back.
    public var unused: Int
    /// The write-ahead log beside it.
    public var log: Int

    init(_ connection: Connection, _ files: DatabaseFiles) throws(StoreError) {
      let page = Int(try connection.firstInteger("PRAGMA page_size"))
      database = Int(try connection.firstInteger("PRAGMA page_count")) * page
      unused = Int(try connection.firstInteger("PRAGMA freelist_count")) * page
      // Not by opening it, which would drop SQLite's locks when it is closed.
      var status = stat()
      log = stat(files.wal, &status) == 0 ? Int(status.st_size) : 0
    }
  }

  /// The sizes of the file's parts now.
  ///
  /// - Complexity: O(1).
  public func fileSizes() throws(StoreError) -> FileSizes {
    confinement.require()
    requireOpen()
    return try exclusively { () throws(StoreError) in
      try requireReadable()
      return try FileSizes(connection, file.files)
    }
  }

  /// Writes the file anew without unused parts, and gives what they take back to the disk.
  ///
  /// Observers are not called: nothing changes. The next delivery of every store of the file compares all of
  /// it with what it was, once.
  ///
  /// - Throws: ``StoreError/Code/misuse`` inside a write, and ``StoreError/Code/busy`` while others write.
  /// - Complexity: O(size of the file), while no program can write. As much space is needed on the disk
  ///   meanwhile.
  public func compact() throws(StoreError) {
    try withOwnConnection("compacted") { (connection) throws(StoreError) in
      // It may restart the log; see ``LogLock``.
      guard connection.wait(for: .checkpoint) else {
        throw StoreError(
          .busy, "Another program has been writing to “\(path)” for too long; try again when it is done.")
      }
      let result = Result { () throws(StoreError) in try connection.execute("VACUUM") }
      connection.release(.checkpoint)
      try result.get()
      _ = try connection.writeLogBack()
    }
  }

  /// Writes the write-ahead log back into the database, as far as no reader needs it.
  ///
  /// Stores do so by themselves when the log has become long. Before the file is copied by other means, it
  /// shortens what has to be copied beside it.
  ///
  /// - Returns: Whether all of it was written back. False also where another program has been writing for
  ///   longer than the store waits.
  @discardableResult
  public func checkpoint() throws(StoreError) -> Bool {
    var isWhole = false
    try withOwnConnection("written back") { (connection) throws(StoreError) in
      isWhole = try connection.writeLogBack()
    }
    return isWhole
  }

  /// Runs `body`, which may write to the file, with a connection of its own.
  ///
  /// - Parameter action: The action as the error says it, such as “compacted”.
  func withOwnConnection(
    _ action: String, _ body: (Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    requireLive(action)
    confinement.require()
    requireOpen()
    guard !configuration.isReadOnly, !isInWriteTransaction else {
      throw StoreError(
        .misuse, "A file cannot be \(action) by a store that is read-only or in the middle of a write.")
    }
    let connection = try database.openAnother()
    // The locks of the log are in an index that the first read maps.
    _ = try connection.firstInteger("PRAGMA schema_version")
    try body(connection)
  }

  /// The tables, indexes and triggers of the store's classes in SQL, as the file has them.
  public func schemaDescription() throws(StoreError) -> String {
    let parts = try select(
      sql:
        "SELECT tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE '\\_livestore\\_%' "
        + "ESCAPE '\\' ORDER BY tbl_name COLLATE NOCASE, type = 'table' DESC, name")
    return parts.filter { part in
      part["tbl_name", as: String.self].map { name in
        schema.tables.contains { isSameName($0.name, name) }
      } == true
    }
    .compactMap { $0["sql", as: String.self] }.map { $0 + ";\n" }.joined()
  }
}

extension Results {
  /// The statement of SQL that reads the order of the results, and the steps that SQLite takes for it.
  ///
  /// For finding out whether an index is used: the text is that of SQLite's `EXPLAIN QUERY PLAN`.
  public func explain() throws(StoreError) -> String {
    store.confinement.require()
    store.requireOpen()
    return try store.exclusively { () throws(StoreError) in try ranked.explained() }
  }
}

extension RankedCollection {
  fileprivate func explained() throws(StoreError) -> String {
    try store.requireReadable()
    let statement = try query.members(on: store.reader.statements)
    defer { statement.reset() }
    let plan = try Statement(store.connection, "EXPLAIN QUERY PLAN " + statement.sql)
    let steps = try plan.all { "- " + ($0.value(3).textReading ?? "") }
    return ([statement.sql] + steps).joined(separator: "\n")
  }
}
