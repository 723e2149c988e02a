/// The collection in SQL.
extension CollectionQuery {
  private var elementName: String { quoted(elements.name) }
  private var elementKey: String { "\(elementName).\(elements.key)" }

  private func sql(_ value: QueryValue) -> String {
    value.sql(row: elementName, schema: schema)
  }

  /// `FROM` and `WHERE`, with their parameters.
  ///
  /// - Parameters:
  ///   - needsElements: Whether the elements' own columns are needed in addition to those that decide the
  ///     order.
  ///   - keepsMissing: Whether to keep the entries of a list that lead to no element.
  ///   - isByTarget: Whether to read the entries of all lists in the order of their elements.
  private func source(
    needsElements: Bool = false, keepsMissing: Bool = false, isByTarget: Bool = false
  ) -> (sql: String, parameters: [SQLiteValue]) {
    var conditions: [(sql: String, parameters: [SQLiteValue])] = []
    var sql: String
    if let list {
      // CROSS JOIN keeps SQLite from starting at the elements: the list is the smaller side.
      sql = "FROM \(quoted(list.entries.name)) AS l"
      if needsElements || dependsOnElements {
        sql += " \(keepsMissing ? "LEFT" : "CROSS") JOIN \(elementName) ON \(elementKey) = l.target"
      }
      // The plus keeps SQLite from using the index by owner. What it then scans is the index by element.
      conditions.append(("\(isByTarget ? "+" : "")l.owner = ?", [list.owner]))
    } else {
      sql = "FROM \(elementName)"
    }
    conditions += self.conditions { $0.selection(of: elementName, elements, schema) }
    if !conditions.isEmpty { sql += " WHERE " + conditions.map(\.sql).joined(separator: " AND ") }
    return (sql, conditions.flatMap(\.parameters))
  }

  /// The conditions on an element itself, with their parameters.
  private func conditions(_ leading: (Backlink) -> String) -> [(sql: String, parameters: [SQLiteValue])] {
    var conditions: [(sql: String, parameters: [SQLiteValue])] = []
    if let linking { conditions.append((leading(linking.backlink), [linking.target])) }
    if let predicate { conditions.append(("(\(predicate.sql))", predicate.parameters)) }
    return conditions
  }

  /// The columns of the rank key, in SQL, each with its direction.
  private var rankColumns: [(sql: String, isAscending: Bool)] {
    sort.map { (sql($0.value), $0.isAscending) }
      + (list == nil ? [elementKey] : ["l.position", "l.target", "l.entry"]).map { ($0, true) }
  }

  private func order(isReversed: Bool) -> String {
    // By number, so that the targets of links are looked up once.
    let first = distinct.count + 1
    return " ORDER BY "
      + rankColumns.enumerated().map { number, column in
        "\(number + first)\(column.isAscending == isReversed ? " DESC" : "")"
      }.joined(separator: ", ")
  }

  /// Reads, in order or reversed, the values of all members that must be distinct and then their rank keys;
  /// for a collection that is not distinct, only the first `limit` of them.
  func members(
    on statements: StatementCache, limit: Int? = nil, isReversed: Bool = false
  ) throws(StoreError) -> Statement {
    let source = source()
    let columns = distinct.map { sql($0) } + rankColumns.map(\.sql)
    let limit = distinct.isEmpty ? limit : nil
    let statement = try statements.prepare(
      "SELECT \(columns.joined(separator: ", ")) \(source.sql)\(order(isReversed: isReversed))"
        + (limit == nil ? "" : " LIMIT ?"))
    statement.bind(source.parameters)
    if let limit { statement.bind(.integer(Int64(limit)), at: source.parameters.count + 1) }
    return statement
  }

  /// `FROM` and `WHERE` like ``source(needsElements:keepsMissing:isByTarget:)``, for what does not depend on
  /// the order.
  ///
  /// The elements of a list lie anywhere in their table, and looking each up reads a page. Where the list is
  /// a large part of all lists, it takes a quarter of the time to go through all entries in the order of the
  /// table.
  private func unorderedSource(
    needsElements: Bool = false, on statements: StatementCache
  ) throws(StoreError) -> (sql: String, parameters: [SQLiteValue]) {
    guard let list, needsElements || dependsOnElements, distinct.isEmpty, limit == nil else {
      return source(needsElements: needsElements)
    }
    let entries = quoted(list.entries.name)
    func count(_ values: String, _ parameters: [SQLiteValue]) throws(StoreError) -> Int64 {
      try statements.prepare("SELECT total(own) FROM (\(values))").first(parameters) { $0.integer(0) } ?? 0
    }
    let own = try count(
      "SELECT 1 AS own FROM \(entries) WHERE owner = ? LIMIT \(Self.manyEntries)", [list.owner])
    // The first and the last elements stand for all: those of a list have nothing to do with its place.
    let sample = Self.manyEntries / 8
    let owners = ["", " DESC"].map { order in
      "SELECT * FROM (SELECT owner = ? AS own FROM \(entries) ORDER BY target\(order) LIMIT \(sample))"
    }
    if own < Self.manyEntries { return source(needsElements: needsElements) }
    let ofSample = try count(owners.joined(separator: " UNION ALL "), [list.owner, list.owner])
    return source(needsElements: needsElements, isByTarget: ofSample >= sample / 4)
  }

  private static let manyEntries: Int64 = 16_384

  /// The number of elements, counted by SQLite.
  ///
  /// - Complexity: O(n); O(limit) with a limit and no predicate.
  func count(on statements: StatementCache) throws(StoreError) -> Int {
    let source = try unorderedSource(on: statements)
    let values = distinct.isEmpty ? "1" : "DISTINCT \(distinct.map { sql($0) }.joined(separator: ", "))"
    let statement = try statements.prepare(
      distinct.isEmpty && limit == nil
        ? "SELECT count(*) \(source.sql)"
        : "SELECT count(*) FROM (SELECT \(values) \(source.sql)\(limitation))")
    return try statement.first(source.parameters) { Int($0.integer(0)) } ?? 0
  }

  /// The results of aggregate functions of SQL, which a closure calls for a value in SQL, over all elements.
  ///
  /// - Complexity: O(n); O(n log n) for a collection that is limited or made distinct.
  func aggregates(
    _ value: QueryValue, on statements: StatementCache, _ functions: (String) -> String
  ) throws(StoreError) -> [SQLiteValue] {
    let source = try unorderedSource(needsElements: true, on: statements)
    let statement = try statements.prepare(
      distinct.isEmpty && limit == nil
        ? "SELECT \(functions(sql(value))) \(source.sql)"
        : "SELECT \(functions("value")) FROM (\(ordered([(sql(value), "value")], source.sql)))")
    statement.bind(source.parameters)
    defer { statement.reset() }
    _ = try statement.step()
    return statement.values(0..<statement.columnCount)
  }

  /// The results of several aggregate functions of SQL for each group of elements, by the group's value.
  ///
  /// - Parameters:
  ///   - value: The value that they are about; `nil` if they are about the elements themselves.
  ///   - group: The value that the elements of a group have in common. SQL takes 1 and 1.0 for one value, but
  ///     no column stores both.
  /// - Complexity: O(n log n).
  func aggregates(
    _ value: QueryValue?, by group: QueryValue, on statements: StatementCache,
    _ functions: (String) -> String
  ) throws(StoreError) -> [SQLiteValue: [SQLiteValue]] {
    let source = try unorderedSource(needsElements: true, on: statements)
    let (value, group) = (value.map { sql($0) } ?? "1", sql(group))
    let statement = try statements.prepare(
      distinct.isEmpty && limit == nil
        ? "SELECT \(group), \(functions(value)) \(source.sql) GROUP BY 1"
        : "SELECT part, \(functions("value")) "
          + "FROM (\(ordered([(value, "value"), (group, "part")], source.sql))) GROUP BY 1")
    let results = try statement.all(source.parameters) { ($0.value(0), $0.values(1..<$0.columnCount)) }
    return Dictionary(results, uniquingKeysWith: { $1 })
  }

  /// Reads, in order, the primary key of each element and some of its values. The key is NULL where a list
  /// leads to no element.
  ///
  /// - Complexity: O(n); O(n log n) if SQLite has to sort them.
  func elements(
    _ values: [QueryValue], on statements: StatementCache
  ) throws(StoreError) -> Statement {
    let source = source(needsElements: true, keepsMissing: true)
    let columns = ([elementKey] + values.map { sql($0) }).enumerated().map { ($1, "v\($0)") }
    let statement = try statements.prepare(ordered(columns, source.sql))
    statement.bind(source.parameters)
    return statement
  }

  /// The condition that a row of the elements' table is an element, for statements that change such rows.
  func condition() -> (sql: String, parameters: [SQLiteValue]) {
    if list == nil, linking == nil, distinct.isEmpty, limit == nil {
      return predicate.map { ("(\($0.sql))", $0.parameters) } ?? ("TRUE", [])
    }
    let source = source(needsElements: true)
    let keys = "SELECT key FROM (\(ordered([(elementKey, "key")], source.sql)))"
    // With the table's name: a search joins others, which may have a column of the same name.
    return ("\(elementKey) IN (\(keys))", source.parameters)
  }

  /// The part of a statement that leaves out what is outside the limits.
  private var limitation: String { " LIMIT \(limit ?? -1)" + (offset > 0 ? " OFFSET \(offset)" : "") }

  /// A statement that returns columns, each in SQL with a name, of the elements in order, those that are
  /// distinct and within the limit.
  private func ordered(_ columns: [(sql: String, name: String)], _ source: String) -> String {
    let order = rankColumns.map { $0.sql + ($0.isAscending ? "" : " DESC") }.joined(separator: ", ")
    let selected = columns.map { "\($0.sql) AS \($0.name)" }.joined(separator: ", ")
    if distinct.isEmpty { return "SELECT \(selected) \(source) ORDER BY \(order)\(limitation)" }
    let groups = distinct.map { sql($0) }.joined(separator: ", ")
    return """
      SELECT \(columns.map(\.name).joined(separator: ", ")) FROM (
        SELECT \(selected), row_number() OVER (ORDER BY \(order)) AS place,
          row_number() OVER (PARTITION BY \(groups) ORDER BY \(order)) AS placeInGroup \(source))
      WHERE placeInGroup = 1 ORDER BY place\(limitation)
      """
  }

  func membershipTest(on statements: StatementCache) throws(StoreError) -> MembershipTest {
    guard linking != nil || predicate != nil else { return MembershipTest(values: nil) }
    return MembershipTest(values: try contributions(nil, on: statements))
  }

  /// The values of elements one by one; 1 for each if there is no value to read.
  func contributions(
    _ value: QueryValue?, by group: QueryValue? = nil, on statements: StatementCache
  ) throws(StoreError) -> ElementValues {
    let values = [value.map { sql($0) } ?? "1"] + (group.map { [sql($0)] } ?? [])
    // The first is the primary key of the element.
    var conditions: [(sql: String, parameters: [SQLiteValue])] = [("\(elementKey) = ?", [.null])]
    conditions += self.conditions { $0.test(of: elementName, elements, schema) }
    let statement = try statements.prepare(
      "SELECT \(values.joined(separator: ", ")) FROM \(elementName) "
        + "WHERE \(conditions.map(\.sql).joined(separator: " AND "))")
    statement.bind(conditions.flatMap(\.parameters))
    return ElementValues(statement: statement)
  }
}

/// The values of elements that match a collection's conditions.
struct ElementValues {
  fileprivate let statement: Statement

  /// The value of the element with a primary key, and that of its group if there are groups; `nil` if no such
  /// row matches.
  ///
  /// - Complexity: O(log n).
  func contribution(of key: SQLiteValue) throws(StoreError) -> (value: SQLiteValue, group: SQLiteValue?)? {
    statement.reset()
    statement.bind(key, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return (statement.value(0), statement.columnCount > 1 ? statement.value(1) : nil)
  }
}

/// A test whether elements with some primary keys match a collection's conditions.
struct MembershipTest {
  /// A value for each element that does; `nil` if all do.
  fileprivate let values: ElementValues?

  /// - Complexity: O(log n).
  func passes(_ key: SQLiteValue) throws(StoreError) -> Bool {
    guard let values else { return true }
    return try values.contribution(of: key) != nil
  }
}

extension Backlink {
  /// The condition that a row, known by a name, leads to the object whose primary key is the parameter; for
  /// finding all such rows.
  fileprivate func selection(of row: String, _ table: Table, _ schema: Schema) -> String {
    switch property {
    case .column(let column): "\(row).\(table.column(column)) = ?"
    case .list(let entries):
      "\(row).\(table.key) IN "
        + "(SELECT owner FROM \(quoted(schema.tables[entries].name)) WHERE target = ?)"
    }
  }

  /// The same condition, for testing one row.
  fileprivate func test(of row: String, _ table: Table, _ schema: Schema) -> String {
    switch property {
    case .column: selection(of: row, table, schema)
    case .list(let entries):
      "EXISTS (SELECT 1 FROM \(quoted(schema.tables[entries].name)) AS b "
        + "WHERE b.target = ? AND b.owner = \(row).\(table.key))"
    }
  }
}
