/// The primary keys of rows that were written to, by the number of their table.
struct TouchedKeys {
  /// The keys; after ``sort()`` in ascending order, each once.
  private(set) var byTable: [[OrderedKey]]
  /// The columns that every write to the table assigned, by their bits in the change log; all for a table
  /// without any.
  private(set) var commonColumns: [UInt64]

  init(schema: Schema) {
    byTable = Array(repeating: [], count: schema.tables.count)
    commonColumns = Array(repeating: .max, count: schema.tables.count)
  }

  /// Adds a row with the columns that were assigned, by their bits in the change log.
  mutating func add(_ table: Table, _ key: SQLiteValue, columns: UInt64) {
    byTable[table.index].append(OrderedKey(key))
    commonColumns[table.index] &= columns
  }

  /// The only table with rows that were written to; `nil` if there is none, or several.
  var onlyTable: Int? {
    guard let table = byTable.firstIndex(where: { !$0.isEmpty }),
      byTable[(table + 1)...].allSatisfy(\.isEmpty)
    else { return nil }
    return table
  }

  mutating func reserve(_ table: Table, _ count: Int) {
    byTable[table.index].reserveCapacity(byTable[table.index].count + count)
  }

  /// - Complexity: O(k log k) for k keys; O(k) if they are sorted.
  mutating func sort() {
    for table in byTable.indices {
      guard zip(byTable[table], byTable[table].dropFirst()).contains(where: { $0 >= $1 }) else { continue }
      byTable[table].sort()
      var last: OrderedKey?
      byTable[table].removeAll { key in
        defer { last = key }
        return last == key
      }
    }
  }

  var rows: Set<RowIdentity> {
    var rows: Set<RowIdentity> = []
    for (table, keys) in byTable.enumerated() {
      for key in keys { rows.insert(RowIdentity(table: table, key: key.value)) }
    }
    return rows
  }
}
