/// A table of the file that the store observes: the rows of a class, or the entries of a list property.
final class Table: Sendable {
  enum Role: Sendable {
    case objects(ObjectSchema)
    /// Entries of a list: `owner` and `target` are numbers of tables in the schema.
    case entries(owner: Int, target: Int)
  }

  struct Column: Sendable {
    let name: String
    let type: ColumnType
    let isOptional: Bool
    /// The part of the definition in `CREATE TABLE` after the type and the nullability.
    var constraints = ""
    /// SQL for the value of a row that another program inserts; `nil` if the class's default is no constant
    /// and has no counterpart in SQL.
    var defaultValue: String?

    /// Everything after the name in `CREATE TABLE`.
    var definition: String {
      var definition = type.rawValue
      if !isOptional { definition += " NOT NULL" }
      if let defaultValue { definition += " DEFAULT \(defaultValue)" }
      return constraints.isEmpty ? definition : definition + " " + constraints
    }
  }

  /// A column that refers to rows of another table.
  struct Reference: Sendable {
    let column: Int
    let target: Int
  }

  /// The columns of a table of entries.
  enum EntryColumn {
    static let entry = 0
    static let owner = 1
    static let position = 2
    static let target = 3
  }

  let index: Int
  let name: String
  let role: Role
  let columns: [Column]
  let primaryKey: Int
  let isPrimaryKeyInteger: Bool
  let references: [Reference]
  /// Columns to index, each entry one index.
  let indexes: [[Int]]
  let rules: TableRules
  /// The columns with decimal numbers.
  let decimals: Set<Int>

  /// The bit of each column in the change log: see ``columnsByBit(_:)``.
  let logBits: [UInt64]
  /// Whether these bits are those of ``columnBit(_:)``.
  private let isLoggedInOrder: Bool

  /// The columns in the order of ``RowImage``, for `SELECT`.
  let columnList: String
  let selectRow: String
  let insertRow: String
  let deleteRow: String
  /// The statements that assign each column in one row.
  let updateRow: [String]
  /// The statement that selects all columns of the rows from a primary key on, in the order of primary keys.
  let selectFromKey: String
  /// The statement that selects all columns of the entries that lead to a target from an owner.
  let selectEntries: String

  init(
    index: Int, name: String, role: Role, columns: [Column], primaryKey: Int, isPrimaryKeyInteger: Bool,
    references: [Reference], indexes: [[Int]], rules: TableRules = TableRules()
  ) {
    self.index = index
    self.name = name
    self.role = role
    self.columns = columns
    self.primaryKey = primaryKey
    self.isPrimaryKeyInteger = isPrimaryKeyInteger
    self.references = references
    self.indexes = indexes
    self.rules = rules
    decimals = if case .objects(let schema) = role { schema.decimals } else { [] }
    let byBit = Table.columnsByBit(columns.map(\.name))
    logBits = columns.map { column in columnBit(byBit.firstIndex(of: column.name) ?? 0) }
    isLoggedInOrder = byBit == columns.map(\.name)
    let columnNames = columns.map { quoted($0.name) }
    let table = quoted(name)
    let key = columnNames[primaryKey]
    columnList = columnNames.joined(separator: ", ")
    selectRow = "SELECT \(columnList) FROM \(table) WHERE \(key) = ?"
    selectFromKey = "SELECT \(columnList) FROM \(table) WHERE \(key) >= ? ORDER BY \(key)"
    // The plus keeps SQLite from using the index by owner, which covers these columns but would scan the
    // whole list.
    selectEntries = "SELECT \(columnList) FROM \(table) WHERE target = ? AND +owner = ?"
    insertRow =
      "INSERT INTO \(table) (\(columnList)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    deleteRow = "DELETE FROM \(table) WHERE \(key) = ?"
    updateRow = columnNames.map { "UPDATE \(table) SET \($0) = ? WHERE \(key) = ?" }
  }

  /// The names of columns in the order of their bits in the change log: that of their bytes, which programs
  /// have in common even if their classes declare the properties in different orders.
  static func columnsByBit(_ names: [String]) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The columns of a set, bit by bit, as the change log has them.
  func logged(_ columns: UInt64) -> UInt64 {
    guard !isLoggedInOrder, columns >> 63 == 0 else { return columns }
    var logged: UInt64 = 0
    var rest = columns
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      // The highest bit stands for all further columns.
      for column in bit..<(bit == 62 ? logBits.count : bit + 1) { logged |= logBits[column] }
      rest &= rest - 1
    }
    return logged
  }

  var isEntries: Bool {
    if case .entries = role { true } else { false }
  }

  /// Whether a row may have a primary key: SQLite finds the row 42 also by the text “42”, but that is not how
  /// the row is known.
  func mayHave(key: SQLiteValue) -> Bool {
    switch key {
    case .integer: columns[primaryKey].type == .integer
    case .text, .malformedText: columns[primaryKey].type == .text
    // It is compared as it is, and other programs may have written one.
    case .blob: true
    case .null, .real: false
    }
  }

  /// The values that the properties of an object show whose row cannot be read.
  func defaults(_ key: SQLiteValue) -> RowImage {
    guard case .objects(let schema) = role else { return columns.map { _ in .null } }
    var values = schema.columns.map(\.defaultValue)
    values[primaryKey] = key
    return values
  }

  /// The quoted name of a column.
  func column(_ index: Int) -> String {
    quoted(columns[index].name)
  }

  /// The quoted name of the primary key.
  var key: String { column(primaryKey) }
}

/// The identity of a row in any version: the number of its table and its primary key.
struct RowIdentity: Hashable, Sendable {
  let table: Int
  let key: SQLiteValue
}

/// The bit of a column in a set of columns; all columns from the 63rd on share one.
func columnBit(_ column: Int) -> UInt64 {
  1 << UInt64(min(column, 62))
}
