import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Sets the text of a row, or deletes the row if the new text is empty or white space.
  ///
  /// - Parameters:
  ///   - text: The new text, without white space at the ends.
  ///   - shown: The tasks that a screen has collected; the edit is then in terms of these.
  ///   - original: The text that the person began with. If it has changed meanwhile, nothing is written and
  ///     `.none(.textChanged)` contains the present one. Nil writes in any case.
  /// - Returns: `.modified`, `.deleted`, or `.none` with `.gone`, `.unchanged` or `.textChanged`.
  /// - Throws: `Refusal.editingCompletedRow`, `StoreError`.
  ///
  /// Complexity: O(log n); deleting a list, O(its tasks).
  @discardableResult
  public func edit(
    _ id: Identifier, in place: Place, text: String, replacing original: String? = nil,
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

  /// Completes an open row, which moves to the place that `completedRows` specifies, or reopens a completed
  /// one, which moves to the end of the open ones. Completing a task completes its open subtasks; reopening a
  /// task does not change them. The next task of one that repeats takes its place.
  ///
  /// - Returns: `.moved` with `modified`, `.modified` if the row was there already, `.several` with the next
  ///   task of one that repeats, as the second in `after`, or `.none(.gone)`.
  /// - Throws: `Refusal.completingListWithoutOpenTasks`, `Refusal.openSubtaskOfCompletedTask`, `StoreError`.
  ///
  /// Complexity: O(log n) to complete each row that moves to the very end, otherwise O(log n + the number of
  /// completed rows).
  @discardableResult
  public func toggleCompleted(
    _ id: Identifier, in place: Place, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(.complete, in: place, withoutNotifying: tokens) { rows, recorder in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      if row.completed {
        recorder.action = .reopen
        try checkOpenRow(in: place)
      }
      if !row.completed, !rows.isCompletable(at: index) { throw Refusal.completingListWithoutOpenTasks }
      let destination = rows.destination(ofToggled: index)
      let values = recorder.toggleCompleted(at: index, to: destination, in: rows)
      if let task = row as? TaskItem, task.completed, let rows = rows as? TaskRows {
        try recorder.completeSubtasks(of: task, in: rows)
      }
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

  /// Completes the open ones of several rows as one action; if all are completed, reopens all of them. They
  /// keep their order; the next tasks of those that repeat take their places. Deleted rows, lists without
  /// open tasks, and completed subtasks of completed tasks are left out. Completing tasks completes their
  /// open subtasks.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks of any lists.
  ///   - shown: If there is no place, the tasks that a screen has collected; the edit is then in terms of
  ///     these.
  /// - Returns: `.several`, or `.none(.gone)` when none of the rows exists.
  /// - Throws: `Refusal.completingListWithoutOpenTasks` or `Refusal.openSubtaskOfCompletedTask` when there is
  ///   no row that could be completed or opened, `StoreError`.
  ///
  /// Complexity: O(k (log n + the number of completed rows)) for k rows.
  @discardableResult
  public func toggleCompleted(
    _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeSeveral(.complete, ids, in: place, showing: shown, withoutNotifying: tokens) {
      groups, recorder in
      let isReopening = groups.allSatisfy { rows, indices in indices.allSatisfy { rows.row(at: $0).completed }
      }
      if isReopening { recorder.action = .reopen }
      let toggled = groups.map { rows, indices in
        indices.filter { isReopening || !rows.row(at: $0).completed && rows.isCompletable(at: $0) }
          .map { rows.row(at: $0).id }
      }
      for (rows, ids) in zip(groups.map(\.rows), toggled) {
        do { if isReopening { try checkOpenRow(in: rows.place) } } catch { continue }
        var number = 0
        for id in ids {
          // A subtask may have been completed with its task.
          guard let (row, index) = rows.find(id), row.completed == isReopening else { continue }
          let destination = rows.destination(ofToggled: index, following: number)
          _ = recorder.toggleCompleted(at: index, to: destination, in: rows)
          number += 1
          if let task = row as? TaskItem, task.completed, let rows = rows as? TaskRows {
            try recorder.completeSubtasks(of: task, in: rows)
          }
        }
      }
      if recorder.transitions.isEmpty {
        throw isReopening ? Refusal.openSubtaskOfCompletedTask : Refusal.completingListWithoutOpenTasks
      }
    }
  }
}
