/// The recurrence rules of iCalendar that are repetitions of ours.
enum CalendarRule {
  private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  /// The rule of a repetition; nil if no rule says the same. A rule leaves out months that have no such day,
  /// of which a repetition takes the last day.
  ///
  /// - Parameter date: The date from which it counts.
  static func rule(_ text: String, from date: LocalTime?) -> String? {
    guard let repetition = Repetition(text), let parts = parts(of: repetition, from: date) else { return nil }
    let rule = parts.map { "\($0)=\($1)" }.joined(separator: ";")
    return self.repetition(rule) == text ? rule : nil
  }

  private static func parts(of repetition: Repetition, from date: LocalTime?) -> [(String, String)]? {
    func every(_ unit: String, _ count: Int) -> [(String, String)] {
      [("FREQ", unit)] + (count == 1 ? [] : [("INTERVAL", "\(count)")])
    }
    guard !repetition.isAfterCompletion, repetition.time == nil, repetition.meantTime == nil,
      repetition.meantDay == nil
    else {
      return nil
    }
    switch repetition.pattern {
    case .days(let count): return every("DAILY", count)
    case .workdays(let count):
      return count == 1 ? every("WEEKLY", 1) + [("BYDAY", "MO,TU,WE,TH,FR")] : nil
    case .weeks(let count, let days):
      let names = days.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }.map { weekdays[$0] }
      return every("WEEKLY", count) + (names.isEmpty ? [] : [("BYDAY", names.joined(separator: ","))])
    case .months(let count, on: let day?):
      guard day <= shortestMonth || day == 31 else { return nil }
      return every("MONTHLY", count) + [("BYMONTHDAY", day == 31 ? "-1" : "\(day)")]
    case .months(let count, on: nil):
      guard date.map({ $0.day <= shortestMonth }) ?? true else { return nil }
      return every("MONTHLY", count)
    case .years(let count, on: let day):
      guard (day ?? date.map { .init(month: $0.month, day: $0.day) }).map(isInEveryYear) ?? true else {
        return nil
      }
      return every("YEARLY", count)
        + (day.map { [("BYMONTH", "\($0.month)"), ("BYMONTHDAY", "\($0.day)")] } ?? [])
    case .weekdaysOfMonths(let count, let day):
      let number = day.number == Repetition.WeekdayOfMonth.last ? -1 : day.number
      return every("MONTHLY", count) + [("BYDAY", "\(number)\(weekdays[day.weekday])")]
    }
  }

  /// The number of days that every month has.
  private static let shortestMonth = 28

  private static func isInEveryYear(_ day: Repetition.DayOfYear) -> Bool {
    // A year that is no leap year.
    day.day <= LocalCalendar.days(inMonth: day.month, of: 2027)
  }

  /// The repetition of a rule in words; nil if there is none.
  static func repetition(_ rule: String) -> String? {
    var parts: [String: String] = [:]
    for part in rule.uppercased().split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { return nil }
      parts[String(pair[0])] = String(pair[1])
    }
    parts["WKST"] = nil
    guard let frequency = parts.removeValue(forKey: "FREQ"),
      let count = Int(parts.removeValue(forKey: "INTERVAL") ?? "1"), Repetition.counts.contains(count)
    else { return nil }
    let days = parts.removeValue(forKey: "BYDAY")?.split(separator: ",")
    let monthDay = parts.removeValue(forKey: "BYMONTHDAY").map { Int($0) ?? 0 }
    let month = parts.removeValue(forKey: "BYMONTH").map { Int($0) ?? 0 }
    guard parts.isEmpty, monthDay.map({ (1...31).contains($0) || $0 == -1 && month == nil }) ?? true,
      month.map({ (1...12).contains($0) }) ?? true
    else { return nil }
    let pattern: Repetition.Pattern
    switch (frequency, days, monthDay, month) {
    case ("DAILY", nil, nil, nil): pattern = .days(count)
    case ("WEEKLY", let days, nil, nil):
      let numbers = (days ?? []).map { weekdays.firstIndex(of: String($0)) }
      guard !numbers.contains(nil) else { return nil }
      let set = Set(numbers.compactMap { $0 })
      pattern = count == 1 && set == [1, 2, 3, 4, 5] ? .workdays(1) : .weeks(count, on: set)
    case ("MONTHLY", nil, let day, nil): pattern = .months(count, on: day == -1 ? 31 : day)
    case ("MONTHLY", let days?, nil, nil):
      guard days.count == 1, let weekday = weekdays.firstIndex(of: String(days[0].suffix(2))),
        let number = Int(days[0].dropLast(2)), (1...4).contains(number) || number == -1
      else { return nil }
      pattern = .weekdaysOfMonths(
        count, on: .init(number: number == -1 ? Repetition.WeekdayOfMonth.last : number, weekday: weekday))
    case ("YEARLY", nil, nil, nil): pattern = .years(count)
    case ("YEARLY", nil, let day?, let month?): pattern = .years(count, on: .init(month: month, day: day))
    default: return nil
    }
    let words = Repetition(pattern).description
    // Not one that could be written but not read.
    return Repetition(words) == Repetition(pattern) ? words : nil
  }
}
