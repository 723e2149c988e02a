import FoundationEssentials
import TasksModel

/// `tasks done`: completes one task and prints its id.
struct DoneCommand {
  let store: TasksStore
  /// The name of the list to look in, or nil for all.
  let list: String?

  /// - Parameter name: The id of a task, or the whole text of an open one.
  /// - Throws: `RuntimeError` when there is no such task, more than one, or it is completed already.
  func run(_ name: String) throws {
    let id = try UUID(uuidString: name).flatMap(open) ?? open(withText: name)
    guard try !store.complete([id]).isEmpty else {
      throw RuntimeError("“\(name)” has just been completed or deleted elsewhere")
    }
    try StandardOutput.write(id.uuidString + "\n")
  }

  /// - Returns: Nil when no task has the id.
  private func open(_ id: UUID) throws -> UUID? {
    guard let task = store.task(id) else { return nil }
    guard !task.completed else { throw RuntimeError("“\(task.text)” is completed already") }
    guard let holder = task.lists.first else { throw RuntimeError("“\(task.text)” is in no list") }
    if let list = try list.map(store.list(named:)), list.id != holder.id {
      throw RuntimeError("“\(task.text)” is not in the list “\(list.text)”")
    }
    return id
  }

  private func open(withText text: String) throws -> UUID {
    let tasks = try store.openTasks(withText: text, in: list.map(store.list(named:))).prefix(2).map(\.id)
    guard let id = tasks.first else {
      throw RuntimeError("there is no open task “\(text)”; give its whole text, or its id")
    }
    guard tasks.count == 1 else {
      throw RuntimeError(
        "more than one open task is called “\(text)”; give the id, which tasks list --json tells")
    }
    return id
  }
}
