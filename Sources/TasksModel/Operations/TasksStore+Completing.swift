import LiveStore

extension TasksStore {
  /// Completes open tasks and their open subtasks as one action, and moves each to the place that
  /// `completedRows` specifies; of those that repeat, finished ones are added there: for a program that shows
  /// no list.
  ///
  /// - Returns: The ids of the rows that are completed now, for a task that repeats that of the finished one;
  ///   tasks that were deleted, are in no place or are completed already are left out.
  /// - Throws: `StoreError`; nothing has been written then.
  ///
  /// Complexity: O(log n) for each that moves to the end of all rows; the order of the places is not read for
  /// it. Otherwise it is read once.
  @discardableResult
  public func complete(_ ids: [Identifier]) throws -> [Identifier] {
    try write {
      var recorder = ActionRecorder(.complete)
      var completed: [Identifier] = []
      for id in ids {
        guard let task = task(id), !task.completed,
          let rows = place(ofTask: id).flatMap(rows(of:)) as? TaskRows
        else { continue }
        completed += recorder.complete([task], in: rows)
      }
      _ = try keep(recorder.transitions, as: recorder.action)
      return completed
    }
  }
}
