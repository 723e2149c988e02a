import FoundationEssentials
import Testing

@testable import TasksModel

@Suite("Repetitions day by day")
struct RepetitionScheduleTests {
  private let calendar = LocalCalendar(secondsFromGMT: 0)

  @Test("Any schedule goes on as one finds by trying day after day")
  func random() {
    var generator = SeededGenerator()
    let seed = generator.comment
    for _ in 0..<4000 {
      var repetition = Repetition.random(using: &generator)
      repetition.isAfterCompletion = false
      let base = LocalTime(
        year: .random(in: 1996...2104, using: &generator), month: .random(in: 1...12, using: &generator),
        day: .random(in: 1...28, using: &generator), hour: .random(in: 0...23, using: &generator),
        minute: .random(in: 0...59, using: &generator))
      let date = calendar.date(of: base)
      let now = date.addingTimeInterval(.random(in: -2_000_000...90_000_000, using: &generator))
      let expected = DayByDay(repetition, base).next(after: now, calendar)
      let next = repetition.next(after: date, completedAt: now, calendar)
      #expect(
        next?.date == expected,
        "\(repetition) from \(date) at \(now), \(seed)")
    }
  }
}

/// The same as simply as it can be said: day after day from the date on, with a count of workdays, weeks and
/// months on the way.
private struct DayByDay {
  let repetition: Repetition
  let base: LocalTime

  init(_ repetition: Repetition, _ base: LocalTime) {
    self.repetition = repetition
    self.base = base
  }

  func next(after now: Date, _ calendar: LocalCalendar) -> Date {
    var day = base
    var (days, workdays, weeks, months, weekday) = (0, 0, 0, 0, LocalCalendar.weekday(of: base))
    while true {
      if days > 0, isOnSchedule(day, days, workdays, weeks, months, weekday) {
        var time = day
        if let named = repetition.time { (time.hour, time.minute) = (named.hour, named.minute) }
        let date = calendar.date(of: time)
        if date > now { return date }
      }
      if (1...5).contains(weekday) { workdays += 1 }
      days += 1
      weekday = (weekday + 1) % 7
      if weekday == 1 { weeks += 1 }
      day.day += 1
      if day.day > length(of: day) {
        (day.day, day.month) = (1, day.month + 1)
        months += 1
        if day.month > 12 { (day.month, day.year) = (1, day.year + 1) }
      }
    }
  }

  private func length(of day: LocalTime) -> Int {
    let isLeap = day.year % 400 == 0 || day.year % 4 == 0 && day.year % 100 != 0
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][day.month - 1]
  }

  private func isOnSchedule(
    _ day: LocalTime, _ days: Int, _ workdays: Int, _ weeks: Int, _ months: Int, _ weekday: Int
  ) -> Bool {
    switch repetition.pattern {
    case .days(let count): return days % count == 0
    case .workdays(let count): return (1...5).contains(weekday) && workdays % count == 0
    case .weeks(let count, on: let named):
      let wanted = named.isEmpty ? [LocalCalendar.weekday(of: base)] : named
      return wanted.contains(weekday) && weeks % count == 0
    case .months(let count, on: let named):
      let wanted = named ?? repetition.meantDay ?? base.day
      return months % count == 0 && day.day == min(wanted, length(of: day))
    case .years(let count, on: let named):
      let wanted = named?.day ?? repetition.meantDay ?? base.day
      return (day.year - base.year) % count == 0 && day.month == named?.month ?? base.month
        && day.day == min(wanted, length(of: day))
    case .weekdaysOfMonths(let count, on: let named):
      // The number of such weekdays so far, or that there are no more.
      let isNumber =
        named.number == Repetition.WeekdayOfMonth.last
        ? day.day + 7 > length(of: day) : (day.day + 6) / 7 == named.number
      return months % count == 0 && weekday == named.weekday && isNumber
    }
  }
}

extension Repetition {
  /// Any that can be written.
  static func random(using generator: inout SeededGenerator) -> Repetition {
    let count = Bool.random(using: &generator) ? 1 : Int.random(in: 2...7, using: &generator)
    let isNamed = Bool.random(using: &generator)
    let day = Int.random(in: 1...31, using: &generator)
    let pattern: Pattern =
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: .days(count)
      case 1: .workdays(count)
      case 2: .weeks(count, on: isNamed ? Set((0..<7).filter { _ in Bool.random(using: &generator) }) : [])
      case 3: .months(count, on: isNamed ? day : nil)
      case 4:
        .weekdaysOfMonths(
          count, on: WeekdayOfMonth(number: day % 5 + 1, weekday: .random(in: 0...6, using: &generator)))
      default:
        .years(
          count,
          on: isNamed ? DayOfYear(month: .random(in: 1...12, using: &generator), day: min(day, 28)) : nil)
      }
    var repetition = Repetition(pattern)
    switch pattern {
    case .months(_, on: nil), .years(_, on: nil):
      if Bool.random(using: &generator) { repetition.meantDay = day }
    default: break
    }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      repetition.time = DatePhrase.Time(
        .random(in: 0...23, using: &generator), .random(in: 0...59, using: &generator))
    }
    switch pattern {
    case .days, .workdays, .weeks(_, on: []), .months(_, on: nil), .years(_, on: nil):
      if repetition.meantDay == nil { repetition.isAfterCompletion = Bool.random(using: &generator) }
    default: break
    }
    return repetition
  }
}
