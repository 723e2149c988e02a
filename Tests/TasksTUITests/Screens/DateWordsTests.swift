import FoundationEssentials
import Glibc
import Testing

@testable import TasksTUI

@Suite("Dates in words")
struct DateWordsTests {
  /// A time in the zone of this machine.
  private static func date(_ day: Int, _ month: Int, _ year: Int, _ hour: Int = 0, _ minute: Int = 0) -> Date
  {
    var fields = tm()
    (fields.tm_mday, fields.tm_mon, fields.tm_year) = (Int32(day), Int32(month - 1), Int32(year - 1900))
    (fields.tm_hour, fields.tm_min, fields.tm_isdst) = (Int32(hour), Int32(minute), -1)
    return Date(timeIntervalSince1970: Double(mktime(&fields)))
  }

  @Test("Near days have names, far ones dates")
  func words() {
    // A Wednesday.
    let now = Self.date(14, 3, 2018, 12, 0)
    let words = DateWords(now: { now })
    for (date, expected) in [
      (Self.date(14, 3, 2018, 18, 0), "today 18:00"), (Self.date(14, 3, 2018, 0, 0), "today"),
      (Self.date(15, 3, 2018, 9, 5), "tomorrow 9:05"), (Self.date(13, 3, 2018, 23, 59), "yesterday 23:59"),
      (Self.date(16, 3, 2018, 14, 0), "Friday 14:00"), (Self.date(20, 3, 2018, 8, 0), "Tuesday 8:00"),
      (Self.date(12, 3, 2018, 8, 0), "last Monday 8:00"), (Self.date(21, 3, 2018, 8, 0), "21 March 8:00"),
      (Self.date(16, 3, 2018), "Friday"),
      (Self.date(3, 1, 2019), "3 January 2019"),
      (Self.date(3, 12, 2018, 14, 0), "3 December 14:00"),
      (Self.date(3, 1, 2019, 14, 0), "3 January 2019 14:00"),
    ] { #expect(words.words(for: date) == expected) }
    for odd in [Date.distantFuture, .distantPast, Date(timeIntervalSince1970: 1e300)] {
      #expect(!words.words(for: odd).isEmpty)
    }
  }
}
