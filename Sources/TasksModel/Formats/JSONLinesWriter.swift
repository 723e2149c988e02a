import FoundationEssentials

/// The writer of our own format: JSON Lines with all values, described in `Documentation/Formats.md`.
struct JSONLinesWriter: RecordWriter {
  /// The version of the format. A member that goes, or means something else, makes a new one; a new member
  /// does not.
  static let version = 1

  /// Whether words are a repetition; most tasks that repeat have the same.
  private var knownRepetitions: [String: Bool] = [:]

  init() {}

  mutating func start(_ output: inout String) {
    output += "{\"type\":\"tasks\",\"version\":\(Self.version)}\n"
  }

  mutating func write(_ list: ListRecord, to output: inout String) {
    output += "{"
    output.appendJSON(member: "type", "list")
    if let id = list.id { Self.append(id, to: &output) }
    output.appendJSON(member: "text", list.text)
    if list.completed { output += ",\"completed\":true" }
    if let date = list.date { Self.append(date, to: &output) }
    if !list.details.color.isEmpty { output.appendJSON(member: "color", list.details.color) }
    if let order = list.details.sorting { output.appendJSON(member: "sorted", order.rawValue) }
    output += "}\n"
  }

  mutating func write(_ task: RowValues, to output: inout String) {
    output += "{"
    output.appendJSON(member: "type", "task")
    append(task, to: &output)
    output += "}\n"
  }

  mutating func write(search name: String, words: String, to output: inout String) {
    output += "{"
    output.appendJSON(member: "type", "search")
    output.appendJSON(member: "name", name)
    output.appendJSON(member: "text", words)
    output += "}\n"
  }

  private mutating func append(_ task: RowValues, to output: inout String) {
    Self.append(task.id, to: &output)
    output.appendJSON(member: "text", task.text)
    if task.completed { output += ",\"completed\":true" }
    if let date = task.date { Self.append(date, to: &output) }
    let details = task.details
    if let moment = details.completedAt { Self.append(moment, as: "completedAt", to: &output) }
    if details.dateOrigin != .unknown { output.appendJSON(member: "dateFrom", details.dateOrigin.rawValue) }
    // Other words, of another program, repeat nothing, and would not be taken back.
    if isRepetition(details.repetition) { output.appendJSON(member: "repeat", details.repetition) }
    if details.repetitionOrigin != .unknown {
      output.appendJSON(member: "repeatFrom", details.repetitionOrigin.rawValue)
    }
    if details.priority != .none { output.appendJSON(member: "priority", details.priority.rawValue) }
    if !details.notes.isEmpty { output.appendJSON(member: "notes", details.notes) }
    if let moment = details.waitsUntil { Self.append(moment, as: "waitsUntil", to: &output) }
    if !details.archivedFrom.isEmpty { output.appendJSON(member: "archivedFrom", details.archivedFrom) }
    guard !task.tasks.isEmpty else { return }
    output.appendJSON(name: "subtasks")
    output += "["
    for (number, subtask) in task.tasks.enumerated() {
      output += number == 0 ? "{" : ",{"
      append(subtask, to: &output)
      output += "}"
    }
    output += "]"
  }

  private mutating func isRepetition(_ words: String) -> Bool {
    if words.isEmpty { return false }
    if let known = knownRepetitions[words] { return known }
    let isOne = Repetition(words) != nil
    knownRepetitions[words] = isOne
    return isOne
  }

  private static func append(_ id: Identifier, to output: inout String) {
    if let text = id.text {
      output.appendJSON(member: "id", text)
    } else if let json = try? JSONEncoder().encode(id) {
      output.appendJSON(name: "id")
      output += String(decoding: json, as: UTF8.self)
    }
  }

  /// A date that has parts of a second, or a year that calendars do not reach, as the seconds since 1970.
  private static func append(_ date: Date, as name: String = "date", to output: inout String) {
    if date.hasISOText {
      output.appendJSON(member: name, date.greenwichText)
    } else if date.timeIntervalSince1970.isFinite {
      output.appendJSON(name: name)
      output += "\(date.timeIntervalSince1970)"
    }
  }
}
