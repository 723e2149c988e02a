import FoundationEssentials

extension RowValues {
  /// The finished one of a task that goes on to its next date: a copy that is completed with its subtasks and
  /// repeats no more.
  ///
  /// - Parameter moment: The moment of the completion, which those that were completed before do not get.
  func finished(at moment: Date) -> RowValues {
    var finished = completedCopy(at: moment)
    finished.tasks = tasks.map { $0.completedCopy(at: moment) }
    return finished
  }

  private func completedCopy(at moment: Date) -> RowValues {
    var copy = self
    // An id that two machines made alike would be deleted on one when the other takes its completion back.
    copy.id = Identifier()
    if !completed { (copy.completed, copy.details.completedAt) = (true, moment) }
    if !details.repetition.isEmpty {
      (copy.details.repetition, copy.details.repetitionOrigin) = ("", .person)
      copy.details.dateOrigin = .person
    }
    return copy
  }

  /// Sets a repetition by hand, and a date if there is none, or if the repetition has the first one.
  mutating func repeatTask(_ repetition: Repetition, _ dates: DateReader) {
    (details.repetition, details.repetitionOrigin) = (repetition.description, .person)
    guard date == nil || repetition.firstDate != nil,
      let first = repetition.first(now: dates.now(), dates.calendar)
    else { return }
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

  /// Gives the task a date that is not the next one of its repetition, which then means its day of the month
  /// and its time.
  func setDate(_ date: Date?, from origin: DateOrigin) {
    (self.date, dateOrigin) = (date, origin)
    guard date != nil, !repetition.isEmpty, var repetition = Repetition(repetition),
      repetition.meantDay != nil || repetition.meantTime != nil
    else { return }
    (repetition.meantDay, repetition.meantTime) = (nil, nil)
    self.repetition = repetition.description
  }

  /// Whether it is the finished one of a task that repeats. One for which a person has set both a date and
  /// that it does not repeat, whatever its text says, looks the same.
  var isFinishedOne: Bool {
    completed && date != nil && dateOrigin == .person && repetition.isEmpty && repetitionOrigin == .person
  }

  /// Opens a subtask that does not repeat by itself again, some days later than before.
  func renew(after days: Int, _ calendar: LocalCalendar) {
    if completed { complete(false, at: nil) }
    if let date { self.date = calendar.moment(date, addingDays: days) }
    if !repetition.isEmpty { repetition = "" }
    if waitsUntil != nil { waitsUntil = nil }
  }

  /// Removes the repetition, even if the text says one.
  func endRepetition() {
    if !repetition.isEmpty { repetition = "" }
    if repetitionOrigin != .person { repetitionOrigin = .person }
  }
}
