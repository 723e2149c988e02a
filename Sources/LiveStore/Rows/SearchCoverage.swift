/// The rows that a full-text index does not have as they are at a version.
struct SearchCoverage: Sendable {
  /// The number of the log row up to which the index reaches, and its mark; `nil` if there is no such row.
  fileprivate let end: (number: Int64, mark: String)?
  /// The number of the log row with which the version begins.
  fileprivate let newest: Int64
  /// The keys of the rows in ascending order, each once; `nil` if it may be any.
  let fresh: [OrderedKey]?

  /// Whether a search gives the same at both versions if the texts are the same.
  ///
  /// Rows that were written since then count too if the index has them: for how rare a word is.
  func isSame(as other: SearchCoverage) -> Bool {
    fresh == other.fresh && (fresh?.isEmpty ?? true || hasSameEnd(as: other))
  }

  fileprivate func hasSameEnd(as other: SearchCoverage) -> Bool {
    end?.number == other.end?.number && end?.mark == other.end?.mark
  }
}

extension SearchIndex {
  /// The rows that the index does not have at the version which the statements read.
  ///
  /// - Parameters:
  ///   - known: That of an earlier version.
  ///   - unlogged: The rows that the open transaction has touched; `nil` if they are not known.
  /// - Complexity: O(k log k) for the k rows written since the index was brought up to date, or since the
  ///   known version if it was not afterwards.
  func coverage(
    since known: SearchCoverage? = nil, unlogged: [RowIdentity]? = [], schema: Schema,
    on statements: StatementCache
  ) throws(StoreError) -> SearchCoverage {
    let newest = try statements.prepare("SELECT max(seq) FROM \(LogTable.name)").first { $0.integer(0) } ?? 0
    let end = try reach(on: statements)
    func coverage(_ keys: [OrderedKey]?) -> SearchCoverage {
      SearchCoverage(end: end, newest: newest, fresh: keys)
    }
    guard let unlogged, let end else { return coverage(nil) }
    var start = end.number
    var keys: [OrderedKey] = []
    if let known, known.hasSameEnd(as: coverage(nil)), known.newest <= newest, let fresh = known.fresh {
      (start, keys) = (known.newest, fresh)
    }
    guard
      var touched = try ChangeLog.touched(after: start, through: newest, schema: schema, on: statements)
    else { return coverage(nil) }
    for key in keys { touched.add(table, key.value, columns: .max) }
    for row in unlogged { touched.add(schema.tables[row.table], row.key, columns: .max) }
    touched.sort()
    return coverage(touched.byTable[table.index])
  }
}
