import FoundationEssentials

/// The meaning of a task's date: a moment, or a whole day, which is stored as the first moment of that day.
///
/// In another time zone that moment is one of another hour, which may be on the day before. The column has no
/// room for a day without a zone that every program of the file would take for one, and a second column would
/// have to be kept in step by each that sets a date with SQL, and by machines with an older version.
public struct DueDate: Equatable, Sendable {
  /// The relation of a date to the present.
  public enum State: Equatable, Sendable {
    /// The moment, or the whole day, has passed.
    case overdue
    case today
    case later
  }

  public let isWholeDay: Bool
  public let state: State
  /// The moment of the next change of the state; nil if it does not change.
  public let nextChange: Date?

  /// - Parameter now: The present.
  public init(_ date: Date, now: Date, calendar: LocalCalendar = .system) {
    let time = calendar.localTime(of: date)
    isWholeDay = calendar.isStartOfDay(time)
    let today = calendar.startOfDay(now)
    let end = isWholeDay ? calendar.startOfDay(date, addingDays: 1) : date
    if end <= now {
      state = .overdue
      nextChange = nil
    } else if date < calendar.startOfDay(today, addingDays: 1) {
      state = .today
      nextChange = end
    } else {
      state = .later
      nextChange = calendar.startOfDay(date)
    }
  }
}
