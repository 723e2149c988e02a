/// Parsing of repetitions, word by word.
extension DateParser {
  /// The longest repetition that begins at a word. Within a text only `every …`, `each …`, `1st of every
  /// month` and todo.txt's `rec:` are unambiguous.
  mutating func repetition(at start: Int) -> Match<Repetition>? {
    let first = word(start)
    if first.hasPrefix("rec:") { return shortForm(first.dropFirst(4), at: start) }
    var begin = start
    if isEvery(start) {
      begin += 1
    } else if !isWhole {
      return dayOfEveryMonth(at: start)
    } else if first == "after" {
      return interval(at: start + 1).flatMap { afterCompletion($0.part, end: $0.end) }
    } else if let pattern = Self.adverb(first) {
      return withTime(Repetition(pattern), end: start + 1)
    }
    if var match = interval(at: begin) {
      if word(match.end) == "after", Self.completions.contains(word(match.end + 1)) {
        return afterCompletion(match.part, end: match.end + 2)
      }
      var repetition = Repetition(match.part)
      narrow(&repetition, &match.end)
      return withTime(repetition, end: match.end)
    }
    return days(at: begin)
  }

  private static let completions: Set<String> = ["completion", "completing", "done", "doing"]

  private mutating func afterCompletion(_ pattern: Repetition.Pattern, end: Int) -> Match<Repetition> {
    withTime(Repetition(pattern, isAfterCompletion: true), end: end)
  }

  /// Adds the time of day that follows, if there is one; in the stored format also `usually at 2:30`.
  private mutating func withTime(_ repetition: Repetition, end: Int) -> Match<Repetition> {
    let isMeant = isWhole && word(end) == "usually"
    let start = isMeant ? end + 1 : end
    let next = word(start) == "at" || word(start) == "@" ? start + 1 : start
    guard let time = time(at: next, besideDay: true), time.part.hour < 24,
      isWhole || next > end || time.sureness != .announced
    else { return Match(part: repetition, end: end, sureness: .anywhere) }
    var repetition = repetition
    if isMeant { repetition.meantTime = time.part } else { repetition.time = time.part }
    return Match(part: repetition, end: time.end, sureness: .anywhere)
  }

  /// `1w` counts from the completion, `+1w` from the date, as in todo.txt's add-ons.
  private func shortForm(_ text: Substring, at start: Int) -> Match<Repetition>? {
    let isOnSchedule = text.hasPrefix("+")
    guard let pattern = Self.shortInterval(isOnSchedule ? text.dropFirst() : text) else { return nil }
    return Match(
      part: Repetition(pattern, isAfterCompletion: !isOnSchedule), end: start + 1, sureness: .anywhere)
  }

  /// `2 weeks`, `other week`, `2nd week`, `week`, `2w`.
  private func interval(at start: Int) -> Match<Repetition.Pattern>? {
    func match(_ pattern: Repetition.Pattern?, _ count: Int) -> Match<Repetition.Pattern>? {
      pattern.map { Match(part: $0, end: start + count, sureness: .anywhere) }
    }
    let first = word(start)
    if let pattern = Self.interval(1, first) { return match(pattern, 1) }
    let short = isWhole && first.hasPrefix("+") ? first.dropFirst() : first[...]
    if let pattern = Self.shortInterval(short) { return match(pattern, 1) }
    let isOrdinal = first.last?.isLetter == true && first.first?.isNumber == true
    // “The 15th day of the month” counts days of the month.
    if isOrdinal, word(start + 2) == "of" { return nil }
    guard let count = Self.count(first) ?? (isOrdinal ? ordinal(first) : nil) else { return nil }
    return match(Self.interval(count, word(start + 1)), 2)
  }

  private static func count(_ word: String) -> Int? {
    switch word {
    case "a", "an": 1
    case "other", "second": 2
    case "third": 3
    case "fourth": 4
    default: DateVocabulary.number(word)
    }
  }

  private static func shortInterval(_ text: Substring) -> Repetition.Pattern? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = DateVocabulary.digits(digits) else { return nil }
    let unit = String(text.dropFirst(digits.count))
    guard ["d", "b", "w", "m", "mo", "y"].contains(unit) else { return nil }
    return interval(count, unit == "b" ? "weekday" : unit)
  }

  private static func interval(_ count: Int, _ unit: String) -> Repetition.Pattern? {
    guard Repetition.counts.contains(count) else { return nil }
    switch unit {
    case "weekday", "weekdays", "workday", "workdays": return .workdays(count)
    case "fortnight", "fortnights": return Repetition.counts.contains(2 * count) ? .weeks(2 * count) : nil
    case "quarter", "quarters": return Repetition.counts.contains(3 * count) ? .months(3 * count) : nil
    default: break
    }
    return switch DateVocabulary.unitOfWord[unit] {
    case .day: .days(count)
    case .week: .weeks(count)
    case .month: .months(count)
    case .year: .years(count)
    case .minute, .hour, nil: nil
    }
  }

  /// The names of Taskwarrior and calcurse; within a text they may describe a meeting.
  private static func adverb(_ word: String) -> Repetition.Pattern? {
    switch word {
    case "daily": .days(1)
    case "weekdays": .workdays(1)
    case "weekly": .weeks(1)
    case "biweekly", "fortnightly": .weeks(2)
    case "monthly": .months(1)
    case "bimonthly": .months(2)
    case "quarterly": .months(3)
    case "semiannual": .months(6)
    case "yearly", "annual", "annually": .years(1)
    case "biannual", "biyearly": .years(2)
    default: nil
    }
  }

  /// `on monday`, `on the 15th`, `on 25 december` after an interval; in the stored format also `from the
  /// 31st`.
  private mutating func narrow(_ repetition: inout Repetition, _ end: inout Int) {
    let isFrom = isWhole && word(end) == "from"
    guard isFrom || word(end) == "on" else { return }
    let next = word(end + 1) == "the" ? end + 2 : end + 1
    switch repetition.pattern {
    case .weeks(let count, _) where !isFrom:
      guard let days = weekdays(at: next) else { return }
      repetition.pattern = .weeks(count, on: days.part)
      end = days.end
    case .months(let count, _) where !isFrom:
      if let day = weekdayOfMonth(at: next) {
        repetition.pattern = .weekdaysOfMonths(count, on: day.part)
        end = day.end
        return
      }
      guard let day = dayOfEachMonth(at: next) else { return }
      repetition.pattern = .months(count, on: day.part)
      end = day.end
    case .years(let count, _) where !isFrom:
      guard let day = dayOfEachYear(at: next) else { return }
      repetition.pattern = .years(count, on: day.part)
      end = day.end
    case .months, .years:
      guard let day = dayOfEachMonth(at: next) else { return }
      repetition.meantDay = day.part
      end = day.end
    default: break
    }
  }

  private mutating func days(at start: Int) -> Match<Repetition>? {
    if let day = weekdayOfMonth(at: start) {
      return withTime(Repetition(.weekdaysOfMonths(1, on: day.part)), end: day.end)
    }
    if word(start) == "other", let days = weekdays(at: start + 1) {
      return withTime(Repetition(.weeks(2, on: days.part)), end: days.end)
    }
    if let days = weekdays(at: start) {
      return withTime(Repetition(.weeks(1, on: days.part)), end: days.end)
    }
    if let day = dayOfEachYear(at: start) {
      return withTime(Repetition(.years(1, on: day.part)), end: day.end)
    }
    if let day = dayOfEachMonth(at: start) {
      return withTime(Repetition(.months(1, on: day.part)), end: day.end)
    }
    guard let part = DateVocabulary.timeOfWord[word(start)] else { return nil }
    let time = exactTime(within: Match(part: part, end: start + 1, sureness: .anywhere))
    return Match(part: Repetition(.days(1), time: time.part), end: time.end, sureness: .anywhere)
  }

  /// `monday`, `mon, wed and fri`, `mon,wed`, `weekend`.
  private func weekdays(at start: Int) -> Match<Set<Int>>? {
    if word(start) == "weekend" { return Match(part: [6], end: start + 1, sureness: .anywhere) }
    var days: Set<Int> = []
    var end = start
    var next = start
    while true {
      let names = word(next).split { ",/+&".contains($0) }.map { DateVocabulary.weekdayOfWord[String($0)] }
      guard !names.isEmpty, names.allSatisfy({ $0 != nil }) else { break }
      // “Monday - Friday” is more than these two.
      if next > start, isRange(before: next) { return nil }
      days.formUnion(names.compactMap { $0 })
      end = next + 1
      next = ["and", "&"].contains(word(end)) ? end + 1 : end
    }
    return days.isEmpty ? nil : Match(part: days, end: end, sureness: .anywhere)
  }

  /// `25 december`, `dec 25`.
  private mutating func dayOfEachYear(at start: Int) -> Match<Repetition.DayOfYear>? {
    guard let match = dayOfMonth(at: start), case .date(nil, let month, let day) = match.part else {
      return nil
    }
    return Match(
      part: Repetition.DayOfYear(month: month, day: day), end: match.end, sureness: .anywhere)
  }

  /// `15th`, `15th of the month`, `15th day of each month`, `last day of the month`.
  private func dayOfEachMonth(at start: Int) -> Match<Int>? {
    let first = word(start)
    var end = start + 1
    let day: Int
    if first == "last", word(end) == "day" {
      day = 31
    } else if isOrdinal(first), let number = ordinal(first), (1...31).contains(number) {
      day = number
    } else {
      return nil
    }
    if word(end) == "day" { end += 1 }
    return Match(part: day, end: afterOfMonth(at: end), sureness: .anywhere)
  }

  /// `2nd tuesday`, `last friday of the month`.
  private func weekdayOfMonth(at start: Int) -> Match<Repetition.WeekdayOfMonth>? {
    guard let weekday = DateVocabulary.weekdayOfWord[word(start + 1)],
      let number = DateVocabulary.ordinals[word(start)]
    else { return nil }
    return Match(
      part: Repetition.WeekdayOfMonth(number: number, weekday: weekday), end: afterOfMonth(at: start + 2),
      sureness: .anywhere)
  }

  /// `1st of every month`, `last friday of each month`; where nothing announces a single date, as `on the`
  /// does, also `15th every month`.
  private mutating func dayOfEveryMonth(at start: Int) -> Match<Repetition>? {
    func isEveryMonth(at index: Int) -> Bool {
      isEvery(index) && word(index + 1) == "month"
    }
    func end(after day: Int) -> Int? {
      // “Of every month” has been taken with the day.
      if isEveryMonth(at: day - 2) { return day }
      let before = start > 0 ? word(start - 1) : ""
      let isAnnounced = before == "the" || DateVocabulary.beforeDays.contains(before)
      return isEveryMonth(at: day) && !isAnnounced ? day + 2 : nil
    }
    if let day = weekdayOfMonth(at: start), let end = end(after: day.end) {
      return withTime(Repetition(.weekdaysOfMonths(1, on: day.part)), end: end)
    }
    if let day = dayOfEachMonth(at: start), let end = end(after: day.end) {
      return withTime(Repetition(.months(1, on: day.part)), end: end)
    }
    return nil
  }

  /// The index after `of the month`, if that stands there.
  private func afterOfMonth(at end: Int) -> Int {
    word(end) == "of" && ["the", "each", "every"].contains(word(end + 1)) && word(end + 2) == "month"
      ? end + 3 : end
  }
}
