import FoundationEssentials
import TasksModel

/// `tasks list --today`: the open tasks of all lists that are due today or before, the earliest first.
struct TodayCommand {
  let store: TasksStore

  /// - Parameters:
  ///   - asJSON: Whether to print JSON instead of `today 9:00  text  (list)`.
  ///   - style: The way lines are printed.
  func run(asJSON: Bool, _ style: OutputStyle = .plain) throws -> String {
    let words = DateWords(calendar: store.dates.calendar, now: store.dates.now)
    let end = words.calendar.startOfDay(words.now(), addingDays: 1)
    let tasks = try store.openTasks(dueBefore: end)
    if asJSON {
      return JSONText.versioned("tasks", tasks.map { $0.jsonWithPlace(in: store) })
    }
    if let table = TaskTable(style, store.dates) {
      return table.text(of: tasks.map { TaskTable.Row($0, place: store.whereabouts(of: $0) ?? "") })
    }
    let lines = tasks.map { task -> String in
      let date = task.date.map { date in
        (words.due(date).state == .overdue ? "overdue, " : "") + words.words(for: date)
      }
      let list = store.whereabouts(of: task).map { "  (\($0))" } ?? ""
      return "\(date ?? "")  \(task.text)\(list)".withControlsMadeVisible + "\n"
    }
    return lines.joined()
  }
}
