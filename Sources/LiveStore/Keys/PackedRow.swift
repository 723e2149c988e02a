import CSQLite

/// The values of a row's columns one after the other, in memory that many rows share.
///
/// Few columns of the rows that a transaction touches are read: a value is decoded on demand.
struct PackedRow: Sendable {
  fileprivate let bytes: [UInt8]
  fileprivate let start: Int

  /// - Parameter start: The result of ``Swift/Array/appendPacked(_:)`` for these bytes or for a prefix of
  ///   them.
  init(in bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  // The length in four bytes, then each column: a tag, and its value; text and blobs are preceded by their
  // length.

  fileprivate enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  /// The content of a column, valid while the bytes are.
  private enum Content {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    var value: SQLiteValue {
      switch self {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      case .text(let bytes): SQLiteValue(utf8: bytes)
      case .blob(let bytes): .blob([UInt8](bytes))
      }
    }
  }

  private static func next(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Content {
    let tag = bytes[offset]
    let content = offset + 1
    switch tag {
    case Tag.integer:
      offset = content + 8
      return .integer(bytes.loadUnaligned(fromByteOffset: content, as: Int64.self))
    case Tag.real:
      offset = content + 8
      return .real(bytes.loadUnaligned(fromByteOffset: content, as: Double.self))
    case Tag.text, Tag.blob:
      let count = Int(bytes.loadUnaligned(fromByteOffset: content, as: UInt32.self))
      offset = content + 4 + count
      let value = UnsafeRawBufferPointer(rebasing: bytes[(content + 4)..<offset])
      return tag == Tag.text ? .text(value) : .blob(value)
    default:
      offset = content
      return .null
    }
  }

  private func withContent<R>(_ column: Int, _ body: (Content) -> R) -> R {
    bytes.withUnsafeBytes { bytes in
      var offset = start + 4
      for _ in 0..<column { _ = PackedRow.next(bytes, &offset) }
      return body(PackedRow.next(bytes, &offset))
    }
  }

  /// The bytes of a column, including the tag, in those of the row.
  private func range(of column: Int, _ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    var offset = start + 4
    for _ in 0..<column { _ = PackedRow.next(bytes, &offset) }
    let lower = offset
    _ = PackedRow.next(bytes, &offset)
    return lower..<offset
  }

  /// Whether a column has another value than in another row of the table.
  func differs(from other: PackedRow, in column: Int) -> Bool {
    bytes.withUnsafeBytes { own in
      other.bytes.withUnsafeBytes { others in
        compareRankBytes(
          UnsafeRawBufferPointer(rebasing: own[range(of: column, own)]),
          UnsafeRawBufferPointer(rebasing: others[other.range(of: column, others)])) != 0
      }
    }
  }

  var image: RowImage {
    bytes.withUnsafeBytes { bytes in
      let end = start + Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      var offset = start + 4
      var image: RowImage = []
      while offset < end { image.append(PackedRow.next(bytes, &offset).value) }
      return image
    }
  }
}

/// The values of a row by column.
protocol ColumnValues {
  subscript(column: Int) -> SQLiteValue { get }

  /// Appends a column to a rank key; see ``RankKeyWriter/append(_:descending:isKey:)``.
  func append(_ column: Int, to writer: inout RankKeyWriter, descending: Bool, isKey: Bool)
}

extension ColumnValues {
  func append(_ column: Int, to writer: inout RankKeyWriter, descending: Bool = false, isKey: Bool = false) {
    writer.append(self[column], descending: descending, isKey: isKey)
  }
}

extension RowImage: ColumnValues {}

extension PackedRow: ColumnValues {
  /// - Complexity: O(column).
  subscript(column: Int) -> SQLiteValue {
    withContent(column) { $0.value }
  }

  func append(_ column: Int, to writer: inout RankKeyWriter, descending: Bool = false, isKey: Bool = false) {
    withContent(column) { content in
      switch content {
      case .null: writer.appendNull(descending: descending)
      case .integer(let value): writer.append(value, descending: descending)
      case .real(let value): writer.append(value, descending: descending)
      case .text(let text): writer.append(text: text, descending: descending, isKey: isKey)
      case .blob(let blob): writer.append(blob: blob, descending: descending)
      }
    }
  }
}

/// A source of the values of a row.
enum RowSource {
  case image(RowImage)
  case packed(PackedRow)
  /// The present row of a statement, and the number of columns.
  case statement(Statement, columns: Int)
}

extension [UInt8] {
  /// Packs a row, and returns its start.
  mutating func appendPacked(_ row: RowSource) -> Int {
    let start = count
    switch row {
    case .packed(let row):
      row.bytes.withUnsafeBytes { bytes in
        let length = Int(bytes.loadUnaligned(fromByteOffset: row.start, as: UInt32.self))
        append(contentsOf: bytes[row.start..<(row.start + length)])
      }
      return start
    case .image(let values):
      append(contentsOf: [0, 0, 0, 0])
      for value in values { appendPacked(value) }
    case .statement(let statement, let columns):
      append(contentsOf: [0, 0, 0, 0])
      statement.withLock {
        for column in 0..<columns { appendPacked(statement, column) }
      }
    }
    let length = UInt32(truncatingIfNeeded: count - start)
    withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: start, as: UInt32.self) }
    return start
  }

  private mutating func appendPacked(_ value: SQLiteValue) {
    switch value {
    case .null: append(PackedRow.Tag.null)
    case .integer(let value): append(PackedRow.Tag.integer, bitPattern: UInt64(bitPattern: value))
    case .real(let value): append(PackedRow.Tag.real, bitPattern: value.bitPattern)
    case .text, .malformedText: value.withBytes { append(PackedRow.Tag.text, bytes: $0) }
    case .blob: value.withBytes { append(PackedRow.Tag.blob, bytes: $0) }
    }
  }

  private mutating func appendPacked(_ row: Statement, _ column: Int) {
    if let integer = row.integerIfAny(column) {
      return append(PackedRow.Tag.integer, bitPattern: UInt64(bitPattern: integer))
    }
    switch row.type(column) {
    case SQLITE_FLOAT: append(PackedRow.Tag.real, bitPattern: row.real(column).bitPattern)
    case SQLITE_TEXT:
      row.withUTF8(column) { append(PackedRow.Tag.text, bytes: UnsafeRawBufferPointer($0)) }
    case SQLITE_BLOB: row.withBytes(column) { append(PackedRow.Tag.blob, bytes: $0) }
    default: append(PackedRow.Tag.null)
    }
  }

  private mutating func append(_ tag: UInt8, bitPattern: UInt64) {
    append(tag)
    Swift.withUnsafeBytes(of: bitPattern) { append(contentsOf: $0) }
  }

  private mutating func append(_ tag: UInt8, bytes: UnsafeRawBufferPointer) {
    append(tag)
    Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count)) { append(contentsOf: $0) }
    append(contentsOf: bytes)
  }
}
