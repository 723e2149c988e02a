import TasksModel

extension TasksStore {
  /// In words where a task is: `List`, or `List › Task` for a subtask; nil when no list holds it.
  ///
  /// Complexity: O(log n).
  func whereabouts(of task: TaskItem) -> String? {
    let (list, owner) = holders(ofTask: task)
    return list.map { list in owner.map { "\(list.text) › \($0.text)" } ?? list.text }
  }
}
