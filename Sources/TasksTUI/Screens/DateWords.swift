import FoundationEssentials
import Glibc

/// Dates in words, as a person on this day and in this place would say them.
struct DateWords: Sendable {
  /// The time of day, by the wall clock.
  let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// `today 18:00`, `tomorrow 9:30`, `Friday 14:00` within a week, `3 December 14:00` within this year, else with the year.
  func words(for date: Date) -> String {
    let day = Self.components(of: date)
    let today = Self.components(of: now())
    let time = "\(day.tm_hour):\(day.tm_min < 10 ? "0" : "")\(day.tm_min)"
    let distance = Self.dayNumber(of: day) - Self.dayNumber(of: today)
    switch distance {
    case 0: return "today \(time)"
    case 1: return "tomorrow \(time)"
    case -1: return "yesterday \(time)"
    case 2...6: return "\(Self.weekdays[Int(day.tm_wday)]) \(time)"
    case -6 ... -2: return "last \(Self.weekdays[Int(day.tm_wday)]) \(time)"
    default:
      let month = Self.months[Int(day.tm_mon)]
      let year = day.tm_year == today.tm_year ? "" : " \(day.tm_year + 1900)"
      return "\(day.tm_mday) \(month)\(year) \(time)"
    }
  }

  private static func components(of date: Date) -> tm {
    // Dates that no calendar has are shown as the nearest that it has.
    var seconds = time_t(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799))
    var result = tm()
    localtime_r(&seconds, &result)
    return result
  }

  /// Days since a fixed day, in the local calendar.
  private static func dayNumber(of day: tm) -> Int {
    // Noon as if it were in Greenwich: no hour is skipped there.
    var noon = tm()
    (noon.tm_year, noon.tm_mon, noon.tm_mday, noon.tm_hour) = (day.tm_year, day.tm_mon, day.tm_mday, 12)
    return Int(timegm(&noon)) / 86_400
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
}
