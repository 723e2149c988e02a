import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Gives a row another text, or deletes it when nothing but white space is left of the text.
  ///
  /// - Parameters:
  ///   - text: The new text, of which white space at the ends is dropped.
  ///   - original: The text that the person began with. When the row has another one by now, somebody else has edited
  ///     it: nothing is written and `.none(.textChanged)` tells the text that is there. Nil writes in any case.
  /// - Returns: `.modified`, `.deleted`, or `.none` with `.gone`, `.unchanged` or `.textChanged`.
  /// - Throws: `Refusal.editingCompletedRow`, `StoreError`.
  ///
  /// Complexity: O(log n); deleting a list, O(its tasks).
  @discardableResult
  public func edit(
    _ id: UUID, in place: Place, text: String, replacing original: String? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    let text = text.trimmedForRow
    return try transaction(in: place, withoutNotifying: tokens) { rows in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      guard row.text != text else { return Edit(place: place, change: .none(.unchanged)) }
      if let original, row.text != original {
        return Edit(place: place, change: .none(.textChanged(row.text)))
      }
      guard !row.completed else { throw Refusal.editingCompletedRow }
      if text.isEmpty {
        return Edit(place: place, change: .deleted(at: index), before: [rows.delete(at: index)])
      }
      let before = RowValues(row)
      row.text = text
      return Edit(place: place, change: .modified(at: index), before: [before], after: [RowValues(row)])
    }
  }

  /// Completes an open row, which moves to the very end, or opens a completed one again, which moves to the end of the
  /// open ones.
  ///
  /// - Returns: `.moved` with `modified`, `.modified` when the row stood there already, or `.none(.gone)`.
  /// - Throws: `Refusal.completingListWithoutOpenTasks`, `StoreError`.
  ///
  /// Complexity: O(log n) to complete, O(log n + the number of completed rows) to open again.
  @discardableResult
  public func toggleCompleted(
    _ id: UUID, in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(in: place, withoutNotifying: tokens) { rows in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      let destination: Int
      if row.completed {
        // The last open row may stand below this one, if another program has completed it in place: then taking this
        // row out moves that one up.
        let end = rows.lastOpenIndex().map { $0 + 1 } ?? 0
        destination = end > index ? end - 1 : end
      } else {
        guard rows.isCompletable(at: index) else { throw Refusal.completingListWithoutOpenTasks }
        destination = rows.count - 1
      }
      let before = RowValues(row)
      row.completed.toggle()
      if index != destination {
        rows.move(from: index, to: destination)
      }
      return Edit(
        place: place,
        change: index == destination
          ? .modified(at: index) : .moved(from: index, to: destination, modified: true),
        before: [before], after: [RowValues(row)])
    }
  }
}
