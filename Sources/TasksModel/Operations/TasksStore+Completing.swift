import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Completes open tasks, each of which moves to where `completedRows` says, and their open subtasks as one
  /// action, and makes the next one of those that repeat: for a program that shows no list.
  ///
  /// - Returns: The ids of those that were completed; tasks that are gone, in no place or completed already
  ///   are left out.
  /// - Throws: `StoreError`; nothing has been written then.
  ///
  /// Complexity: O(log n) for each to the end of all; the order of the places is not read for it. Else it is
  /// read once.
  @discardableResult
  public func complete(_ ids: [Identifier]) throws -> [Identifier] {
    try store.write(waitingAtMost: writeTimeout) {
      var recorder = ActionRecorder(.complete)
      var completed: [Identifier] = []
      for id in ids {
        guard let task = task(id), !task.completed, let place = place(ofTask: id),
          let rows = rows(of: place) as? TaskRows
        else { continue }
        let number = recorder.transitions.count { $0.before?.place == place }
        try recorder.complete(task, in: rows, following: number)
        try recorder.completeSubtasks(of: task, in: rows)
        completed.append(id)
      }
      _ = try keep(recorder.transitions, as: recorder.action)
      return completed
    }
  }

  /// The open tasks with a text, and the open subtasks.
  ///
  /// - Parameter list: The list to look in, without the subtasks of its tasks; nil looks in all.
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n), the texts having no index.
  public func openTasks(withText text: String, in list: TaskList? = nil) throws -> Results<TaskItem> {
    let predicate = #Predicate<TaskItem> { !$0.completed && $0.text == text }
    return try list?.items.filter(predicate) ?? store.objects(TaskItem.self).filter(predicate)
  }
}
