import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Deletes rows, open or completed, as one action; lists with their tasks, tasks with their subtasks. Rows
  /// that were deleted already are left out.
  ///
  /// - Returns: The edit; without a change for `.gone`, when none of the rows exists.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(k log n) for k rows and those that are deleted with them.
  @discardableResult
  public func delete(_ ids: [Identifier], in scope: RowScope) throws -> Edit {
    try change(.delete, ids, in: scope) { groups, recorder in
      for (rows, indices) in groups { recorder.delete(at: indices, in: rows) }
    }
  }

  /// The completed rows of a place that hold open tasks or subtasks, and the number of these:
  /// `clearCompleted` deletes them too.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n) for n rows.
  public func openTasksHeldByCompletedRows(of place: Place) throws -> (rows: Int, tasks: Int) {
    let open = #Predicate<TaskItem> { !$0.completed }
    let counts: [Int] =
      switch rows(of: place) {
      case let rows as ListRows:
        try rows.items.filter { $0.completed }.map { try $0.items.filter(open).count }
      case let rows as TaskRows:
        try rows.items.filter(#Predicate { $0.completed && !$0.subtasks.isEmpty })
          .map { try $0.subtasks.filter(open).count }
      default: []
      }
    return (counts.count { $0 > 0 }, counts.reduce(0, +))
  }

  /// Deletes every completed row of a place; lists with their tasks, tasks with their subtasks.
  ///
  /// - Parameter scope: The rows of a place.
  /// - Returns: The edit; without a change for `.gone` or `.nothingCompleted`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(n log n).
  @discardableResult
  public func clearCompleted(in scope: RowScope) throws -> Edit {
    try write(withoutNotifying: scope.tokens) {
      guard let rows = scope.place.flatMap(rows(of:))?.preparedForMany() else {
        return Edit(noChange: .gone)
      }
      let indices = (0..<rows.count).filter { rows.row(at: $0).completed }
      return try record(.clear, on: indices.map { rows.row(at: $0).id }, in: scope) { recorder in
        recorder.delete(at: indices, in: rows)
        return indices.isEmpty ? .nothingCompleted : nil
      }
    }
  }
}
