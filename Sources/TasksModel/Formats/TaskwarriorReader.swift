import FoundationEssentials

/// The reader of what Taskwarrior's `task export` prints. A task that was deleted is left out. Of a recurring
/// task the first pending one repeats; its template is taken only where there is none.
struct TaskwarriorReader: RecordReader {
  private var objects: JSONObjectReader
  private let calendar: LocalCalendar
  private let decoder = JSONDecoder()
  /// The templates of which a task that repeats has been read.
  private var templates: Set<String> = []

  init(_ bytes: @escaping ByteSource, _ calendar: LocalCalendar) {
    objects = JSONObjectReader(bytes)
    self.calendar = calendar
  }

  mutating func next() throws -> FormatRecord? {
    while let item = try objects.next() {
      switch item {
      case .problem(let sentence): return FormatRecord(line: objects.number, .problem(sentence))
      case .object(let bytes):
        if JSONProblem.hasNUL(bytes) {
          return FormatRecord(line: objects.number, .problem(LineReader.nulSentence))
        }
        do {
          let task = try decoder.decode(TaskwarriorTask.self, from: Data(bytes))
          if let content = content(of: task) { return FormatRecord(line: objects.number, content) }
        } catch {
          return FormatRecord(line: objects.number, .problem(JSONProblem.sentence(error)))
        }
      }
    }
    return nil
  }

  /// The record of a task; nil for one that is left out.
  private mutating func content(of task: TaskwarriorTask) -> FormatRecord.Content? {
    var values = RowValues(record: "")
    var kept = KeptValues()
    var repeats = task.recur != nil
    switch task.status ?? "pending" {
    case "pending", "waiting":
      if let parent = task.parent { repeats = templates.insert(parent).inserted }
    case "recurring":
      if task.mask?.contains("-") == true { return nil }
    case "completed":
      values.completed = true
      repeats = false
    case "deleted": return nil
    case let status: return .problem("“\(status)” is no status of a task")
    }
    let text = TaskWords.line(task.description ?? "").trimmedForRow
    guard !text.isEmpty else { return .problem("the task has no description") }
    values.text = SeparateTags.join(text, task.tags ?? [])
    for (text, value) in [(task.due, \RowValues.date), (task.wait, \.details.waitsUntil)] {
      guard let text else { continue }
      guard let time = Timestamp(text) else { return .problem("“\(text)” is no date") }
      values[keyPath: value] = time.date(calendar)
    }
    if let end = task.end, values.completed {
      guard let time = Timestamp(end) else { return .problem("“\(end)” is no date") }
      kept.completed = KeptValues.text(time.date(calendar), calendar)
    }
    // Others may be configured.
    values.details.priority = task.priority.flatMap(TaskPriority.init(named:)) ?? .none
    values.details.repetition = task.tasksrepeat ?? (repeats ? Self.repetition(task.recur ?? "") : "")
    values.details.notes = (task.annotations ?? []).map(\.description).joined(separator: "\n").trimmedForNotes
    kept.add(to: &values, calendar)
    return .task(
      TaskRecord(
        values, key: task.uuid.map { Identifier($0.uppercased()) },
        parent: task.tasksparent.map { Identifier($0.uppercased()) }, list: task.project))
  }

  /// The repetition of a period such as `weekly`, `3 days`, `2weeks` or `P1M`; a period that is no repetition
  /// stays as it is.
  static func repetition(_ period: String) -> String {
    var words = period
    if period.hasPrefix("P"), let unit = period.last {
      let names: [Character: String] = ["D": "days", "W": "weeks", "M": "months", "Y": "years"]
      words = period.dropFirst().dropLast() + " " + (names[unit] ?? "")
    } else if let unit = period.firstIndex(where: { !$0.isNumber }), unit > period.startIndex {
      words = period[..<unit] + " " + period[unit...].drop { $0 == " " }
    }
    let repetition = Repetition("every " + words) ?? Repetition(words)
    return repetition?.description ?? period
  }
}

/// The attributes of a task that are read.
private struct TaskwarriorTask: Decodable {
  struct Annotation: Decodable {
    var description: String
  }

  var uuid: String?
  var description: String?
  var status: String?
  var due: String?
  var wait: String?
  var end: String?
  var project: String?
  var priority: String?
  var tags: [String]?
  var annotations: [Annotation]?
  var recur: String?
  var mask: String?
  var parent: String?
  /// Our own, which Taskwarrior keeps.
  var tasksparent: String?
  var tasksrepeat: String?
}
