extension CalculationInput {
  /// The elements of a class that were written to since an earlier version, or lead to a row that was.
  ///
  /// - Complexity: O(k log n) for k rows written to.
  func touchedElements(
    since base: Int64, through version: Int64, of elements: Table, reader: RowReader
  ) throws(StoreError) -> TouchedElements {
    guard
      let rows = try ChangeLog.touched(
        after: base, through: version, schema: schema, on: reader.statements)
    else { return .all }
    let reachable = DeepChanges.reachable(from: [elements.index], schema: schema)
    var changes = RowChanges(schema: schema)
    for row in rows {
      let table = schema.tables[row.table]
      switch table.role {
      case .objects:
        changes.add(row, old: nil, new: try reader.row(table, row.key))
      case .entries(let owner, _):
        // Whose list an entry was in before is not known.
        if reachable.contains(owner) { return .all }
      }
    }
    let deep = try DeepChanges(changes, schema: schema, reader: reader, for: [elements.index])
    return .some(deep[elements].union(changes[elements].keys))
  }
}
