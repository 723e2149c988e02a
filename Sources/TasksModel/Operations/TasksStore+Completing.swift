import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Completes open tasks, each of which moves to where `completedRows` says, as one action, and makes the next one of
  /// those that repeat: for a program that shows no list.
  ///
  /// - Returns: The ids of those that were completed; tasks that are gone, in no list or completed already are left out.
  /// - Throws: `StoreError`; nothing has been written then.
  ///
  /// Complexity: O(log n) for each to the end of all; the order of the lists is not read for it. Else it is read once.
  @discardableResult
  public func complete(_ ids: [UUID]) throws -> [UUID] {
    try store.write {
      var recorder = ActionRecorder(.complete)
      for id in ids {
        guard let task = task(id), !task.completed, let list = task.lists.first else { continue }
        let rows = rows(of: list)
        if completedRows == .end {
          try recorder.complete(task, in: rows)
        } else if let index = rows.find(id)?.index {
          let destination = rows.destination(ofToggled: index, following: count(of: recorder, in: rows))
          _ = recorder.toggleCompleted(at: index, to: destination, in: rows)
        }
      }
      _ = try keep(recorder.transitions, as: recorder.action)
      return recorder.transitions.filter { $0.before != nil }.map(\.id)
    }
  }

  /// How many rows of a place the action has completed so far.
  private func count(of recorder: ActionRecorder, in rows: TaskRows) -> Int {
    recorder.transitions.count { $0.before?.place == rows.place }
  }

  /// The open tasks with a text.
  ///
  /// - Parameter list: The list to look in; nil looks in all.
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n), the texts having no index.
  public func openTasks(withText text: String, in list: TaskList? = nil) throws -> Results<TaskItem> {
    let predicate = #Predicate<TaskItem> { !$0.completed && $0.text == text }
    return try list?.items.filter(predicate) ?? store.objects(TaskItem.self).filter(predicate)
  }
}
