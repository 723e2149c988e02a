import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Sets the text of a row, or deletes the row if the new text is empty or white space.
  ///
  /// - Parameters:
  ///   - text: The new text, without white space at the ends. A priority in that of a task, such as `!A`, is
  ///     taken out.
  ///   - original: The text that the person began with. If it has changed meanwhile, nothing is written and
  ///     `.textChanged` contains the present one. Nil writes in any case.
  /// - Returns: The edit; without a change for `.gone`, `.unchanged` or `.textChanged`.
  /// - Throws: `Refusal.editingCompletedRow`, `StoreError`.
  ///
  /// Complexity: O(log n); deleting a list, O(its tasks).
  @discardableResult
  public func edit(
    _ id: Identifier, in scope: RowScope, text: String, replacing original: String? = nil
  ) throws -> Edit {
    let typed = text.trimmedForRow
    return try transaction(.edit, on: [id], in: scope) { recorder in
      guard let (rows, index) = find(id, in: scope) else { return .gone }
      let row = rows.row(at: index)
      guard row.text != typed else { return .unchanged }
      let taken = row is TaskItem ? TaskPriority.taken(from: typed) : nil
      let text = taken?.text ?? typed
      if let original, row.text != original { return .textChanged(row.text) }
      guard !row.completed else { throw Refusal.editingCompletedRow }
      if text.isEmpty {
        recorder.action = .delete
        recorder.delete(at: [index], in: rows)
      } else {
        // Undo gives back what the text says.
        (row as? TaskItem)?.readTextIfNeeded(by: dates)
        recorder.change(at: index, in: rows) { row in
          if row.text != text { rows.setText(text, of: row) }
          if let taken { (row as? TaskItem)?.priority = taken.priority }
        }
      }
      return nil
    }
  }

  /// Completes the open ones of some rows as one action, which move to the place that `completedRows`
  /// specifies; if all are completed, reopens all of them, which move to the end of the open ones. They keep
  /// their order. Completing tasks completes their open subtasks; reopening tasks does not change them. A
  /// task that repeats goes on in its place instead, and a finished one is added to the completed rows.
  /// Deleted rows, lists without open tasks, and completed subtasks of completed tasks are left out. Tasks
  /// of the archive return to their lists, or to the first one.
  ///
  /// - Parameter ifCompleted: The state that the rows have to have: those with the other are left out.
  /// - Returns: The edit; without a change for `.gone`, when none of the rows exists, or `.unchanged` for
  ///   rows of the other state. A task that goes on is in `after` behind its finished one.
  /// - Throws: `Refusal.completingListWithoutOpenTasks` or `Refusal.openSubtaskOfCompletedTask` when there is
  ///   no row that could be completed or opened, `StoreError`.
  ///
  /// Complexity: O(log n) for each row that is completed and moves to the very end, otherwise O(log n + the
  /// number of completed rows).
  @discardableResult
  public func toggleCompleted(
    _ ids: [Identifier], in scope: RowScope, ifCompleted: Bool? = nil, partOf long: LongAction? = nil
  ) throws -> Edit {
    try change(.complete, ids, in: scope, partOf: long) { groups, recorder in
      let isReopening =
        ifCompleted
        ?? groups.allSatisfy { rows, indices in indices.allSatisfy { rows.row(at: $0).completed } }
      if isReopening { recorder.action = .reopen }
      let meant: [RowGroup] = groups.map { rows, indices in
        let indices = recorder.hasRenewedRows(of: rows.place) ? [] : indices
        return (rows, indices.filter { rows.row(at: $0).completed == isReopening })
      }
      if meant.allSatisfy(\.indices.isEmpty) { return }
      let toggled = meant.map { rows, indices in
        (rows, indices.filter { isReopening || rows.isCompletable(at: $0) }.map { rows.row(at: $0).id })
      }
      for (rows, ids) in toggled {
        if rows.place == .archive, let rows = rows as? TaskRows {
          for id in ids { try bringBack(id, in: rows, &recorder) }
          continue
        }
        do { if isReopening { try checkOpenRow(in: rows.place) } } catch { continue }
        if long != nil, let rows = rows as? TaskRows {
          let tasks = ids.compactMap(task)
          if isReopening {
            try recorder.reopen(tasks, in: rows)
          } else {
            recorder.complete(tasks, in: rows)
          }
          continue
        }
        for id in ids {
          // A subtask may have been completed with its task.
          guard let (row, index) = rows.find(id), row.completed == isReopening else { continue }
          recorder.toggleCompleted(at: index, in: rows)
        }
      }
      if recorder.transitions.isEmpty {
        throw isReopening ? Refusal.openSubtaskOfCompletedTask : Refusal.completingListWithoutOpenTasks
      }
    }
  }
}
