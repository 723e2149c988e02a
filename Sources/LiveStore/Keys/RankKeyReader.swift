/// A reader of the components of a key that ``RankKeyWriter`` wrote, in either direction.
///
/// It borrows the bytes: use it only inside the closure that provides them.
struct RankKeyReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset >= bytes.count }

  /// Skips `count` components if there are that many; otherwise stays before the first that is missing or
  /// malformed, and returns false.
  @discardableResult
  mutating func skip(_ count: Int = 1) -> Bool {
    for _ in 0..<count {
      guard let end = endOfComponent() else { return false }
      offset = end
    }
    return true
  }

  /// Reads the next component.
  ///
  /// A number that an `Int64` represents exactly is read as `.integer`, even if it was written as a real, and
  /// the empty text of a UUID column as text.
  ///
  /// - Returns: `nil`, without advancing, at the end or if the bytes are no component.
  mutating func read() -> SQLiteValue? {
    guard let end = endOfComponent() else { return nil }
    defer { offset = end }
    let mask: UInt8 = bytes[offset] & 0x80 == 0 ? 0 : 0xFF
    let content = offset + 1
    switch bytes[offset] ^ mask {
    case RankKeyTag.null: return .null
    case RankKeyTag.positive: return number(from: content, to: end, isNegative: false, mask: mask)
    case RankKeyTag.negative: return number(from: content, to: end, isNegative: true, mask: ~mask)
    case RankKeyTag.text, RankKeyTag.textBeforeUUIDs:
      return text(unescaped(from: content, to: end, mask: mask))
    case RankKeyTag.uuidText:
      if bytes[content + 16] ^ mask == 0 { return .text(uuidText(from: content, mask: mask)) }
      return text(unescaped(from: content + 17, to: end, mask: mask))
    default: return .blob(unescaped(from: content, to: end, mask: mask))
    }
  }

  /// The end of the component at `offset`, or `nil` if there is none or it is malformed.
  private func endOfComponent() -> Int? {
    guard offset < bytes.count else { return nil }
    let mask: UInt8 = bytes[offset] & 0x80 == 0 ? 0 : 0xFF
    let tag = bytes[offset] ^ mask
    let end: Int
    switch tag {
    case RankKeyTag.null: end = offset + 1
    case RankKeyTag.positive, RankKeyTag.negative:
      guard offset + 4 <= bytes.count else { return nil }
      let mask = tag == RankKeyTag.negative ? ~mask : mask
      let high = UInt64(bytes[offset + 1] ^ mask) << 8 | UInt64(bytes[offset + 2] ^ mask)
      guard high <= 0x7FF0 else { return nil }
      let lowCount = bytes[offset + 3] ^ mask == 0 ? 0 : 6
      end = offset + 4 + lowCount + (high >= RankKeyTag.firstInexactBits >> 48 ? 2 : 0)
    case RankKeyTag.text, RankKeyTag.textBeforeUUIDs, RankKeyTag.blob:
      return endOfEscaped(from: offset + 1, mask: mask)
    case RankKeyTag.uuidText:
      guard offset + 18 <= bytes.count else { return nil }
      if bytes[offset + 17] ^ mask != 0 { return endOfEscaped(from: offset + 18, mask: mask) }
      end = offset + 18
    default: return nil
    }
    return end <= bytes.count ? end : nil
  }

  private func text(_ bytes: [UInt8]) -> SQLiteValue {
    String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(bytes)
  }

  private func endOfEscaped(from start: Int, mask: UInt8) -> Int? {
    for index in start..<max(start, bytes.count) where bytes[index] == mask { return index + 1 }
    return nil
  }

  private func unescaped(from start: Int, to end: Int, mask: UInt8) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(end - start - 1)
    var index = start
    while index < end - 1 {
      var byte = bytes[index] ^ mask
      if byte == 1 {
        index += 1
        byte = (bytes[index] ^ mask) &- 1
      }
      result.append(byte)
      index += 1
    }
    return result
  }

  private func number(from start: Int, to end: Int, isNegative: Bool, mask: UInt8) -> SQLiteValue {
    var bits = UInt64(bytes[start] ^ mask) << 56 | UInt64(bytes[start + 1] ^ mask) << 48
    var index = start + 3
    if bytes[start + 2] ^ mask != 0 {
      for _ in 0..<6 {
        bits |= UInt64(bytes[index] ^ mask) << UInt64(8 * (start + 8 - index))
        index += 1
      }
    }
    let magnitude = Double(bitPattern: bits)
    var residual = 0
    if index < end {
      residual = Int(bytes[index] ^ mask) << 8 | Int(bytes[index + 1] ^ mask)
      residual -= 0x8000
    }
    if magnitude < 0x1p64, case let rounded = UInt64(magnitude), Double(rounded) == magnitude {
      let exact = rounded &+ UInt64(bitPattern: Int64(residual))
      if isNegative, exact <= Int64.min.magnitude { return .integer(Int64(truncatingIfNeeded: 0 &- exact)) }
      if !isNegative, let value = Int64(exactly: exact) { return .integer(value) }
    }
    return .real(isNegative ? -magnitude : magnitude)
  }

  private func uuidText(from start: Int, mask: UInt8) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      var position = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[position] = UInt8(ascii: "-")
          position += 1
        }
        let byte = bytes[start + index] ^ mask
        for digit in [byte >> 4, byte & 15] {
          text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
          position += 1
        }
      }
      return position
    }
  }
}
