import TasksModel

/// `tasks list`: prints the tasks of a list in their order.
struct ListCommand {
  let store: TasksStore
  /// The name of the list, or nil for the first.
  let list: String?

  /// - Parameter asJSON: An array with one object a line, else `[ ] text` and `[x] text`.
  func run(asJSON: Bool) throws {
    let tasks = try store.list(named: list).items
    if asJSON {
      try StandardOutput.write(JSONText.array(asLines: tasks.map(\.json)))
    } else {
      try StandardOutput.write(
        tasks.map { "[\($0.completed ? "x" : " ")] \($0.text.withControlsMadeVisible)\n" }.joined())
    }
  }
}
