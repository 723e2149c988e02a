import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

/// A store in memory that a test imports into and exports from.
struct FormatFixture {
  let store: TasksStore

  /// The last Friday of November, in the zone of the process.
  static let day = LocalCalendar.system.date(of: LocalTime(year: 2026, month: 11, day: 27))

  private let calendar: LocalCalendar

  init(calendar: LocalCalendar = .system) throws {
    self.calendar = calendar
    // Formats that name the time of the export name this one.
    let now = Self.day
    store = try TasksStore(
      inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()),
      dates: DateReader(calendar: calendar, now: { now }))
  }

  /// Imports a text, in parts of any length.
  @discardableResult
  func take(
    _ text: String, _ format: FileFormat, parts: Int = 1 << 16, skippingBad: Bool = false,
    problems: (RecordProblem) -> Void = { _ in }
  ) throws -> ImportResult {
    try take(bytes: Array(text.utf8), format, parts: parts, skippingBad: skippingBad, problems: problems)
  }

  @discardableResult
  func take(
    bytes: [UInt8], _ format: FileFormat, parts: Int = 1 << 16, skippingBad: Bool = false,
    problems: (RecordProblem) -> Void = { _ in }
  ) throws -> ImportResult {
    var position = 0
    return try store.importRecords(
      format,
      from: {
        defer { position = min(bytes.count, position + parts) }
        return Array(bytes[position..<min(bytes.count, position + parts)])
      }, skippingBad: skippingBad, problem: problems)
  }

  func export(_ format: FileFormat) throws -> String {
    var text = ""
    try store.exportRecords(format, to: { text += $0 })
    return text
  }

  /// The lists and tasks as lines, with all values that formats hold.
  var lines: [String] {
    var lines: [String] = []
    for list in store.lists {
      lines.append("# \(list.text)")
      for task in list.items {
        lines.append(line(task))
        lines += task.subtasks.map { "  " + line($0) }
      }
    }
    return lines
  }

  private func line(_ task: TaskItem) -> String {
    var line = "\(task.completed ? "x" : "o") \(task.text)"
    if let date = task.date { line += " due \(calendar.text(of: date))" }
    if let wait = task.waitsUntil { line += " waits until \(calendar.text(of: wait))" }
    if task.priority != .none { line += " (\(task.priority.rawValue))" }
    if !task.repetition.isEmpty { line += " <\(task.repetition)>" }
    if let moment = task.completedAt { line += " done \(calendar.text(of: moment))" }
    if !task.notes.isEmpty { line += " | \(task.notes)" }
    return line
  }

  /// Lists and tasks of any values that a format holds; the open tasks stand above the completed ones.
  func fill(using generator: inout SeededGenerator, for format: FileFormat) throws {
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &generator)] }
    // iCalendar has no control characters.
    let words = Self.words.filter { format != .ical || !$0.contains("\u{1B}") }
    // Nor has it CRs, and libical leaves out the white space at the beginning of a text.
    let lines = Self.noteLines.filter { format != .ical || $0.first?.isWhitespace != true }
    let lineEnds = ["\n", "\n", "\n\n"] + (format == .ical ? [] : ["\r\n", "\r"])
    func text() -> String {
      (0..<Int.random(in: 1...5, using: &generator)).map { _ in pick(words) }.joined(separator: " ")
    }
    func task(_ completed: Bool) -> TaskItem {
      let task = TaskItem()
      task.text = text()
      task.completed = completed
      task.priority = pick([.none, .none, .a, .b, .c])
      if Bool.random(using: &generator) {
        task.date = Self.day.addingTimeInterval(Double(pick([0, 0, 1, 570, 1439, 43_200])) * 60)
      }
      if pick([true, false, false]) {
        task.waitsUntil = Self.day.addingTimeInterval(Double(pick([0, 570, 1440, 86_400])) * 60)
      }
      if pick([true, false, false]) { task.repetition = pick(Self.repetitions) }
      // todo.txt has only the day.
      if completed, pick([true, true, false]) {
        task.completedAt = Self.day.addingTimeInterval(
          Double(pick(format == .todoText ? [0, -1440] : [0, -1440, 75, 1439])) * 60)
      }
      if pick([true, false, false]) {
        let notes = (0..<pick([1, 1, 2, 3])).map { _ in pick(lines) + pick(lineEnds) }.joined()
        task.notes = (pick([true, false, false]) ? "\n" + notes : notes).trimmedForNotes
      }
      return task
    }
    func tasks(_ most: Int) -> [TaskItem] {
      let completed = (0..<Int.random(in: 1...most, using: &generator)).map { _ in
        Bool.random(using: &generator)
      }
      return (completed.filter { !$0 } + completed.filter { $0 }).map(task)
    }
    try store.store.write {
      for number in 0..<Int.random(in: 1...4, using: &generator) {
        let list = number == 0 ? store.lists[0] : TaskList()
        if number > 0 {
          list.text = Self.lists[number]
          store.store.add(list)
          store.lists.append(list)
        }
        for task in tasks(6) {
          store.store.add(task)
          list.items.append(task)
          guard pick([true, false, false]) else { continue }
          for subtask in tasks(3) {
            store.store.add(subtask)
            task.subtasks.append(subtask)
          }
        }
      }
    }
  }

  private static let lists = ["", "At home", "under_score 100% %41", "Ä \\# \"b\", c#"]
  private static let words = [
    "milk", "Überraschung", "日本語", "👩‍👩‍👧", "#home", "#Work-1", "#5", "a,b", "\"quoted\"", "semi;colon", "50%",
    "under_score", "back\\slash", "\\*star\\", "x", "(A)", "(Z)", "2026-01-02", "tomorrow", "[x]", "+plus",
    "-", "due\\:x", "completed:2026-01-02", "created:2026-01-02", "due:2026-01-02", "t:2026-01-02", "rec:1w",
    "pri:B", "note:a_b", "note:", "\\@home", "@home", "@#home", "pri\\\\:B", "http://a.b/?c=d", "'",
    "e\u{301}", "\u{1B}[31m", "=1+1", "{}", "<b>", "|",
    "of:1", "nr:1", "\u{301}x", "\u{301}",
  ]
  private static let repetitions = [
    "every day", "every 2 weeks", "every monday and thursday at 9:00", "after 3 days", "every 15th",
    "after 1 month", "every year", "every weekday", "every 2nd tuesday",
  ]
  private static let noteLines = [
    "one line", "- [ ] no task", "# no list", "> no note", "\"q\", r", "100% _x_ %0A", "```", "---",
    "  indented",
    "\tmore", "\u{301}x", "space after \t", "&#13; &#0; &amp;#13; &", "\u{85}\u{2028}", "",
    "completed:2026-01-02", "created:2026-01-01", "priority:D", "priority:A", "priority:H",
    "completed:2026-01-02 created:2026-01-01 priority:D", "completed:2026-01-02T09:30 created:20260101",
  ]
}
