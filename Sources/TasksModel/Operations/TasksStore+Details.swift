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
  public func setDate(
    _ ids: [Identifier], in scope: RowScope, to date: Date?, partOf long: LongAction? = nil
  ) throws -> Edit {
    try changeTasks(.setDate, ids, in: scope, partOf: long, readingBy: dates) { $0.setDateByHand(date) }
  }

  /// Sets or removes the repetition of tasks by hand and as one action: their texts do not change it any
  /// more. A task without a date gets the first date that fits, and any task the one that the repetition has.
  ///
  /// - Parameter repetition: The repetition; nil removes it.
  ///
  /// The other parameters, result, errors and complexity are those of `setDate`.
  @discardableResult
  public func setRepetition(
    _ ids: [Identifier], in scope: RowScope, to repetition: Repetition?, partOf long: LongAction? = nil
  ) throws -> Edit {
    let dates = dates
    return try changeTasks(.setRepetition, ids, in: scope, partOf: long, readingBy: dates) {
      $0.setRepetitionByHand(repetition, dates)
    }
  }

  /// Lets tasks wait until a moment, out of sight in their lists, or shows them again.
  ///
  /// - Parameter date: The moment; nil for no waiting.
  ///
  /// The other parameters, result, errors and complexity are those of `setDate`.
  @discardableResult
  public func setWaiting(
    _ ids: [Identifier], in scope: RowScope, until date: Date?, partOf long: LongAction? = nil
  ) throws -> Edit {
    try changeTasks(.setWaiting, ids, in: scope, partOf: long) { task in
      if task.waitsUntil != date { task.waitsUntil = date }
    }
  }

  /// Sets the priority of tasks as one action. Completed and deleted tasks are left out.
  ///
  /// - Parameter change: Returns the new priority for that of a task.
  ///
  /// The other parameters, result, errors and complexity are those of `setDate`.
  @discardableResult
  public func setPriority(
    _ ids: [Identifier], in scope: RowScope, partOf long: LongAction? = nil,
    _ change: (TaskPriority) -> TaskPriority
  ) throws -> Edit {
    try changeTasks(.setPriority, ids, in: scope, partOf: long) { task in
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
  ///
  /// - Parameter dates: Reads texts that have not been read, so that undo gives back what they say; nil for a
  ///   change that does not replace that.
  private func changeTasks(
    _ action: Action, _ ids: [Identifier], in scope: RowScope, partOf long: LongAction?,
    readingBy dates: DateReader? = nil, _ body: (TaskItem) -> Void
  ) throws -> Edit {
    try change(action, ids, in: scope, partOf: long) { groups, recorder in
      var isAnyOpen = false
      for (rows, indices) in groups {
        for index in indices where !rows.row(at: index).completed {
          isAnyOpen = true
          if let dates { (rows.row(at: index) as? TaskItem)?.readTextIfNeeded(by: dates) }
          recorder.change(at: index, in: rows) { ($0 as? TaskItem).map(body) }
        }
      }
      if !isAnyOpen { throw Refusal.editingCompletedRow }
    }
  }
}

extension TaskItem {
  fileprivate func setDateByHand(_ date: Date?) {
    setDate(date, from: .person)
    if date == nil, Repetition(repetition) != nil { endRepetition() }
  }

  fileprivate func setRepetitionByHand(_ repetition: Repetition?, _ dates: DateReader) {
    guard let repetition else { return endRepetition() }
    var values = RowValues(self)
    values.repeatTask(repetition, dates)
    if date != values.date { (date, dateOrigin) = (values.date, values.details.dateOrigin) }
    (self.repetition, repetitionOrigin) = (values.details.repetition, .person)
  }
}

/// New values of some properties of a task; nil leaves one as it is.
public struct TaskChanges: Equatable, Sendable {
  public var text: String?
  /// The date; nil inside removes it.
  public var date: Date??
  /// The repetition; nil inside removes it.
  public var repetition: Repetition??
  public var priority: TaskPriority?
  public var notes: String?
  /// The moment until which it waits; nil inside removes it.
  public var waitsUntil: Date??

  public init() {}

  /// The action that undo names: that of the only property.
  fileprivate var action: Action {
    let actions: [(isChanged: Bool, action: Action)] = [
      (text != nil, .edit), (date != nil, .setDate), (repetition != nil, .setRepetition),
      (priority != nil, .setPriority), (notes != nil, .setNotes), (waitsUntil != nil, .setWaiting),
    ]
    let changes = actions.filter(\.isChanged)
    return changes.count == 1 ? changes[0].action : .edit
  }
}

extension TasksStore {
  /// Changes several properties of an open task by hand, as one action; a date in a new text is read at
  /// once, for a program that has no worker.
  ///
  /// - Returns: The edit; without a change for `.gone`, `.unchanged` or `.emptyText`.
  /// - Throws: `Refusal.editingCompletedRow`, `StoreError`.
  ///
  /// Complexity: O(log n).
  @discardableResult
  public func change(_ id: Identifier, _ changes: TaskChanges) throws -> Edit {
    var text = changes.text?.trimmedForRow
    if text == "" { return Edit(noChange: .emptyText) }
    var changes = changes
    if let taken = text.flatMap(TaskPriority.taken) {
      text = taken.text
      changes.priority = changes.priority ?? taken.priority
    }
    return try transaction(changes.action, on: [id], in: RowScope(place(ofTask: id))) {
      [text, changes] recorder in
      guard let (rows, index) = find(id, in: RowScope(nil)), let task = task(id) else { return .gone }
      guard !task.completed else { throw Refusal.editingCompletedRow }
      // Undo gives back what the text says.
      if text != nil || changes.date != nil || changes.repetition != nil { task.readTextIfNeeded(by: dates) }
      recorder.change(at: index, in: rows) { _ in
        if let text, task.text != text {
          rows.setText(text, of: task)
          if task.isUnread { task.readText(by: dates) }
        }
        if let date = changes.date { task.setDateByHand(date) }
        if let repetition = changes.repetition {
          task.setRepetitionByHand(changes.date == nil ? repetition : repetition?.withoutFirstDate, dates)
        }
        if let priority = changes.priority, task.priority != priority { task.priority = priority }
        if let notes = changes.notes { task.notes = notes.trimmedForNotes }
        if let date = changes.waitsUntil, task.waitsUntil != date { task.waitsUntil = date }
      }
      return recorder.transitions.isEmpty ? .unchanged : nil
    }
  }
}
