/// A connection that can hold one version of the file: everything read through it belongs to that version.
///
/// SQLite keeps a read transaction open while a statement is positioned on one of its rows. The statement
/// that reads the newest version stays positioned: it holds the version that it reads, also across a `COMMIT`
/// on the same connection, after which it holds exactly what was committed (SQLite then falls back from its
/// write to its read transaction).
final class Snapshot: @unchecked Sendable {
  // Opened and closed only by the party that has both snapshots; see `DeliveryState`.

  let connection: Connection
  let schema: Schema
  /// The reader of the instance.
  let instance: RowReader
  /// The reader of the worker.
  let worker: RowReader
  let writer: RowWriter
  private let hold: Statement
  private let readMark: Statement
  private let line: VersionLine
  private let identity: FileIdentity?
  private let readMarkings: [Statement]
  /// The marks in the file's header when it was first opened; see ``checkMarkings()``.
  private var markings: [Int64] = []
  private let readSchemaVersion: Statement
  /// A pin that keeps the version held while it lives: the snapshot is then not opened again or closed, and
  /// nothing is written through its connection.
  private weak var pin: Pin?
  /// The version held, or `nil`.
  private(set) var version: Int64?
  /// The section of the log that contains the history of the version held.
  private(set) var section = VersionLine.Section()
  /// Whether the write-ahead log may not be restarted while the version is held, as far as is known here.
  private(set) var needsLog = true
  /// Whether its position in the log is the one before its own commits, which were made with the version
  /// held: the log cannot be written back beyond that.
  private(set) var isBehindOwnCommits = false
  /// SQLite's number of the file's tables when they were last found to fit the classes; it changes whenever
  /// they do.
  private(set) var schemaVersion: Int64?
  /// The number of times that SQLite had prepared `hold` at that moment.
  private var checkedPreparations: Int32 = 0

  /// - Parameters:
  ///   - line: The version line of the store.
  ///   - identity: The identity of the store's files, which is checked whenever a version is opened.
  ///   - schemaVersion: SQLite's number of the file's tables, if they have been found to fit the classes.
  init(
    _ connection: Connection, schema: Schema, line: VersionLine = VersionLine(),
    identity: FileIdentity? = nil, schemaVersion: Int64? = nil
  ) throws(StoreError) {
    self.schemaVersion = schemaVersion
    self.connection = connection
    self.schema = schema
    self.line = line
    self.identity = identity
    instance = RowReader(connection.instance, schema: schema)
    worker = RowReader(connection.worker, schema: schema)
    writer = RowWriter(connection, schema: schema)
    hold = try Statement(connection, ChangeLog.newestRow)
    readMark = try Statement(connection, ChangeLog.mark)
    readSchemaVersion = try Statement(connection, "PRAGMA schema_version")
    readMarkings = [
      try Statement(connection, "PRAGMA application_id"), try Statement(connection, "PRAGMA user_version"),
    ]
    // Read now, since the back snapshot is opened only after a change, which may be another mark.
    markings = try currentMarkings()
  }

  /// Releases the version held and holds the newest, which is returned.
  ///
  /// - Parameter checksFiles: False to read the open file, even if the file of that name is another one.
  /// - Throws: ``StoreError/Code/schema`` when another program has removed something that the classes need,
  ///   and the errors of `FileIdentity`; nothing is held then.
  @discardableResult
  func open(checkingFiles checksFiles: Bool = true) throws(StoreError) -> Int64 {
    close()
    connection.release(.reading)
    if checksFiles { try identity?.check() }
    do throws(StoreError) {
      _ = try hold.step()
      try checkMarkings()
      try checkSchema()
      let end = VersionLine.End(
        number: hold.integer(0), mark: hold.integerIfAny(1), schemaVersion: schemaVersion)
      let newest = try line.version(of: end) { (number) throws(StoreError) in try mark(of: number) }
      section = line.section
      version = newest
      needsLog = true
      isBehindOwnCommits = false
      return newest
    } catch {
      close()
      throw error
    }
  }

  /// Checks that the application and version in the file's header are unchanged: no table changes with them.
  private func checkMarkings() throws(StoreError) {
    let found = try currentMarkings()
    if found == markings { return }
    try schema.requireOwnVersion(connection)
    guard found[0] == markings[0] else {
      throw StoreError(
        .otherApplication,
        "Another program has marked the file as that of another application "
          + "(\(found[0]) in place of \(markings[0])); have it put the mark back.")
    }
    throw StoreError(
      .schema,
      "Another program has changed the version that the file is marked with "
        + "(\(found[1]) in place of \(markings[1])); have it put the version back.")
  }

  private func currentMarkings() throws(StoreError) -> [Int64] {
    try readMarkings.map { (statement) throws(StoreError) in try statement.first { $0.integer(0) } ?? 0 }
  }

  private func mark(of number: Int64) throws(StoreError) -> Int64? {
    try readMark.first([.integer(number)]) { $0.integerIfAny(0) }.flatMap(\.self)
  }

  private func checkSchema() throws(StoreError) {
    // SQLite prepares a statement again when the tables have changed since.
    let preparations = hold.preparations
    guard preparations != checkedPreparations else { return }
    guard let found = try readSchemaVersion.first(read: { $0.integer(0) }) else { return }
    if found != schemaVersion {
      try schema.check(connection)
      schemaVersion = found
    }
    checkedPreparations = preparations
  }

  func close() {
    precondition(!isPinned, "A version that frozen copies show cannot be given up.")
    hold.reset()
    version = nil
  }

  /// Writes the log back into the file, as far as no snapshot needs it, and holds the newest version if that
  /// was all of it. Such a snapshot does not keep the next writer from restarting the log.
  ///
  /// - Parameter index: The index that shows whether another program has written it back already, if
  ///   available.
  /// - Returns: The version held, or `nil` when other snapshots still need a part of the log.
  func openBesideLog(_ index: WALIndex?) throws(StoreError) -> Int64? {
    close()
    let header = index?.header()
    if header.flatMap({ index?.isWrittenBack($0) }) != true {
      guard !connection.isReadOnly, try connection.writeLogBackAtOnce() else { return nil }
    }
    // SQLite lets it read the file alone while the log holds nothing else.
    let version = try open()
    needsLog = false
    return version
  }

  /// Whether frozen copies show the version.
  var isPinned: Bool { pin != nil }

  /// Keeps the version as long as the returned pin lives, which may be released on any thread.
  func pinned() -> Pin {
    if let pin { return pin }
    let new = Pin()
    pin = new
    return new
  }

  final class Pin: Sendable {}

  /// Records that a commit through this connection has made a new version, which it still holds and which is
  /// returned.
  func didCommit(number: Int64, mark: Int64) -> Int64 {
    let newest = line.version(ofCommit: number, mark: mark)
    version = newest
    needsLog = true
    isBehindOwnCommits = true
    return newest
  }
}

/// A reader of rows by primary key, with prepared statements that one party uses.
final class RowReader {
  let statements: StatementCache
  private var selections: [Statement?]
  private var ranges: [Statement?]

  init(_ statements: StatementCache, schema: Schema) {
    self.statements = statements
    selections = Array(repeating: nil, count: schema.tables.count)
    ranges = selections
  }

  /// The row with a primary key, or `nil`. O(log n).
  func row(_ table: Table, _ key: SQLiteValue) throws(StoreError) -> RowImage? {
    let selection: Statement
    if let prepared = selections[table.index] {
      selection = prepared
    } else {
      selection = try statements.prepare(table.selectRow)
      selections[table.index] = selection
    }
    selection.bind(key, at: 1)
    defer { selection.reset() }
    guard try selection.step() else { return nil }
    return selection.values(0..<table.columns.count)
  }

  /// A cursor that finds rows in the order of their primary keys; one at a time for each table.
  func cursor(_ table: Table) throws(StoreError) -> RowCursor {
    let range: Statement
    if let prepared = ranges[table.index] {
      range = prepared
    } else {
      range = try statements.prepare(table.selectFromKey)
      ranges[table.index] = range
    }
    return RowCursor(range, keyColumn: table.primaryKey)
  }
}
