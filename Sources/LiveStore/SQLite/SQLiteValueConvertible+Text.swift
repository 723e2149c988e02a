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
    // FNV-1a, with two initial values.
    func hash(_ start: UInt64) -> UInt64 {
      bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let high = hash(0xCBF2_9CE4_8422_2325) & ~0xF000 | 0x8000
    let low = hash(0x9E37_79B9_7F4A_7C15) & ~(3 << 62) | 2 << 62
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
    guard text.count == 36 else { return nil }
    let raw = UnsafeRawBufferPointer(text)
    let hyphen = UInt8(ascii: "-")
    guard raw[8] == hyphen, raw[13] == hyphen, raw[18] == hyphen, raw[23] == hyphen else { return nil }
    func eight(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func four(_ offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    guard let first = UInt32(hexadecimalDigits: eight(0)),
      let second = UInt32(hexadecimalDigits: four(9) | four(14) << 32),
      let third = UInt32(hexadecimalDigits: four(19) | four(24) << 32),
      let fourth = UInt32(hexadecimalDigits: eight(28))
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
