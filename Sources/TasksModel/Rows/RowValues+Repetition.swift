import FoundationEssentials

extension RowValues {
  /// The finished one of a task that goes on to its next date: a copy that is completed with its subtasks and
  /// repeats no more. Its id, and those of its subtasks, follow from the ones here and from the date, so that
  /// two machines which complete the task while apart make one.
  ///
  /// - Parameter moment: The moment of the completion, which those that were completed before do not get.
  func finished(at moment: Date) -> RowValues {
    var finished = completed(as: Self.finishedID(ofTask: id, date: date), at: moment)
    finished.details.repetitionOrigin = .person
    let occasion = finished.id.description
    finished.tasks = tasks.map { $0.completed(as: Identifier(following: $0.id, on: occasion), at: moment) }
    return finished
  }

  /// The id of the finished one of a task that repeats.
  ///
  /// - Parameter date: The date on which the task was due.
  static func finishedID(ofTask id: Identifier, date: Date?) -> Identifier {
    Identifier(following: id, on: date.map { "\($0.timeIntervalSince1970)" } ?? "")
  }

  private func completed(as id: Identifier, at moment: Date) -> RowValues {
    var values = self
    values.id = id
    if !completed { (values.completed, values.details.completedAt) = (true, moment) }
    if !details.repetition.isEmpty {
      (values.details.repetition, values.details.repetitionOrigin) = ("", .person)
    }
    return values
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
  /// The next date of an open task if it is completed now.
  ///
  /// - Returns: Nil when it does not repeat, or not again before the end of calendars.
  func nextOccurrence(by dates: DateReader) -> Repetition.Occurrence? {
    completed ? nil : Repetition(repetition)?.next(after: date, completedAt: dates.now(), dates.calendar)
  }

  /// Goes on with the next date.
  func goOn(to occurrence: Repetition.Occurrence) {
    (date, repetition) = (occurrence.date, occurrence.repetition.description)
    if waitsUntil != nil { waitsUntil = nil }
  }

  /// Opens a subtask that does not repeat by itself again, without its date.
  func renew() {
    if completed { complete(false, at: nil) }
    if date != nil { date = nil }
    if !repetition.isEmpty { repetition = "" }
    if waitsUntil != nil { waitsUntil = nil }
  }

  /// Removes the repetition, even if the text says one.
  func endRepetition() {
    if !repetition.isEmpty { repetition = "" }
    if repetitionOrigin != .person { repetitionOrigin = .person }
  }
}
