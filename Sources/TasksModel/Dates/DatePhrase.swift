/// The meaning of some words about a date, independent of the time at which they are read.
struct DatePhrase: Equatable {
  enum Day: Equatable {
    /// The number of days from today.
    case offset(Int)
    /// The same day of the month, a number of months or years from now; the last day if the month is shorter.
    case monthOffset(Int)
    /// The next such weekday after today; 0 for Sunday.
    case weekday(Int)
    /// That weekday of next week.
    case weekdayOfNextWeek(Int)
    /// The next Saturday; on a Saturday or a Sunday today.
    case thisWeekend
    case startOfNextWeek, startOfNextMonth, startOfNextYear
    case endOfWeek, endOfMonth, endOfYear, endOfNextMonth
    /// The next such day, which may be today, if there is no year.
    case date(year: Int?, month: Int, day: Int)
    /// The same with the weekday that it has: of another weekday there is none.
    case weekdayDate(Int, year: Int?, month: Int, day: Int)
    /// The next such day of any month that has it; it may be today.
    case dayOfMonth(Int)
  }

  struct Time: Hashable, Sendable {
    /// The moment at which a day begins.
    static let midnight = Time(0)
    static let tonight = Time(20)

    /// The hour; from 24 on one after the midnight that ends the day.
    var hour: Int
    var minute: Int

    init(_ hour: Int, _ minute: Int = 0) {
      self.hour = hour
      self.minute = minute
    }

    /// The time as a clock shows it, of whatever day.
    var onClock: Time { Time(hour % 24, minute) }
  }

  /// The day; nil for today, or tomorrow if the time has passed.
  var day: Day?
  /// The time; nil for the whole day.
  var time: Time?
  /// Whether the time stands for a part of today, such as its evening; once it has passed, the day is meant.
  var isPartOfToday = false
  /// The offset from Greenwich in seconds of a day and a time in a zone; nil for local time.
  var offset: Int?
  /// The number of minutes from now, instead of a day and a time.
  var minutes: Int?

  /// Whether the words say no day.
  var isOnlyTime: Bool { day == nil && minutes == nil }

  /// The year that the words name.
  var year: Int? {
    switch day {
    case .date(let year, _, _)?, .weekdayDate(_, let year, _, _)?: year
    default: nil
    }
  }
}
