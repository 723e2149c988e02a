import LibC

/// A value as SQLite stores it: one of its five storage classes.
///
/// Equality is by storage class, so `.integer(1)` and `.real(1)` differ here, although they are equal for
/// SQL's `=`. Two texts are equal when their bytes are, as in SQL, unlike Swift's canonical equivalence.
public enum SQLiteValue: Hashable, Codable, Sendable {
  /// The absence of a value.
  case null
  /// A whole number of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits, which is never NaN.
  case real(Double)
  /// A text.
  case text(String)
  /// Text that is not UTF-8, as its bytes: another program may have stored it, and SQLite does not check.
  /// Never equal to a ``text(_:)``.
  case malformedText([UInt8])
  /// Bytes that SQLite does not interpret.
  case blob([UInt8])

  /// Whether two values are of the same storage class and equal there; texts byte by byte.
  public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.malformedText(let a), .malformedText(let b)), (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  /// Hashes the value, but not its case: those of one column nearly always have the same.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .malformedText(let value), .blob(let value): hasher.combine(value)
    }
  }
}

extension String {
  /// Whether two texts have the same UTF-8, which canonically equivalent texts need not have.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { left.hasSameBytes(as: $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

/// A Swift value that can be stored in one column.
///
/// The two requirements are inverse to each other, up to the documented rounding of the conversion (dates to
/// milliseconds).
public protocol SQLiteValueConvertible {
  /// The value as it is stored and compared in SQL.
  var sqliteValue: SQLiteValue { get }

  /// Converts a stored value, which any other program may have written, as leniently as SQLite's own column
  /// functions: a number is read from text, text from a number.
  ///
  /// Returns nil for NULL (unless the type is an optional) and for a value that the type cannot represent,
  /// such as an integer out of its range or a text that is no date. The caller provides the substitute.
  init?(sqliteValue: SQLiteValue)
}

extension SQLiteValue {
  /// The text that SQLite stores as some bytes.
  @inline(__always)
  package init(utf8 bytes: some Collection<UInt8>) {
    self =
      bytes.withContiguousStorageIfAvailable { SQLiteValue(utf8: $0) }
      ?? Array(bytes).withUnsafeBufferPointer { SQLiteValue(utf8: $0) }
  }

  /// The same of bytes in memory.
  ///
  /// `String(validating:as:)` asks the runtime for two generic types at each call, which takes ten times as
  /// long as reading a short text. A text that `String(decoding:as:)` has repaired has other bytes.
  init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    self = text.withUTF8 { $0.hasSameBytes(as: bytes) } ? .text(text) : .malformedText(Array(bytes))
  }

  /// The result of `sqlite3_column_int64`: a real is truncated towards zero and clamped to the range; a text
  /// is parsed as far as it is an integer, and is otherwise 0. Nil for NULL.
  @usableFromInline
  var integerReading: Int64? {
    switch self {
    case .null: return nil
    case .integer(let value): return value
    case .real(let value): return Int64(saturating: value)
    case .text(var text): return text.withUTF8 { Int64(sqlitePrefix: $0) }
    case .malformedText(let bytes), .blob(let bytes):
      return bytes.withUnsafeBufferPointer { Int64(sqlitePrefix: $0) }
    }
  }

  /// The result of `sqlite3_column_double`: a text is parsed as far as it is a number, and is otherwise 0.
  /// Nil for NULL.
  @usableFromInline
  var realReading: Double? {
    switch self {
    case .null: return nil
    case .integer(let value): return Double(value)
    case .real(let value): return value
    case .text(var text): return text.withUTF8 { Double(sqlitePrefix: $0) }
    case .malformedText(let bytes), .blob(let bytes):
      return bytes.withUnsafeBufferPointer { Double(sqlitePrefix: $0) }
    }
  }

  /// The result of `sqlite3_column_text`, except that a real has the shortest form that reads back the same.
  /// A blob and malformed text are read as UTF-8, with U+FFFD for malformed parts. Nil for NULL.
  @usableFromInline
  var textReading: String? {
    switch self {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let text): text
    case .malformedText(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The result of `sqlite3_column_blob`: a text is its UTF-8 bytes. Nil for NULL.
  var blobReading: [UInt8]? {
    switch self {
    case .null: return nil
    case .malformedText(let bytes), .blob(let bytes): return bytes
    case .integer, .real, .text: return textReading.map { Array($0.utf8) }
    }
  }

  /// Calls a closure with the bytes of a text or a blob; returns `false` for any other value.
  func withTextBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    switch self {
    case .text(var text): text.withUTF8(body)
    case .blob(let bytes): bytes.withUnsafeBufferPointer(body)
    case .null, .integer, .real, .malformedText: false
    }
  }
}

extension Int64 {
  /// Creates the integral part, clamped to the range; 0 for NaN.
  init(saturating value: Double) {
    if let exact = Int64(exactly: value.rounded(.towardZero)) {
      self = exact
    } else if value.isNaN {
      self = 0
    } else {
      self = value < 0 ? .min : .max
    }
  }

  /// The longest integer prefix of the text, after spaces; 0 if there is none, the nearest end of the range
  /// if it is out of range.
  init(sqlitePrefix text: UnsafeBufferPointer<UInt8>) {
    var index = text.firstIndex { !$0.isASCIISpace } ?? text.endIndex
    var isNegative = false
    if index < text.endIndex, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    var value: Int64 = 0
    while index < text.endIndex, let digit = text[index].asciiDigit {
      // Built downwards, because the negative half of the range is the larger one.
      let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (difference, underflowed) = product.subtractingReportingOverflow(Int64(digit))
      if overflowed || underflowed {
        self = isNegative ? .min : .max
        return
      }
      value = difference
      index += 1
    }
    if isNegative {
      self = value
    } else {
      self = value == .min ? .max : -value
    }
  }
}

extension Double {
  /// The longest decimal prefix of the text, after spaces; 0 if there is none.
  init(sqlitePrefix text: UnsafeBufferPointer<UInt8>) {
    let start = text.firstIndex { !$0.isASCIISpace } ?? text.endIndex
    var index = start
    func skipDigits() -> Bool {
      let first = index
      while index < text.endIndex, text[index].asciiDigit != nil { index += 1 }
      return index > first
    }
    func skip(_ bytes: UInt8...) -> Bool {
      guard index < text.endIndex, bytes.contains(text[index]) else { return false }
      index += 1
      return true
    }
    _ = skip(UInt8(ascii: "-"), UInt8(ascii: "+"))
    var hasDigits = skipDigits()
    if skip(UInt8(ascii: ".")) { hasDigits = skipDigits() || hasDigits }
    guard hasDigits else {
      self = 0
      return
    }
    let mantissaEnd = index
    if skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "-"), UInt8(ascii: "+"))
      if !skipDigits() { index = mantissaEnd }
    }
    self = Double(String(decoding: text[start..<index], as: UTF8.self)) ?? 0
  }
}

extension UInt8 {
  /// The value of a decimal digit's code; nil for any other.
  var asciiDigit: UInt8? {
    self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") ? self - UInt8(ascii: "0") : nil
  }

  /// Whether it is one of the six codes that SQLite skips as space.
  var isASCIISpace: Bool {
    self == 0x20 || (0x09...0x0D).contains(self)
  }
}

/// The values of a row's columns, in the order of the table's columns.
typealias RowImage = [SQLiteValue]
