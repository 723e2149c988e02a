/// A parser that reads days and times of day, word by word.
///
/// A part is sure when it can have no other meaning in a text, such as `tomorrow` or `6pm`; one that may well
/// mean something else (`sat`, `3:16`) counts only if the words around it confirm it.
struct DateParser {
  enum Sureness: Int, Comparable {
    /// Only after a word that announces it, or next to the other part.
    case announced
    /// Also at the end of a part of the sentence, or separate from it.
    case apart
    /// Anywhere.
    case anywhere

    static func < (one: Sureness, other: Sureness) -> Bool { one.rawValue < other.rawValue }
  }

  struct Match<Part> {
    var part: Part
    /// The index of the word after it.
    var end: Int
    var sureness: Sureness
  }

  let text: String
  let words: [DateWord]
  let locale: DateLocale
  /// Whether the text has to be nothing but a date: short forms such as `3d` and `eom` count too.
  let isWhole: Bool
  /// A word in the form of a date that does not exist.
  var impossible: String?

  init(_ text: String, locale: DateLocale, isWhole: Bool) {
    self.text = text
    words = DateWord.words(of: text)
    self.locale = locale
    self.isWhole = isWhole
  }

  func word(_ index: Int) -> String { words.indices.contains(index) ? words[index].text : "" }

  /// Whether a word begins most repetitions.
  func isEvery(_ index: Int) -> Bool { ["every", "each"].contains(word(index)) }

  /// The longest phrase that begins at a word.
  mutating func phrase(at start: Int) -> Match<DatePhrase>? {
    if let match = delay(at: start) { return match }
    let isDayAnnounced = DateVocabulary.beforeDays.contains(word(start))
    let isTimeAnnounced = DateVocabulary.beforeTimes.contains(word(start))
    let begin = isDayAnnounced || isTimeAnnounced ? start + 1 : start
    if let match = timestamp(at: begin) { return match }

    if let day = day(at: begin) {
      let next = DateVocabulary.beforeTimes.contains(word(day.end)) ? day.end + 1 : day.end
      if word(next) == "midnight" {
        return Match(part: DatePhrase(day: day.part), end: next + 1, sureness: .anywhere)
      }
      if let time = time(at: next, besideDay: true),
        time.sureness != .announced || next > day.end || words[next].endsPart
      {
        return Match(
          part: DatePhrase(day: day.part, time: time.part), end: time.end, sureness: .anywhere)
      }
      let sureness = isDayAnnounced ? .anywhere : day.sureness
      return Match(part: DatePhrase(day: day.part), end: day.end, sureness: sureness)
    }
    if let match = timeAndDay(at: begin) ?? tonight(at: start) { return match }
    guard
      let time = midnight(at: begin) ?? time(at: begin, besideDay: false) ?? timeBeforeRepetition(at: begin)
    else { return nil }
    // A task that has to be done by midnight has the whole of today.
    let isToday = time.part == .midnight && begin > start && DateVocabulary.beforeEnds.contains(word(start))
    let sureness = isTimeAnnounced || begin > start ? .anywhere : time.sureness
    return Match(
      part: isToday ? DatePhrase(day: .offset(0)) : DatePhrase(time: time.part), end: time.end,
      sureness: sureness)
  }

  /// `9:00 on friday`, `at 8 tomorrow evening`, `8pm tonight`.
  private mutating func timeAndDay(at start: Int) -> Match<DatePhrase>? {
    guard let time = time(at: start, besideDay: true, isBeforeDay: true) else { return nil }
    func match(_ day: DatePhrase.Day, _ part: DatePhrase.Time?, _ end: Int) -> Match<DatePhrase> {
      let time = part.map { clock(time, from: start, within: $0) } ?? time.part
      return Match(part: DatePhrase(day: day, time: time), end: end, sureness: .anywhere)
    }
    if word(time.end) == "tonight", !saysMorning(time, from: start, besides: .tonight) {
      return match(.offset(0), .tonight, time.end + 1)
    }
    let end = endOfRange(from: time.end)
    let next = DateVocabulary.beforeDays.contains(word(end)) ? end + 1 : end
    guard let day = day(at: next) else { return nil }
    let part = DateVocabulary.timeOfWord[word(day.end)]
    if saysMorning(time, from: start, besides: part) { return match(day.part, nil, day.end) }
    return match(day.part, part, part == nil ? day.end : day.end + 1)
  }

  /// `at 9 every monday`.
  private mutating func timeBeforeRepetition(at start: Int) -> Match<DatePhrase.Time>? {
    guard let time = time(at: start, besideDay: true, isBeforeDay: true), isEvery(time.end),
      repetition(at: time.end) != nil
    else { return nil }
    return time
  }

  /// The index after `to 10am` or `- 10am`, the end of a time that has begun.
  private mutating func endOfRange(from begin: Int) -> Int {
    let isWord = ["to", "until", "till"].contains(word(begin))
    guard isWord || isRange(before: begin), let end = clockTime(at: isWord ? begin + 1 : begin) else {
      return begin
    }
    return end.end
  }

  private func midnight(at start: Int) -> Match<DatePhrase.Time>? {
    word(start) == "midnight" ? Match(part: .midnight, end: start + 1, sureness: .apart) : nil
  }

  private mutating func tonight(at start: Int) -> Match<DatePhrase>? {
    func evening(_ time: DatePhrase.Time, _ end: Int) -> Match<DatePhrase> {
      let exact = exactTime(within: Match(part: time, end: end, sureness: .anywhere))
      let phrase = DatePhrase(day: .offset(0), time: exact.part, isPartOfToday: exact.end == end)
      return Match(part: phrase, end: exact.end, sureness: .anywhere)
    }
    if word(start) == "tonight" { return evening(.tonight, start + 1) }
    guard word(start) == "this", let time = DateVocabulary.timeOfWord[word(start + 1)] else { return nil }
    return evening(time, start + 2)
  }

  /// `in 2 hours`, `+30min`, `now`: from now on, by the clock.
  private func delay(at start: Int) -> Match<DatePhrase>? {
    // In a text it says how soon at most: “call now”, “now or never”.
    if isWhole, word(start) == "now" {
      return Match(part: DatePhrase(minutes: 0), end: start + 1, sureness: .anywhere)
    }
    guard let (count, unit, end) = span(at: start) else { return nil }
    switch unit {
    case .minute: return Match(part: DatePhrase(minutes: count), end: end, sureness: .anywhere)
    case .hour: return Match(part: DatePhrase(minutes: count * 60), end: end, sureness: .anywhere)
    case .day, .week, .month, .year: return nil
    }
  }

  /// `in 3 days`, `in a week`, `+3d`; in a text that is nothing but a date also `3 days` and `3d`.
  private func span(at start: Int) -> (count: Int, unit: DateVocabulary.Unit, end: Int)? {
    let first = word(start)
    if first == "in" || isWhole, let span = words(ofSpanAt: first == "in" ? start + 1 : start) { return span }
    let isAfterIn = first == "in"
    guard first.hasPrefix("+") || isAfterIn || isWhole else { return nil }
    let word = isAfterIn ? word(start + 1) : first
    let short = word.hasPrefix("+") ? word.dropFirst() : word[...]
    let digits = short.prefix { $0.isASCII && $0.isNumber }
    let name = String(short.dropFirst(digits.count))
    guard let count = DateVocabulary.digits(digits), let unit = DateVocabulary.unitOfWord[name],
      // “In 2m” may be months or minutes.
      isWhole || ["d", "w"].contains(name) || isAfterIn && name != "m"
    else { return nil }
    return (count, unit, start + (isAfterIn ? 2 : 1))
  }

  /// `3 days`, `a week`.
  func words(ofSpanAt start: Int) -> (count: Int, unit: DateVocabulary.Unit, end: Int)? {
    guard let unit = DateVocabulary.unitOfWord[word(start + 1)] else { return nil }
    if let count = DateVocabulary.number(word(start)) { return (count, unit, start + 2) }
    // “In a minute” and “in a day” are seldom meant literally.
    let isVague = unit == .minute || unit == .hour || unit == .day
    guard ["a", "an"].contains(word(start)), isWhole || !isVague else { return nil }
    return (1, unit, start + 2)
  }

  private mutating func day(at start: Int) -> Match<DatePhrase.Day>? {
    let first = word(start)
    func sure(_ day: DatePhrase.Day, _ count: Int = 1) -> Match<DatePhrase.Day> {
      Match(part: day, end: start + count, sureness: .anywhere)
    }
    switch first {
    case "today": return sure(.offset(0))
    case "tomorrow", "tmr", "tmrw": return sure(.offset(1))
    // In a text it is a name.
    case "tom" where isWhole: return sure(.offset(1))
    case "the" where ["day", "end"].contains(word(start + 1)): return day(at: start + 1)
    case "the" where isOrdinal(word(start + 1)):
      return dayOfMonth(at: start + 1) ?? dayOfAnyMonth(at: start + 1)
    case "day" where word(start + 1) == "after" && word(start + 2) == "tomorrow": return sure(.offset(2), 3)
    case "end" where word(start + 1) == "of": return end(at: start + 2)
    case "next": return next(at: start)
    case "yesterday" where isWhole: return sure(.offset(-1))
    case "weekend" where isWhole || start > 0 && word(start - 1) == "this": return sure(.thisWeekend)
    case "eod" where isWhole: return sure(.offset(0))
    case "eow" where isWhole: return sure(.endOfWeek)
    case "eom" where isWhole: return sure(.endOfMonth)
    case "eoy" where isWhole: return sure(.endOfYear)
    default: break
    }
    if let (count, unit, end) = span(at: start) {
      let day: DatePhrase.Day? =
        switch unit {
        case .day: .offset(count)
        case .week: .offset(count * 7)
        case .month: .monthOffset(count)
        case .year: .monthOffset(count * 12)
        case .minute, .hour: nil
        }
      return day.map { Match(part: $0, end: end, sureness: .anywhere) }
    }
    if let weekday = DateVocabulary.weekdayOfWord[first] {
      // “The sun shines”, “she sat”.
      let isWord = ["sun", "sat"].contains(first)
      if let date = date(named: weekday, at: start + 1) { return date }
      if word(start + 1) == "next", word(start + 2) == "week" { return sure(.weekdayOfNextWeek(weekday), 3) }
      return Match(part: .weekday(weekday), end: start + 1, sureness: isWord ? .announced : .apart)
    }
    guard let day = dayOfMonth(at: start) ?? numericDate(at: start) else { return dayOfAnyMonth(at: start) }
    // “11 dec (fri)”.
    guard let weekday = DateVocabulary.weekdayOfWord[word(day.end)], words[day.end].endsPart else {
      return day
    }
    return Self.date(day, named: weekday, end: day.end + 1) ?? day
  }

  /// The date that follows the name of its weekday: `friday 11 december`, `Fri, Dec 11`, `fri 2026-12-11`.
  private mutating func date(named weekday: Int, at start: Int) -> Match<DatePhrase.Day>? {
    let begin = word(start) == "the" ? start + 1 : start
    // “On friday 5 may come”.
    guard let day = dayOfMonth(at: begin) ?? numericDate(at: begin), isWhole || day.sureness != .announced
    else { return nil }
    return Self.date(day, named: weekday, end: day.end)
  }

  private static func date(
    _ day: Match<DatePhrase.Day>, named weekday: Int, end: Int
  ) -> Match<DatePhrase.Day>? {
    guard case .date(let year, let month, let day) = day.part else { return nil }
    let part = DatePhrase.Day.weekdayDate(weekday, year: year, month: month, day: day)
    return Match(part: part, end: end, sureness: .anywhere)
  }

  /// `month`, `the month`, `next month` after `end of`.
  private func end(at start: Int) -> Match<DatePhrase.Day>? {
    let begin = ["the", "this"].contains(word(start)) ? start + 1 : start
    let isNext = word(start) == "next"
    let day: DatePhrase.Day? =
      switch word(isNext ? start + 1 : begin) {
      case "month": isNext ? .endOfNextMonth : .endOfMonth
      case "day" where !isNext: .offset(0)
      case "week" where !isNext: .endOfWeek
      case "year" where !isNext: .endOfYear
      default: nil
      }
    return day.map { Match(part: $0, end: (isNext ? start + 1 : begin) + 1, sureness: .anywhere) }
  }

  private mutating func next(at start: Int) -> Match<DatePhrase.Day>? {
    if let weekday = DateVocabulary.weekdayOfWord[word(start + 1)],
      let date = date(named: weekday, at: start + 2)
    {
      return date
    }
    let named = word(start + 2) == "on" ? start + 3 : start + 2
    if word(start + 1) == "week", let weekday = DateVocabulary.weekdayOfWord[word(named)] {
      return Match(part: .weekdayOfNextWeek(weekday), end: named + 1, sureness: .anywhere)
    }
    let day: DatePhrase.Day? =
      switch word(start + 1) {
      case "week": .startOfNextWeek
      case "month": .startOfNextMonth
      case "year": .startOfNextYear
      case "weekend": .weekdayOfNextWeek(6)
      case let name: DateVocabulary.weekdayOfWord[name].map { .weekdayOfNextWeek($0) }
      }
    return day.map { Match(part: $0, end: start + 2, sureness: .anywhere) }
  }

  /// The years of dates in texts; people were born in the first of them.
  static let years = 1900...9999

  /// `1 dec`, `1st of December 2026`, `Dec 1, 2026`.
  mutating func dayOfMonth(at start: Int) -> Match<DatePhrase.Day>? {
    var end: Int
    let month: Int
    let day: Int
    var sureness = Sureness.anywhere
    if let number = ordinal(word(start)) {
      let next = word(start + 1) == "of" ? start + 2 : start + 1
      guard let named = DateVocabulary.monthOfWord[word(next)] else { return nil }
      (day, month, end) = (number, named, next + 1)
      // “5 may come”.
      if word(next) == "may", !words[next].endsPart, !isEvery(next + 1) { sureness = .announced }
    } else if let named = DateVocabulary.monthOfWord[word(start)], let number = ordinal(word(start + 1)) {
      (day, month, end) = (number, named, start + 2)
      // “March 3 miles”, “we may 2 or 3 times”.
      if ["march", "may", "mar", "dec", "jan"].contains(word(start)) { sureness = .apart }
    } else {
      return nil
    }
    var year: Int?
    if let number = DateVocabulary.digits(word(end)[...]), Self.years.contains(number) {
      (year, sureness) = (number, .anywhere)
      end += 1
    }
    return date(year: year, month: month, day: day, end: end, sureness: sureness)
  }

  /// `24th`, `the 24th`, `24th of the month`. In a text it may be a floor, a street or a birthday: it counts
  /// after a word that announces a day, such as `by the 24th`, and where no noun can follow.
  private mutating func dayOfAnyMonth(at start: Int) -> Match<DatePhrase.Day>? {
    guard isOrdinal(word(start)), let day = ordinal(word(start)) else { return nil }
    guard (1...31).contains(day) else {
      if isWhole { impossible = impossible ?? "day" }
      return nil
    }
    let isOfMonth = word(start + 1) == "of" && word(start + 2) == "the" && word(start + 3) == "month"
    let end = start + (isOfMonth ? 4 : 1)
    if !isWhole {
      let before = start > 0 ? word(start - 1) : ""
      guard before == "the" || DateVocabulary.beforeDays.contains(before) else { return nil }
      let next = word(end)
      guard
        isOfMonth || words[end - 1].endsPart || ["#", "!", "@"].contains(next.first)
          || DateVocabulary.afterDays.contains(next) || time(at: end, besideDay: true) != nil
      else { return nil }
    }
    return Match(part: .dayOfMonth(day), end: end, sureness: .announced)
  }

  /// Whether a word is a number with `st`, `nd`, `rd` or `th`.
  func isOrdinal(_ word: String) -> Bool {
    word.last?.isLetter == true && ordinal(word) != nil
  }

  func ordinal(_ word: String) -> Int? {
    var number = word[...]
    for suffix in ["st", "nd", "rd", "th"] where number.hasSuffix(suffix) {
      number = number.dropLast(2)
      break
    }
    return number.utf8.count <= 2 ? DateVocabulary.digits(number) : nil
  }

  /// `2026-12-01`, `1.12.2026`, `12/1/2026`; in a text that is nothing but a date also without the year.
  private mutating func numericDate(at start: Int) -> Match<DatePhrase.Day>? {
    let word = word(start)
    guard let separator = word.first(where: { !$0.isNumber }), "-./".contains(separator) else { return nil }
    let parts = word.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DateVocabulary.digits($0) }
    guard numbers.count == parts.count else { return nil }
    if numbers.count == 3, parts[0].utf8.count == 4 {
      return date(
        year: numbers[0], month: numbers[1], day: numbers[2], end: start + 1, sureness: .anywhere)
    }
    guard separator != "-", parts[0].utf8.count <= 2, parts[1].utf8.count <= 2 else { return nil }
    var (day, month) = (numbers[0], numbers[1])
    if separator == "/", month > 12 || locale.isMonthFirst && day <= 12 { swap(&day, &month) }
    if numbers.count == 3, parts[2].utf8.count == 4 {
      return date(year: numbers[2], month: month, day: day, end: start + 1, sureness: .anywhere)
    }
    guard isWhole, numbers.count == 2 else { return nil }
    return date(year: nil, month: month, day: day, end: start + 1, sureness: .anywhere)
  }

  private mutating func date(
    year: Int?, month: Int, day: Int, end: Int, sureness: Sureness
  ) -> Match<DatePhrase.Day>? {
    // A leap year substitutes for an unknown one.
    guard Self.years.contains(year ?? 2000), (1...12).contains(month), day >= 1,
      day <= LocalCalendar.days(inMonth: month, of: year ?? 2000)
    else {
      impossible = impossible ?? "day"
      return nil
    }
    return Match(part: .date(year: year, month: month, day: day), end: end, sureness: sureness)
  }
}
