import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Deletes a row, open or completed; a list takes its tasks along, a task its subtasks.
  ///
  /// - Returns: `.deleted`, or `.none(.gone)`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(log n) for the row and for each that it takes along.
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

  /// Deletes several rows as one action; lists take their tasks along, tasks their
  /// subtasks. Rows that are gone already are left out.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks, in whichever lists they are.
  ///   - shown: Without a place: the tasks as a screen has collected them; the edit tells what happened among
  ///     these.
  /// - Returns: `.several`, or `.none(.gone)` when none of the rows was there.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(k log n) for k rows and those that they take along.
  @discardableResult
  public func delete(
    _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeSeveral(.delete, ids, in: place, showing: shown, withoutNotifying: tokens) { groups, recorder in
      for (rows, indices) in groups {
        // From the end, so that the indices still to come stay true.
        for index in indices.reversed() { recorder.delete(at: index, in: rows) }
      }
    }
  }

  /// Deletes every completed row; lists take their tasks along, tasks their subtasks.
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
      // From the end, so that the indices still to come stay true.
      let deleted = indices.reversed().map { recorder.delete(at: $0, in: rows) }
      return Edit(place: place, change: .cleared(indices), before: deleted.reversed())
    }
  }
}
