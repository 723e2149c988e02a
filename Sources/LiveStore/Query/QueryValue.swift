/// A value of an element that a collection is ordered or made distinct by: a column of its own row, or of a
/// row that links lead to.
struct QueryValue: Hashable, Sendable {
  /// The column of each row on the path. The last is the value's; all others are links.
  private let columns: [Int]
  /// The number of the table of each row on the path.
  private var tables: [Int]
  /// Whether the column has decimal numbers, which are compared by their ``DecimalKey``.
  private let isDecimal: Bool

  /// The column that a key path leads to, or `nil` if it leads to none, or through a list.
  init?(_ keyPath: AnyKeyPath, of table: Table, schema: Schema) {
    guard case .objects(let objectSchema) = table.role else { return nil }
    let trace = KeyPathTrace(keyPath, from: objectSchema)
    guard trace.isPath else { return nil }
    var columns: [Int] = []
    var tables = [table.index]
    for property in trace.properties {
      columns.append(property.slot)
      switch property.kind {
      case .value: break
      case .link(let type): tables.append(schema.table(of: type).index)
      case .list, .linkingObjects: return nil
      }
    }
    isDecimal = trace.properties.last?.storage.isDecimal ?? false
    self.columns = columns
    self.tables = Array(tables.prefix(columns.count))
  }

  /// The number of the table that contains the value.
  var table: Int { tables[tables.count - 1] }
  /// The column that contains the value.
  var column: Int { columns[columns.count - 1] }

  /// The same value in a schema in which the tables have other numbers.
  func translated(_ number: (Int) -> Int) -> QueryValue {
    var copy = self
    copy.tables = tables.map(number)
    return copy
  }

  /// The path for ``PropertyTree``.
  var path: [PropertyTree.Step] {
    columns.indices.map { index in
      PropertyTree.Step(
        property: .column(columns[index]), target: index + 1 < tables.count ? tables[index + 1] : nil)
    }
  }

  /// The value of a named row in SQL; NULL if a link on the path is nil.
  func sql(row: String, schema: Schema) -> String {
    var sql = "\(row).\(schema.tables[tables[0]].column(columns[0]))"
    for index in columns.indices.dropFirst() {
      let table = schema.tables[tables[index]]
      let alias = quoted("$\(index)")
      sql =
        "(SELECT \(alias).\(table.column(columns[index])) FROM \(quoted(table.name)) AS \(alias) "
        + "WHERE \(alias).\(table.key) = \(sql))"
    }
    return isDecimal ? "\(Connection.decimalKey)(\(sql))" : sql
  }

  /// The value of a row; `rows` finds the rows on the path.
  ///
  /// - Complexity: O(1) for a column of the row itself, O(log n) for each link.
  func value(of element: some ColumnValues, _ rows: RowVersion) throws(StoreError) -> SQLiteValue {
    let value = try storedValue(of: element, rows)
    return isDecimal ? DecimalKey.key(of: value) : value
  }

  private func storedValue(
    of element: some ColumnValues, _ rows: RowVersion
  ) throws(StoreError) -> SQLiteValue {
    guard columns.count > 1 else { return element[columns[0]] }
    var key = element[columns[0]]
    for index in columns.indices.dropFirst() {
      guard key != .null, let row = try rows.row(tables[index], key) else { return .null }
      key = row[columns[index]]
    }
    return key
  }

  /// Appends the value of a row to a rank key; see ``value(of:_:)``.
  func append(
    of element: some ColumnValues, _ rows: RowVersion, to writer: inout RankKeyWriter,
    descending: Bool = false
  ) throws(StoreError) {
    if columns.count == 1, !isDecimal {
      element.append(columns[0], to: &writer, descending: descending, isKey: false)
    } else {
      writer.append(try value(of: element, rows), descending: descending)
    }
  }
}

/// The rows of one of the two versions between which changes were made, found through a reader of the new
/// one.
struct RowVersion {
  private let changes: VersionDifference?
  private let reader: RowReader
  private let schema: Schema

  /// The version that a reader shows.
  init(_ reader: RowReader, schema: Schema) {
    changes = nil
    self.reader = reader
    self.schema = schema
  }

  /// The version before some changes.
  init(before changes: VersionDifference, _ reader: RowReader, schema: Schema) {
    self.changes = changes
    self.reader = reader
    self.schema = schema
  }

  /// The row of a table, by its number, with a primary key.
  func row(_ table: Int, _ key: SQLiteValue) throws(StoreError) -> RowImage? {
    if let change = changes?[schema.tables[table], key] { return change.old?.image }
    return try reader.row(schema.tables[table], key)
  }
}
