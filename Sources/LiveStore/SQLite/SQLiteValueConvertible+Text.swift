import FoundationEssentials

extension String: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .text(self) }

  @inlinable
  public init?(sqliteValue: SQLiteValue) {
    if case .text(let text) = sqliteValue {
      self = text
    } else {
      guard let text = sqliteValue.textReading else { return nil }
      self = text
    }
  }
}

extension Data: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .blob(Array(self)) }

  public init?(sqliteValue: SQLiteValue) {
    guard let bytes = sqliteValue.blobReading else { return nil }
    self.init(bytes)
  }
}

/// Stored as text in upper case with hyphens. Read in either case, and from a blob of its 16 bytes.
extension UUID: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .text(uuidString) }

  public init?(sqliteValue: SQLiteValue) {
    switch sqliteValue {
    case .text(var text):
      guard let uuid = text.withUTF8({ UUID(hyphenated: $0) }) else { return nil }
      self = uuid
    case .blob(let bytes) where bytes.count == 16:
      self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .null, .integer, .real, .malformedText, .blob:
      return nil
    }
  }
}

extension UUID {
  /// Reads 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 with hyphens between them.
  ///
  /// The initializer that takes a `String` needs twenty times as long (measured, Swift 6.3), and a primary key is read often.
  fileprivate init?(hyphenated text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isValid = withUnsafeMutableBytes(of: &bytes) { bytes in
      var position = 0
      for index in bytes.indices {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          guard text[position] == UInt8(ascii: "-") else { return false }
          position += 1
        }
        guard let high = text[position].hexadecimalDigit, let low = text[position + 1].hexadecimalDigit
        else { return false }
        bytes[index] = high << 4 | low
        position += 2
      }
      return true
    }
    guard isValid else { return nil }
    self.init(uuid: bytes)
  }
}

extension UInt8 {
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
