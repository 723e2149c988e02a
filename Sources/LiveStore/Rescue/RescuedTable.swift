/// A table of a damaged file, or one of its indexes, and how its rows are stored.
struct RescuedTable {
  struct Column {
    let name: String
    let type: String
    let isRequired: Bool
    /// Whether it is the number of the row by another name: the row itself then holds NULL.
    let isRowNumber: Bool
    /// Whether SQLite computes it, so that it cannot be inserted.
    let isGenerated: Bool
  }

  let name: String
  /// The page on which its tree begins; `nil` when the damaged file does not tell any more.
  let root: Int?
  /// Whether it has row numbers.
  let hasRowNumbers: Bool
  /// Whether it is an index, whose rows are those of its table once more.
  let isIndex: Bool
  /// In the order in which rows hold them.
  let columns: [Column]

  /// Reads of a new file how a table's rows are stored; `nil` for one whose rows are not its own, as in a
  /// virtual table.
  init?(_ name: String, root: Int?, on connection: Connection) throws(StoreError) {
    let kind = try Statement(connection, "SELECT type, wr FROM pragma_table_list WHERE name = ?")
    kind.bind(.text(name), at: 1)
    guard try kind.step(), kind.value(0) == .text("table") else { return nil }
    let hasRowNumbers = kind.integer(1) == 0
    kind.reset()
    var found: [(column: Column, key: Int64)] = []
    let info = try Statement(
      connection, "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    info.bind(.text(name), at: 1)
    while try info.step() {
      // 2 is one that is computed when it is read, and is not stored; 3 one that is stored.
      guard case .text(let column) = info.value(0), info.integer(4) != 2 else { continue }
      let type = (info.value(1).textReading ?? "").uppercased()
      found.append(
        (
          Column(
            name: column, type: type, isRequired: info.integer(2) != 0,
            isRowNumber: hasRowNumbers && type == "INTEGER" && info.integer(3) == 1,
            isGenerated: info.integer(4) == 3), info.integer(3)
        ))
    }
    // A primary key of several columns is no row number.
    if found.count(where: { $0.key > 0 }) > 1 {
      found = found.map { entry in
        let column = entry.column
        return (
          Column(
            name: column.name, type: column.type, isRequired: column.isRequired, isRowNumber: false,
            isGenerated: column.isGenerated), entry.key
        )
      }
    }
    // Without row numbers the primary key comes first.
    let key = hasRowNumbers ? [] : found.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    columns = (key + found.filter { hasRowNumbers || $0.key == 0 }).map(\.column)
    self.hasRowNumbers = hasRowNumbers
    isIndex = false
    self.name = name
    self.root = root
  }

  /// Reads of a new file what the rows of an index of a table hold.
  init(index name: String, root: Int?, of table: RescuedTable, on connection: Connection) throws(StoreError) {
    var columns: [Column] = []
    let info = try Statement(connection, "SELECT name FROM pragma_index_xinfo(?) ORDER BY seqno")
    info.bind(.text(name), at: 1)
    while try info.step() {
      // Without a name it is the number of the row, or a computed value.
      let column = table.columns.first { info.value(0) == .text($0.name) }
      columns.append(
        Column(
          name: column?.name ?? "", type: column?.type ?? "", isRequired: column?.isRequired ?? false,
          isRowNumber: false, isGenerated: false))
    }
    self.name = table.name
    self.root = root
    self.columns = columns
    hasRowNumbers = false
    isIndex = true
  }

  init(name: String, root: Int?, columns: [Column]) {
    self.name = name
    self.root = root
    hasRowNumbers = true
    isIndex = false
    self.columns = columns
  }

  /// The table of tables.
  static let schema = RescuedTable(
    name: "sqlite_schema", root: 1,
    columns: [
      ("type", "TEXT"), ("name", "TEXT"), ("tbl_name", "TEXT"), ("rootpage", "INTEGER"), ("sql", "TEXT"),
    ]
    .map { Column(name: $0.0, type: $0.1, isRequired: false, isRowNumber: false, isGenerated: false) })

  /// Whether a page of a tree of this table can have these rows.
  func canHave(_ page: DatabasePages.Page) -> Bool {
    page.kind.isTable == hasRowNumbers
      // Columns that were added later are not there in older rows.
      && page.rows.allSatisfy { !$0.values.isEmpty && $0.values.count <= columns.count }
  }

  /// Whether a page to which nothing leads is likely to be of this table: each value is of its column's type.
  func isLikely(_ page: DatabasePages.Page) -> Bool {
    page.kind.isTable == hasRowNumbers && !page.rows.isEmpty && page.damagedCells == 0
      && page.rows.allSatisfy { row in
        row.values.count == columns.count
          && zip(columns, row.values).allSatisfy { column, value in
            switch value {
            case .null: column.isRowNumber || !column.isRequired
            case .integer: !column.isRowNumber && column.type != "TEXT" && column.type != "BLOB"
            case .real: column.type != "TEXT" && column.type != "BLOB" && column.type != "INTEGER"
            case .text: column.type != "REAL" && column.type != "BLOB" && column.type != "INTEGER"
            case .malformedText: false
            case .blob: !["TEXT", "REAL", "INTEGER"].contains(column.type)
            }
          }
      }
  }

  /// The value of a column in a row.
  func value(_ column: Int, of row: DatabasePages.Row) -> SQLiteValue {
    if columns[column].isRowNumber { return row.number.map { .integer($0) } ?? .null }
    return column < row.values.count ? row.values[column] : .null
  }
}
