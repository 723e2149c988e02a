import TasksModel
import VisibleText

/// `tasks done`: completes one task, or subtask.
struct DoneCommand {
  let store: TasksStore
  /// The name of the list to search, or nil for all.
  let list: String?

  /// - Parameter name: The id of a task, or the whole text of an open one.
  /// - Returns: The id of the completed row, as a line: of a task that repeats, that of the finished one.
  /// - Throws: `RuntimeError` when there is no such task, more than one, or it is completed already.
  func run(_ name: String) throws -> String {
    let id = try store.openTask(named: name, inList: list).id
    // A read that has failed may have led to another one.
    try store.requireReadable()
    guard let completed = try store.complete([id]).first else {
      throw RuntimeError("“\(name)” has just been completed or deleted elsewhere")
    }
    return completed.description.withControlsMadeVisible + "\n"
  }
}
