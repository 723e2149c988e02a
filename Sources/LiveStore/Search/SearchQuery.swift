/// A search in the full-text index of a class.
struct SearchQuery: MaintainedQuery {
  let index: SearchIndex
  /// The expression of FTS5.
  let expression: String
  /// The collection in which it searches.
  let collection: CollectionQuery
  let marks: (start: String, end: String)
  let limit: Int?

  /// The name of an index in memory, which FTS5 takes for a column of it too, and which no text has.
  private static let fresh = SearchIndex.prefix + "fresh"

  /// Throws if FTS5 does not understand the expression, or SQLite has no FTS5.
  func requireUnderstood() throws(StoreError) {
    let memory = try Connection(path: ":memory:", create: true)
    do throws(StoreError) {
      try memory.execute(index.creation(of: Self.fresh))
    } catch {
      throw StoreError(
        .misuse, "SQLite was built without FTS5 here, so that texts cannot be searched.", report: error.report
      )
    }
    do throws(StoreError) {
      let search = try Statement(memory, "SELECT 1 FROM \(Self.fresh) WHERE \(Self.fresh) MATCH ?")
      try search.run(.text(expression))
    } catch {
      throw StoreError(
        .misuse, "FTS5 does not understand what is searched for: \(memory.lastError.message).",
        report: error.report)
    }
  }

  var tables: Set<Int> { collection.tables.union([index.table.index]) }
  // The ranks of all matches depend on all objects.
  var isIncremental: Bool { false }
  /// The columns of the class that decide what is found, and what is told of it.
  private var ownColumns: Set<Int> { collection.dependencies.columns.union(index.columns) }

  func depends(on columns: UInt64, of table: Int) -> Bool {
    guard table == index.table.index else { return tables.contains(table) }
    return ownColumns.contains { columns & columnBit($0) != 0 }
  }

  /// - Complexity: That of FTS5 for the indexed rows; O(k) for k rows that are not indexed yet.
  func load(on statements: StatementCache) throws(StoreError) -> SelectedRows {
    try load(on: statements, unlogged: [])
  }

  func load(
    on statements: StatementCache, unlogged: [RowIdentity]?
  ) throws(StoreError) -> SelectedRows {
    let coverage = try index.coverage(unlogged: unlogged, schema: collection.schema, on: statements)
    return try load(on: statements, coverage)
  }

  private func load(
    on statements: StatementCache, _ coverage: SearchCoverage
  ) throws(StoreError) -> SelectedRows {
    // In an order, so that equal ranks have the same one each time.
    let fresh = coverage.fresh?.map(\.value)
    var matches: [Match] = []
    if let fresh {
      let known = Set(fresh)
      matches = try indexed(on: statements).filter { !known.contains($0.key) }
    }
    matches += try unindexed(fresh, on: statements)
    if let limit, matches.count > limit { matches.removeLast(matches.count - limit) }
    return SelectedRows(
      key: [0], rows: matches.map { [$0.key, .text($0.snippet)] + $0.values }, coverage: coverage)
  }

  /// The order depends on the rows that the index does not have yet, which come last.
  func isCurrent(_ state: SelectedRows, on statements: StatementCache) throws(StoreError) -> Bool {
    guard let known = state.coverage else { return false }
    return try index.coverage(since: known, schema: collection.schema, on: statements).isSame(as: known)
  }

  func advance(
    _ state: SelectedRows, by changes: ChangedObjects, from old: RowReader
  ) throws(StoreError) -> SelectedRows {
    let own = ownColumns
    let isAffected = tables.contains { table in
      changes.rows[table: table].contains { row in
        table == index.table.index ? row.change.differs(in: own) : true
      }
    }
    let statements = changes.reader.statements
    let coverage = try index.coverage(since: state.coverage, schema: collection.schema, on: statements)
    guard !isAffected, let known = state.coverage, coverage.isSame(as: known) else {
      return try load(on: statements, coverage)
    }
    return SelectedRows(key: [0], rows: state.rows, coverage: coverage)
  }

  struct Match {
    let key: SQLiteValue
    let snippet: String
    /// The values of the indexed columns: an element is modified if one differs.
    let values: [SQLiteValue]
  }

  /// The columns of a match, of a table of FTS5 and the rows of the class.
  private func columns(_ fts: String) -> String {
    "snippet(\(fts), -1, ?, ?, '…', 12)"
  }

  private func indexed(on statements: StatementCache) throws(StoreError) -> [Match] {
    let (table, condition) = (quoted(index.table.name), collection.condition())
    let key = "\(table).\(index.table.key)"
    let texts = index.columns.map { "\(table).\(index.table.column($0))" }.joined(separator: ", ")
    let fts = quoted(index.name)
    let statement = try statements.prepare(
      "SELECT \(key), \(columns(fts)), \(texts) FROM \(fts) "
        + "JOIN \(quoted(index.numbers)) AS n ON n.number = \(fts).rowid "
        + "JOIN \(table) ON \(key) = n.key WHERE \(fts) MATCH ? AND \(condition.sql) "
        + "ORDER BY bm25(\(fts)), \(key)")
    return try statement.all(
      [.text(marks.start), .text(marks.end), .text(expression)] + condition.parameters
    ) {
      Match(
        key: $0.value(0), snippet: $0.value(1).textReading ?? "",
        values: $0.values(2..<(2 + index.columns.count)))
    }
  }

  /// The matches among some rows, or all, by an index that is made for them.
  private func unindexed(
    _ keys: [SQLiteValue]?, on statements: StatementCache
  ) throws(StoreError) -> [Match] {
    if let keys, keys.isEmpty { return [] }
    let condition = collection.condition()
    let table = quoted(index.table.name)
    let key = index.table.key
    let texts = index.columns.map { index.table.column($0) }
    let fresh = Self.fresh
    let memory = try Connection(path: ":memory:", create: true)
    try memory.execute(index.creation(of: fresh))
    let list = texts.joined(separator: ", ")
    let add = try Statement(
      memory,
      "INSERT INTO \(fresh) (rowid, \(list)) VALUES (?, \(texts.map { _ in "?" }.joined(separator: ", ")))")
    let select = try statements.prepare(
      "SELECT \(key), \(list) FROM \(table) WHERE \(condition.sql)"
        + (keys == nil ? " ORDER BY \(key)" : " AND \(key) = ?"))
    defer { select.reset() }
    var rows: [(key: SQLiteValue, values: [SQLiteValue])] = []
    func read() throws(StoreError) {
      while try select.step() {
        rows.append((select.value(0), select.values(1..<(1 + texts.count))))
        add.bind([.integer(Int64(rows.count))] + select.values(1..<(1 + texts.count)))
        try add.run()
      }
    }
    if let keys {
      for key in keys {
        select.reset()
        select.bind(condition.parameters + [key])
        try read()
      }
    } else {
      select.bind(condition.parameters)
      try read()
    }
    let search = try Statement(
      memory,
      "SELECT rowid, \(columns(fresh)) FROM \(fresh) WHERE \(fresh) MATCH ? ORDER BY bm25(\(fresh)), rowid")
    return try search.all([.text(marks.start), .text(marks.end), .text(expression)]) { match in
      let row = rows[Int(match.integer(0)) - 1]
      return Match(key: row.key, snippet: match.value(1).textReading ?? "", values: row.values)
    }
  }
}
