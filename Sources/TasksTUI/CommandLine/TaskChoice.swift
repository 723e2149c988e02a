import FoundationEssentials
import TasksModel

extension TasksStore {
  /// The open task, or subtask, with a name from the command line.
  ///
  /// - Parameters:
  ///   - name: The id, or the whole text.
  ///   - list: The name of the list to search; nil searches all.
  /// - Throws: `RuntimeError` when there is no such task, more than one, or it is completed already.
  func openTask(named name: String, inList list: String?) throws -> TaskItem {
    let list = try list.map(self.list(named:))
    if let task = task(Identifier(name)) {
      guard !task.completed else { throw RuntimeError("“\(task.text)” is completed already") }
      guard let holder = holders(ofTask: task).list else {
        throw RuntimeError("“\(task.text)” is in no list")
      }
      if let list, list.id != holder.id {
        throw RuntimeError("“\(task.text)” is not in the list “\(list.text)”")
      }
      return task
    }
    let tasks = try openTasks(withText: name).lazy
      .filter { task in list.map { self.holders(ofTask: task).list?.id == $0.id } ?? true }.prefix(2)
    guard let task = tasks.first else {
      throw RuntimeError("there is no open task “\(name)”; give its whole text, or its id")
    }
    guard tasks.count == 1 else {
      throw RuntimeError(
        "more than one open task is called “\(name)”; give the id, which tasks list --json tells")
    }
    return task
  }
}
