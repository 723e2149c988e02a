import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Deletes a row, open or completed; a list takes its tasks along.
  ///
  /// - Returns: `.deleted`, or `.none(.gone)`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(log n); a list, O(its tasks).
  @discardableResult
  public func delete(
    _ id: UUID, in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(in: place, withoutNotifying: tokens) { rows in
      guard let (_, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      return Edit(place: place, change: .deleted(at: index), before: [rows.delete(at: index)])
    }
  }

  /// Deletes every completed row; lists take their tasks along.
  ///
  /// - Returns: `.cleared`, or `.none` with `.gone` or `.nothingCompleted`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(n log n).
  @discardableResult
  public func clearCompleted(
    in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(in: place, withoutNotifying: tokens) { rows in
      let indices = (0..<rows.count).filter { rows.row(at: $0).completed }
      guard !indices.isEmpty else { return Edit(place: place, change: .none(.nothingCompleted)) }
      // From the end, so that the indices still to come stay true.
      let deleted = indices.reversed().map { rows.delete(at: $0) }
      return Edit(place: place, change: .cleared(indices), before: deleted.reversed())
    }
  }
}
