import FoundationEssentials
import Glibc

/// A moment as shown by a calendar and a clock.
public struct LocalTime: Hashable, Sendable {
  public var year: Int
  /// 1 … 12.
  public var month: Int
  /// 1 … 31.
  public var day: Int
  public var hour: Int
  public var minute: Int

  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
  }

  /// The time of day as clocks show it, `9:05`.
  package static func clockWords(_ hour: Int, _ minute: Int) -> String { "\(hour):\(padded(minute, 2))" }
}

/// The Gregorian calendar of one place, which shows the day and the time of day of a moment there.
///
/// FoundationEssentials knows no time zone except Greenwich's, so this uses the C library.
public struct LocalCalendar: Sendable {
  private enum Zone {
    case system
    /// The seconds that its clocks are ahead of Greenwich.
    case fixed(Int)
  }

  /// The last year of dates that are read or computed.
  static let lastYear = 9999

  private let zone: Zone

  /// The calendar of the process, by `TZ` or the system's setting.
  public static let system = LocalCalendar(zone: .system)

  private init(zone: Zone) {
    self.zone = zone
  }

  /// The calendar of a place whose clocks are always the given seconds ahead of Greenwich.
  public init(secondsFromGMT: Int) {
    zone = .fixed(secondsFromGMT)
  }

  /// The local time of a moment. Moments outside of four-digit years are clamped.
  public func localTime(of date: Date) -> LocalTime {
    var seconds = time_t(
      min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
    var fields = tm()
    switch zone {
    case .system: localtime_r(&seconds, &fields)
    case .fixed(let offset):
      seconds += offset
      gmtime_r(&seconds, &fields)
    }
    return LocalTime(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min))
  }

  /// The moment of a local time. Days and minutes beyond a month or a day count into the next. A time that
  /// the clocks skip in spring is as long after the hour before as it says; of a time that they show twice in
  /// autumn it is the first.
  public func date(of time: LocalTime) -> Date {
    var fields = tm()
    fields.tm_year = Int32(clamping: time.year - 1900)
    fields.tm_mon = Int32(clamping: time.month - 1)
    fields.tm_mday = Int32(clamping: time.day)
    fields.tm_hour = Int32(clamping: time.hour)
    fields.tm_min = Int32(clamping: time.minute)
    switch zone {
    case .system:
      fields.tm_isdst = -1
      let seconds = mktime(&fields)
      // The choice of mktime between the two depends on its earlier calls in the process. The clocks go back
      // from a greater offset, some by more or less than an hour.
      var dayBefore = seconds - 86_400
      var former = tm()
      localtime_r(&dayBefore, &former)
      let date = Date(timeIntervalSince1970: Double(seconds))
      guard former.tm_gmtoff > fields.tm_gmtoff else { return date }
      let earlier = date.addingTimeInterval(Double(fields.tm_gmtoff - former.tm_gmtoff))
      return localTime(of: earlier) == localTime(of: date) ? earlier : date
    case .fixed(let offset):
      return Date(timeIntervalSince1970: Double(timegm(&fields) - offset))
    }
  }

  /// The first moment of the day that is `days` after the day of `date`.
  public func startOfDay(_ date: Date, addingDays days: Int = 0) -> Date {
    let time = localTime(of: date)
    return self.date(of: LocalTime(year: time.year, month: time.month, day: time.day + days))
  }

  /// The number of days from the day of one moment to that of another.
  func days(from one: Date, to other: Date) -> Int {
    Self.dayNumber(of: localTime(of: other)) - Self.dayNumber(of: localTime(of: one))
  }

  /// The moment with the same time of day that is some days later. A whole day stays one.
  func moment(_ date: Date, addingDays days: Int) -> Date {
    if date == startOfDay(date) { return startOfDay(date, addingDays: days) }
    var time = localTime(of: date)
    time.day += days
    return self.date(of: time)
  }

  /// Whether a local time is that of the first moment of its day, which is one o'clock where the clocks skip
  /// midnight.
  package func isStartOfDay(_ time: LocalTime) -> Bool {
    guard time.minute == 0, time.hour == 1 else { return time.minute == 0 && time.hour == 0 }
    let start = date(of: LocalTime(year: time.year, month: time.month, day: time.day))
    return localTime(of: start) == time
  }

  /// A moment in ISO 8601: `2026-12-01` for the first one of a day, `2026-12-01T09:30` by the clocks of the
  /// place, and Greenwich's time where that would be read as another moment.
  func text(of moment: Date) -> String {
    let time = localTime(of: moment)
    guard date(of: time) == moment else { return moment.greenwichText }
    if isStartOfDay(time) { return time.dayText }
    return "\(time.dayText)T\(padded(time.hour, 2)):\(padded(time.minute, 2))"
  }

  /// The weekday, 0 for Sunday … 6 for Saturday.
  public static func weekday(of time: LocalTime) -> Int {
    // 1970 began on a Thursday.
    ((dayNumber(of: time) + 4) % 7 + 7) % 7
  }

  /// The days since 1 January 1970 by the calendar.
  public static func dayNumber(of time: LocalTime) -> Int {
    var noon = tm()
    noon.tm_year = Int32(clamping: time.year - 1900)
    noon.tm_mon = Int32(clamping: time.month - 1)
    noon.tm_mday = Int32(clamping: time.day)
    let seconds = Int(timegm(&noon))
    return seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
  }

  /// The day that is `number` days after 1 January 1970.
  static func day(numbered number: Int) -> LocalTime {
    LocalCalendar(secondsFromGMT: 0).localTime(of: Date(timeIntervalSince1970: Double(number) * 86_400))
  }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
