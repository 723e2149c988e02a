import FoundationEssentials

/// The reader of our own format; see `JSONLinesWriter`.
struct JSONLinesReader: RecordReader {
  private var lines: LineReader
  private let decoder = JSONDecoder()

  init(_ bytes: @escaping ByteSource) {
    lines = LineReader(bytes)
  }

  mutating func next() throws -> FormatRecord? {
    while let line = try lines.next() {
      let text: String
      switch line {
      case .problem(let sentence): return FormatRecord(line: lines.number, .problem(sentence))
      case .text(let line): text = line
      }
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      if JSONProblem.hasNUL(text.utf8) {
        return FormatRecord(line: lines.number, .problem(LineReader.nulSentence))
      }
      do {
        let record = try decoder.decode(JSONRecord.self, from: Data(text.utf8))
        return FormatRecord(line: lines.number, record.content)
      } catch {
        return FormatRecord(line: lines.number, .problem(JSONProblem.sentence(error)))
      }
    }
    return nil
  }
}

/// A line of the format.
private struct JSONRecord: Decodable {
  var type: String?
  var version: Int?
  var id: Identifier?
  var text: String?
  var name: String?
  var list: String?
  var completed: Bool?
  var date: JSONMoment?
  var dateFrom: DateOrigin?
  var `repeat`: String?
  var repeatFrom: DateOrigin?
  var priority: TaskPriority?
  var notes: String?
  var completedAt: JSONMoment?
  var waitsUntil: JSONMoment?
  var archivedFrom: String?
  var color: String?
  var sorted: RowOrder?
  var subtasks: [JSONRecord]?

  var content: FormatRecord.Content {
    switch type {
    case "tasks":
      guard let version, version > JSONLinesWriter.version else { return .start }
      return .newerVersion(version)
    case "list":
      // Another program may have made one with an empty text.
      guard let text else { return .listProblem("the list has no “text”") }
      if let color, !color.isEmpty, !Self.isColor(color) {
        return .listProblem("the list's “color” is not written as #rrggbb")
      }
      var list = ListRecord(id: id, text: text, date: date?.date, completed: completed ?? false)
      (list.details.color, list.details.sorting) = (color ?? "", sorted)
      return .list(list)
    case "search":
      guard let name = Self.text(name), let text = Self.text(text) else {
        return .problem("the search has no “name” or no “text”")
      }
      return .search(name: name, words: text)
    case nil, "task":
      guard let values else { return .problem("the task, or a subtask of it, has no “text”") }
      if let words = falseRepetition { return .problem("“\(words)” is no repetition, such as “every week”") }
      return .task(TaskRecord(values, key: id, list: list))
    case let type?:
      return .problem("“\(type)” is no type of a record: tasks, list, task or search")
    }
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.first == "#" && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// A text if it says anything.
  private static func text(_ text: String?) -> String? {
    text.flatMap { $0.trimmedForRow.isEmpty ? nil : $0 }
  }

  /// The repetition of the task, or of a subtask, that is none, and would repeat nothing.
  private var falseRepetition: String? {
    if let words = `repeat`, !words.isEmpty, Repetition(words) == nil { return words }
    return subtasks?.lazy.compactMap(\.falseRepetition).first
  }

  private var values: RowValues? {
    // An export has the tasks without a text that another program has made.
    guard let text = id == nil ? Self.text(text) : text else { return nil }
    var values = RowValues(
      id: id ?? Identifier(""), text: text, date: date?.date, completed: completed ?? false)
    values.details.dateOrigin = dateFrom ?? .unknown
    values.details.repetition = `repeat` ?? ""
    values.details.repetitionOrigin = repeatFrom ?? .unknown
    values.details.priority = priority ?? .none
    values.details.notes = notes ?? ""
    values.details.completedAt = completedAt?.date
    values.details.waitsUntil = waitsUntil?.date
    values.details.archivedFrom = archivedFrom ?? ""
    for subtask in subtasks ?? [] {
      guard let subtask = subtask.values else { return nil }
      values.tasks.append(subtask)
    }
    return values
  }
}

/// A date as a text, or as the seconds since 1970.
private struct JSONMoment: Decodable {
  let date: Date

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let seconds = try? container.decode(Double.self) {
      date = Date(timeIntervalSince1970: seconds)
      return
    }
    guard let time = Timestamp(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
    }
    date = time.date(.system)
  }
}

/// The sentences about JSON that cannot be read.
enum JSONProblem {
  /// Whether a text of an object has `\u0000`, which other formats could not have, nor PostgreSQL.
  static func hasNUL(_ object: some Collection<UInt8>) -> Bool {
    var rest = object[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      let escape = rest[backslash...].dropFirst()
      if escape.starts(with: "u0000".utf8) { return true }
      rest = escape.dropFirst()
    }
    return false
  }

  static func sentence(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(path(context)) has a value that it cannot have"
    case DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty,
      DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty:
      "\(path(context)) has a value of another kind than it should have"
    default: "it is no JSON object, or not all of one"
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    "“" + context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: " ")
      + "”"
  }
}
