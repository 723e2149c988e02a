import FoundationEssentials
import TasksModel

/// `tasks list --today`: the open tasks of all lists that are due today or before, the earliest first.
struct TodayCommand {
  let store: TasksStore

  /// - Parameter asJSON: Whether to print an array with one object on each line, with the list of the task
  ///   and its owner if it is a subtask, instead of `today 9:00  text  (list)`.
  func run(asJSON: Bool) throws -> String {
    let words = DateWords(calendar: store.dates.calendar, now: store.dates.now)
    let end = words.calendar.startOfDay(words.now(), addingDays: 1)
    let tasks = try store.openTasks(dueBefore: end)
    if asJSON {
      let objects = tasks.map { task in
        let (list, owner) = store.holders(ofTask: task)
        return JSONText.object(
          task.jsonMembersWithSubtasks() + [
            ("list", JSONText.string(list?.text ?? "")),
            ("parent", owner.map { JSONText.string($0.text) } ?? "null"),
          ])
      }
      return JSONText.array(asLines: Array(objects))
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
