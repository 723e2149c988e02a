import FoundationEssentials

/// The dates, repetitions and tags that the text of a task says.
extension TaskItem {
  /// Whether the text has not been read.
  ///
  /// Compared in Swift: malformed text, which another program may have written, never equals in the file the
  /// text that was read from it.
  var isUnread: Bool { readText != text }

  /// Reads the text if it has not been read yet, for an action that depends on what it says.
  func readTextIfNeeded(by dates: DateReader) {
    if !completed, isUnread { readText(by: dates) }
  }

  /// Takes over what the text says, in a transaction.
  func readText(by dates: DateReader) {
    let oldWords = dates.words(in: readText)
    readText = text
    let tags = TaskTags.column(of: text)
    if self.tags != tags { self.tags = tags }
    let found = dates.find(in: text)
    // “At 6pm” of yesterday does not become today's because another word was corrected, and a day of last
    // year, whose text was read then, stays.
    let isSaidAgain = oldWords != nil && dates.words(in: text) == oldWords
    setReadDate(found?.date, isSaidAgain: isSaidAgain)
    setReadRepetition(found?.repetition, isSaidAgain: isSaidAgain)
  }

  private func setReadDate(_ date: Date?, isSaidAgain: Bool) {
    guard dateOrigin == .text || dateOrigin == .unknown && self.date == nil else { return }
    guard let date else {
      if dateOrigin == .text, !isSaidAgain { (self.date, dateOrigin) = (nil, .unknown) }
      return
    }
    if dateOrigin == .text, self.date != nil, isSaidAgain { return }
    setDate(date, from: .text)
  }

  private func setReadRepetition(_ repetition: Repetition?, isSaidAgain: Bool) {
    let origin = repetitionOrigin
    guard origin == .text || origin == .unknown && self.repetition.isEmpty, !completed else { return }
    // Without a date, which a person may have removed, nothing repeats.
    guard let repetition, date != nil else {
      if origin == .text, !isSaidAgain || date == nil { (self.repetition, repetitionOrigin) = ("", .unknown) }
      return
    }
    if origin == .text, !self.repetition.isEmpty, isSaidAgain { return }
    (self.repetition, repetitionOrigin) = (repetition.description, .text)
  }
}
