import FoundationEssentials
import LiveStore

/// Operations on properties that only tasks have.
extension TasksStore {
  /// Sets or removes the date of tasks by hand, as one action: their texts do not change it any more. A task
  /// without a date does not repeat. Completed and deleted tasks are left out.
  ///
  /// - Parameter date: Nil removes it.
  /// - Returns: The edit; without a change for `.gone` or `.unchanged`.
  /// - Throws: `Refusal.editingCompletedRow` when none of the tasks is open, `StoreError`.
  ///
  /// Complexity: O(k log n) for k tasks.
  @discardableResult
  public func setDate(_ ids: [Identifier], in scope: RowScope, to date: Date?) throws -> Edit {
    try changeTasks(.setDate, ids, in: scope) { task in
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
    _ ids: [Identifier], in scope: RowScope, to repetition: Repetition?
  ) throws -> Edit {
    let dates = dates
    return try changeTasks(.setRepetition, ids, in: scope) { task in
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
    _ ids: [Identifier], in scope: RowScope, _ change: (TaskPriority) -> TaskPriority
  ) throws -> Edit {
    try changeTasks(.setPriority, ids, in: scope) { task in
      let priority = change(task.priority)
      if task.priority != priority { task.priority = priority }
    }
  }

  /// Sets the note of a task, open or completed.
  ///
  /// - Parameters:
  ///   - text: The note, without white space at its end. An empty one removes it.
  ///   - original: The note that the person began with. If it has changed meanwhile, nothing is written, and
  ///     `.textChanged` contains the present one. Nil writes in any case.
  ///   - scope: The rows that the edit is in terms of; nil for those of the place of the task.
  /// - Returns: The edit; without a change for `.gone`, `.unchanged` or `.textChanged`.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(log n).
  @discardableResult
  public func setNotes(
    _ id: Identifier, to text: String, replacing original: String? = nil, in scope: RowScope? = nil
  ) throws -> Edit {
    let text = text.trimmedForNotes
    return try transaction(.setNotes, on: [id], in: scope ?? RowScope(place(ofTask: id))) { recorder in
      // In any place: it may have been moved to another list meanwhile.
      guard let (rows, index) = find(id, in: RowScope(nil)), let task = task(id) else { return .gone }
      guard task.notes != text else { return .unchanged }
      if let original, task.notes != original { return .textChanged(task.notes) }
      recorder.change(at: index, in: rows) { _ in task.notes = text }
      return nil
    }
  }

  /// Changes open tasks in place.
  private func changeTasks(
    _ action: Action, _ ids: [Identifier], in scope: RowScope, _ body: (TaskItem) -> Void
  ) throws -> Edit {
    try change(action, ids, in: scope) { groups, recorder in
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
