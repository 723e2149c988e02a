import CSQLite

/// Notes which rows a transaction of this store touches, and what they were before.
///
/// SQLite calls it before each row changes (<https://sqlite.org/c3ref/preupdate_blobwrite.html>), also for the rows that
/// a `REPLACE`, a cascade or a `DELETE` without `WHERE` removes.
final class TransactionRecorder {
  struct Touch {
    /// The row before the transaction; `nil` when there was none.
    var before: RowImage?
    /// The columns that were assigned another value, bit by bit; all for a row that came or went.
    var columns: UInt64
  }

  /// What the transaction has touched so far.
  private(set) var touched: [RowID: Touch] = [:]
  /// What has been touched since collections last caught up, with the row as it was then.
  private(set) var uncollected: [RowID: RowImage?] = [:]

  /// Rows touched, and transactions ended, since the beginning.
  private(set) var touches: UInt64 = 0
  /// Whether the transaction has touched a table that this store knows nothing of: one that references, with an action,
  /// a table that it knows. Nobody can then say which rows changed.
  private(set) var hasTouchedUnknown = false

  /// Told of each row and its columns, so that no object goes on showing what was.
  unowned var store: Store?

  private let schema: Schema
  private var tablesByName: [UnsafeRawPointer: Table] = [:]
  private var installed: [WeakConnection] = []
  /// For each table, where its columns stand in the file: one that was added later stands at the end there.
  private var positions: [[Int32]] = []
  /// The version of the file's tables that they were read in.
  private var positionsVersion: Int64?

  init(schema: Schema) {
    self.schema = schema
  }

  /// Has SQLite report the changes made through a connection, until ``uninstall()``.
  func install(on connection: Connection) throws(StoreError) {
    if positions.isEmpty { positions = try readPositions(connection) }
    // A connection that was left to frozen copies may be gone before the recorder.
    installed.removeAll { $0.connection == nil }
    installed.append(WeakConnection(connection: connection))
    sqlite3_preupdate_hook(
      connection.handle,
      { context, handle, operation, _, name, _, _ in
        guard let context, let handle, let name else { return }
        Unmanaged<TransactionRecorder>.fromOpaque(context).takeUnretainedValue()
          .record(operation, tableName: name, handle)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Has it know where the columns stand in a transaction that begins, another program having changed the tables perhaps.
  func prepare(for snapshot: Snapshot) throws(StoreError) {
    guard snapshot.schemaVersion != positionsVersion else { return }
    positions = try readPositions(snapshot.connection)
    positionsVersion = snapshot.schemaVersion
  }

  private func readPositions(_ connection: Connection) throws(StoreError) -> [[Int32]] {
    let select = try Statement(connection, "SELECT name, cid FROM pragma_table_info(?)")
    var positions: [[Int32]] = []
    for table in schema.tables {
      var found: [String: Int32] = [:]
      select.bind(.text(table.name), at: 1)
      while try select.step() {
        guard case .text(let name) = select.value(0) else { continue }
        found[name] = Int32(truncatingIfNeeded: select.integer(1))
      }
      var columns: [Int32] = []
      for column in table.columns {
        guard let position = found[column.name] else {
          throw StoreError(.schema, "The file has no column \(table.name).\(column.name).")
        }
        columns.append(position)
      }
      positions.append(columns)
    }
    return positions
  }

  func uninstall() {
    for connection in installed.compactMap(\.connection) {
      sqlite3_preupdate_hook(connection.handle, nil, nil)
    }
    installed = []
  }

  func reset() {
    touches += 1
    hasTouchedUnknown = false
    touched = [:]
    uncollected = [:]
  }

  func takeUncollected() -> [RowID: RowImage?] {
    defer { uncollected = [:] }
    return uncollected
  }

  private func table(named name: UnsafePointer<CChar>) -> Table? {
    // SQLite hands out the name that its parsed schema holds, so that its address tells the table; the comparison
    // guards against the schema having been parsed anew.
    if let table = tablesByName[name], table.name.withCString({ compare($0, name) }) { return table }
    let table = schema.table(named: String(cString: name))
    tablesByName[name] = table
    return table
  }

  private func compare(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
    sqlite3_stricmp(a, b) == 0
  }

  private func record(_ operation: Int32, tableName: UnsafePointer<CChar>, _ handle: OpaquePointer) {
    guard let table = table(named: tableName) else {
      if !String(cString: tableName).hasPrefix("_livestore_") { hasTouchedUnknown = true }
      return
    }
    let positions = positions[table.index]
    func old(_ column: Int) -> SQLiteValue {
      var value: OpaquePointer?
      sqlite3_preupdate_old(handle, positions[column], &value)
      return SQLiteValue(value)
    }
    func new(_ column: Int) -> SQLiteValue {
      var value: OpaquePointer?
      sqlite3_preupdate_new(handle, positions[column], &value)
      return SQLiteValue(value)
    }
    switch operation {
    case SQLITE_INSERT:
      note(RowID(table: table.index, key: new(table.primaryKey)), before: nil, columns: .max)
    case SQLITE_DELETE:
      let before = table.columns.indices.map(old)
      note(RowID(table: table.index, key: before[table.primaryKey]), before: before, columns: .max)
    default:
      let before = table.columns.indices.map(old)
      var columns: UInt64 = 0
      for column in table.columns.indices where new(column) != before[column] {
        columns |= columnBit(column)
      }
      let newKey = new(table.primaryKey)
      note(RowID(table: table.index, key: before[table.primaryKey]), before: before, columns: columns)
      if newKey != before[table.primaryKey] {
        note(RowID(table: table.index, key: newKey), before: nil, columns: .max)
      }
    }
  }

  private func note(_ row: RowID, before: RowImage?, columns: UInt64) {
    touches += 1
    touched[row, default: Touch(before: before, columns: 0)].columns |= columns
    // A row that is touched again keeps its first image.
    if uncollected[row] == nil { uncollected[row] = .some(before) }
    store?.didTouch(row, columns: columns)
  }
}

private struct WeakConnection {
  weak var connection: Connection?
}
