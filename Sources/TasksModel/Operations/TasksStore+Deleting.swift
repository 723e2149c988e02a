import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Deletes a row, open or completed; a list with its tasks, a task with its subtasks.
  ///
  /// - Returns: `.deleted`, or `.none(.gone)`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(log n) for the row and for each that is deleted with it.
  @discardableResult
  public func delete(
    _ id: Identifier, in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(.delete, in: place, withoutNotifying: tokens) { rows, recorder in
      guard let (_, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      return Edit(
        place: place, change: .deleted(at: index), before: [recorder.delete(at: index, in: rows)])
    }
  }

  /// Deletes several rows as one action; lists with their tasks, tasks with their subtasks. Rows that were
  /// deleted already are left out.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks of any lists.
  ///   - shown: If there is no place, the tasks that a screen has collected; the edit is then in terms of
  ///     these.
  /// - Returns: `.several`, or `.none(.gone)` when none of the rows exists.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(k log n) for k rows and those that are deleted with them.
  @discardableResult
  public func delete(
    _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeSeveral(.delete, ids, in: place, showing: shown, withoutNotifying: tokens) { groups, recorder in
      for (rows, indices) in groups {
        // From the end, so that the remaining indices stay valid.
        for index in indices.reversed() { recorder.delete(at: index, in: rows) }
      }
    }
  }

  /// Deletes every completed row; lists with their tasks, tasks with their subtasks.
  ///
  /// - Returns: `.cleared`, or `.none` with `.gone` or `.nothingCompleted`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(n log n).
  @discardableResult
  public func clearCompleted(
    in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(.clear, in: place, withoutNotifying: tokens) { rows, recorder in
      let rows = rows.preparedForMany()
      let indices = (0..<rows.count).filter { rows.row(at: $0).completed }
      guard !indices.isEmpty else { return Edit(place: place, change: .none(.nothingCompleted)) }
      // From the end, so that the remaining indices stay valid.
      let deleted = indices.reversed().map { recorder.delete(at: $0, in: rows) }
      return Edit(place: place, change: .cleared(indices), before: deleted.reversed())
    }
  }
}
