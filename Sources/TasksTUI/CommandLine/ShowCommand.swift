import TasksModel
import VisibleText

/// `tasks show` and `tasks search`: one task with all that it has, and the tasks with some words.
struct ShowCommand {
  let store: TasksStore
  /// The name of the list to search, or nil for all.
  let list: String?

  /// - Parameter asJSON: Whether to print JSON instead of lines.
  func show(_ name: String, asJSON: Bool) throws -> String {
    let task = try store.task(named: name, inList: list, completed: nil)
    if asJSON { return JSONText.versioned("tasks", [task.jsonWithPlace(in: store)]) }
    let words = DateWords(calendar: store.dates.calendar, now: store.dates.now)
    var lines = [Self.line(task)]
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { lines.append("    \(name): \(value)") }
    }
    add("list", store.whereabouts(of: task))
    add("due", task.date.map { words.fullWords(for: $0) })
    add("repeat", Repetition.words(of: task.repetition))
    add("done", task.completedAt.map { words.fullWords(for: $0) })
    add("waits until", task.waitsUntil.map { words.fullWords(for: $0) })
    add("priority", task.priority.rawValue)
    add("id", task.id.description)
    if !task.notes.isEmpty {
      lines += task.notes.split(separator: "\n", omittingEmptySubsequences: false).map { "    | \($0)" }
    }
    lines += task.subtasks.map { "    " + Self.line($0) }
    return lines.map { $0.withControlsMadeVisible + "\n" }.joined()
  }

  func search(_ words: String, asJSON: Bool, _ style: OutputStyle = .plain) throws -> String {
    let pattern = SearchPattern(words)
    let list = try list.map(store.list(named:))
    let found = store.allTasks.values(of: \.id, \.text).filter { pattern.matches($0.1) }
      .compactMap { store.task($0.0) }
      .filter { task in list.map { store.holders(ofTask: task).list?.id == $0.id } ?? true }
    let tasks = found.filter { !$0.completed } + found.filter(\.completed)
    if asJSON { return JSONText.versioned("tasks", tasks.map { $0.jsonWithPlace(in: store) }) }
    guard !tasks.isEmpty else { throw RuntimeError("no task has “\(words)”") }
    if let table = TaskTable(style, store.dates) {
      return table.text(of: tasks.map { TaskTable.Row($0, place: store.whereabouts(of: $0) ?? "") })
    }
    return tasks.map { task in
      let place = store.whereabouts(of: task).map { "  (\($0))" } ?? ""
      return (Self.line(task) + place).withControlsMadeVisible + "\n"
    }.joined()
  }

  private static func line(_ task: TaskItem) -> String { "[\(task.completed ? "x" : " ")] \(task.text)" }
}
