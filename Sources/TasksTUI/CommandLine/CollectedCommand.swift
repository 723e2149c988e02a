import FoundationEssentials
import LiveStore
import TasksModel
import VisibleText

/// `tasks list` with tasks of all lists: those that are due, those that were done, or the archive.
struct CollectedCommand {
  /// The tasks to print, named as the option is: those of `CollectedScreen`, or what was cleared, the last
  /// first.
  enum Topic: String, CaseIterable {
    case today, upcoming, waiting, done, archive
  }

  let store: TasksStore
  let topic: Topic

  /// - Parameters:
  ///   - asJSON: Whether to print JSON instead of `today 9:00  text  (list)`.
  ///   - style: The way lines are printed.
  func run(asJSON: Bool, _ style: OutputStyle = .plain) throws -> String {
    try text(of: tasks(), asJSON: asJSON, style)
  }

  /// The text of tasks of this topic.
  func text(of tasks: [TaskItem], asJSON: Bool, _ style: OutputStyle) throws -> String {
    if asJSON {
      return JSONText.versioned("tasks", tasks.map { $0.jsonWithPlace(in: store) })
    }
    guard let table = TaskTable(style, store.dates) else { return tasks.map(line).joined() }
    guard [.done, .upcoming, .waiting].contains(topic) else { return table.text(of: tasks.map(row)) }
    // A heading for each day.
    var output = ""
    var rest = tasks[...]
    while let first = rest.first {
      let heading = heading(first)
      let group = rest.prefix { self.heading($0) == heading }
      output += (output.isEmpty ? "" : "\n") + heading + "\n" + table.text(of: group.map(row))
      rest = rest.dropFirst(group.count)
    }
    return output
  }

  private var words: DateWords { DateWords(calendar: store.dates.calendar, now: store.dates.now) }

  private func tasks() throws -> [TaskItem] {
    let end = words.calendar.startOfDay(words.now(), addingDays: 1)
    switch topic {
    case .today: return Array(try store.openTasks(dueBefore: end))
    case .upcoming: return Array(try store.openTasks(dueFrom: end))
    case .waiting: return Array(try store.waitingTasks(after: words.now()))
    case .done: return Array(try store.doneTasks())
    case .archive: return store.archive.map { Array($0.items) } ?? []
    }
  }

  /// The day of a task; of one that waits with the time, which is in no column.
  private func heading(_ task: TaskItem) -> String {
    guard let date = date(task) else { return "" }
    let time = topic == .waiting ? words.timeWords(for: date).map { ", \($0)" } : nil
    return words.headingWords(for: date) + (time ?? "")
  }

  private func row(_ task: TaskItem) -> TaskTable.Row {
    var row = TaskTable.Row(task, place: place(task) ?? "")
    if isOfCompleted { (row.date, row.repetition) = (task.completedAt, "") }
    return row
  }

  private var isOfCompleted: Bool { topic == .done || topic == .archive }

  private func date(_ task: TaskItem) -> Date? {
    topic == .waiting ? task.waitsUntil : isOfCompleted ? task.completedAt : task.date
  }

  /// The place of a task in words; of one in the archive the list that it came from.
  private func place(_ task: TaskItem) -> String? {
    guard !task.archivedFrom.isEmpty, let list = store.list(Identifier(task.archivedFrom)) else {
      return store.whereabouts(of: task)
    }
    return topic == .archive ? list.text : "\(list.text), \(TaskList.archiveText)"
  }

  private func line(_ task: TaskItem) -> String {
    let moment = date(task).map { date in
      (topic == .today && words.due(date).state == .overdue ? "overdue, " : "") + words.words(for: date)
    }
    let list = place(task).map { "  (\($0))" } ?? ""
    return "\(moment ?? "")  \(task.text)\(list)".withControlsMadeVisible + "\n"
  }
}
