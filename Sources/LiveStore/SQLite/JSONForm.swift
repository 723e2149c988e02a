import FoundationEssentials

/// The form of a value inside a text of JSON.
public enum _JSONForm: Int32, Sendable {
  /// A number, or a text as a string.
  case plain
  /// `true` or `false`.
  case truth
  /// Bytes, as a string in base 64.
  case bytes
  /// A value that is itself stored as a text of JSON, which stands there without quotation marks.
  case nested

  /// Appends a value; does nothing and returns `false` if it is NULL, which stands for a value without a
  /// form.
  func append(_ value: SQLiteValue, to text: inout [UInt8]) -> Bool {
    switch (self, value) {
    case (_, .null), (_, .malformedText): return false
    case (.truth, .integer(let number)): text += (number == 0 ? "false" : "true").utf8
    case (.nested, .text(let json)): text += json.utf8
    case (_, .integer(let number)): text += "\(number)".utf8
    case (_, .real(let number)): text += Self.text(number).utf8
    case (_, .text(let string)): Self.append(string, to: &text)
    case (_, .blob(let bytes)): Self.append(Data(bytes).base64EncodedString(), to: &text)
    }
    return true
  }

  /// The value that was written in this form; `nil` if it cannot have been.
  ///
  /// - Parameters:
  ///   - value: The value as ``JSONScanner`` has read it.
  ///   - text: The bytes that it was written with.
  func value(_ value: SQLiteValue, _ text: UnsafeBufferPointer<UInt8>) -> SQLiteValue? {
    switch (self, value) {
    case (.nested, _): return SQLiteValue(utf8: text)
    case (.bytes, .text(let string)): return Data(base64Encoded: string)?.sqliteValue
    case (.bytes, _): return nil
    case (.plain, _), (.truth, _): return value
    }
  }

  /// The shortest number that reads back the same. JSON has no infinity: a number beyond all others stands
  /// for it, which SQLite reads as one, too.
  private static func text(_ number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    // The two zeros are equal, and equal values are to have equal texts.
    return number == 0 ? "0.0" : "\(number)"
  }

  /// Appends a string with its quotation marks. Only what has to be escaped is.
  static func append(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): text += "\\\"".utf8
      case UInt8(ascii: "\\"): text += "\\\\".utf8
      case UInt8(ascii: "\n"): text += "\\n".utf8
      case UInt8(ascii: "\r"): text += "\\r".utf8
      case UInt8(ascii: "\t"): text += "\\t".utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
