/// A table of a damaged file, or one of its indexes, and the format of its rows.
struct RescuedTable {
  struct Column {
    let name: String
    let type: String
    let isRequired: Bool
    /// Whether it is an alias of the row number: the row itself then contains NULL.
    fileprivate(set) var isRowNumber: Bool
    /// Whether SQLite computes it, so that it cannot be inserted.
    let isGenerated: Bool
  }

  let name: String
  /// The root page of its tree; `nil` if the damaged file no longer names it.
  let root: Int?
  let hasRowNumbers: Bool
  /// Whether it is an index, whose rows repeat those of its table.
  let isIndex: Bool
  /// The columns in the order of stored rows.
  let columns: [Column]

  /// Reads the row format of a table from a new file; `nil` for one that stores no rows, such as a virtual
  /// table.
  init?(_ name: String, root: Int?, on connection: Connection) throws(StoreError) {
    let kind = try Statement(connection, "SELECT type, wr FROM pragma_table_list(?)")
    kind.bind(.text(name), at: 1)
    guard try kind.step(), kind.value(0) == .text("table") else { return nil }
    let hasRowNumbers = kind.integer(1) == 0
    kind.reset()
    var found: [(column: Column, key: Int64)] = []
    let info = try Statement(
      connection, "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    info.bind(.text(name), at: 1)
    while try info.step() {
      // 2 is a column that is computed on reading and not stored; 3 one that is stored.
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
      for index in found.indices { found[index].column.isRowNumber = false }
    }
    // Without row numbers the primary key comes first.
    let key = hasRowNumbers ? [] : found.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    columns = (key + found.filter { hasRowNumbers || $0.key == 0 }).map(\.column)
    self.hasRowNumbers = hasRowNumbers
    isIndex = false
    self.name = name
    self.root = root
  }

  /// Reads the row format of an index from a new file.
  init(index name: String, root: Int?, of table: RescuedTable, on connection: Connection) throws(StoreError) {
    let info = try Statement(connection, "SELECT name FROM pragma_index_xinfo(?) ORDER BY seqno")
    columns = try info.all([.text(name)]) { row in
      // A column without a name is the row number, or a computed value.
      let column = table.columns.first { row.value(0) == .text($0.name) }
      return Column(
        name: column?.name ?? "", type: column?.type ?? "", isRequired: column?.isRequired ?? false,
        isRowNumber: false, isGenerated: false)
    }
    self.name = table.name
    self.root = root
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

  /// The table that describes all tables.
  static let schema = RescuedTable(
    name: "sqlite_schema", root: 1,
    columns: [
      ("type", "TEXT"), ("name", "TEXT"), ("tbl_name", "TEXT"), ("rootpage", "INTEGER"), ("sql", "TEXT"),
    ]
    .map { Column(name: $0.0, type: $0.1, isRequired: false, isRowNumber: false, isGenerated: false) })

  /// Whether a page with these rows can belong to a tree of this table.
  func canHave(_ page: DatabasePages.Page) -> Bool {
    page.kind.isTable == hasRowNumbers
      // Older rows lack columns that were added later.
      && page.rows.allSatisfy { !$0.values.isEmpty && $0.values.count <= columns.count }
  }

  /// Whether a page to which no tree leads likely belongs to this table: each value has its column's type.
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

  func value(_ column: Int, of row: DatabasePages.Row) -> SQLiteValue {
    if columns[column].isRowNumber { return row.number.map { .integer($0) } ?? .null }
    return column < row.values.count ? row.values[column] : .null
  }
}
