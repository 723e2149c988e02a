import FoundationEssentials
import LiveStore

/// What only tasks have.
extension TasksStore {
  /// Sets or removes the date of tasks by hand, as one action: it stays whatever their texts say. Completed tasks, and those
  /// that are gone, are left out.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks, in whichever lists they are.
  ///   - shown: Without a place: the tasks as a screen has collected them; the edit tells what happened among these.
  ///   - date: Nil removes it.
  /// - Returns: `.several`, or `.none` with `.gone` or `.unchanged`.
  /// - Throws: `Refusal.editingCompletedRow` when none of the tasks is open, `StoreError`.
  ///
  /// Complexity: O(k log n) for k tasks.
  @discardableResult
  public func setDate(
    _ ids: [UUID], in place: Place?, to date: Date?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeTasks(.setDate, ids, in: place, showing: shown, withoutNotifying: tokens) { task in
      task.date = date
      task.dateOrigin = .person
    }
  }

  /// Changes open tasks where they stand.
  private func changeTasks(
    _ action: Action, _ ids: [UUID], in place: Place?, showing shown: Results<TaskItem>?,
    withoutNotifying tokens: [NotificationToken], _ body: (TaskItem) -> Void
  ) throws -> Edit {
    try changeSeveral(action, ids, in: place, showing: shown, withoutNotifying: tokens) { groups, recorder in
      var isAnyOpen = false
      for (rows, indices) in groups {
        for index in indices where !rows.row(at: index).completed {
          isAnyOpen = true
          recorder.change(at: index, in: rows) { ($0 as? TaskItem).map(body) }
        }
      }
      if !isAnyOpen { throw Refusal.editingCompletedRow }
    }
  }
}
