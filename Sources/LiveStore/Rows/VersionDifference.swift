/// The rows that differ between two versions, with their values in both.
///
/// Rows that were touched but have their former values are not included, so that it is a function of the two
/// versions alone.
struct VersionDifference: Sendable {
  struct Change {
    /// The row in the old version; `nil` if it did not exist.
    var old: PackedRow?
    /// The row in the new version; `nil` if it was deleted.
    var new: PackedRow?
    /// The columns with decimal numbers, of which one number has several texts.
    var decimals: Set<Int> = []
  }

  private var byTable: [TableChanges]

  init(schema: Schema) {
    byTable = schema.tables.map { TableChanges(decimals: $0.decimals) }
  }

  var count: Int { byTable.reduce(0) { $0 + $1.count } }
  var isEmpty: Bool { byTable.allSatisfy(\.isEmpty) }

  /// The numbers of the tables with rows that differ.
  var tables: Set<Int> { Set(byTable.indices.lazy.filter { !byTable[$0].isEmpty }) }

  /// - Complexity: O(log k) for k rows of the table.
  subscript(table: Table, key: SQLiteValue) -> Change? {
    byTable[table.index][key]
  }

  subscript(table: Table) -> TableChanges {
    byTable[table.index]
  }

  subscript(table table: Int) -> TableChanges {
    byTable[table]
  }

  /// Calls `body` with the changes of each table that has any, and the table's number.
  func forEachTable(_ body: (Int, TableChanges) -> Void) {
    for (table, changes) in byTable.enumerated() where !changes.isEmpty { body(table, changes) }
  }

  /// A builder that collects changes row by row, in any order, no row twice.
  struct Builder {
    private var changes: VersionDifference

    init(schema: Schema) {
      changes = VersionDifference(schema: schema)
    }

    /// Adds a row unless its values are the same in both versions.
    mutating func add(_ row: RowIdentity, old: RowImage?, new: RowImage?) {
      add(row.table, OrderedKey(row.key), old: old.map { .image($0) }, new: new.map { .image($0) })
    }

    /// Adds a row unless its values are the same in both versions.
    mutating func add(_ table: Int, _ key: OrderedKey, old: RowSource?, new: RowSource?) {
      changes.byTable[table].add(key, old: old, new: new)
    }

    mutating func reserve(_ table: Int, _ count: Int) {
      changes.byTable[table].reserve(count)
    }

    /// - Complexity: O(k log k) for k rows, O(k) if they were added in the order of their keys.
    consuming func finish() -> VersionDifference {
      for table in changes.byTable.indices { changes.byTable[table].sort() }
      return changes
    }
  }

  /// The changes to the named rows between two snapshots.
  ///
  /// - Complexity: O(k log n) for k rows; less for neighbours.
  static func between(
    _ old: RowReader, _ new: RowReader, _ touched: TouchedKeys, schema: Schema
  ) throws(StoreError) -> VersionDifference {
    var touched = touched
    touched.sort()
    var changes = Builder(schema: schema)
    for table in schema.tables {
      let keys = touched.byTable[table.index]
      if keys.isEmpty { continue }
      changes.reserve(table.index, keys.count)
      var before = try old.cursor(table)
      var after = try new.cursor(table)
      for key in keys {
        changes.add(table.index, key, old: try before.source(key, table), new: try after.source(key, table))
      }
    }
    return changes.finish()
  }

  /// The changes between two snapshots if the touched rows are unknown.
  ///
  /// - Complexity: O(n), n being all rows of the schema's tables in both versions.
  static func comparing(
    _ old: StatementCache, _ new: StatementCache, schema: Schema
  ) throws(StoreError) -> VersionDifference {
    var changes = Builder(schema: schema)
    for table in schema.tables {
      let sql =
        "SELECT \(table.columnList) FROM \(quoted(table.name)) ORDER BY \(table.key)"
      let oldRows = try old.prepare(sql)
      let newRows = try new.prepare(sql)
      defer {
        oldRows.reset()
        newRows.reset()
      }
      func nextKey(_ rows: Statement) throws(StoreError) -> OrderedKey? {
        try rows.step() ? OrderedKey(rows.value(table.primaryKey)) : nil
      }
      let oldRow = RowSource.statement(oldRows, columns: table.columns.count)
      let newRow = RowSource.statement(newRows, columns: table.columns.count)
      var oldKey = try nextKey(oldRows)
      var newKey = try nextKey(newRows)
      while let key = [oldKey, newKey].lazy.compactMap({ $0 }).min() {
        let isInOld = oldKey == key
        let isInNew = newKey == key
        changes.add(table.index, key, old: isInOld ? oldRow : nil, new: isInNew ? newRow : nil)
        if isInOld { oldKey = try nextKey(oldRows) }
        if isInNew { newKey = try nextKey(newRows) }
      }
    }
    return changes.finish()
  }
}

extension RowCursor {
  /// The row with a key, which must be greater than the last one; valid while the cursor is positioned on it.
  mutating func source(_ key: OrderedKey, _ table: Table) throws(StoreError) -> RowSource? {
    try find(key) ? .statement(row, columns: table.columns.count) : nil
  }
}
