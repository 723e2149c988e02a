import CSQLite
import Glibc

/// How a table of the schema is in the file, where any program may have changed it.
final class TableLayout {
  let table: Table
  /// Where the table's columns stand in the file: one that was added later stands at the end there.
  let positions: [Int32]
  /// Whether the primary key is what SQLite numbers the rows with, as it is unless another program has made the table anew.
  let isKeyRowNumber: Bool
  /// Whether the columns are declared with the types of the classes, so that SQLite keeps a value as it was bound.
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
    let columns = try Statement(connection, "SELECT name, cid, type, pk FROM pragma_table_info(?)")
    let keys = try Statement(connection, "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'")
    var layouts: [TableLayout] = []
    for table in schema.tables {
      var found: [String: (position: Int32, type: String, isKey: Bool)] = [:]
      columns.bind(.text(table.name), at: 1)
      while try columns.step() {
        guard case .text(let name) = columns.value(0), let type = columns.value(2).textReading else {
          continue
        }
        found[name] = (
          Int32(truncatingIfNeeded: columns.integer(1)), type.uppercased(), columns.integer(3) > 0
        )
      }
      keys.bind(.text(table.name), at: 1)
      let hasKeyIndex = try keys.step()
      keys.reset()
      var positions: [Int32] = []
      var hasDeclaredTypes = true
      for column in table.columns {
        guard let present = found[column.name] else {
          throw StoreError(.schema, "The file has no column \(table.name).\(column.name).")
        }
        positions.append(present.position)
        hasDeclaredTypes = hasDeclaredTypes && present.type == column.type.rawValue
      }
      let declaredKeys = found.filter(\.value.isKey).map(\.key)
      layouts.append(
        TableLayout(
          table, positions: positions,
          // SQLite makes an index for any other primary key.
          isKeyRowNumber: table.isPrimaryKeyInteger && !hasKeyIndex
            && declaredKeys == [table.columns[table.primaryKey].name],
          hasDeclaredTypes: hasDeclaredTypes))
    }
    return layouts
  }

  func isNamed(_ other: UnsafePointer<CChar>) -> Bool {
    name.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, other) == 0 }
  }
}

/// A row that SQLite is about to change, as the hook is told of it.
struct RowBeingChanged {
  let handle: OpaquePointer
  let operation: Int32
  /// The numbers of the row before and after; without a meaning where the key is not one.
  let oldRow: Int64
  let newRow: Int64

  /// Whether the statement itself changes it, and not an action of a foreign key.
  var isDirect: Bool { sqlite3_preupdate_depth(handle) == 0 }

  // Both may have to read pages, which fails on a full disk too: changed ones are written out to make room for them.

  private func old(_ position: Int32) throws(StoreError) -> OpaquePointer {
    var value: OpaquePointer?
    let result = sqlite3_preupdate_old(handle, position, &value)
    return try require(value, result)
  }

  private func new(_ position: Int32) throws(StoreError) -> OpaquePointer {
    var value: OpaquePointer?
    let result = sqlite3_preupdate_new(handle, position, &value)
    return try require(value, result)
  }

  private func require(_ value: OpaquePointer?, _ result: Int32) throws(StoreError) -> OpaquePointer {
    guard result == SQLITE_OK, let value else {
      throw StoreError(sqlite: result, handle: handle, while: "reading a row before its change")
    }
    return value
  }

  func oldKey(_ layout: TableLayout) throws(StoreError) -> SQLiteValue {
    layout.isKeyRowNumber
      ? .integer(oldRow) : SQLiteValue(try old(layout.positions[layout.table.primaryKey]))
  }

  func newKey(_ layout: TableLayout) throws(StoreError) -> SQLiteValue {
    layout.isKeyRowNumber
      ? .integer(newRow) : SQLiteValue(try new(layout.positions[layout.table.primaryKey]))
  }

  func oldImage(_ layout: TableLayout) throws(StoreError) -> RowImage {
    var image: RowImage = []
    image.reserveCapacity(layout.positions.count)
    for position in layout.positions { image.append(SQLiteValue(try old(position))) }
    return image
  }

  /// The columns that get another value, bit by bit.
  func changedColumns(_ layout: TableLayout) throws(StoreError) -> UInt64 {
    var columns: UInt64 = 0
    for (column, position) in layout.positions.enumerated() {
      if !isSame(try old(position), try new(position)) { columns |= columnBit(column) }
    }
    return columns
  }

  private func isSame(_ a: OpaquePointer?, _ b: OpaquePointer?) -> Bool {
    let type = sqlite3_value_type(a)
    guard type == sqlite3_value_type(b) else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: return sqlite3_value_int64(a) == sqlite3_value_int64(b)
    case SQLITE_FLOAT: return sqlite3_value_double(a) == sqlite3_value_double(b)
    default:
      let count = sqlite3_value_bytes(a)
      guard count == sqlite3_value_bytes(b) else { return false }
      guard count > 0, let a = sqlite3_value_blob(a), let b = sqlite3_value_blob(b) else { return true }
      return memcmp(a, b, Int(count)) == 0
    }
  }
}
