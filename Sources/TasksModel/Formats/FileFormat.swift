/// A format of lists and tasks that can be imported and exported.
public enum FileFormat: String, CaseIterable, Sendable {
  case jsonl
  case todoText = "todo.txt"
  case markdown
  case csv
  case taskwarrior
  case ical

  /// The endings of files in the format.
  public var endings: [String] {
    switch self {
    case .jsonl: [".jsonl", ".ndjson"]
    case .todoText: [".txt"]
    case .markdown: [".md", ".markdown"]
    case .csv: [".csv"]
    case .taskwarrior: [".json"]
    case .ical: [".ics"]
    }
  }

  /// The names of all formats, for people.
  public static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }

  /// The format of a file by the ending of its name; nil for another ending.
  public init?(path: String) {
    let path = path.lowercased()
    guard let format = Self.allCases.first(where: { $0.endings.contains(where: path.hasSuffix) }) else {
      return nil
    }
    self = format
  }

  /// Whether it is our own, which has all values of a task and the order of the rows.
  var isLossless: Bool { self == .jsonl }

  /// Whether imported tasks have the ids of the format.
  var keepsIDs: Bool { [.jsonl, .taskwarrior, .ical].contains(self) }

  /// Whether a subtask is a record of its own, which names the key of its task.
  var namesParents: Bool { self != .jsonl && self != .markdown }

  /// - Parameter bytes: Returns the next bytes of the file; none at its end.
  /// - Throws: `CalendarLibraryMissing`.
  public func reader(of bytes: @escaping ByteSource, _ calendar: LocalCalendar) throws -> any RecordReader {
    switch self {
    case .jsonl: JSONLinesReader(bytes)
    case .todoText: TodoTextReader(bytes, calendar)
    case .markdown: MarkdownReader(bytes, calendar)
    case .csv: CSVReader(bytes, calendar)
    case .taskwarrior: TaskwarriorReader(bytes, calendar)
    case .ical: try CalendarReader(bytes, calendar)
    }
  }

  public func writer(_ dates: DateReader) throws -> any RecordWriter {
    let calendar = dates.calendar
    return switch self {
    case .jsonl: JSONLinesWriter()
    case .todoText: TodoTextWriter(calendar)
    case .markdown: MarkdownWriter(calendar)
    case .csv: CSVWriter(calendar)
    case .taskwarrior: TaskwarriorWriter(calendar)
    case .ical: try CalendarWriter(calendar, now: dates.now())
    }
  }
}
