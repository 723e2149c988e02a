import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Adds an open row.
  ///
  /// - Parameters:
  ///   - text: Its text, without white space at the ends; if nothing remains, no row is added.
  ///   - date: The date that a person sets in addition to the text; nil leaves it to the text.
  ///   - scope: The rows that the edit is in terms of; nil for those of the place.
  /// - Returns: The edit; without a change for `.emptyText` or `.gone`.
  /// - Throws: `Refusal.subtaskOfSubtask`, `Refusal.openSubtaskOfCompletedTask`, `StoreError`.
  ///
  /// Complexity: O(log n) on top, O(log n + the number of completed rows) after the open rows.
  @discardableResult
  public func add(
    _ text: String, to place: Place, at point: InsertionPoint = .afterOpenRows, date: Date? = nil,
    in scope: RowScope? = nil
  ) throws -> Edit {
    try add([(text, date)], to: place, at: point, in: scope ?? RowScope(place))
  }

  /// Adds open rows side by side, as one action; empty texts are left out.
  ///
  /// - Parameter new: The text of each, and the date that a person sets in addition.
  ///
  /// Result, errors and complexity are those of the addition of one, for each.
  @discardableResult
  public func add(
    _ new: [(text: String, date: Date?)], to place: Place, at point: InsertionPoint, in scope: RowScope,
    partOf long: LongAction? = nil
  ) throws -> Edit {
    let new = new.map { (text: $0.text.trimmedForRow, date: $0.date) }.filter { !$0.text.isEmpty }
    guard !new.isEmpty else { return Edit(noChange: .emptyText) }
    return try transaction(.add, on: [], in: scope, partOf: long) { recorder in
      guard let rows = rows(of: place) else { return .gone }
      try checkOpenRow(in: place, isNew: true)
      let values = new.map { text, date in
        place == .lists
          ? RowValues(id: Identifier(), text: text)
          : RowValues(newTask: text, date: date, repetition: nil, dates, isRead: date != nil)
      }
      recorder.insert(values, at: rows.index(of: point), in: rows)
      return nil
    }
  }
}

extension RowValues {
  /// Creates the values of a new task. A priority in the text, such as `!A`, is taken out of it.
  ///
  /// - Parameters:
  ///   - date: The date that a person has set.
  ///   - repetition: The repetition that a person has set.
  ///   - isRead: Whether its text is read for those that a person has not set.
  init(
    id: Identifier = Identifier(), newTask text: String, date: Date?, repetition: Repetition?,
    _ dates: DateReader, isRead: Bool
  ) {
    let taken = TaskPriority.taken(from: text)
    let text = taken?.text ?? text
    self.init(id: id, text: text, date: date)
    if let taken { details.priority = taken.priority }
    let found = isRead ? dates.find(in: text) : nil
    if date != nil {
      details.dateOrigin = .person
    } else if let found {
      (self.date, details.dateOrigin) = (found.date, .text)
    }
    if let repetition {
      repeatTask(date == nil ? repetition : repetition.withoutFirstDate, dates)
    } else if let repetition = found?.repetition {
      (details.repetition, details.repetitionOrigin) = (repetition.description, .text)
    }
  }
}

extension RowCollection {
  /// The index for a new row.
  fileprivate func index(of point: InsertionPoint) -> Int {
    // The search for it passes all completed rows.
    var end: Int { openEnd }
    return switch point {
    case .afterOpenRows: end
    case .top: 0
    case .above(let id): min(end, find(id)?.index ?? end)
    case .below(let id): min(end, find(id).map { $0.index + 1 } ?? end)
    }
  }
}
