import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The number of rows from which on one query finds those with subtasks faster than a look at each.
  private static let mostRowsAskedSingly = 1000

  /// Deletes rows, open or completed, as one action; lists with their tasks, tasks with their subtasks. Rows
  /// that were deleted already are left out.
  ///
  /// - Parameters:
  ///   - action: The name of the action for undo: `.delete` or `.clear`.
  ///   - long: The action that this is a part of.
  /// - Returns: The edit; without a change for `.gone`, when none of the rows exists.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(k log n) for k rows and those that are deleted with them.
  @discardableResult
  public func delete(
    _ ids: [Identifier], in scope: RowScope, as action: Action = .delete, partOf long: LongAction? = nil
  ) throws -> Edit {
    try change(action, ids, in: scope, partOf: long) { groups, recorder in
      for (rows, indices) in groups {
        let areMany = indices.count > Self.mostRowsAskedSingly
        recorder.delete(at: indices, in: areMany ? rows.preparedForMany() : rows)
      }
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
      guard let place = scope.place, let rows = rows(of: place)?.preparedForMany() else {
        return Edit(noChange: .gone)
      }
      let completed = try completedRows(of: place)
      return try record(.clear, on: completed, in: scope) { recorder in
        recorder.delete(at: completed.compactMap { rows.find($0)?.index }.sorted(), in: rows)
        return completed.isEmpty ? .nothingCompleted : nil
      }.edit
    }
  }

  /// The ids of the completed rows of a place, from the top down; none when it was deleted.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n) for n rows.
  public func completedRows(of place: Place) throws -> [Identifier] {
    switch rows(of: place) {
    case let rows as ListRows: try rows.items.filter(#Predicate { $0.completed }).map(\.id)
    case let rows as TaskRows: try rows.items.filter(#Predicate { $0.completed }).map(\.id)
    default: []
    }
  }
}
