import FoundationEssentials
import TasksModel

/// Dates in words, as a person on this day and in this place would say them.
struct DateWords: Sendable {
  var calendar = LocalCalendar.system
  /// The present, by the wall clock.
  var now: @Sendable () -> Date = { Date() }

  /// `today 18:00`, `tomorrow 9:30`, `Friday 14:00` within a week, `3 December 14:00` within this year,
  /// otherwise with the year. A whole day has no time.
  func words(for date: Date) -> String {
    let day = calendar.localTime(of: date)
    return dayWords(day) + (timeWords(day).map { " \($0)" } ?? "")
  }

  /// A moment that is past: `9:30` on this day, otherwise with the day, `yesterday 9:30`.
  func momentWords(for date: Date) -> String {
    let (day, today) = (calendar.localTime(of: date), calendar.localTime(of: now()))
    let isToday = LocalCalendar.dayNumber(of: day) == LocalCalendar.dayNumber(of: today)
    return (isToday ? "" : dayWords(day) + " ") + clockWords(day)
  }

  private func clockWords(_ day: LocalTime) -> String { LocalTime.clockWords(day.hour, day.minute) }

  /// The time of the day, `9:30`; nil for a whole day.
  func timeWords(for date: Date) -> String? { timeWords(calendar.localTime(of: date)) }

  private func timeWords(_ day: LocalTime) -> String? {
    calendar.isStartOfDay(day) ? nil : clockWords(day)
  }

  /// The words above the tasks of a day: `Tomorrow, Wednesday 2 December`, with the year if that is another.
  func headingWords(for date: Date) -> String {
    let day = calendar.localTime(of: date)
    let today = calendar.localTime(of: now())
    let near = [-1: "Yesterday, ", 0: "Today, ", 1: "Tomorrow, "]
    let year = day.year == today.year ? "" : " \(day.year)"
    return near[LocalCalendar.dayNumber(of: day) - LocalCalendar.dayNumber(of: today), default: ""]
      + "\(Self.weekdays[LocalCalendar.weekday(of: day)]) \(day.day) \(Self.months[day.month - 1])\(year)"
  }

  /// The number of the day, by which days differ.
  func dayNumber(of date: Date) -> Int { LocalCalendar.dayNumber(of: calendar.localTime(of: date)) }

  private func dayWords(_ day: LocalTime) -> String {
    let today = calendar.localTime(of: now())
    let weekday = Self.weekdays[LocalCalendar.weekday(of: day)]
    switch LocalCalendar.dayNumber(of: day) - LocalCalendar.dayNumber(of: today) {
    case 0: return "today"
    case 1: return "tomorrow"
    case -1: return "yesterday"
    case 2...6: return weekday
    case -6 ... -2: return "last \(weekday)"
    default:
      let year = day.year == today.year ? "" : " \(day.year)"
      return "\(day.day) \(Self.months[day.month - 1])\(year)"
    }
  }

  /// The full words, with the day of the week: `Friday 27 November 2026, 14:00`.
  func fullWords(for date: Date) -> String {
    let day = calendar.localTime(of: date)
    let time = timeWords(day).map { ", \($0)" } ?? ""
    return "\(Self.weekdays[LocalCalendar.weekday(of: day)]) \(day.day) \(Self.months[day.month - 1]) "
      + "\(day.year)\(time)"
  }

  /// The short words of the day: `Fri 27 Nov`, with the year if that is another.
  func shortWords(for date: Date) -> String {
    let day = calendar.localTime(of: date)
    let year = day.year == calendar.localTime(of: now()).year ? "" : " \(day.year)"
    let weekday = Self.weekdays[LocalCalendar.weekday(of: day)].prefix(3)
    return "\(weekday) \(day.day) \(Self.months[day.month - 1].prefix(3))\(year)"
  }

  /// The present meaning of a due date.
  func due(_ date: Date) -> DueDate { DueDate(date, now: now(), calendar: calendar) }

  private static let weekdays = DateVocabulary.weekdays.map(\.firstUppercased)
  private static let months = DateVocabulary.months.map(\.firstUppercased)
}
