extension String {
  /// Appends a JSON string with its quotes. Control characters of terminals are escaped, even if JSON allows
  /// them.
  ///
  /// Complexity: O(the length of the text).
  mutating func appendJSON(_ text: String) {
    append("\"")
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      append(text)
    } else {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
          let digits = String(scalar.value, radix: 16)
          append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        default: unicodeScalars.append(scalar)
        }
      }
    }
    append("\"")
  }

  /// Appends a member of a JSON object whose value is a text, after a comma if it is not the first.
  mutating func appendJSON(member name: String, _ text: String) {
    appendJSON(name: name)
    appendJSON(text)
  }

  /// Appends the name of a member of a JSON object, after a comma if it is not the first.
  mutating func appendJSON(name: String) {
    if utf8.last != UInt8(ascii: "{") { append(",") }
    append("\"\(name)\":")
  }
}
