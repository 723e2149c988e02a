import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Completes open tasks, each of which moves behind all others of its list, as one action, and makes the next one
  /// of those that repeat: for a program that shows no list.
  ///
  /// - Returns: The ids of those that were completed; tasks that are gone, in no list or completed already are left out.
  /// - Throws: `StoreError`; nothing has been written then.
  ///
  /// Complexity: O(log n) for each. The order of the lists is not read for it.
  @discardableResult
  public func complete(_ ids: [UUID]) throws -> [UUID] {
    try store.write {
      var recorder = ActionRecorder(.complete)
      for id in ids {
        guard let task = task(id), !task.completed, let list = task.lists.first else { continue }
        try recorder.complete(
          task, in: TaskRows(store: store, place: .tasks(inList: list.id), items: list.items, dates: dates))
      }
      _ = try keep(recorder.transitions, as: recorder.action)
      return recorder.transitions.filter { $0.before != nil }.map(\.id)
    }
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
