import LiveStore

extension TasksStore {
  /// The number of rows from which on one query finds those with subtasks faster than a look at each.
  private static let mostRowsAskedSingly = 1000

  /// Deletes rows, open or completed, as one action; lists with their tasks, tasks with their subtasks. Rows
  /// that were deleted already are left out.
  ///
  /// - Returns: The edit; without a change for `.gone`, when none of the rows exists.
  ///
  /// Complexity: O(k log n) for k rows and those that are deleted with them.
  @discardableResult
  public func delete(
    _ ids: [Identifier], in scope: RowScope, partOf long: LongAction? = nil
  ) throws -> Edit {
    try change(.delete, ids, in: scope, partOf: long) { groups, recorder in
      for (rows, indices) in groups {
        let areMany = indices.count > Self.mostRowsAskedSingly
        recorder.delete(at: indices, in: areMany ? rows.preparedForMany() : rows)
      }
    }
  }
}
