import FoundationEssentials
import LiveStore
import TasksModel
import VisibleText

/// `tasks list`: the tasks of a list in their order, each with its subtasks.
struct ListCommand {
  let store: TasksStore
  /// The name of the list, or nil for the first.
  let list: String?

  /// - Parameters:
  ///   - asJSON: Whether to print JSON instead of `[ ] text` and `[x] text` with subtasks indented.
  ///   - style: The way lines are printed.
  func run(asJSON: Bool, _ style: OutputStyle = .plain) throws -> String {
    for type in [TaskListList.self, TaskList.self, TaskItem.self] as [Object.Type] {
      try store.checkLists(of: type, upTo: Self.checkedEntries)
    }
    let list = try store.list(named: list)
    let tasks = list.items
    let owners = try tasks.idsOfTasksWithSubtasks()
    if asJSON {
      let place = TaskItem.jsonMembers(ofList: list.text, owner: nil)
      return JSONText.versioned(
        "tasks",
        tasks.map {
          JSONText.object($0.jsonMembersWithSubtasks(hasSubtasks: owners.contains($0.id)) + place)
        })
    }
    let now = store.dates.now()
    // As in a window, those that wait are out of sight.
    func waits(_ moment: Date?, _ completed: Bool) -> Bool { !completed && moment.map { $0 > now } ?? false }
    if let table = TaskTable(style, store.dates) {
      var rows: [TaskTable.Row] = []
      for (id, text, completed, date, repetition, priority, notes, moment) in tasks.values(
        of: \.id, \.text, \.completed, \.date, \.repetition, \.priority, \.notes, \.waitsUntil)
      where !waits(moment, completed) {
        rows.append(
          TaskTable.Row(
            text: text, completed: completed, date: date, repetition: repetition, priority: priority,
            notes: notes))
        guard owners.contains(id), let task = store.task(id) else { continue }
        rows += task.subtasks.filter { !waits($0.waitsUntil, $0.completed) }
          .map { TaskTable.Row($0, isSubtask: true) }
      }
      return table.text(of: rows)
    }
    var output = ""
    if owners.isEmpty {
      for (text, completed, moment) in tasks.values(of: \.text, \.completed, \.waitsUntil)
      where !waits(moment, completed) {
        Self.append(text, completed, to: &output)
      }
      return output
    }
    for (id, text, completed, moment) in tasks.values(of: \.id, \.text, \.completed, \.waitsUntil)
    where !waits(moment, completed) {
      Self.append(text, completed, to: &output)
      guard owners.contains(id), let task = store.task(id) else { continue }
      for subtask in task.subtasks where !waits(subtask.waitsUntil, subtask.completed) {
        output += "    "
        Self.append(subtask.text, subtask.completed, to: &output)
      }
    }
    return output
  }

  /// The number of list entries up to which a command checks that the lists are complete: the check then
  /// takes some milliseconds.
  static let checkedEntries = 2_000

  private static func append(_ text: String, _ completed: Bool, to output: inout String) {
    output += completed ? "[x] " : "[ ] "
    output += text.withControlsMadeVisible
    output += "\n"
  }
}
