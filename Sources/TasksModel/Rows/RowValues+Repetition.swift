import FoundationEssentials

extension RowValues {
  /// The task that comes when this one is completed: a new one with everything that it takes over, and the
  /// next date.
  ///
  /// - Returns: Nil when the task does not repeat, or not again before calendars end.
  func nextOccurrence(completedBy dates: DateReader) -> RowValues? {
    guard let repetition = Repetition(details.repetition),
      let occurrence = repetition.next(after: date, completedAt: dates.now(), dates.calendar)
    else { return nil }
    // Text, note, priority and who has set what; tags follow the text.
    var next = RowValues(id: Identifier(), text: text, date: occurrence.date, details: details)
    next.details.repetition = occurrence.repetition.description
    next.tasks = tasks.map { $0.toBeDoneAgain }
    return next
  }

  /// A subtask of the next task: open, without the date that it had.
  private var toBeDoneAgain: RowValues {
    var again = RowValues(id: Identifier(), text: text, details: details)
    again.details.repetition = ""
    return again
  }

  /// Has the task come again as a person says, with a date if it has none.
  mutating func repeatTask(_ repetition: Repetition, _ dates: DateReader) {
    (details.repetition, details.repetitionOrigin) = (repetition.description, .person)
    guard date == nil, let first = repetition.first(now: dates.now(), dates.calendar) else { return }
    (date, details.dateOrigin) = (first.date, .person)
    details.repetition = first.repetition.description
  }
}

extension TaskItem {
  /// It does not come again, whatever its text says.
  func endRepetition() {
    if !repetition.isEmpty { repetition = "" }
    if repetitionOrigin != .person { repetitionOrigin = .person }
  }
}
