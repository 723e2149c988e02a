import FoundationEssentials

/// The writer of CSV by RFC 4180, whose first line names the columns.
struct CSVWriter: RecordWriter {
  static let columns = [
    "list", "text", "done", "due", "repeat", "priority", "tags", "notes", "created", "id", "parent", "wait",
  ]

  private let calendar: LocalCalendar
  private var list = ""
  /// The number of tasks with subtasks so far: their ids in the file.
  private var owners = 0

  init(_ calendar: LocalCalendar) {
    self.calendar = calendar
  }

  mutating func start(_ output: inout String) {
    output += Self.columns.joined(separator: ",") + "\r\n"
  }

  mutating func write(_ list: ListRecord, to output: inout String) {
    self.list = list.text
  }

  mutating func write(_ task: RowValues, to output: inout String) {
    guard !task.tasks.isEmpty else { return append(task, id: "", parent: "", to: &output) }
    owners += 1
    append(task, id: "\(owners)", parent: "", to: &output)
    for subtask in task.tasks { append(subtask, id: "", parent: "\(owners)", to: &output) }
  }

  private func append(_ task: RowValues, id: String, parent: String, to output: inout String) {
    let (kept, notes) = KeptValues.of(task) { kept in
      // H, M and L are other names of A, B and C.
      kept.completed == nil && kept.priority.flatMap(TaskPriority.init(named:)) == nil
    }
    let (text, tags) = SeparateTags.split(task.text)
    let priority = task.details.priority == .none ? kept.priority ?? "" : task.details.priority.rawValue
    let fields = [
      list, text, task.completed ? KeptValues.completion(of: task, calendar) ?? "x" : "",
      task.date.map(calendar.text(of:)) ?? "", task.details.repetition, priority,
      tags.joined(separator: " "), notes, kept.created ?? "", id, parent,
      task.details.waitsUntil.map(calendar.text(of:)) ?? "",
    ]
    for (number, field) in fields.enumerated() {
      if number > 0 { output += "," }
      Self.append(field, to: &output)
    }
    output += "\r\n"
  }

  private static func append(_ field: String, to output: inout String) {
    let bytes = field.utf8
    let isPlain = !bytes.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard !isPlain || bytes.first == 0x20 || bytes.last == 0x20 else {
      output += field
      return
    }
    output += "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { output += "\"" }
      output.unicodeScalars.append(scalar)
    }
    output += "\""
  }
}
