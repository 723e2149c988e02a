/// The primary keys of rows that were written to, by the number of their table: in ascending order, each
/// once.
struct TouchedKeys {
  private(set) var byTable: [[OrderedKey]]

  init(schema: Schema) {
    byTable = Array(repeating: [], count: schema.tables.count)
  }

  /// Adds a row; ``sort()`` must follow.
  mutating func add(_ table: Table, _ key: SQLiteValue) {
    byTable[table.index].append(OrderedKey(key))
  }

  mutating func reserve(_ table: Table, _ count: Int) {
    byTable[table.index].reserveCapacity(byTable[table.index].count + count)
  }

  /// Sorts the keys.
  ///
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

  /// The same rows without an order.
  var rows: Set<RowIdentity> {
    var rows: Set<RowIdentity> = []
    for (table, keys) in byTable.enumerated() {
      for key in keys { rows.insert(RowIdentity(table: table, key: key.value)) }
    }
    return rows
  }
}
