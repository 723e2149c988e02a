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

  /// The owners of entries, each once; `nil` if they are more than a limit.
  ///
  /// - Complexity: O(k log n) for k owners, however many entries they have.
  func owners(of entries: Table, upTo limit: Int) throws(StoreError) -> [SQLiteValue]? {
    let name = quoted(entries.name)
    let select = try statements.prepare(
      """
      WITH RECURSIVE o (owner) AS (SELECT min(owner) FROM \(name) UNION ALL
        SELECT (SELECT min(owner) FROM \(name) WHERE owner > o.owner) FROM o WHERE o.owner IS NOT NULL)
      SELECT owner FROM o WHERE owner IS NOT NULL LIMIT ?
      """)
    let owners = try select.all([.integer(Int64(limit) + 1)]) { $0.value(0) }
    return owners.count > limit ? nil : owners
  }
}
