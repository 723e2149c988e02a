import FoundationEssentials

/// The reader of CSV by RFC 4180. The first line names the columns, in any order and by any of the names that
/// other programs give them; those with other names are left out. Fields may also be separated by semicolons
/// or tabs.
struct CSVReader: RecordReader {
  private enum Column: CaseIterable {
    case list, text, done, due, repetition, priority, tags, notes, created, id, parent, wait

    var names: [String] {
      switch self {
      case .list: ["list", "project"]
      case .text: ["text", "title", "task", "name", "summary", "subject", "description"]
      case .done: ["done", "completed", "status", "complete"]
      case .due: ["due", "date", "due date", "deadline"]
      case .repetition: ["repeat", "repetition", "recurrence"]
      case .priority: ["priority"]
      case .tags: ["tags", "labels", "categories"]
      case .notes: ["notes", "note", "comment", "comments"]
      case .created: ["created", "creation date"]
      case .id: ["id"]
      case .parent: ["parent"]
      case .wait: ["wait", "waits until", "hide until"]
      }
    }
  }

  private var lines: LineReader
  private let calendar: LocalCalendar
  private var columns: [Column: Int]?
  private var width = 0
  private var separator = UInt8(ascii: ",")
  private var isAtEnd = false

  init(_ bytes: @escaping ByteSource, _ calendar: LocalCalendar) {
    // Within quotes they are part of a field.
    lines = LineReader(bytes, keepingReturns: true)
    self.calendar = calendar
  }

  mutating func next() throws -> FormatRecord? {
    while !isAtEnd, let (line, fields) = try record() {
      guard let fields else { return FormatRecord(line: line, .problem(problem)) }
      guard let columns else {
        if let sentence = readNames(fields) {
          isAtEnd = true
          return FormatRecord(line: line, .problem(sentence))
        }
        continue
      }
      guard fields.count == width else {
        return FormatRecord(
          line: line, .problem("the number of its fields is \(fields.count), and the first line has \(width)")
        )
      }
      do throws(FieldProblem) {
        return FormatRecord(line: line, .task(try task(columns, fields)))
      } catch {
        return FormatRecord(line: line, .problem(error.sentence))
      }
    }
    return nil
  }

  /// The reason why the fields of a record could not be read.
  private var problem = ""

  /// The fields of the next record that is not empty, with its first line; nil fields if they cannot be read.
  private mutating func record() throws -> (line: Int, fields: [String]?)? {
    while let line = try lines.next() {
      let number = lines.number
      switch line {
      case .problem(let sentence):
        problem = sentence
        return (number, nil)
      case .text(let text):
        if text.allSatisfy(\.isWhitespace) { continue }
        if columns == nil { separator = Self.separator(of: text) }
        var splitter = FieldSplitter(separator: separator)
        splitter.take(text)
        while splitter.isInQuotes {
          guard splitter.length < LineReader.longestLine, case .text(let more)? = try lines.next() else {
            problem = "a quotation mark is not closed"
            return (number, nil)
          }
          splitter.take("\n" + more)
        }
        return (number, splitter.finish())
      }
    }
    return nil
  }

  /// The separator that the names of the columns have most often between them.
  private static func separator(of line: String) -> UInt8 {
    let signs = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    func count(_ sign: UInt8) -> Int { line.utf8.count { $0 == sign } }
    return signs.reduce(signs[0]) { count($1) > count($0) ? $1 : $0 }
  }

  /// - Returns: The reason why the columns are not usable.
  private mutating func readNames(_ fields: [String]) -> String? {
    let names = fields.map { $0.trimmedForRow.lowercased() }
    var columns: [Column: Int] = [:]
    for column in Column.allCases {
      // An earlier name wins: in one program's file “name” is the text, in another's that of the list.
      columns[column] = column.names.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    guard columns[.text] != nil else {
      return "the first line names no column for the text: \(Column.text.names.joined(separator: ", "))"
    }
    (self.columns, width) = (columns, fields.count)
    return nil
  }

  private struct FieldProblem: Error {
    let sentence: String
  }

  private func task(_ columns: [Column: Int], _ fields: [String]) throws(FieldProblem) -> TaskRecord {
    func field(_ column: Column) -> String? {
      columns[column].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
    var values = RowValues(record: "")
    var kept = KeptValues()
    let tags = field(.tags)?.split { $0.isWhitespace || ",;".contains($0) } ?? []
    let text = TaskWords.line(field(.text) ?? "").trimmedForRow
    guard !text.isEmpty else { throw FieldProblem(sentence: "the task has no text") }
    values.text = SeparateTags.join(text, tags.map { String($0.hasPrefix("#") ? $0.dropFirst() : $0) })
    if let done = field(.done) {
      switch done.lowercased() {
      case "x", "1", "true", "yes", "done", "completed", "complete": values.completed = true
      case "0", "false", "no", "open", "todo", "pending", "needs-action", "not started", "incomplete", " ":
        break
      default:
        guard Timestamp(done) != nil else {
          throw FieldProblem(sentence: "“\(done)” does not say whether it is done; write x, or nothing")
        }
        (values.completed, kept.completed) = (true, done)
      }
    }
    values.date = try field(.due).map { due throws(FieldProblem) in try timestamp(due).date(calendar) }
    values.details.waitsUntil = try field(.wait).map { wait throws(FieldProblem) in
      try timestamp(wait).date(calendar)
    }
    if let created = field(.created) {
      _ = try timestamp(created)
      kept.created = created
    }
    values.details.repetition = field(.repetition) ?? ""
    if let name = field(.priority) {
      if let priority = TaskPriority(named: name) {
        values.details.priority = priority
      } else if KeptValues.isLetter(name) {
        kept.priority = name
      } else {
        throw FieldProblem(sentence: "“\(name)” is no priority: A, B, C or nothing")
      }
    }
    values.details.notes = (field(.notes) ?? "").trimmedForNotes
    kept.add(to: &values, calendar)
    return TaskRecord(
      values, key: field(.id).map { Identifier($0) }, parent: field(.parent).map { Identifier($0) },
      list: field(.list))
  }

  private func timestamp(_ text: String) throws(FieldProblem) -> Timestamp {
    guard let time = Timestamp(text) else {
      throw FieldProblem(sentence: "“\(text)” is no date such as 2026-12-01 or 2026-12-01T09:30")
    }
    return time
  }
}

/// The fields of a record that may have several lines.
private struct FieldSplitter {
  let separator: UInt8
  private(set) var isInQuotes = false
  private(set) var length = 0
  var fields: [String] = []
  var field: [UInt8] = []
  /// Whether the last byte was a quotation mark within quotes: their end, unless another follows.
  var mayBeEnd = false

  mutating func take(_ text: String) {
    for byte in text.utf8 {
      length += 1
      if mayBeEnd {
        mayBeEnd = false
        if byte == 0x22 {
          field.append(byte)
          continue
        }
        isInQuotes = false
      } else if isInQuotes {
        if byte == 0x22 { mayBeEnd = true } else { field.append(byte) }
        continue
      }
      if byte == separator {
        end()
      } else if byte == 0x22, field.isEmpty {
        isInQuotes = true
      } else {
        field.append(byte)
      }
    }
    // The end of a line ends the quotes, too.
    if mayBeEnd { (isInQuotes, mayBeEnd) = (false, false) }
    if !isInQuotes, text.utf8.last == 0x0D { field.removeLast() }
  }

  private mutating func end() {
    fields.append(String(decoding: field, as: UTF8.self))
    field.removeAll(keepingCapacity: true)
  }

  mutating func finish() -> [String] {
    end()
    return fields
  }
}
