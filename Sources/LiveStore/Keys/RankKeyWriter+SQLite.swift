import CSQLite

extension RankKeyWriter {
  /// Appends a value read from the file. Texts of primary keys (`isKey`) are nearly always UUIDs.
  mutating func append(_ value: SQLiteValue, descending: Bool = false, isKey: Bool = false) {
    switch value {
    case .null: appendNull(descending: descending)
    case .integer(let integer): append(integer, descending: descending)
    case .real(let real): append(real, descending: descending)
    case .text(let text): append(text: text, descending: descending, isKey: isKey)
    case .malformedText(let bytes):
      bytes.withUnsafeBytes { append(text: $0, descending: descending, isKey: isKey) }
    case .blob(let bytes):
      bytes.withUnsafeBytes { append(blob: $0, descending: descending) }
    }
  }

  /// Appends a column of a statement's present row, without copying it first.
  mutating func append(_ row: Statement, _ column: Int, descending: Bool = false, isKey: Bool = false) {
    if let integer = row.integerIfAny(column) { return append(integer, descending: descending) }
    switch row.type(column) {
    case SQLITE_FLOAT: append(row.real(column), descending: descending)
    case SQLITE_TEXT:
      row.withUTF8(column) {
        append(text: UnsafeRawBufferPointer($0), descending: descending, isKey: isKey)
      }
    case SQLITE_BLOB: row.withBytes(column) { append(blob: $0, descending: descending) }
    default: appendNull(descending: descending)
    }
  }

  /// The key of a single value.
  static func key(of value: SQLiteValue) -> RankKey {
    var writer = RankKeyWriter()
    writer.append(value)
    return writer.key
  }
}
