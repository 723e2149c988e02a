import FoundationEssentials
import LiveStore

/// The writer of what Taskwarrior's `task import` reads: a JSON array with a task on each line.
struct TaskwarriorWriter: RecordWriter {
  private let calendar: LocalCalendar
  private var project: String?
  private var isFirstList = true
  private var isFirstTask = true

  init(_ calendar: LocalCalendar) {
    self.calendar = calendar
  }

  mutating func start(_ output: inout String) {
    output += "[\n"
  }

  mutating func finish(_ output: inout String) {
    output += isFirstTask ? "]\n" : "\n]\n"
  }

  mutating func write(_ list: ListRecord, to output: inout String) {
    project = isFirstList && list.text == TaskList.firstListText || list.text.isEmpty ? nil : list.text
    isFirstList = false
  }

  mutating func write(_ task: RowValues, to output: inout String) {
    append(task, parent: nil, to: &output)
    for subtask in task.tasks { append(subtask, parent: task.id, to: &output) }
  }

  private mutating func append(_ task: RowValues, parent: Identifier?, to output: inout String) {
    let notes = task.details.notes
    let (text, tags) = SeparateTags.split(TaskWords.line(task.text))
    output += isFirstTask ? "{" : ",\n{"
    isFirstTask = false
    output.appendJSON(member: "uuid", Self.uuid(task.id))
    output.appendJSON(member: "description", text)
    let recur = task.completed || task.date == nil ? nil : Self.period(task.details.repetition)
    output.appendJSON(member: "status", task.completed ? "completed" : recur == nil ? "pending" : "recurring")
    if let date = task.date { output.appendJSON(member: "due", date.basicGreenwichText) }
    if let wait = task.details.waitsUntil { output.appendJSON(member: "wait", wait.basicGreenwichText) }
    if task.completed, let end = task.details.completedAt {
      output.appendJSON(member: "end", end.basicGreenwichText)
    }
    // It stays in the note: it is not read from here.
    let entry = KeptValues(in: notes).created.flatMap(Timestamp.init)?.date(calendar)
    if let entry { output.appendJSON(member: "entry", entry.basicGreenwichText) }
    if let project { output.appendJSON(member: "project", project) }
    switch task.details.priority {
    case .a: output.appendJSON(member: "priority", "H")
    case .b: output.appendJSON(member: "priority", "M")
    case .c: output.appendJSON(member: "priority", "L")
    case .none: break
    }
    if !tags.isEmpty {
      output.appendJSON(name: "tags")
      output += "["
      for (number, tag) in tags.enumerated() {
        if number > 0 { output += "," }
        output.appendJSON(tag)
      }
      output += "]"
    }
    if let recur {
      output.appendJSON(member: "recur", recur)
    } else if !task.details.repetition.isEmpty {
      output.appendJSON(member: "tasksrepeat", task.details.repetition)
    }
    if let parent { output.appendJSON(member: "tasksparent", Self.uuid(parent)) }
    if !notes.isEmpty { append(notes, since: entry, to: &output) }
    output += "}"
  }

  /// Writes each line of a note as an annotation, which Taskwarrior orders by their times.
  private func append(_ notes: String, since entry: Date?, to output: inout String) {
    let start = entry ?? Date(timeIntervalSince1970: 946_684_800)
    output.appendJSON(name: "annotations")
    output += "["
    let lines = notes.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let moment = start.addingTimeInterval(Double(number))
      output += number == 0 ? "{" : ",{"
      output.appendJSON(member: "entry", moment.basicGreenwichText)
      output.appendJSON(member: "description", String(line))
      output += "}"
    }
    output += "]"
  }

  /// The id in lower case if it is a UUID, else one that follows from it.
  static func uuid(_ id: Identifier) -> String {
    let text = id.description
    if text.utf8.count == 36, let uuid = UUID(uuidString: text) { return uuid.uuidString.lowercased() }
    let digits = [FNV1a.start, 0x9E37_79B9_7F4A_7C15].map { FNV1a.digits(text.utf8, from: $0) }
    let (high, low) = (Array(digits[0]), Array(digits[1]))
    return "\(String(high[..<8]))-\(String(high[8..<12]))-4\(String(high[13...]))-8\(String(low[1..<4]))-"
      + String(low[4...])
  }

  /// The period of a repetition that Taskwarrior has too; nil for others.
  private static func period(_ text: String) -> String? {
    guard let repetition = Repetition(text), repetition.description == text, !repetition.isAfterCompletion
    else { return nil }
    let period: String
    switch repetition.pattern {
    case .days(let count): period = "\(count)days"
    case .weeks(let count, _): period = "\(count)weeks"
    case .months(let count, _): period = "\(count)months"
    case .years(let count, _): period = "\(count)years"
    case .workdays(1): period = "weekdays"
    case .workdays, .weekdaysOfMonths: return nil
    }
    return TaskwarriorReader.repetition(period) == text ? period : nil
  }
}
