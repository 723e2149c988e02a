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
  /// The UUID, of version 8, that substitutes for a value that is none: the same for equal values, in every
  /// process.
  init(standingFor value: SQLiteValue) {
    let bytes = value.blobReading ?? []
    let high = FNV1a.hash(bytes) & ~0xF000 | 0x8000
    let low = FNV1a.hash(bytes, from: 0x9E37_79B9_7F4A_7C15) & ~(3 << 62) | 2 << 62
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: uuid)
  }

  /// Parses 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 with hyphens between them.
  ///
  /// Eight digits at a time: identifiers are read often, and one digit after the other takes many times as
  /// long.
  fileprivate init?(hyphenated text: UnsafeBufferPointer<UInt8>) {
    guard let digits = HyphenatedDigits(UnsafeRawBufferPointer(text)),
      let first = UInt32(hexadecimalDigits: digits.first),
      let second = UInt32(hexadecimalDigits: digits.second),
      let third = UInt32(hexadecimalDigits: digits.third),
      let fourth = UInt32(hexadecimalDigits: digits.fourth)
    else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      bytes.storeBytes(of: first.littleEndian, toByteOffset: 0, as: UInt32.self)
      bytes.storeBytes(of: second.littleEndian, toByteOffset: 4, as: UInt32.self)
      bytes.storeBytes(of: third.littleEndian, toByteOffset: 8, as: UInt32.self)
      bytes.storeBytes(of: fourth.littleEndian, toByteOffset: 12, as: UInt32.self)
    }
    self.init(uuid: bytes)
  }
}

extension UInt128 {
  /// The number of a UUID in its canonical form: 32 digits, the letters in upper case, in groups with hyphens
  /// between them.
  init?(canonicalUUID text: UnsafeRawBufferPointer) {
    guard let digits = HyphenatedDigits(text), !digits.hasLowerCase,
      let first = UInt32(hexadecimalDigits: digits.first),
      let second = UInt32(hexadecimalDigits: digits.second),
      let third = UInt32(hexadecimalDigits: digits.third),
      let fourth = UInt32(hexadecimalDigits: digits.fourth)
    else { return nil }
    // The first digits are in the lowest bytes of each.
    let high = UInt64(first.byteSwapped) << 32 | UInt64(second.byteSwapped)
    self = UInt128(high) << 64 | UInt128(UInt64(third.byteSwapped) << 32 | UInt64(fourth.byteSwapped))
  }
}

/// The 32 digits of a UUID's text, eight in each number, in the order of the text from the lowest byte on.
private struct HyphenatedDigits {
  let first: UInt64
  let second: UInt64
  let third: UInt64
  let fourth: UInt64

  /// Fails if the text is not of 36 bytes with hyphens in their places. The digits are not examined.
  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count == 36 else { return nil }
    let hyphen = UInt8(ascii: "-")
    guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else { return nil }
    func eight(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func four(_ offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    first = eight(0)
    second = four(9) | four(14) << 32
    third = four(19) | four(24) << 32
    fourth = eight(28)
  }

  /// Whether a letter is in lower case, if all are digits.
  var hasLowerCase: Bool {
    func isLower(_ digits: UInt64) -> UInt64 { digits & digits >> 1 & 0x2020_2020_2020_2020 }
    return isLower(first) | isLower(second) | isLower(third) | isLower(fourth) != 0
  }
}

extension UInt32 {
  /// The four bytes of eight hexadecimal digits, both in the order of the text from the lowest byte on; `nil`
  /// if one of the eight is no digit.
  fileprivate init?(hexadecimalDigits text: UInt64) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let isLetter = text >> 6 & ones
    // A digit has the high half 3, a letter 4 or 6, which differ only in its case.
    let high = text & 0xF0F0_F0F0_F0F0_F0F0 & ~(isLetter << 5)
    let values = (text & 0x0F0F_0F0F_0F0F_0F0F) + isLetter * 9
    guard high == ones * 0x30 ^ isLetter * 0x70,
      // No value is above 15, and exactly those of letters are above 9.
      values & 0x1010_1010_1010_1010 == 0, (values + ones * 6) >> 4 & ones == isLetter
    else { return nil }
    var bytes = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
    bytes = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF
    self = UInt32(truncatingIfNeeded: bytes | bytes >> 16)
  }
}
