/// A decimal number of any length, read from its text, as bytes that sort as the numbers do.
///
/// A column has decimal numbers as texts, which every program can read and write, and which lose no digit.
/// As texts, they would sort by their first digits.
///
/// The first byte is 0x80 for zero, 0xC0 for a number above it and 0x3F for one below. Two bytes with the
/// place of the first digit follow, and the digits, from 1 for 0 to 10 for 9, without zeros at the end. Below
/// zero they are complements, and 0xFF follows them.
enum DecimalKey {
  /// The places before the point that the first digit may have, which are those of Foundation's Decimal.
  private static let places = -127...166

  /// The key of a value of a column, of the storage class BLOB; NULL if it is no decimal number.
  static func key(of value: SQLiteValue) -> SQLiteValue {
    switch value {
    case .blob(let bytes): text(of: bytes) == nil ? .null : value
    case .null, .malformedText: .null
    case .integer, .real, .text: value.textReading.flatMap(key).map { .blob($0) } ?? .null
    }
  }

  /// The shortest text of the number that a text is: `12.5` for `+0012.50` and `1.25e1`; `nil` if it is none.
  static func canonicalText(of text: String) -> String? { key(of: text).flatMap(DecimalKey.text) }

  private static func key(of text: String) -> [UInt8]? {
    var bytes = Array(text.utf8)[...]
    func take(_ characters: Unicode.Scalar...) -> UInt8? {
      guard let first = bytes.first, characters.contains(Unicode.Scalar(first)) else { return nil }
      return bytes.removeFirst()
    }
    func takeDigits() -> [UInt8] {
      let digits = bytes.prefix { $0.asciiDigit != nil }.compactMap(\.asciiDigit)
      bytes.removeFirst(digits.count)
      return digits
    }
    let isNegative = take("+", "-") == UInt8(ascii: "-")
    let whole = takeDigits()
    let fraction = take(".") == nil ? [] : takeDigits()
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = 0
    if take("e", "E") != nil {
      let isBelow = take("+", "-") == UInt8(ascii: "-")
      let digits = takeDigits()
      guard (1...9).contains(digits.count) else { return nil }
      exponent = digits.reduce(0) { $0 * 10 + Int($1) } * (isBelow ? -1 : 1)
    }
    guard bytes.isEmpty else { return nil }
    var digits = (whole + fraction)[...]
    digits = digits.drop { $0 == 0 }
    while digits.last == 0 { digits.removeLast() }
    guard !digits.isEmpty else { return [0x80] }
    let place = whole.count - digits.startIndex + exponent
    guard places.contains(place) else { return nil }
    let key = [0xC0, UInt8((place + 512) >> 8), UInt8((place + 512) & 0xFF)] + digits.map { $0 + 1 }
    return isNegative ? key.map { ~$0 } + [0xFF] : key
  }

  /// The number of a key, in digits; `nil` if it is no key.
  static func text(of key: [UInt8]) -> String? {
    guard let first = key.first else { return nil }
    if key == [0x80] { return "0" }
    let isNegative = first == 0x3F
    guard isNegative ? key.last == 0xFF : first == 0xC0 else { return nil }
    let parts = isNegative ? key.dropLast().map { ~$0 } : key
    guard parts.count > 3 else { return nil }
    let place = (Int(parts[1]) << 8 | Int(parts[2])) - 512
    guard places.contains(place), parts[3...].allSatisfy({ (1...10).contains($0) }) else { return nil }
    let digits = parts[3...].map { Character(Unicode.Scalar($0 - 1 + UInt8(ascii: "0"))) }
    let whole = digits.prefix(max(place, 0)) + Array(repeating: "0", count: max(place - digits.count, 0))
    let fraction = Array(repeating: "0", count: max(-place, 0)) + digits.dropFirst(max(place, 0))
    return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(whole))
      + (fraction.isEmpty ? "" : "." + String(fraction))
  }
}
