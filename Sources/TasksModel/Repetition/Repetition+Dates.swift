import FoundationEssentials

extension Repetition {
  /// A date, and its continuation.
  struct Occurrence: Equatable {
    var date: Date
    /// The repetition, including what the date cannot show: the intended day if the month has no such day,
    /// and the intended time if the clocks skip it.
    var repetition: Repetition
  }

  /// The successive dates of a task if each is completed in time on its day: for display.
  ///
  /// - Parameter date: The first of them; nil for the first that fits.
  /// - Returns: `count` dates, or fewer at the end of calendars.
  public func dates(_ count: Int, from date: Date?, now: Date, _ calendar: LocalCalendar) -> [Date] {
    var next =
      (firstDate ?? date).map { Occurrence(date: $0, repetition: self) } ?? first(now: now, calendar)
    var dates: [Date] = []
    while let occurrence = next, dates.count < count {
      dates.append(occurrence.date)
      next = occurrence.repetition.next(
        after: occurrence.date, completedAt: occurrence.date, calendar)
    }
    return dates
  }

  /// The date of a task that has none yet: the first day that fits, which may be today, unless another is
  /// known.
  ///
  /// - Returns: Nil when it is further in the future than calendars reach.
  func first(now: Date, _ calendar: LocalCalendar) -> Occurrence? {
    if let firstDate { return Occurrence(date: firstDate, repetition: self) }
    let present = calendar.localTime(of: now)
    let today = LocalCalendar.dayNumber(of: present)
    let rule = firstRule
    var day = rule.firstDay(from: today, since: present)
    // A whole day counts until it ends.
    if let time, moment(day, time, calendar) <= now { day = rule.firstDay(from: day + 1, since: present) }
    return occurrence(on: day, at: time ?? DatePhrase.Time(0), meaning: nil, calendar)
  }

  /// The date after a task is completed. On a schedule that is the first one after the task's date and after
  /// the present: missed dates are skipped.
  ///
  /// - Parameters:
  ///   - date: The task's date. Without one, a schedule counts from today.
  ///   - now: The moment of the completion.
  /// - Returns: Nil when it is further in the future than calendars reach.
  ///
  /// Complexity: O(1), regardless of the age of the date.
  func next(after date: Date?, completedAt now: Date, _ calendar: LocalCalendar) -> Occurrence? {
    let present = calendar.localTime(of: now)
    let today = LocalCalendar.dayNumber(of: present)
    let base = date.map(calendar.localTime) ?? present
    // If the clocks skip midnight, a whole day begins later.
    let isWholeDay = date.map { $0 == calendar.startOfDay($0) } ?? true
    let time =
      time ?? meantTime ?? (isWholeDay ? DatePhrase.Time(0) : DatePhrase.Time(base.hour, base.minute))
    if isAfterCompletion {
      return occurrence(on: nextDay(after: present), at: time, meaning: nil, calendar)
    }
    let start = max(LocalCalendar.dayNumber(of: base) + 1, today)
    var day = firstDay(from: start, since: base)
    if moment(day, time, calendar) <= now { day = firstDay(from: day + 1, since: base) }
    return occurrence(on: day, at: time, meaning: meantDay(of: base), calendar)
  }

  /// Whether it names the days that fit, such as `every friday`.
  var namesDays: Bool { firstRule.pattern != .days(1) }

  /// The rule for the first day, which is any day if none is named.
  private var firstRule: Repetition {
    switch pattern {
    case .workdays: Repetition(.workdays(1))
    case .weeks(_, on: let days) where !days.isEmpty: Repetition(.weeks(1, on: days))
    case .months(_, on: let day?): Repetition(.months(1, on: day))
    case .years(_, on: let day?): Repetition(.years(1, on: day))
    case .weekdaysOfMonths(_, on: let day): Repetition(.weekdaysOfMonths(1, on: day))
    default: Repetition(.days(1))
    }
  }

  private func moment(_ day: Int, _ time: DatePhrase.Time, _ calendar: LocalCalendar) -> Date {
    var local = LocalCalendar.day(numbered: day)
    (local.hour, local.minute) = (time.hour, time.minute)
    return calendar.date(of: local)
  }

  private func occurrence(
    on day: Int, at time: DatePhrase.Time, meaning meantDay: Int?, _ calendar: LocalCalendar
  ) -> Occurrence? {
    let local = LocalCalendar.day(numbered: day)
    guard (1970..<LocalCalendar.lastYear).contains(local.year) else { return nil }
    let date = moment(day, time, calendar)
    var repetition = self
    repetition.meantDay = meantDay == local.day ? nil : meantDay
    let shown = calendar.localTime(of: date)
    let isSkipped = time != DatePhrase.Time(0) && time != DatePhrase.Time(shown.hour, shown.minute)
    repetition.meantTime = isSkipped && self.time == nil ? time : nil
    return Occurrence(date: date, repetition: repetition)
  }

  /// The intended day of the month of an interval of months or years.
  private func meantDay(of base: LocalTime) -> Int? {
    switch pattern {
    case .months(_, on: nil), .years(_, on: nil): meantDay ?? base.day
    default: nil
    }
  }

  /// The first day of the schedule that is not before `day`.
  ///
  /// - Parameter base: A day of the schedule.
  private func firstDay(from day: Int, since base: LocalTime) -> Int {
    let first = LocalCalendar.dayNumber(of: base)
    switch pattern {
    case .days(let count): return Self.firstDay(from: day, since: first, every: count)
    case .weeks(let count, on: let days):
      if days.isEmpty { return Self.firstDay(from: day, since: first, every: 7 * count) }
      return Self.firstDay(from: day, inEvery: count, since: Self.week(of: first), on: days)
    case .workdays(let count):
      let number = Self.workdays(before: day)
      let origin = Self.workdays(before: first)
      return Self.workday(numbered: origin + Self.roundedUp(number - origin, to: count))
    case .months(let count, on: let named):
      return Self.firstDay(
        from: day, everyMonths: count, since: base, on: named ?? meantDay ?? base.day)
    case .years(let count, on: let named):
      var base = base
      base.month = named?.month ?? base.month
      return Self.firstDay(
        from: day, everyMonths: 12 * count, since: base, on: named?.day ?? meantDay ?? base.day)
    case .weekdaysOfMonths(let count, on: let named):
      return Self.firstDay(from: day, everyMonths: count, since: base) { Self.day(named, ofMonth: $0) }
    }
  }

  private func nextDay(after present: LocalTime) -> Int {
    let today = LocalCalendar.dayNumber(of: present)
    switch pattern {
    case .days(let count): return today + count
    case .weeks(let count, _): return today + 7 * count
    case .workdays(let count): return Self.workday(numbered: Self.workdays(before: today + 1) + count - 1)
    case .months(let count, _), .weekdaysOfMonths(let count, _):
      return Self.day(present.day, ofMonth: Self.month(of: present) + count)
    case .years(let count, _): return Self.day(present.day, ofMonth: Self.month(of: present) + 12 * count)
    }
  }

  /// The smallest multiple of `step` that is neither less than the number nor than zero.
  private static func roundedUp(_ number: Int, to step: Int) -> Int {
    number <= 0 ? 0 : (number + step - 1) / step * step
  }

  private static func firstDay(from day: Int, since first: Int, every step: Int) -> Int {
    first + roundedUp(day - first, to: step)
  }

  private static func firstDay(
    from day: Int, inEvery count: Int, since firstWeek: Int, on weekdays: Set<Int>
  ) -> Int {
    func firstDay(ofWeek week: Int, from day: Int) -> Int? {
      weekdays.map { monday + 7 * week + ($0 + 6) % 7 }.filter { $0 >= day }.min()
    }
    let week = firstWeek + roundedUp(self.week(of: day) - firstWeek, to: count)
    return firstDay(ofWeek: week, from: day) ?? firstDay(ofWeek: week + count, from: day) ?? day
  }

  private static func firstDay(
    from day: Int, everyMonths step: Int, since base: LocalTime, on dayOfMonth: Int
  ) -> Int {
    firstDay(from: day, everyMonths: step, since: base) { self.day(dayOfMonth, ofMonth: $0) }
  }

  /// - Parameter dayOfMonth: Returns the day of the schedule in a month.
  private static func firstDay(
    from day: Int, everyMonths step: Int, since base: LocalTime, _ dayOfMonth: (Int) -> Int
  ) -> Int {
    let first = month(of: base)
    let month = first + roundedUp(month(of: LocalCalendar.day(numbered: day)) - first, to: step)
    let found = dayOfMonth(month)
    return found >= day ? found : dayOfMonth(month + step)
  }

  /// Months since the year 0.
  private static func month(of day: LocalTime) -> Int { day.year * 12 + day.month - 1 }

  /// The day of a month, or its last one.
  private static func day(_ day: Int, ofMonth month: Int) -> Int {
    let (year, month) = (month / 12, month % 12 + 1)
    return LocalCalendar.dayNumber(
      of: LocalTime(year: year, month: month, day: min(day, LocalCalendar.days(inMonth: month, of: year))))
  }

  /// The second Tuesday of a month, or its last Friday.
  private static func day(_ wanted: WeekdayOfMonth, ofMonth month: Int) -> Int {
    let start = LocalTime(year: month / 12, month: month % 12 + 1, day: 1)
    let first =
      LocalCalendar.dayNumber(of: start) + (wanted.weekday - LocalCalendar.weekday(of: start) + 7) % 7
    guard wanted.number == WeekdayOfMonth.last else { return first + 7 * (wanted.number - 1) }
    let end = day(31, ofMonth: month)
    return first + (end - first) / 7 * 7
  }

  /// The first Monday of 1970.
  private static let monday = 4

  private static func quotient(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }

  /// Weeks since the first Monday of 1970.
  private static func week(of day: Int) -> Int { quotient(day - monday, by: 7).quotient }

  /// The number of days from Monday to Friday between the first Monday of 1970 and a day.
  private static func workdays(before day: Int) -> Int {
    let (week, weekday) = quotient(day - monday, by: 7)
    return 5 * week + min(weekday, 5)
  }

  private static func workday(numbered number: Int) -> Int {
    let (week, weekday) = quotient(number, by: 5)
    return monday + 7 * week + weekday
  }
}
