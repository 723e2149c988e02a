/// What a collection consists of, and in which order: rows of a class, or the elements of one list, that match a
/// predicate, by sort keys and then by primary key or place in the list.
///
/// A member is known by its *rank key*: the values of the sort columns, followed for rows by the primary key, for list
/// elements by position, target and entry. No two members have equal rank keys, and their order is SQLite's.
struct CollectionQuery: Sendable {
  struct List: Sendable {
    let entries: Table
    let owner: SQLiteValue

    /// The object and the property that the list is: the object's table and primary key, the number of the list.
    func place(in schema: Schema) -> (table: Int, owner: SQLiteValue, slot: Int)? {
      guard case .entries(let table, _) = entries.role,
        let slot = schema.lists[table].firstIndex(of: entries.index)
      else { return nil }
      return (table, owner, slot)
    }
  }

  struct SortColumn: Sendable {
    let column: Int
    let isAscending: Bool
  }

  let schema: Schema
  /// The table of the objects that are the elements.
  let elements: Table
  var list: List?
  var predicate: SQLPredicate?
  var sort: [SortColumn] = []

  /// Whether the values of an element have a say in whether it is a member and where.
  var dependsOnElements: Bool { list == nil || predicate != nil || !sort.isEmpty }

  // MARK: SQL

  private var elementName: String { quoted(elements.name) }
  private var elementKey: String { "\(elementName).\(elements.column(elements.primaryKey))" }

  private var sortColumns: [String] {
    sort.map { "\(elementName).\(elements.column($0.column))" }
  }

  /// `FROM` and `WHERE`, with their parameters.
  private var source: (sql: String, parameters: [SQLiteValue]) {
    var conditions: [String] = []
    var parameters: [SQLiteValue] = []
    var sql: String
    if let list {
      // CROSS JOIN keeps SQLite from starting at the elements: the list is the smaller side.
      sql = "FROM \(quoted(list.entries.name)) AS l"
      if dependsOnElements { sql += " CROSS JOIN \(elementName) ON \(elementKey) = l.target" }
      conditions.append("l.owner = ?")
      parameters.append(list.owner)
    } else {
      sql = "FROM \(elementName)"
    }
    if let predicate {
      conditions.append("(\(predicate.sql))")
      parameters += predicate.parameters
    }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    return (sql, parameters)
  }

  /// The columns of the rank key.
  private var rankColumns: [String] {
    sortColumns + (list == nil ? [elementKey] : ["l.position", "l.target", "l.entry"])
  }

  private var order: String {
    let directions = sort.map { $0.isAscending ? "" : " DESC" }
    let terms = rankColumns.enumerated().map { $1 + ($0 < directions.count ? directions[$0] : "") }
    return " ORDER BY " + terms.joined(separator: ", ")
  }

  /// Reads the rank keys in order, or only the first of them.
  func members(on statements: StatementCache, limit: Int? = nil) throws(StoreError) -> Statement {
    let source = source
    let statement = try statements.prepare(
      "SELECT \(rankColumns.joined(separator: ", ")) \(source.sql)\(order)" + (limit == nil ? "" : " LIMIT ?")
    )
    statement.bind(source.parameters)
    if let limit { statement.bind(.integer(Int64(limit)), at: source.parameters.count + 1) }
    return statement
  }

  /// The number of members, counted by SQLite.
  func count(on statements: StatementCache) throws(StoreError) -> Int {
    let source = source
    let statement = try statements.prepare("SELECT count(*) \(source.sql)")
    statement.bind(source.parameters)
    defer { statement.reset() }
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// Whether the element with a primary key matches the predicate.
  func matches(_ key: SQLiteValue, on statements: StatementCache) throws(StoreError) -> Bool {
    guard let predicate else { return true }
    let statement = try statements.prepare(
      "SELECT 1 FROM \(elementName) WHERE \(elementKey) = ? AND (\(predicate.sql))")
    statement.bind(key, at: 1)
    for (index, parameter) in predicate.parameters.enumerated() { statement.bind(parameter, at: index + 2) }
    defer { statement.reset() }
    return try statement.step()
  }

  // MARK: Rank keys

  /// The rank key of the present row of ``members(on:limit:)``, appended to a writer.
  func write(_ row: Statement, to key: inout RankKeyWriter) {
    for (column, sort) in sort.enumerated() { key.append(row, column, descending: !sort.isAscending) }
    let first = sort.count
    if list == nil {
      key.append(row, first, isKey: true)
    } else {
      key.append(row, first)
      key.append(row, first + 1, isKey: true)
      key.append(row, first + 2)
    }
  }

  /// The rank key of a row of the class.
  func rankKey(element: RowImage) -> RankKey {
    var writer = RankKeyWriter()
    write(sortValuesOf: element, to: &writer)
    writer.append(element[elements.primaryKey], isKey: true)
    return writer.key
  }

  /// The rank key of an element of the list; `element` is asked for only where the order needs it.
  func rankKey(entry: RowImage, element: RowImage?) -> RankKey? {
    var writer = RankKeyWriter()
    if !sort.isEmpty {
      guard let element else { return nil }
      write(sortValuesOf: element, to: &writer)
    }
    writer.append(entry[Table.EntryColumn.position])
    writer.append(entry[Table.EntryColumn.target], isKey: true)
    writer.append(entry[Table.EntryColumn.entry])
    return writer.key
  }

  private func write(sortValuesOf element: RowImage, to writer: inout RankKeyWriter) {
    for sort in sort { writer.append(element[sort.column], descending: !sort.isAscending) }
  }

  func element(of key: RankKey) -> SQLiteValue {
    key.withUnsafeBytes { element(of: $0) }
  }

  /// The primary key of the element that a rank key stands for.
  func element(of key: UnsafeRawBufferPointer) -> SQLiteValue {
    var reader = RankKeyReader(key)
    reader.skip(sort.count + (list == nil ? 0 : 1))
    return SQLiteValue(reader.read())
  }

  /// The value of the first sort column that a rank key stands for.
  func firstSortValue(of key: UnsafeRawBufferPointer) -> SQLiteValue {
    var reader = RankKeyReader(key)
    return SQLiteValue(reader.read())
  }

  /// How many bytes of a rank key stand for the value of the first sort column.
  func lengthOfFirstSortValue(in key: UnsafeRawBufferPointer) -> Int {
    var reader = RankKeyReader(key)
    reader.skip()
    return reader.offset
  }

  /// The position and the entry that a rank key of a list stands for.
  func entry(of key: UnsafeRawBufferPointer) -> (position: String, entry: SQLiteValue) {
    var reader = RankKeyReader(key)
    reader.skip(sort.count)
    guard case .text(let position) = SQLiteValue(reader.read()) else { return ("", .null) }
    reader.skip()
    return (position, SQLiteValue(reader.read()))
  }

  /// What a member is known by through every change: the primary key of the row, or of the entry in the list.
  func identity(of key: UnsafeRawBufferPointer) -> SQLiteValue {
    list == nil ? element(of: key) : entry(of: key).entry
  }
}

extension SQLiteValue {
  fileprivate init(_ component: RankKeyComponent?) {
    switch component {
    case .null, nil: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .malformedText(let value): self = .malformedText(value)
    case .blob(let value): self = .blob(value)
    }
  }
}
