import TasksModel

/// `tasks done`: completes one task, or subtask, and prints its id.
struct DoneCommand {
  let store: TasksStore
  /// The name of the list to look in, or nil for all.
  let list: String?

  /// - Parameter name: The id of a task, or the whole text of an open one.
  /// - Throws: `RuntimeError` when there is no such task, more than one, or it is completed already.
  func run(_ name: String) throws {
    let id = try store.openTask(named: name, inList: list).id
    guard try !store.complete([id]).isEmpty else {
      throw RuntimeError("“\(name)” has just been completed or deleted elsewhere")
    }
    try StandardOutput.write(id.uuidString + "\n")
  }
}
