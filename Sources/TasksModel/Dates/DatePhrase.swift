/// What some words say about a date, whenever they are read.
struct DatePhrase: Equatable {
  enum Day: Equatable {
    /// So many days from today.
    case offset(Int)
    /// The day of the month that many months, or years, from now: the last one where the month is shorter.
    case monthOffset(Int)
    /// 0 for Sunday: the next one that is not today.
    case weekday(Int)
    /// That weekday of next week.
    case weekdayOfNextWeek(Int)
    case startOfNextWeek, startOfNextMonth, startOfNextYear
    case endOfWeek, endOfMonth, endOfYear
    /// Without a year the next one, which may be today.
    case date(year: Int?, month: Int, day: Int)
  }

  struct Time: Hashable, Sendable {
    var hour: Int
    var minute: Int

    init(_ hour: Int, _ minute: Int = 0) {
      self.hour = hour
      self.minute = minute
    }
  }

  /// Nil for today, or tomorrow when the time has passed.
  var day: Day?
  /// Nil for the whole day.
  var time: Time?
  /// So many minutes from now, instead of a day and a time.
  var minutes: Int?
}
