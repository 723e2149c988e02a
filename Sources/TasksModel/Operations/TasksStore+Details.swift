import FoundationEssentials
import LiveStore

/// Operations on properties that only tasks have.
extension TasksStore {
  /// Sets or removes the date of tasks by hand, as one action: their texts do not change it any more. A task
  /// without a date does not repeat. Completed and deleted tasks are left out.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks of any lists.
  ///   - shown: If there is no place, the tasks that a screen has collected; the edit is then in terms of
  ///     these.
  ///   - date: Nil removes it.
  /// - Returns: `.several`, or `.none` with `.gone` or `.unchanged`.
  /// - Throws: `Refusal.editingCompletedRow` when none of the tasks is open, `StoreError`.
  ///
  /// Complexity: O(k log n) for k tasks.
  @discardableResult
  public func setDate(
    _ ids: [Identifier], in place: Place?, to date: Date?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeTasks(.setDate, ids, in: place, showing: shown, withoutNotifying: tokens) { task in
      task.date = date
      task.dateOrigin = .person
      guard var repetition = Repetition(task.repetition) else { return }
      if date == nil {
        task.endRepetition()
      } else if repetition.meantDay != nil {
        // The day of the month is now that of the new date.
        repetition.meantDay = nil
        task.repetition = repetition.description
      }
    }
  }

  /// Sets or removes the repetition of tasks by hand and as one action: their texts do not change it any
  /// more. A task without a date gets the first date that fits.
  ///
  /// - Parameter repetition: The repetition; nil removes it.
  ///
  /// The other parameters, result, errors and complexity are those of `setDate`.
  @discardableResult
  public func setRepetition(
    _ ids: [Identifier], in place: Place?, to repetition: Repetition?,
    showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    let dates = dates
    return try changeTasks(.setRepetition, ids, in: place, showing: shown, withoutNotifying: tokens) { task in
      guard let repetition else { return task.endRepetition() }
      var values = RowValues(task)
      values.repeatTask(repetition, dates)
      if task.date == nil { (task.date, task.dateOrigin) = (values.date, values.details.dateOrigin) }
      (task.repetition, task.repetitionOrigin) = (values.details.repetition, .person)
    }
  }

  /// Sets the priority of tasks as one action. Completed and deleted tasks are left out.
  ///
  /// - Parameter change: Returns the new priority for that of a task.
  ///
  /// The other parameters, result, errors and complexity are those of `setDate`.
  @discardableResult
  public func setPriority(
    _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = [], _ change: (TaskPriority) -> TaskPriority
  ) throws -> Edit {
    try changeTasks(.setPriority, ids, in: place, showing: shown, withoutNotifying: tokens) { task in
      let priority = change(task.priority)
      if task.priority != priority { task.priority = priority }
    }
  }

  /// Sets the note of a task, open or completed.
  ///
  /// - Parameters:
  ///   - text: The note, without white space at its end. An empty one removes it.
  ///   - original: The note that the person began with. If it has changed meanwhile, nothing is written, and
  ///     `.none(.textChanged)` contains the present one. Nil writes in any case.
  ///   - shown: The tasks that a screen has collected; the edit is then in terms of these.
  /// - Returns: `.several`, or `.none` with `.gone`, `.unchanged` or `.textChanged`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(log n).
  @discardableResult
  public func setNotes(
    _ id: Identifier, to text: String, replacing original: String? = nil,
    showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    guard let place = place(ofTask: id) else { return Edit(place: .lists, change: .none(.gone)) }
    let text = text.trimmedForNotes
    return try transaction(.setNotes, in: place, about: [id], showing: shown, withoutNotifying: tokens) {
      rows, recorder in
      guard let (row, index) = rows.find(id), let task = row as? TaskItem else {
        return Edit(place: place, change: .none(.gone))
      }
      guard task.notes != text else { return Edit(place: place, change: .none(.unchanged)) }
      if let original, task.notes != original {
        return Edit(place: place, change: .none(.textChanged(task.notes)))
      }
      let values = recorder.change(at: index, in: rows) { _ in task.notes = text }
      return Edit(place: place, change: .modified(at: index), before: [values.before], after: [values.after])
    }
  }

  /// Changes open tasks in place.
  private func changeTasks(
    _ action: Action, _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>?,
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
