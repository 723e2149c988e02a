import VisibleText

/// JSON, written piece by piece: the output of the commands is small and has a fixed order of keys.
enum JSONText {
  /// A string with its quotes. Control characters of terminals are escaped, even if JSON allows them.
  ///
  /// Complexity: O(the length of the text).
  static func string(_ text: String) -> String {
    var json = "\""
    text.forEachScalar { scalar, isVisible in
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where isVisible: json.unicodeScalars.append(scalar)
      default:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return json + "\""
  }

  static func array(_ elements: some Sequence<String>) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// An object with the version of the schema and an array with one element on each line, and a line break
  /// at the end.
  static func versioned(_ key: String, _ elements: [String]) -> String {
    object([
      ("version", "\(schemaVersion)"), (key, "[" + elements.map { "\n" + $0 }.joined(separator: ",") + "\n]"),
    ])
      + "\n"
  }

  /// The version of what `--json` and `watch` print. A member that goes, or means something else, makes a new
  /// one; a new member does not.
  static let schemaVersion = 1

  static func array(_ indices: [Int]) -> String {
    array(indices.lazy.map(String.init))
  }

  /// - Parameter members: The keys with the JSON of their values.
  static func object(_ members: some Sequence<(key: String, value: String)>) -> String {
    "{" + members.map { string($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }
}
