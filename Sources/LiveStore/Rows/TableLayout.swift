/// The layout of a table of the schema in the file, where any program may have changed it.
final class TableLayout {
  let table: Table
  /// The positions of the table's columns in the file: a column that was added later is at the end there.
  let positions: [Int32]
  /// Whether the primary key is SQLite's row number, as it is unless another program has rebuilt the table.
  let isKeyRowNumber: Bool
  /// Whether the columns are declared with the types of the classes, so that SQLite stores a value as it was
  /// bound.
  let hasDeclaredTypes: Bool
  private let name: ContiguousArray<CChar>

  private init(
    _ table: Table, positions: [Int32], isKeyRowNumber: Bool, hasDeclaredTypes: Bool
  ) {
    self.table = table
    self.positions = positions
    self.isKeyRowNumber = isKeyRowNumber
    self.hasDeclaredTypes = hasDeclaredTypes
    name = table.name.utf8CString
  }

  /// The layouts of all tables, in the order of the schema.
  static func read(_ schema: Schema, _ connection: Connection) throws(StoreError) -> [TableLayout] {
    let columns = try Statement(
      connection, "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    let keys = try Statement(connection, "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'")
    var layouts: [TableLayout] = []
    for table in schema.tables {
      var found: [String: (position: Int32, type: String, isKey: Bool)] = [:]
      var computed: (name: String, position: Int32)?
      // The hook of SQLite numbers the columns that are stored: all but those that are computed on reading.
      var position: Int32 = 0
      columns.bind(.text(table.name), at: 1)
      while try columns.step() {
        guard case .text(let name) = columns.value(0), let type = columns.value(1).textReading else {
          continue
        }
        let kind = columns.integer(3)
        if kind == 0 { found[name] = (position, type.uppercased(), columns.integer(2) > 0) }
        if kind != 2 { position += 1 } else if computed == nil { computed = (name, position) }
      }
      // There it numbers them in one way before a change and in another after it.
      if let computed,
        table.columns.contains(where: { (found[$0.name]?.position ?? 0) >= computed.position }),
        try connection.firstValue("SELECT wr FROM pragma_table_list(\(literal(table.name)))") == .integer(1)
      {
        throw StoreError(
          .schema,
          "Another program has put the computed column \(computed.name) before others of \(table.name), a "
            + "table WITHOUT ROWID, of whose rows SQLite then does not tell what changes; make the table "
            + "anew with that column as the last.")
      }
      let hasKeyIndex = try keys.hasRow([.text(table.name)])
      var positions: [Int32] = []
      var hasDeclaredTypes = true
      for column in table.columns {
        guard let present = found[column.name] else {
          throw .missingColumn("\(table.name).\(column.name)", of: "the file")
        }
        positions.append(present.position)
        hasDeclaredTypes = hasDeclaredTypes && present.type == column.type.rawValue
      }
      let declaredKeys = found.filter(\.value.isKey).map(\.key)
      layouts.append(
        TableLayout(
          table, positions: positions,
          // SQLite creates an index for any other primary key.
          isKeyRowNumber: table.isPrimaryKeyInteger && !hasKeyIndex
            && declaredKeys == [table.columns[table.primaryKey].name],
          hasDeclaredTypes: hasDeclaredTypes))
    }
    return layouts
  }

  func isNamed(_ other: UnsafePointer<CChar>) -> Bool {
    name.withUnsafeBufferPointer { isSameName($0.baseAddress, other) }
  }
}

extension RowBeingChanged {
  func oldKey(_ layout: TableLayout) throws(StoreError) -> SQLiteValue {
    layout.isKeyRowNumber ? .integer(oldRow) : try old(layout.positions[layout.table.primaryKey])
  }

  func newKey(_ layout: TableLayout) throws(StoreError) -> SQLiteValue {
    layout.isKeyRowNumber ? .integer(newRow) : try new(layout.positions[layout.table.primaryKey])
  }

  func oldImage(_ layout: TableLayout) throws(StoreError) -> RowImage {
    var image: RowImage = []
    image.reserveCapacity(layout.positions.count)
    for position in layout.positions { image.append(try old(position)) }
    return image
  }

  /// The columns that get another value, bit by bit.
  func changedColumns(_ layout: TableLayout) throws(StoreError) -> UInt64 {
    var columns: UInt64 = 0
    for (column, position) in layout.positions.enumerated() where try isChanging(position) {
      columns |= columnBit(column)
    }
    return columns
  }
}
