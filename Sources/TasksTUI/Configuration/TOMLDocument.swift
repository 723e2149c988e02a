enum TOMLValue: Equatable, Sendable {
  case string(String)
  case number(Double)
  case boolean(Bool)
  case array([TOMLValue])

  /// The texts of an array that has only texts.
  var texts: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == values.count ? texts : nil
  }
}

/// The content of a text in TOML, and its errors.
///
/// Debian has no TOML library that Swift could link to, and the whole format is large; a configuration needs
/// little of it. This reads a subset of TOML 1.0, so that every editor and every other TOML program
/// understands the file: comments, `[tables]`, bare, quoted and dotted keys, strings of one line in `"…"`
/// with escapes or in `'…'`, decimal numbers, `true` and `false`, and arrays of those, over several lines and
/// optionally with a trailing comma. The rest of TOML (inline tables, arrays of tables, dates, strings of
/// several lines, numbers in other bases) is refused by name, never misread.
///
/// A line that cannot be read is ignored, and the rest is read nevertheless.
struct TOMLDocument: Sendable {
  struct Entry: Equatable, Sendable {
    var table: [String]
    var key: String
    var value: TOMLValue
    /// The number of the line, from 1.
    var line: Int
  }

  struct Problem: Error, Equatable, Sendable {
    var line: Int
    /// The error, a sentence without its full stop.
    var message: String
  }

  private(set) var entries: [Entry] = []
  private(set) var problems: [Problem] = []

  /// Complexity: O(n).
  init(_ text: String) {
    var reader = TOMLReader(text)
    var table: [String] = []
    var tableLines: [[String]: Int] = [:]
    var keyLines: [[String]: Int] = [:]
    while reader.skipToStatement() {
      do throws(Problem) {
        switch try reader.statement() {
        case .table(let path, let line):
          table = path
          if let earlier = tableLines.updateValue(line, forKey: path) {
            throw Problem(
              line: line, message: "the table \(path.joined(separator: ".")) began on line \(earlier) already"
            )
          }
        case .entry(let path, let value, let line):
          let whole = table + path
          if let earlier = keyLines[whole] {
            throw Problem(
              line: line, message: "\(path.joined(separator: ".")) was set on line \(earlier) already")
          }
          keyLines[whole] = line
          entries.append(
            Entry(table: Array(whole.dropLast()), key: path[path.count - 1], value: value, line: line))
        }
      } catch {
        problems.append(error)
        reader.skipLine()
      }
    }
  }
}
