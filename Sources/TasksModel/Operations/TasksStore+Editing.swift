import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Gives a row another text, or deletes it when nothing but white space is left of the text.
  ///
  /// - Parameters:
  ///   - text: The new text, of which white space at the ends is dropped.
  ///   - shown: Tasks as a screen has collected them: the edit tells what happened among these then.
  ///   - original: The text that the person began with. When the row has another one by now, somebody else has edited
  ///     it: nothing is written and `.none(.textChanged)` tells the text that is there. Nil writes in any case.
  /// - Returns: `.modified`, `.deleted`, or `.none` with `.gone`, `.unchanged` or `.textChanged`.
  /// - Throws: `Refusal.editingCompletedRow`, `StoreError`.
  ///
  /// Complexity: O(log n); deleting a list, O(its tasks).
  @discardableResult
  public func edit(
    _ id: UUID, in place: Place, text: String, replacing original: String? = nil,
    showing shown: Results<TaskItem>? = nil, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    let text = text.trimmedForRow
    return try transaction(.edit, in: place, about: [id], showing: shown, withoutNotifying: tokens) {
      rows, recorder in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      guard row.text != text else { return Edit(place: place, change: .none(.unchanged)) }
      if let original, row.text != original {
        return Edit(place: place, change: .none(.textChanged(row.text)))
      }
      guard !row.completed else { throw Refusal.editingCompletedRow }
      if text.isEmpty {
        recorder.action = .delete
        return Edit(place: place, change: .deleted(at: index), before: [recorder.delete(at: index, in: rows)])
      }
      let values = recorder.change(at: index, in: rows) { _ in rows.setText(text, at: index) }
      return Edit(
        place: place, change: .modified(at: index), before: [values.before], after: [values.after])
    }
  }

  /// Completes an open row, which moves to the very end, or opens a completed one again, which moves to the end of the
  /// open ones. Where a task stood that repeats, the next one stands then.
  ///
  /// - Returns: `.moved` with `modified`, `.modified` when the row stood there already, `.several` with the next task of one
  ///   that repeats, as the second in `after`, or `.none(.gone)`.
  /// - Throws: `Refusal.completingListWithoutOpenTasks`, `StoreError`.
  ///
  /// Complexity: O(log n) to complete, O(log n + the number of completed rows) to open again.
  @discardableResult
  public func toggleCompleted(
    _ id: UUID, in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(.complete, in: place, withoutNotifying: tokens) { rows, recorder in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      if row.completed { recorder.action = .reopen }
      if !row.completed, !rows.isCompletable(at: index) { throw Refusal.completingListWithoutOpenTasks }
      let destination = rows.destination(ofToggled: index)
      let values = recorder.toggleCompleted(at: index, to: destination, in: rows)
      var change =
        index == destination
        ? Edit.Change.modified(at: index) : .moved(from: index, to: destination, modified: true)
      if let next = values.next {
        let present = [id, next.id].map { rows.find($0)?.index }
        change = .several(RowDifference(of: [(index, present[0], true), (nil, present[1], true)]))
      }
      return Edit(
        place: place, change: change, before: [values.before],
        after: [values.after] + (values.next.map { [$0] } ?? []))
    }
  }

  /// Completes several rows as one action, the open ones among them; when all are completed, opens all of them again.
  /// They keep their order; where tasks stood that repeat, the next ones stand then. Rows that are gone, and lists without open tasks, are left out.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks, in whichever lists they are.
  ///   - shown: Without a place: the tasks as a screen has collected them; the edit tells what happened among these.
  /// - Returns: `.several`, or `.none(.gone)` when none of the rows was there.
  /// - Throws: `Refusal.completingListWithoutOpenTasks` when there is no row that could be completed, `StoreError`.
  ///
  /// Complexity: O(k (log n + the number of completed rows)) for k rows.
  @discardableResult
  public func toggleCompleted(
    _ ids: [UUID], in place: Place?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeSeveral(.complete, ids, in: place, showing: shown, withoutNotifying: tokens) {
      groups, recorder in
      let isReopening = groups.allSatisfy { rows, indices in indices.allSatisfy { rows.row(at: $0).completed }
      }
      if isReopening { recorder.action = .reopen }
      for (rows, indices) in groups {
        let toggled =
          isReopening
          ? indices : indices.filter { !rows.row(at: $0).completed && rows.isCompletable(at: $0) }
        for id in toggled.map({ rows.row(at: $0).id }) {
          guard let index = rows.find(id)?.index else { continue }
          _ = recorder.toggleCompleted(at: index, to: rows.destination(ofToggled: index), in: rows)
        }
      }
      if recorder.transitions.isEmpty { throw Refusal.completingListWithoutOpenTasks }
    }
  }
}

extension RowCollection {
  /// Where a row goes when it is completed, or opened again.
  fileprivate func destination(ofToggled index: Int) -> Int {
    guard row(at: index).completed else { return count - 1 }
    // The last open row may stand below this one, if another program has completed it in place: then taking this row out
    // moves that one up.
    let end = lastOpenIndex().map { $0 + 1 } ?? 0
    return end > index ? end - 1 : end
  }
}
