import FoundationEssentials
import Glibc
import TasksModel

/// `tasks add`: adds tasks after the open ones of a list, or subtasks below a task.
struct AddCommand {
  let store: TasksStore
  /// The name of the list, or nil for the first; for subtasks nil means any.
  let list: String?

  /// - Parameters:
  ///   - texts: One for each task; empty ones are ignored.
  ///   - options: Values that are not given here are read from the texts.
  /// - Returns: The ids of the tasks.
  func run(_ texts: some Sequence<String>, _ options: NewTaskOptions) throws -> AddedRows {
    let date = try options.due.map(store.date)
    let repetition = try options.repetition.map(store.repetition)
    let priority = try options.priority.map(store.priority) ?? .none
    let (place, holder) = try place(under: options.under)
    // A read that has failed may have led to another one.
    try store.requireReadable()
    var progress = AddProgress()
    defer { progress.erase() }
    let added = try store.add(
      texts, to: place, date: date, repetition: repetition, priority: priority, notes: options.notes ?? "",
      readingDates: true, progress: { progress.show($0) })
    guard let added else { throw RuntimeError("\(holder) has just been deleted") }
    return added
  }

  /// The place of the new tasks, and its description.
  private func place(under owner: String?) throws -> (Place, holder: String) {
    guard let owner else {
      let list = try store.list(named: list)
      return (.tasks(inList: list.id), "the list “\(list.text)”")
    }
    let task = try store.openTask(named: owner, inList: list)
    guard task.parents.isEmpty else {
      throw RuntimeError("“\(task.text)” is a subtask, and a subtask has none of its own")
    }
    return (.subtasks(of: task.id), "the task “\(task.text)”")
  }
}

/// The number of tasks added so far, on a terminal: a large addition takes some seconds.
private struct AddProgress {
  /// The number of characters on the line.
  private var width = 0

  mutating func show(_ count: Int) {
    guard count % 10_000 == 0, isatty(STDERR_FILENO) == 1 else { return }
    let line = "Adding tasks: \(count)"
    width = line.utf8.count
    write("\r" + line)
  }

  /// Leaves the line empty for the output of the command.
  mutating func erase() {
    guard width > 0 else { return }
    write("\r" + String(repeating: " ", count: width) + "\r")
    width = 0
  }

  private func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
