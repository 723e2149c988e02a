import TasksModel

extension TasksStore {
  /// The place of a task in words: `List`, or `List › Task` for a subtask; nil if no list contains it.
  ///
  /// Complexity: O(log n).
  func whereabouts(of task: TaskItem) -> String? {
    let (list, owner) = holders(ofTask: task)
    return list.map { list in owner.map { "\(list.text) › \($0.text)" } ?? list.text }
  }
}
