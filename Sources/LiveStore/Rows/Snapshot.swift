/// A connection that can hold one version of the file: everything read through it belongs to that version.
///
/// SQLite keeps a read transaction open as long as a statement is in the middle of its rows. The statement
/// that asks for the newest version is left there: it tells the version and holds it, also across a `COMMIT`
/// on the same connection, after which it holds exactly what was committed (SQLite then falls back from its
/// write to its read transaction).
final class Snapshot: @unchecked Sendable {
  // Opened and closed only by the party that owns the calculation; see `Coordinator`.

  let connection: Connection
  let schema: Schema
  /// Rows for the instance.
  let instance: RowReader
  /// Rows for whoever calculates.
  let worker: RowReader
  let writer: RowWriter
  private let hold: Statement
  private let readMark: Statement
  private let line: VersionLine
  private let identity: FileIdentity?
  private let readMarkings: [Statement]
  /// What the file said of itself when it was opened first; see ``checkMarkings()``.
  private var markings: [Int64] = []
  private let readSchemaVersion: Statement
  /// Keeps the version held as it is while it lives: the snapshot is then not opened anew or closed, and
  /// nothing is written through its connection.
  private weak var pin: Pin?
  /// The version held, or `nil`.
  private(set) var version: Int64?
  /// How far back the log tells how the version held came about.
  private(set) var section = VersionLine.Section()
  /// Whether the write-ahead log may not be started anew as long as the version is held, as far as is known
  /// here.
  private(set) var needsLog = true
  /// The number that SQLite gave the file's tables when they were last found to fit the classes; it changes
  /// whenever they are.
  private(set) var schemaVersion: Int64?
  /// How often SQLite had prepared `hold` when that was found.
  private var checkedPreparations: Int32 = 0

  /// - Parameters:
  ///   - line: That of the store.
  ///   - identity: The files of the store, which are then checked whenever a version is opened.
  init(
    _ connection: Connection, schema: Schema, line: VersionLine = VersionLine(), identity: FileIdentity? = nil
  ) throws(StoreError) {
    self.connection = connection
    self.schema = schema
    self.line = line
    self.identity = identity
    instance = RowReader(connection.instance, schema: schema)
    worker = RowReader(connection.worker, schema: schema)
    writer = RowWriter(connection, schema: schema)
    let hasMarks = try ChangeLog.hasMarks(connection)
    hold = try Statement(connection, ChangeLog.newestRow(hasMarks: hasMarks))
    readMark = try Statement(connection, ChangeLog.mark(hasMarks: hasMarks))
    readSchemaVersion = try Statement(connection, "PRAGMA schema_version")
    readMarkings = [
      try Statement(connection, "PRAGMA application_id"), try Statement(connection, "PRAGMA user_version"),
    ]
    // Now, since the back snapshot is opened only when there is something to look at, which may be another
    // mark.
    markings = try currentMarkings()
  }

  /// Lets go of the version held and holds the newest, which is returned.
  ///
  /// - Parameter checksFiles: False where what is open is to be read, whatever has become of the file of that
  ///   name.
  /// - Throws: ``StoreError/Code/schema`` when another program has removed what the classes need, and what
  ///   `FileIdentity` throws; nothing is held then.
  @discardableResult
  func open(checkingFiles checksFiles: Bool = true) throws(StoreError) -> Int64 {
    close()
    connection.release(.reading)
    if checksFiles { try identity?.check() }
    do throws(StoreError) {
      _ = try hold.step()
      try checkMarkings()
      try checkSchema()
      let end = VersionLine.End(number: hold.integer(0), mark: hold.mark(1), schemaVersion: schemaVersion)
      let newest = try line.version(of: end) { (number) throws(StoreError) in try mark(of: number) }
      section = line.section
      version = newest
      needsLog = true
      return newest
    } catch {
      close()
      throw error
    }
  }

  /// Checks that the file says that it is of the same application and version as ever: no table changes with
  /// that.
  private func checkMarkings() throws(StoreError) {
    let found = try currentMarkings()
    if found == markings { return }
    try schema.requireOwnVersion(connection)
    guard found[0] == markings[0] else {
      throw StoreError(
        .otherApplication,
        "Another program has marked the file as that of another application (\(found[0]) in place of "
          + "\(markings[0])); "
          + "have it put the mark back.")
    }
    throw StoreError(
      .schema,
      "Another program has changed the version that the file is marked with (\(found[1]) in place of "
        + "\(markings[1])); "
        + "have it put the version back.")
  }

  private func currentMarkings() throws(StoreError) -> [Int64] {
    try readMarkings.map { (statement) throws(StoreError) in
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }
  }

  private func mark(of number: Int64) throws(StoreError) -> Int64? {
    readMark.bind(.integer(number), at: 1)
    defer { readMark.reset() }
    return try readMark.step() ? readMark.mark(0) : nil
  }

  private func checkSchema() throws(StoreError) {
    // SQLite prepares a statement anew when it finds that the tables are others than it was prepared for.
    let preparations = hold.preparations
    guard preparations != checkedPreparations else { return }
    defer { readSchemaVersion.reset() }
    guard try readSchemaVersion.step() else { return }
    let found = readSchemaVersion.integer(0)
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

  /// Writes the log back into the file, as far as no snapshot of anybody needs it, and holds the newest
  /// version if that was all of it: such a snapshot does not keep the log from being started anew by the next
  /// writer.
  ///
  /// - Parameter index: Tells whether somebody else has written it back already, where it is known.
  /// - Returns: The version held, or `nil` when others still need a part of the log.
  func openBesideLog(_ index: WALIndex?) throws(StoreError) -> Int64? {
    close()
    let header = index?.header()
    if header.flatMap({ index?.isWrittenBack($0) }) != true {
      guard !connection.isReadOnly, try writeLogBack(.passive) else { return nil }
    }
    // SQLite has it read the file alone while the log holds nothing else.
    let version = try open()
    needsLog = false
    return version
  }

  /// How much trouble to take to write the log back. See <https://sqlite.org/c3ref/wal_checkpoint_v2.html>.
  enum Checkpoint: String, CaseIterable {
    /// None: what a snapshot needs stays.
    case passive = "PASSIVE"
    /// Keeps others from committing and waits until no snapshot needs an older version than the newest.
    case full = "FULL"
    /// Waits until no snapshot needs the log at all, too, so that the next writer starts it anew.
    case restart = "RESTART"
  }

  /// Writes the log back into the file while no version is held, and keeps others from committing meanwhile.
  ///
  /// - Parameter milliseconds: How long to wait for each thing that is waited for.
  /// - Parameter holdsWriteLock: Whether the caller keeps others from committing already.
  /// - Returns: Whether all of that could be done.
  func writeLogBack(
    _ checkpoint: Checkpoint, waiting milliseconds: Int32 = 0, holdsWriteLock: Bool = false
  ) throws(StoreError) -> Bool {
    let statement = try connection.instance.prepare("PRAGMA wal_checkpoint(\(checkpoint.rawValue))")
    defer { statement.reset() }
    return try connection.withBusyTimeout(milliseconds: milliseconds) { () throws(StoreError) in
      // SQLite would go on without it, and could meet a writer that starts the log anew.
      guard holdsWriteLock || connection.wait(for: .write) else { return false }
      defer { if !holdsWriteLock { connection.release(.write) } }
      guard try statement.step() else { return false }
      return statement.integer(0) == 0 && statement.integer(1) == statement.integer(2)
    }
  }

  /// Whether frozen copies show the version.
  var isPinned: Bool { pin != nil }

  /// Has the version kept for as long as what is returned lives, which may be let go of on any thread.
  func pinned() -> Pin {
    if let pin { return pin }
    let new = Pin()
    pin = new
    return new
  }

  final class Pin: Sendable {}

  /// Notes that a commit through this connection has made a new version, which it still holds and which is
  /// returned.
  func didCommit(number: Int64, mark: Int64) -> Int64 {
    let newest = line.version(ofCommit: number, mark: mark)
    version = newest
    needsLog = true
    return newest
  }
}

extension Statement {
  fileprivate func mark(_ column: Int) -> Int64? {
    if case .integer(let mark) = value(column) { mark } else { nil }
  }
}

/// Reads rows by primary key, with prepared statements of one party.
final class RowReader {
  let statements: StatementCache
  private let schema: Schema
  private var selections: [Statement?]
  private var ranges: [Statement?]

  init(_ statements: StatementCache, schema: Schema) {
    self.statements = statements
    self.schema = schema
    selections = Array(repeating: nil, count: schema.tables.count)
    ranges = selections
  }

  /// The row with a primary key, or `nil` when there is none. O(log n).
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

  /// Finds rows in the order of their primary keys; one at a time for each table.
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
