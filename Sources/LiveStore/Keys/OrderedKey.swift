/// A primary key with a fast comparison: by a number, and only if that is equal by its value.
///
/// The order is SQLite's: NULL, then numbers, then text (the bytes of its UTF-8), then blobs.
struct OrderedKey: Sendable {
  let value: SQLiteValue
  /// Never greater than that of a greater value: the storage class in two bits, then as much of the value as
  /// fits.
  private let head: UInt64

  init(_ value: SQLiteValue) {
    self.value = value
    head =
      switch value {
      case .null: 0
      case .integer(let integer): 1 << 62 | Self.head(of: integer)
      case .real(let real): 1 << 62 | Self.head(of: Int64(saturating: real.rounded(.down)))
      case .text(var text): 2 << 62 | text.withUTF8 { Self.head(of: UnsafeRawBufferPointer($0)) }
      case .malformedText(let bytes): 2 << 62 | bytes.withUnsafeBytes { Self.head(of: $0) }
      case .blob(let bytes): 3 << 62 | bytes.withUnsafeBytes { Self.head(of: $0) }
      }
  }

  /// The number of the storage class, by which SQLite orders values first: 0 for NULL, then numbers, text and
  /// blobs.
  var storageClass: UInt64 { head >> 62 }

  private static func head(of integer: Int64) -> UInt64 {
    let limit: Int64 = 1 << 61
    return UInt64(min(max(integer, -limit), limit - 1) + limit)
  }

  private static func head(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    rankHead(of: bytes, from: 0) >> 2
  }

  /// Compares two keys: negative, zero or positive.
  @inline(__always)
  func compare(_ other: OrderedKey) -> Int {
    head != other.head ? (head < other.head ? -1 : 1) : compareValue(other)
  }

  private func compareValue(_ other: OrderedKey) -> Int {
    switch (value, other.value) {
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.integer, .real), (.real, .integer), (.real, .real):
      guard let a = value.realReading, let b = other.value.realReading else { return 0 }
      return a < b ? -1 : a > b ? 1 : 0
    default:
      // Heads are equal, so that both are text, or both are blobs.
      return value.withBytes { a in other.value.withBytes { b in compareRankBytes(a, b) } }
    }
  }
}

extension OrderedKey: Comparable {
  static func < (a: OrderedKey, b: OrderedKey) -> Bool { a.compare(b) < 0 }
  static func == (a: OrderedKey, b: OrderedKey) -> Bool { a.compare(b) == 0 }
}

extension SQLiteValue {
  /// The bytes of a text or blob, valid inside the closure; empty for other values.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    switch self {
    case .null, .integer, .real: body(UnsafeRawBufferPointer(start: nil, count: 0))
    case .text(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    case .malformedText(let bytes), .blob(let bytes): bytes.withUnsafeBytes(body)
    }
  }
}
