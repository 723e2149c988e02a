/// A reader of a text of JSON, from its beginning on.
///
/// Takes what RFC 8259 describes and nothing else. A method that returns `nil` or `false` may have read a
/// part.
package struct JSONScanner {
  /// The number of arrays and objects that may lie inside one another.
  private static let maximumDepth = 500

  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// - Parameter text: The UTF-8 of the text, which has to stay in memory while the scanner is used.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  /// Reads a text that is one array.
  ///
  /// - Parameter body: Is called with each element: its value and the bytes that it was written with.
  ///   Returns `false` to end the reading.
  /// - Returns: `false` if the text is no array, or the body has returned `false`.
  package mutating func elements(_ body: (SQLiteValue, UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    skipSpaces()
    guard take("[") else { return false }
    guard list(until: "]", { $0.value(depth: 1).map { body($0.value, $0.text) } ?? false }) else {
      return false
    }
    skipSpaces()
    return index == text.count
  }

  /// Reads a text that is one object; see ``elements(_:)``.
  package mutating func members(
    _ body: (String, SQLiteValue, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    skipSpaces()
    guard take("{") else { return false }
    let isComplete = list(until: "}") { scanner in
      guard let name = scanner.name(), let member = scanner.value(depth: 1) else { return false }
      return body(name, member.value, member.text)
    }
    guard isComplete else { return false }
    skipSpaces()
    return index == text.count
  }

  /// Reads a text that is one value, an array or an object as its text.
  package mutating func onlyValue() -> SQLiteValue? {
    let value = value(depth: 0)?.value
    skipSpaces()
    return index == text.count ? value : nil
  }

  private mutating func skipSpaces() {
    // PostgreSQL and this library write none, or one.
    while index < text.count, text[index] <= 0x20, [0x20, 0x0A, 0x0D, 0x09].contains(text[index]) {
      index += 1
    }
  }

  @inline(__always)
  private mutating func take(_ word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= text.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount where text[index + offset] != word.utf8Start[offset] {
      return false
    }
    index = end
    return true
  }

  /// Reads items with commas between them, and the character after the last.
  private mutating func list(until end: StaticString, _ item: (inout JSONScanner) -> Bool) -> Bool {
    skipSpaces()
    if take(end) { return true }
    repeat {
      guard item(&self) else { return false }
      skipSpaces()
    } while take(",")
    return take(end)
  }

  /// Reads the name of a member and the colon after it.
  private mutating func name() -> String? {
    skipSpaces()
    guard take("\""), let name = string() else { return nil }
    skipSpaces()
    return take(":") ? name : nil
  }

  /// Reads a value: one without parts as SQLite has it, an array or an object as its text.
  private mutating func value(depth: Int) -> (value: SQLiteValue, text: UnsafeBufferPointer<UInt8>)? {
    skipSpaces()
    guard index < text.count else { return nil }
    let start = index
    var value: SQLiteValue?
    switch text[index] {
    case UInt8(ascii: "\""):
      index += 1
      value = string().map { .text($0) }
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      guard skipParts(depth: depth + 1) else { return nil }
      value = SQLiteValue(utf8: text[start..<index])
    case UInt8(ascii: "t"): value = take("true") ? .integer(1) : nil
    case UInt8(ascii: "f"): value = take("false") ? .integer(0) : nil
    case UInt8(ascii: "n"): value = take("null") ? .null : nil
    default: value = number()
    }
    return value.map { ($0, UnsafeBufferPointer(rebasing: text[start..<index])) }
  }

  /// Reads an array or an object whose parts do not matter.
  private mutating func skipParts(depth: Int) -> Bool {
    guard depth <= Self.maximumDepth else { return false }
    if take("[") { return list(until: "]") { $0.value(depth: depth) != nil } }
    return take("{") && list(until: "}") { $0.name() != nil && $0.value(depth: depth) != nil }
  }

  private mutating func number() -> SQLiteValue? {
    let start = index
    _ = take("-")
    let integer = index
    guard skipDigits(), index == integer + 1 || text[integer] != UInt8(ascii: "0") else { return nil }
    var isWhole = true
    if take(".") {
      isWhole = false
      guard skipDigits() else { return nil }
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      guard skipDigits() else { return nil }
    }
    let digits = String(decoding: text[start..<index], as: UTF8.self)
    if isWhole, let whole = Int64(digits) { return .integer(whole) }
    return Double(digits).map { .real($0) }
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while index < text.count, text[index].asciiDigit != nil { index += 1 }
    return index > start
  }

  /// Reads the rest of a string, after the quotation mark.
  private mutating func string() -> String? {
    var bytes: [UInt8] = []
    var start = index
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        if bytes.isEmpty {
          index += 1
          return validText(text[start..<index - 1])
        }
        bytes += text[start..<index]
        index += 1
        return validText(bytes)
      case UInt8(ascii: "\\"):
        bytes += text[start..<index]
        index += 1
        guard let scalar = escapedScalar() else { return nil }
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        start = index
      case 0..<0x20: return nil
      default: index += 1
      }
    }
    return nil
  }

  private func validText(_ bytes: some Collection<UInt8>) -> String? {
    guard case .text(let text) = SQLiteValue(utf8: bytes) else { return nil }
    return text
  }

  /// Reads the rest of an escape, after the backslash.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    guard index < text.count else { return nil }
    index += 1
    switch text[index - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = codeUnit() else { return nil }
      guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
      guard take("\\u"), let trail = codeUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
      return Unicode.Scalar(0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(trail & 0x3FF))
    default: return nil
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func codeUnit() -> UInt16? {
    guard index + 4 <= text.count else { return nil }
    var unit: UInt16 = 0
    for byte in text[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    index += 4
    return unit
  }
}
