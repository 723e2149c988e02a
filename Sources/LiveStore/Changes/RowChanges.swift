/// The rows that differ between two versions, with their values in both.
///
/// Rows that were touched but are as they were are not in it, so that it is a function of the two versions alone.
struct RowChanges {
  struct Change {
    /// The row in the old version; `nil` when it was not there.
    var old: RowImage?
    /// The row in the new version; `nil` when it is gone.
    var new: RowImage?
  }

  private(set) var byTable: [[SQLiteValue: Change]]
  private(set) var count = 0

  init(schema: Schema) {
    byTable = Array(repeating: [:], count: schema.tables.count)
  }

  var isEmpty: Bool { count == 0 }

  subscript(table: Table, key: SQLiteValue) -> Change? {
    byTable[table.index][key]
  }

  subscript(table: Table) -> [SQLiteValue: Change] {
    byTable[table.index]
  }

  /// Adds a row unless its values are the same in both versions.
  mutating func add(_ row: RowID, old: RowImage?, new: RowImage?) {
    guard old != new else { return }
    if byTable[row.table].updateValue(Change(old: old, new: new), forKey: row.key) == nil { count += 1 }
  }

  /// The changes to the named rows between two snapshots.
  ///
  /// - Complexity: O(k log n) for k rows.
  static func between(
    _ old: RowReader, _ new: RowReader, rows: some Sequence<RowID>, schema: Schema
  ) throws(StoreError) -> RowChanges {
    var changes = RowChanges(schema: schema)
    for row in rows {
      let table = schema.tables[row.table]
      changes.add(row, old: try old.row(table, row.key), new: try new.row(table, row.key))
    }
    return changes
  }

  /// The changes between two snapshots when nothing says which rows were touched.
  ///
  /// - Complexity: O(n), n being all rows of the schema's tables in both versions.
  static func comparing(
    _ old: StatementCache, _ new: StatementCache, schema: Schema
  ) throws(StoreError) -> RowChanges {
    var changes = RowChanges(schema: schema)
    for table in schema.tables {
      let key = table.primaryKey
      let sql = "SELECT \(table.columnList) FROM \(quoted(table.name)) ORDER BY \(table.column(key))"
      let oldRows = try old.prepare(sql)
      let newRows = try new.prepare(sql)
      defer {
        oldRows.reset()
        newRows.reset()
      }
      func next(_ rows: Statement) throws(StoreError) -> RowImage? {
        try rows.step() ? rows.values(0..<table.columns.count) : nil
      }
      var oldRow = try next(oldRows)
      var newRow = try next(newRows)
      while oldRow != nil || newRow != nil {
        let oldKey = oldRow.map { RankKeyWriter.key(of: $0[key]) }
        let newKey = newRow.map { RankKeyWriter.key(of: $0[key]) }
        if let row = oldRow, newKey == nil || oldKey! < newKey! {
          changes.add(RowID(table: table.index, key: row[key]), old: row, new: nil)
          oldRow = try next(oldRows)
        } else if let row = newRow, oldKey == nil || newKey! < oldKey! {
          changes.add(RowID(table: table.index, key: row[key]), old: nil, new: row)
          newRow = try next(newRows)
        } else if let row = newRow {
          changes.add(RowID(table: table.index, key: row[key]), old: oldRow, new: row)
          oldRow = try next(oldRows)
          newRow = try next(newRows)
        }
      }
    }
    return changes
  }
}
