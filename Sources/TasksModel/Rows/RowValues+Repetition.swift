import FoundationEssentials

extension RowValues {
  /// The task that follows when this one is completed: a new one with the values that it inherits, and the
  /// next date. Its id, and those of its subtasks, follow from the ones here, so that two machines which
  /// complete the task while apart make one task for the next time.
  ///
  /// - Returns: Nil when the task does not repeat, or not again before the end of calendars.
  func nextOccurrence(completedBy dates: DateReader) -> RowValues? {
    guard let repetition = Repetition(details.repetition),
      let occurrence = repetition.next(after: date, completedAt: dates.now(), dates.calendar)
    else { return nil }
    // Text, note, priority and origins; tags follow the text.
    var next = RowValues(
      id: Identifier(following: id), text: text, date: occurrence.date, details: details)
    next.details.repetition = occurrence.repetition.description
    next.details.waitsUntil = nil
    // A subtask that was completed on its own has its next one beside it.
    let ids = Set(tasks.map(\.id))
    next.tasks = tasks.filter { !ids.contains(Identifier(following: $0.id)) }.map { subtask in
      (subtask.completed ? nil : subtask.nextOccurrence(completedBy: dates)) ?? subtask.toBeDoneAgain
    }
    return next
  }

  /// The same subtask, which does not repeat by itself, for the next task: open, and without its date.
  private var toBeDoneAgain: RowValues {
    var again = RowValues(id: Identifier(following: id), text: text, details: details)
    again.details.repetition = ""
    again.details.completedAt = nil
    again.details.waitsUntil = nil
    return again
  }

  /// Sets a repetition by hand, and a date if there is none.
  mutating func repeatTask(_ repetition: Repetition, _ dates: DateReader) {
    (details.repetition, details.repetitionOrigin) = (repetition.description, .person)
    guard date == nil, let first = repetition.first(now: dates.now(), dates.calendar) else { return }
    (date, details.dateOrigin) = (first.date, .person)
    details.repetition = first.repetition.description
  }
}

extension TaskItem {
  /// Removes the repetition, even if the text says one.
  func endRepetition() {
    if !repetition.isEmpty { repetition = "" }
    if repetitionOrigin != .person { repetitionOrigin = .person }
  }
}
