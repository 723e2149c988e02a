import LibC
import LiveStore

/// A reader of the JSON that PostgreSQL writes for cells, clocks and keys.
///
/// PostgreSQL has checked that it is JSON. But any client may have written it: a value of a form that this
/// program does not know is nil, and the cell is left alone.
struct JSONReading {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The key of an object, which the server does not know to be JSON.
  ///
  /// - Returns: `nil` if it is no text or whole number as ``JSONWriting/writeKey(_:to:)`` writes it.
  static func key(_ bytes: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    var reading = JSONReading(bytes)
    guard let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || first.isDigit,
      let key = reading.value()
    else { return nil }
    // Two forms of one key would be two objects on the server and one here.
    var written: [UInt8] = []
    JSONWriting.writeKey(key, to: &written)
    return written.elementsEqual(bytes) ? key : nil
  }

  /// Calls a closure for the members of an object; it reads the value of each.
  mutating func members(_ body: (String, inout JSONReading) -> Void) {
    guard take(UInt8(ascii: "{")), !take(UInt8(ascii: "}")) else { return }
    repeat {
      skipSpaces()
      guard let name = string(), take(UInt8(ascii: ":")) else { return }
      body(name, &self)
    } while take(UInt8(ascii: ","))
    _ = take(UInt8(ascii: "}"))
  }

  /// A clock: `[stamp, replica]`; nil after another value, which is skipped.
  mutating func clock() -> HybridClock? {
    skipSpaces()
    let start = position
    guard take(UInt8(ascii: "[")), let stamp = integer(), take(UInt8(ascii: ",")), let replica = integer(),
      take(UInt8(ascii: "]"))
    else {
      position = start
      skipValue()
      return nil
    }
    return HybridClock(stamp: stamp, replica: replica)
  }

  /// A value, as ``JSONWriting`` writes it; nil after another, which is skipped.
  mutating func value() -> SQLiteValue? {
    skipSpaces()
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "n"):
      position += 4
      return .null
    case UInt8(ascii: "{"):
      let start = position
      if let value = typedValue() { return value }
      position = start
      skipValue()
      return nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = position
      if let number = integer(), !continuesNumber { return .integer(number) }
      position = start
      skipValue()
      return nil
    default:
      skipValue()
      return nil
    }
  }

  private mutating func typedValue() -> SQLiteValue? {
    guard take(UInt8(ascii: "{")) else { return nil }
    skipSpaces()
    guard let kind = string(), take(UInt8(ascii: ":")) else { return nil }
    skipSpaces()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    guard let text = string() else { return nil }
    let letters = UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
    guard take(UInt8(ascii: "}")) else { return nil }
    switch kind {
    case "r": return Double(text).flatMap { $0.isNaN ? nil : .real($0) }
    case "b": return Base64.decode(letters).map { .blob($0) }
    case "m": return Base64.decode(letters).map { .malformedText($0) }
    case "t":
      return Base64.decode(letters).map { bytes in
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(bytes)
      }
    default: return nil
    }
  }

  /// A string; the position is at its first quotation mark.
  private mutating func string() -> String? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
    guard end < bytes.count else { return nil }
    let plain = UnsafeBufferPointer(rebasing: bytes[start..<end])
    if bytes[end] == UInt8(ascii: "\"") {
      position = end + 1
      return String(decoding: plain, as: UTF8.self)
    }
    position = end
    return escapedString(after: Array(plain))
  }

  private mutating func escapedString(after start: [UInt8]) -> String? {
    var text = start
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard position < bytes.count else { return nil }
      let escape = bytes[position]
      position += 1
      switch escape {
      case UInt8(ascii: "b"): text.append(8)
      case UInt8(ascii: "f"): text.append(12)
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "r"): text.append(13)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "u"):
        guard let unit = hexadecimal() else { return nil }
        // Never a half of a surrogate pair: PostgreSQL writes other characters as they are.
        text.append(contentsOf: Array(String(UnicodeScalar(unit).map(Character.init) ?? "\u{FFFD}").utf8))
      default: text.append(escape)
      }
    }
    return nil
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
    position += 4
    return UInt32(digits, radix: 16)
  }

  private mutating func integer() -> Int64? {
    skipSpaces()
    let isNegative = take(UInt8(ascii: "-"))
    let start = position
    var number: Int64 = 0
    while position < bytes.count, bytes[position].isDigit {
      let (product, overflowed) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(bytes[position] - UInt8(ascii: "0"))
      // Built downwards: the negative half of the range is the larger one.
      let (difference, underflowed) = product.subtractingReportingOverflow(digit)
      if overflowed || underflowed { return nil }
      number = difference
      position += 1
    }
    guard position > start else { return nil }
    if isNegative { return number }
    return number == .min ? nil : -number
  }

  private var continuesNumber: Bool {
    position < bytes.count
      && [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position])
  }

  /// Skips a value of any form.
  private mutating func skipValue() {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard string() != nil else {
          position = bytes.count
          return
        }
        if depth == 0 { return }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        if depth == 0 {
          position += 1
          return
        }
      case UInt8(ascii: ","):
        if depth == 0 { return }
      default: break
      }
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
