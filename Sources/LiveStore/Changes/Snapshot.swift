/// A connection that can hold one version of the file: everything read through it belongs to that version.
///
/// SQLite keeps a read transaction open as long as a statement is in the middle of its rows. The statement that asks for
/// the newest version is left there: it tells the version and holds it, also across a `COMMIT` on the same connection,
/// after which it holds exactly what was committed (SQLite then falls back from its write to its read transaction).
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
  private let readSchemaVersion: Statement
  /// Keeps the version held as it is while it lives: the snapshot is then not opened anew or closed, and nothing is written
  /// through its connection.
  private weak var pin: Pin?
  /// The version held, or `nil`.
  private(set) var version: Int64?
  /// The number that SQLite gave the file's tables when they were last found to fit the classes; it changes whenever
  /// they are.
  private(set) var schemaVersion: Int64?

  init(_ connection: Connection, schema: Schema) throws(StoreError) {
    self.connection = connection
    self.schema = schema
    instance = RowReader(connection.instance, schema: schema)
    worker = RowReader(connection.worker, schema: schema)
    writer = RowWriter(connection, schema: schema)
    hold = try Statement(connection, ChangeLog.newestVersion)
    readSchemaVersion = try Statement(connection, "PRAGMA schema_version")
  }

  /// Lets go of the version held and holds the newest, which is returned.
  ///
  /// - Throws: ``StoreError/Code/schema`` when another program has removed what the classes need; nothing is held then.
  @discardableResult
  func open() throws(StoreError) -> Int64 {
    close()
    do throws(StoreError) {
      _ = try hold.step()
      let newest = hold.integer(0)
      try checkSchema()
      version = newest
      return newest
    } catch {
      close()
      throw error
    }
  }

  private func checkSchema() throws(StoreError) {
    defer { readSchemaVersion.reset() }
    guard try readSchemaVersion.step() else { return }
    let found = readSchemaVersion.integer(0)
    guard found != schemaVersion else { return }
    try schema.check(connection)
    schemaVersion = found
  }

  func close() {
    precondition(!isPinned, "A version that frozen copies show cannot be given up.")
    hold.reset()
    version = nil
  }

  /// Writes the log back into the file, as far as no snapshot of anybody needs it, and holds the newest version if that
  /// was all of it: such a snapshot does not keep the log from being started anew by the next writer.
  ///
  /// - Returns: The version held, or `nil` when others still need a part of the log.
  func openBesideLog() throws(StoreError) -> Int64? {
    close()
    guard !connection.isReadOnly else { return nil }
    let checkpoint = try Statement(connection, "PRAGMA wal_checkpoint(PASSIVE)")
    guard try checkpoint.step() else { return nil }
    let isWhole = checkpoint.integer(0) == 0 && checkpoint.integer(1) == checkpoint.integer(2)
    checkpoint.reset()
    guard isWhole else { return nil }
    return try open()
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

  /// Notes that a commit through this connection has made a new version, which it still holds.
  func didCommit(_ newVersion: Int64) {
    version = newVersion
  }
}

/// Reads rows by primary key, with prepared statements of one party.
final class RowReader {
  let statements: StatementCache
  private let schema: Schema
  private var selections: [Statement?]

  init(_ statements: StatementCache, schema: Schema) {
    self.statements = statements
    self.schema = schema
    selections = Array(repeating: nil, count: schema.tables.count)
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
}
