import FoundationEssentials

/// The writer of check lists in Markdown: a heading for each list, subtasks and notes indented.
struct MarkdownWriter: RecordWriter {
  private let calendar: LocalCalendar
  private var isFirstList = true

  init(_ calendar: LocalCalendar) {
    self.calendar = calendar
  }

  mutating func write(_ list: ListRecord, to output: inout String) {
    if !isFirstList { output += "\n" }
    isFirstList = false
    var name = MarkdownText.escaped(TaskWords.line(list.text))
    // Signs at the end would close the heading.
    if name.hasSuffix("#") { name = name.dropLast() + "\\#" }
    output += "# \(name)\n\n"
  }

  mutating func write(_ task: RowValues, to output: inout String) {
    append(task, indent: "", to: &output)
    for subtask in task.tasks { append(subtask, indent: "  ", to: &output) }
  }

  private func append(_ task: RowValues, indent: String, to output: inout String) {
    let (kept, notes) = KeptValues.of(task) { _ in true }
    output += indent + (task.completed ? "- [x] " : "- [ ] ")
    if let letter = task.details.priority == .none ? kept.priority : task.details.priority.rawValue {
      output += "(\(letter)) "
    }
    output += MarkdownText.escapedItem(TaskWords.line(task.text))
    if let date = task.date { output += " " + TaskWords.due(date, calendar) }
    if let wait = task.details.waitsUntil { output += " " + TaskWords.wait(wait, calendar) }
    if !task.details.repetition.isEmpty { output += " " + TaskWords.repetition(task.details.repetition) }
    if let completed = kept.completed ?? KeptValues.completion(of: task, calendar) {
      output += " completed:" + completed
    }
    if let created = kept.created { output += " created:" + created }
    output += "\n"
    guard !notes.isEmpty else { return }
    for line in notes.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      output += indent + (line.isEmpty ? "  >\n" : "  > \(MarkdownText.escapedLine(Substring(line)))\n")
    }
  }
}

/// The text of headings and items in Markdown.
enum MarkdownText {
  /// The names of the values at the end of an item.
  static let names = ["due", "t", "rec", "completed", "created"]

  /// A text in which every backslash that would be read as the beginning of a code is doubled.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var escaped = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first?.isPunctuation ?? true { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  /// The same for the text of an item, which is not to be read as a priority or another value.
  static func escapedItem(_ text: String) -> String {
    var text = escaped(text)
    let first = Substring(text.unicodeScalars.prefix { $0 != " " })
    if TodoTextReader.priority(first) != nil { text = "\\" + text }
    let start =
      text.utf8.lastIndex(of: UInt8(ascii: " ")).map { text.utf8.index(after: $0) } ?? text.startIndex
    for name in names where text.utf8[start...].starts(with: (name + ":").utf8) {
      text.unicodeScalars.insert("\\", at: text.utf8.index(start, offsetBy: name.utf8.count))
    }
    return text
  }

  /// A line of a note, in which a CR and white space at the end, which end with a line of Markdown, are codes
  /// such as `&#13;`.
  static func escapedLine(_ line: Substring) -> String {
    let scalars = line.unicodeScalars
    let end =
      scalars.lastIndex { !$0.properties.isWhitespace }.map(scalars.index(after:)) ?? scalars.startIndex
    guard end < scalars.endIndex || line.utf8.contains(where: { $0 == 0x0D || $0 == UInt8(ascii: "&") })
    else {
      return String(line)
    }
    var escaped = ""
    for index in scalars.indices {
      let scalar = scalars[index]
      if scalar == "\r" || index >= end || scalar == "&" && code(at: index, in: scalars) != nil {
        escaped += "&#\(scalar.value);"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A line of a note without its codes.
  static func unescapedLine(_ line: Substring) -> String {
    guard line.utf8.contains(UInt8(ascii: "&")) else { return String(line) }
    var plain = ""
    let scalars = line.unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      if let (scalar, end) = code(at: index, in: scalars) {
        plain.unicodeScalars.append(scalar)
        index = end
      } else {
        plain.unicodeScalars.append(scalars[index])
        index = scalars.index(after: index)
      }
    }
    return plain
  }

  /// The character of a code such as `&#13;`, and the end of that; nil where there is none.
  private static func code(
    at index: Substring.Index, in scalars: Substring.UnicodeScalarView
  ) -> (Unicode.Scalar, end: Substring.Index)? {
    guard scalars[index...].starts(with: "&#".unicodeScalars) else { return nil }
    let digits = scalars[index...].dropFirst(2).prefix { ("0"..."9").contains($0) }
    guard digits.endIndex < scalars.endIndex, scalars[digits.endIndex] == ";",
      let scalar = UInt32(String(digits)).flatMap(Unicode.Scalar.init), scalar != "\0"
    else { return nil }
    return (scalar, scalars.index(after: digits.endIndex))
  }

  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var plain = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.first, next.isPunctuation {
        plain.unicodeScalars.append(next)
        rest.removeFirst()
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}

extension Unicode.Scalar {
  /// Whether a backslash before it is a code.
  fileprivate var isPunctuation: Bool {
    switch self {
    case "!"..."/", ":"..."@", "["..."`", "{"..."~": true
    default: false
    }
  }
}
