import FoundationEssentials

/// The values of other formats for which a task has another form, or no place. The latter are the last line
/// of its note, such as `created:2026-01-01 priority:D`, so that they are not lost and can be exported again.
struct KeptValues: Equatable {
  /// The day or moment of the completion, in ISO 8601.
  var completed: String?
  /// The day or moment in which the task was made.
  var created: String?
  /// A priority below C.
  var priority: String?

  init() {}

  /// The values of a task that is exported, and the rest of its note.
  ///
  /// - Parameter ofOpenTask: Whether the format has a place for the completion of an open task too.
  static func of(
    _ task: RowValues, ofOpenTask: Bool = false, _ calendar: LocalCalendar
  ) -> (kept: KeptValues, notes: String) {
    var rest = task.details.notes
    var kept = KeptValues(takingFrom: &rest)
    if !task.completed, !ofOpenTask, kept.completed != nil { return (KeptValues(), task.details.notes) }
    // That of the note is older.
    if task.completed, let moment = task.details.completedAt { kept.completed = text(moment, calendar) }
    return (kept, rest)
  }

  /// The values, and the note with those that stay in it where a format has a place for nothing but the
  /// completion: what is written besides is not read again.
  static func ofCompletion(
    _ task: RowValues, _ calendar: LocalCalendar
  ) -> (kept: KeptValues, notes: String) {
    var (kept, notes) = of(task, calendar)
    let completed = kept.completed
    kept.completed = nil
    kept.add(to: &notes)
    kept.completed = completed
    return (kept, notes)
  }

  /// A moment in ISO 8601; only the day, if it is the first one of it.
  static func text(_ moment: Date, _ calendar: LocalCalendar) -> String {
    calendar.startOfDay(moment) == moment ? calendar.localTime(of: moment).dayText : moment.greenwichText
  }

  /// Takes the values out of a note.
  init(takingFrom notes: inout String) {
    let start = notes.utf8.lastIndex(of: UInt8(ascii: "\n")).map { notes.utf8.index(after: $0) }
    let line = notes[(start ?? notes.startIndex)...]
    guard line.utf8.count < 120, line.utf8.contains(UInt8(ascii: ":")) else { return }
    var found = KeptValues()
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, found.take(String(parts[1]), named: parts[0]) else { return }
    }
    guard found.line == String(line) else { return }
    self = found
    notes = start.map { String(notes[..<$0].dropLast()) } ?? ""
  }

  private mutating func take(_ value: String, named name: Substring) -> Bool {
    switch name {
    case "completed" where completed == nil && Timestamp(value) != nil: completed = value
    case "created" where created == nil && Timestamp(value) != nil: created = value
    case "priority" where priority == nil && Self.isLetter(value): priority = value
    default: return false
    }
    return true
  }

  /// Whether it is one of the letters of todo.txt's priorities.
  static func isLetter(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 1 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  private var line: String {
    let words = [("completed", completed), ("created", created), ("priority", priority)]
    return words.compactMap { name, value in value.map { "\(name):\($0)" } }.joined(separator: " ")
  }

  /// Gives the values to a task that has been imported.
  func add(to task: inout RowValues, _ calendar: LocalCalendar) {
    var kept = self
    if task.completed, let time = completed.flatMap(Timestamp.init) {
      task.details.completedAt = time.date(calendar)
      kept.completed = nil
    }
    kept.add(to: &task.details.notes)
  }

  /// Adds the values to a note.
  func add(to notes: inout String) {
    let line = line
    guard !line.isEmpty else { return }
    notes += notes.isEmpty ? line : "\n" + line
  }

  /// The day of a value, as todo.txt has it.
  static func day(_ value: String?, _ calendar: LocalCalendar) -> String? {
    guard let value, let time = Timestamp(value) else { return nil }
    return time.isWholeDay ? value : calendar.localTime(of: time.date(calendar)).dayText
  }
}
