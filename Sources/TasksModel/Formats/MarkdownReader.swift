import FoundationEssentials

/// The reader of check lists in Markdown: headings are lists, items with a box are tasks, those indented
/// below them subtasks, and other indented lines their notes. All else is no task, and is left out.
struct MarkdownReader: RecordReader {
  private var lines: LineReader
  private let calendar: LocalCalendar
  /// The task that may still get subtasks and lines of its note, its subtasks, and its line.
  private var open: (task: Item, subtasks: [Item], line: Int)?
  private var indent = 0
  /// The indents of the subtasks of that task.
  private var subtaskIndents: [Int] = []
  /// The index of the subtask to which the line before belongs; nil for the task itself.
  private var owner: Int?
  private var ready: ArraySlice<FormatRecord> = []
  /// The signs that end a block of code; nil outside of one.
  private var fence: String?
  /// The lines of text before the present one, which a line of `=` or `-` makes a heading.
  private var paragraph: Paragraph?
  /// Whether a line of text belongs to an item or a quotation above it, which ends with a blank line.
  private var isContinued = false
  /// Whether the lines so far are values before the text, between two lines `---`, as some programs put them.
  private var isAtFrontMatter = false

  init(_ bytes: @escaping ByteSource, _ calendar: LocalCalendar) {
    lines = LineReader(bytes)
    self.calendar = calendar
  }

  mutating func next() throws -> FormatRecord? {
    while ready.isEmpty {
      guard let line = try lines.next() else {
        end()
        return ready.popFirst()
      }
      switch line {
      case .problem(let sentence):
        end()
        ready.append(FormatRecord(line: lines.number, .problem(sentence)))
      case .text(let text): take(text)
      }
    }
    return ready.popFirst()
  }

  private mutating func end() {
    guard let open else { return }
    var values = open.task.values(calendar)
    values.tasks = open.subtasks.map { $0.values(calendar) }
    ready.append(FormatRecord(line: open.line, .task(TaskRecord(values))))
    self.open = nil
  }

  private mutating func take(_ line: String) {
    let (indent, text) = Self.indent(of: line)
    if let fence {
      if text.hasPrefix(fence), text.dropFirst(fence.count).allSatisfy({ $0 == fence.first || $0 == " " }) {
        self.fence = nil
      }
      return
    }
    if indent < 4, isUnderline(text), let heading = paragraph?.heading {
      paragraph = nil
      return begin(list: heading.name, line: heading.line)
    }
    let kind = kind(of: text, indent)
    defer { follow(kind, text) }
    switch kind {
    case .fence(let sign): fence = sign
    case .heading(let name?): begin(list: name, line: lines.number)
    case .item(let isCompleted, let words): take(item: words, isCompleted, indent)
    case .blank: break
    case .heading, .text, .other:
      if open != nil, indent >= self.indent + 2, paragraph == nil {
        note(text, indent)
      } else if case .heading = kind {
        begin(list: nil, line: lines.number)
      }
    }
  }

  /// - Parameter name: The name of the list; `nil` if the tasks that follow are in none.
  private mutating func begin(list name: String?, line: Int) {
    end()
    ready.append(FormatRecord(line: line, name.map { .list(ListRecord(text: $0)) } ?? .start))
  }

  private mutating func take(item words: Substring, _ isCompleted: Bool, _ indent: Int) {
    guard let task = task(of: words, isCompleted) else {
      end()
      ready.append(FormatRecord(line: lines.number, .problem("the task has no text")))
      return
    }
    if indent >= self.indent + 2, let count = open?.subtasks.count {
      owner = count
      open?.subtasks.append(task)
      subtaskIndents.append(indent)
      return
    }
    end()
    (self.indent, subtaskIndents, owner) = (indent, [], nil)
    open = (task, [], lines.number)
  }

  private mutating func note(_ text: Substring, _ indent: Int) {
    // A paragraph goes on at any indent; what begins anew belongs to the item below which it is indented.
    if !isContinued || Self.beginsBlock(text) { owner = subtaskIndents.lastIndex { indent >= $0 + 2 } }
    var scalars = text.unicodeScalars
    if scalars.first == ">" {
      scalars.removeFirst()
      if scalars.first == " " { scalars.removeFirst() }
    }
    let line = MarkdownText.unescapedLine(Substring(scalars))
    if let owner { open?.subtasks[owner].notes.append(line) } else { open?.task.notes.append(line) }
  }

  private enum Kind {
    case blank
    case fence(String)
    /// A heading with `#`; nil for one without a name.
    case heading(String?)
    case item(isCompleted: Bool, words: Substring)
    /// A line of a paragraph.
    case text
    /// An item without a box, a quotation, a line across the page or code.
    case other
  }

  private func kind(of text: Substring, _ indent: Int) -> Kind {
    if text.isEmpty { return .blank }
    if let sign = ["```", "~~~"].first(where: text.hasPrefix) { return .fence(sign) }
    if indent < 4, Self.isHeading(text) { return .heading(Self.heading(text)) }
    if let (isCompleted, words) = Self.item(text) { return .item(isCompleted: isCompleted, words: words) }
    let isOfTask = open != nil && indent >= self.indent + 2
    let isText = paragraph != nil || !isContinued && !isOfTask && indent < 4
    return isText && !Self.beginsBlock(text) ? .text : .other
  }

  /// Notes what a line means for those after it.
  private mutating func follow(_ kind: Kind, _ text: Substring) {
    if lines.number == 1 { isAtFrontMatter = text == "---" }
    switch kind {
    case .text:
      if paragraph == nil { paragraph = Paragraph(line: lines.number) }
      paragraph?.append(text)
      return
    case .blank, .heading, .fence:
      isContinued = false
      isAtFrontMatter = false
    case .item: isContinued = true
    case .other: isContinued = !Self.isThematicBreak(text)
    }
    paragraph = nil
  }

  /// Whether a line makes the paragraph before it a heading.
  private func isUnderline(_ text: Substring) -> Bool {
    guard let sign = text.first, sign == "=" || sign == "-" && !isAtFrontMatter else { return false }
    return text.allSatisfy { $0 == sign }
  }

  /// Whether a line is no part of a paragraph.
  private static func beginsBlock(_ text: Substring) -> Bool {
    ">|<".contains(text[text.startIndex]) || isThematicBreak(text) || isItem(text)
  }

  /// Whether a line is one across the page.
  private static func isThematicBreak(_ text: Substring) -> Bool {
    let signs = text.filter { $0 != " " && $0 != "\t" }
    return signs.count > 2 && "-*_".contains(signs[signs.startIndex]) && Set(signs).count == 1
  }

  /// The columns before a text, and the text without white space around it.
  private static func indent(of line: String) -> (Int, Substring) {
    var columns = 0
    var rest = Substring(line).unicodeScalars
    while let first = rest.first, first == " " || first == "\t" {
      columns += first == " " ? 1 : 4 - columns % 4
      rest.removeFirst()
    }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return (columns, Substring(rest))
  }

  private static func isHeading(_ text: Substring) -> Bool {
    let level = text.prefix { $0 == "#" }.count
    return (1...6).contains(level)
      && (text.count == level || text.dropFirst(level).first?.isWhitespace == true)
  }

  private static func heading(_ text: Substring) -> String? {
    var name = text.drop { $0 == "#" }
    let closing = name.reversed().prefix { $0 == "#" }.count
    if closing > 0, name.dropLast(closing).last?.isWhitespace == true { name = name.dropLast(closing) }
    let words = MarkdownText.unescaped(String(name).trimmedForRow)
    // No list goes without a name.
    return words.isEmpty ? nil : words
  }

  private static func isItem(_ text: Substring) -> Bool {
    content(ofItem: text) != nil || text.count == 1 && "*+".contains(text)
  }

  /// The text after the sign or the number of an item; nil for a line that is no item.
  private static func content(ofItem text: Substring) -> Substring? {
    var rest = text
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, digits.count < 10 {
      rest = rest.dropFirst(digits.count)
      guard rest.first == "." || rest.first == ")" else { return nil }
    } else {
      guard let bullet = rest.first, "-*+".contains(bullet) else { return nil }
    }
    rest = rest.dropFirst()
    guard rest.first == " " || rest.first == "\t" else { return nil }
    return rest.drop { $0 == " " || $0 == "\t" }
  }

  /// Whether an item is completed, and its text; nil for what is no item with a box.
  private static func item(_ text: Substring) -> (Bool, Substring)? {
    guard let rest = content(ofItem: text) else { return nil }
    for (box, isCompleted) in [("[ ]", false), ("[x]", true), ("[X]", true)] where rest.hasPrefix(box) {
      let words = rest.dropFirst(3)
      guard words.isEmpty || words.first?.isWhitespace == true else { return nil }
      return (isCompleted, words.withoutWhiteSpaceBefore)
    }
    return nil
  }

  private func task(of text: Substring, _ isCompleted: Bool) -> Item? {
    var values = RowValues(record: "")
    values.completed = isCompleted
    var kept = KeptValues()
    var words = text.wordsBetweenSpaces[...]
    if words.count > 1, let first = words.first, let letter = TodoTextReader.priority(first) {
      TodoTextReader.setPriority(String(letter), &values, &kept)
      words.removeFirst()
    }
    while words.count > 1, let last = words.last, take(last, into: &values, &kept) { words.removeLast() }
    values.text = MarkdownText.unescaped(words.joined(separator: " ")).trimmedForRow
    return values.text.isEmpty ? nil : Item(values: values, kept: kept)
  }

  private func take(_ word: Substring, into values: inout RowValues, _ kept: inout KeptValues) -> Bool {
    if TaskWords.take(word, into: &values, calendar) { return true }
    let parts = word.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, Timestamp(parts[1]) != nil else { return false }
    switch parts[0] {
    case "completed" where kept.completed == nil: kept.completed = String(parts[1])
    case "created" where kept.created == nil: kept.created = String(parts[1])
    default: return false
    }
    return true
  }

  /// A task or subtask that may still get lines of its note.
  private struct Item {
    let values: RowValues
    let kept: KeptValues
    var notes: [String] = []

    /// The values with the note.
    func values(_ calendar: LocalCalendar) -> RowValues {
      var values = values
      values.details.notes = notes.joined(separator: "\n").trimmedForNotes
      kept.add(to: &values, calendar)
      return values
    }
  }

  /// Lines of text one after the other.
  private struct Paragraph {
    /// The number of the first.
    let line: Int
    var words = ""

    /// The length in bytes from which on it is no heading, so that text without blank lines is not kept.
    private static let longestHeading = 1 << 16

    mutating func append(_ text: Substring) {
      if words.utf8.count <= Self.longestHeading { words += words.isEmpty ? String(text) : " " + text }
    }

    /// The list that it is the heading of; nil if it has no name.
    var heading: (name: String, line: Int)? {
      guard words.utf8.count <= Self.longestHeading else { return nil }
      let name = MarkdownText.unescaped(words.trimmedForRow)
      return name.isEmpty ? nil : (name, line)
    }
  }
}

extension Substring {
  /// The text without the white space before it. A combining mark that follows is one of the text.
  fileprivate var withoutWhiteSpaceBefore: Substring {
    Substring(unicodeScalars.drop { $0.properties.isWhitespace })
  }
}
