/// Links and lists followed in the version that the reader shows.
extension RowReader {
  /// Calls `body` with the values of one column in the rows in which another column has one of the given
  /// values.
  ///
  /// - Complexity: O(k log n + r) for k values and r rows, if the other column is indexed.
  func forEach(
    _ column: Int, in table: Table, where other: Int, isIn values: some Collection<SQLiteValue>,
    _ body: (SQLiteValue) -> Void
  ) throws(StoreError) {
    guard !values.isEmpty else { return }
    let select = try statements.prepare(
      "SELECT \(table.column(column)) FROM \(quoted(table.name)) WHERE \(table.column(other)) = ?")
    defer { select.reset() }
    for value in values {
      select.reset()
      select.bind(value, at: 1)
      while try select.step() { body(select.value(0)) }
    }
  }
}
