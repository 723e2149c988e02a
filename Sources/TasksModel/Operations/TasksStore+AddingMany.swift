import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Adds open tasks after the open ones, in the given order and in one transaction; empty texts are ignored.
  /// The memory that it needs does not grow with their number, except for what `texts` itself holds.
  ///
  /// - Parameters:
  ///   - date: The date that a person sets in addition to the texts; nil leaves it to the texts.
  ///   - repetition: The repetition that a person sets; nil leaves it to the texts. Without another date the
  ///     tasks get the first date that fits.
  ///   - notes: The note of each task, without white space at the end.
  ///   - waitingUntil: The moment until which the tasks wait; nil if they do not.
  ///   - readingDates: Whether to read the texts for dates at once, because there may be no open window that
  ///     does it.
  ///   - absent: The values that a person wants the tasks not to have, whatever the texts say. Without a date
  ///     there is no repetition either.
  ///   - progress: Called now and then, and at the end, with the number of tasks added so far.
  /// - Returns: The ids of the new tasks, or nil when the list or task for them was deleted.
  /// - Throws: `Refusal.subtaskOfSubtask`, `Refusal.openSubtaskOfCompletedTask`, `StoreError`, what
  ///   `progress` throws; no task has been added then.
  ///
  /// Complexity: O(k log n) for k tasks. The order of the rows is not read.
  @discardableResult
  public func add(
    _ texts: some Sequence<String>, to place: Place, date: Date? = nil, repetition: Repetition? = nil,
    priority: TaskPriority = .none, notes: String = "", waitingUntil wait: Date? = nil,
    readingDates: Bool = false, without absent: TextValues = [],
    progress: (Int) throws -> Void = { _ in }
  ) throws -> AddedRows? {
    let isRead = !absent.contains(.date) && (readingDates || date != nil || repetition != nil)
    let notes = notes.trimmedForNotes
    var texts = texts.makeIterator()
    // A lazy sequence of a generic one would look up its types for each text.
    func nextText() -> String? {
      while let text = texts.next()?.trimmedForRow {
        if !text.isEmpty { return text }
      }
      return nil
    }
    guard var text = nextText() else {
      try progress(0)
      return AddedRows(in: place)
    }
    return try write {
      guard let rows = rows(of: place) as? TaskRows else { return nil }
      try checkOpenRow(in: place, isNew: true)
      var last = try rows.lastOpenTask()
      var added = AddedRows(in: place, previous: last?.id, next: rows.task(below: last)?.id)
      var batch: [RowValues] = []
      var isAtEnd = false
      while !isAtEnd {
        batch.removeAll(keepingCapacity: true)
        repeat {
          var values = RowValues(
            id: added.nextID, newTask: text, date: date, repetition: repetition, dates, isRead: isRead)
          values.leaveOut(absent)
          if priority != .none { values.details.priority = priority }
          values.details.notes = notes
          values.details.waitsUntil = wait
          added.append(values)
          batch.append(values)
          if let next = nextText() { text = next } else { isAtEnd = true }
        } while !isAtEnd && batch.count < 1_000
        last = rows.insertMany(batch, below: last) ?? last
        try progress(added.count)
      }
      // A few with their values, so that undo can say which of them has been changed since.
      if added.count <= 100 {
        let place = added.place
        _ = try keep(
          [RowTransition](adding: batch, to: place, above: added.previous, below: added.next), as: .add)
      } else {
        try keep(added)
      }
      return added
    }
  }
}

/// The values that the text of a task may say.
public struct TextValues: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The date on which the task is due.
  public static let date = TextValues(rawValue: 1)
  /// The repetition of the task.
  public static let repetition = TextValues(rawValue: 2)
}

extension RowValues {
  /// Takes out what a person wants the task not to have, so that it is not read from the text later.
  fileprivate mutating func leaveOut(_ absent: TextValues) {
    if absent.contains(.date) { details.dateOrigin = .person }
    if absent.contains(.repetition) { (details.repetition, details.repetitionOrigin) = ("", .person) }
  }
}
