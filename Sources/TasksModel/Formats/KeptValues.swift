import FoundationEssentials

/// The values of other formats for which a task has another form, or no place. The latter are the last line
/// of its note, such as `created:2026-01-01 priority:D`, so that they are not lost and can be exported again.
struct KeptValues: Equatable {
  /// The day or moment of the completion, in ISO 8601; in a note, that of an open task.
  var completed: String?
  /// The day or moment in which the task was made.
  var created: String?
  /// A priority below C.
  var priority: String?

  init() {}

  /// The values in the note of a task that is exported, and the rest of the note.
  ///
  /// - Parameter hasPlaces: Whether the format gives back the values as they are. If not, or if the task has
  ///   a priority or a completion of its own, which takes that place, they stay in the note.
  static func of(_ task: RowValues, where hasPlaces: (KeptValues) -> Bool) -> (
    kept: KeptValues, notes: String
  ) {
    var rest = task.details.notes
    let kept = KeptValues(takingFrom: &rest)
    let isFree =
      (kept.priority == nil || task.details.priority == .none) && (kept.completed == nil || !task.completed)
    return isFree && hasPlaces(kept) ? (kept, rest) : (KeptValues(), task.details.notes)
  }

  /// The values in a note.
  init(in notes: String) {
    var rest = notes
    self.init(takingFrom: &rest)
  }

  /// The moment in which an exported task was completed; nil for an open task, and for an unknown moment.
  static func completion(of task: RowValues, _ calendar: LocalCalendar) -> String? {
    task.completed ? task.details.completedAt.map { text($0, calendar) } : nil
  }

  /// A moment in ISO 8601; only the day, if it is the first one of it.
  static func text(_ moment: Date, _ calendar: LocalCalendar) -> String {
    calendar.startOfDay(moment) == moment ? calendar.localTime(of: moment).dayText : moment.greenwichText
  }

  /// Takes the values out of a note that is the same again when they are added to the rest.
  init(takingFrom notes: inout String) {
    let start = notes.utf8.lastIndex(of: UInt8(ascii: "\n")).map { notes.utf8.index(after: $0) }
    let line = notes[(start ?? notes.startIndex)...]
    guard line.utf8.count < 120, line.utf8.contains(UInt8(ascii: ":")) else { return }
    var found = KeptValues()
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, found.take(String(parts[1]), named: parts[0]) else { return }
    }
    let rest = start.map { String(notes[..<$0].dropLast()) } ?? ""
    var whole = rest.trimmedForNotes
    found.add(to: &whole)
    guard whole == notes else { return }
    self = found
    notes = rest
  }

  private mutating func take(_ value: String, named name: Substring) -> Bool {
    switch name {
    case "completed" where completed == nil && Timestamp(value) != nil: completed = value
    case "created" where created == nil && Timestamp(value) != nil: created = value
    case "priority" where priority == nil && Self.isLetter(value) && TaskPriority(rawValue: value) == nil:
      priority = value
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
}
