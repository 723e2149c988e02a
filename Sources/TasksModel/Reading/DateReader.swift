import FoundationEssentials

/// A reader of dates in words: `at 6pm`, `fri`, `in 3 days`, `tomorrow 9:00`, `2026-12-01`.
///
/// A weekday is the next one that is not today, and `next fri` the one of next week. A time without a day is
/// the next moment at which the clock shows it. A date without a time means the whole day (see `DueDate`).
/// Midnight is no time of a day but the day itself.
public struct DateReader: Sendable {
  /// The present moment.
  public var now: @Sendable () -> Date
  public var calendar: LocalCalendar
  public var locale: DateLocale

  public init(
    locale: DateLocale = DateLocale(), calendar: LocalCalendar = .system,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.locale = locale
    self.calendar = calendar
    self.now = now
  }

  /// A date that was found in a text.
  public struct Found: Equatable, Sendable {
    /// The date; for a repetition without one, the first that fits.
    public var date: Date
    /// The range of the words of the date.
    public var range: Range<String.Index>
    public var repetition: Repetition?
    /// All words of the date and the repetition: while they stay, so do both.
    public var words: String
  }

  /// The first unambiguous date in a text, and its repetition. A day of a past year is something to know,
  /// such as a birthday, and nothing to do.
  ///
  /// Complexity: O(the length of the text).
  public func find(in text: String) -> Found? {
    let (dates, match) = phrases(in: text)
    let date = dates.first { !isInPastYear($0.phrase) }
    guard let range = date?.range ?? (dates.isEmpty ? match?.range : nil) else { return nil }
    guard let moment = moment(of: date?.phrase, match?.repetition) else { return nil }
    return Found(
      date: moment, range: range, repetition: match?.repetition, words: Self.words(dates, match, of: text))
  }

  private func moment(of phrase: DatePhrase?, _ repetition: Repetition?) -> Date? {
    guard var repetition else { return phrase.flatMap(date) }
    if let time = phrase?.time { repetition.time = time.onClock }
    // “At 18:00 every monday” means that time of the first monday.
    guard let phrase, !phrase.isOnlyTime else { return repetition.first(now: now(), calendar)?.date }
    let date = date(of: phrase)
    // “Every friday from 1 march” means the first friday from then on, and “every day at 9:00 from 1 march”
    // that time of the day.
    let isTimed = phrase.time == nil && repetition.time != nil
    guard let date, phrase.day != nil, repetition.namesDays || isTimed else { return date }
    return repetition.first(now: calendar.startOfDay(date), calendar)?.date
  }

  private func isInPastYear(_ phrase: DatePhrase) -> Bool {
    phrase.year.map { $0 < calendar.localTime(of: now()).year } ?? false
  }

  /// The words of the date and the repetition in a text, independent of the present; nil without any. Before
  /// the date may be those of days whose year will have passed at some time.
  public func words(in text: String) -> String? {
    let (dates, repetition) = phrases(in: text)
    guard !dates.isEmpty || repetition != nil else { return nil }
    return Self.words(dates, repetition, of: text)
  }

  /// The words of the repetition.
  func repetitionWords(in text: String) -> String? {
    phrases(in: text).repetition.map { String(text[$0.range]) }
  }

  typealias DateMatch = (phrase: DatePhrase, range: Range<String.Index>)
  typealias RepetitionMatch = (repetition: Repetition, range: Range<String.Index>)

  private static func words(
    _ dates: [DateMatch], _ repetition: RepetitionMatch?, of text: String
  ) -> String {
    let ranges = dates.map { $0.range } + (repetition.map { [$0.range] } ?? [])
    return ranges.map { text[$0] }.joined(separator: " ")
  }

  /// The dates up to the first one that is meant whenever the text is read, since it names no year.
  private func phrases(in text: String) -> (dates: [DateMatch], repetition: RepetitionMatch?) {
    guard DateSignals.mayBe(in: text) else { return ([], nil) }
    return allPhrases(in: text)
  }

  /// The same without a look at the signals that spares the rules.
  func allPhrases(in text: String) -> (dates: [DateMatch], repetition: RepetitionMatch?) {
    var parser = DateParser(text, locale: locale, isWhole: false)
    let words = parser.words
    func range(_ indices: Range<Int>) -> Range<String.Index> {
      words[indices.lowerBound].range.lowerBound..<words[indices.upperBound - 1].range.upperBound
    }
    var repetition: RepetitionMatch?
    // The words of a repetition do not count as a date as well.
    var taken = words.count..<words.count
    for start in words.indices {
      guard let match = parser.repetition(at: start) else { continue }
      if parser.isPart(match, from: start) { return ([], nil) }
      taken = start..<match.end
      repetition = (match.part, range(taken))
      break
    }
    var dates: [DateMatch] = []
    var isBeginningTaken = false
    var end = 0
    for start in words.indices where start >= end && !taken.contains(start) {
      guard let match = parser.phrase(at: start), !(start..<match.end).overlaps(taken) else { continue }
      // “Friday every month”.
      let isBeforeRepetition = match.end == taken.lowerBound && repetition != nil
      let isApart =
        isBeforeRepetition
        || words[match.end - 1].endsPart && (match.end == words.count || words[start].beginsPart)
      // “Every month from the 1st”.
      let isBeginning =
        repetition != nil && (taken.upperBound...taken.upperBound + 2).contains(start)
        && parser.isBeginning(at: taken.upperBound)
      guard match.sureness == .anywhere || match.sureness == .apart && isApart || isBeginning else {
        continue
      }
      // Of what follows a date that was understood nothing is taken.
      if parser.isPart(match, from: start, besides: taken) {
        return dates.isEmpty ? ([], nil) : (dates, repetition)
      }
      dates.append((match.part, range(start..<match.end)))
      isBeginningTaken = isBeginningTaken || isBeginning
      guard match.part.year != nil else { break }
      end = match.end
    }
    // “Every friday from 31 feb” has no first day.
    if !isBeginningTaken, repetition != nil, parser.isBeginning(at: taken.upperBound) { return ([], nil) }
    return (dates, repetition)
  }

  /// Reads a text that is nothing but a date.
  ///
  /// - Throws: `DateProblem` when it is none.
  public func read(_ text: String) throws(DateProblem) -> Date {
    // A timestamp with seconds and a zone, as `--json` prints it.
    if let stamp = Timestamp(text.uppercased()), let date = limited(stamp.date(calendar)) { return date }
    var parser = DateParser(text, locale: locale, isWhole: true)
    guard !parser.words.isEmpty else { throw .empty }
    guard let match = parser.phrase(at: 0), match.end == parser.words.count else {
      throw parser.impossible.map { .impossible($0) } ?? .notUnderstood
    }
    guard let date = date(of: match.part) else {
      if case .weekdayDate? = match.part.day { throw .impossible("day") }
      throw .tooFar
    }
    return date
  }

  /// Reads a text that is nothing but a repetition, or one with the day from which on it counts, such as
  /// `every friday from 1 march`, with the meaning that it has in the text of a task.
  ///
  /// - Throws: `RepetitionProblem` when it is none.
  public func readRepetition(_ text: String) throws(RepetitionProblem) -> Repetition {
    let repetition = Repetition(text)
    // “Every month from the 31st” begins on that day.
    if let repetition, repetition.meantDay == nil { return repetition }
    guard let repetition = datedRepetition(text) ?? repetition else { throw RepetitionProblem() }
    return repetition
  }

  /// The repetition with the day from which on it counts, of a text that is nothing else.
  private func datedRepetition(_ text: String) -> Repetition? {
    let (dates, match) = phrases(in: text)
    guard let (repetition, range) = match, dates.count == 1, dates[0].phrase.day != nil,
      let date = moment(of: dates[0].phrase, repetition)
    else { return nil }
    let (end, beginning) = (range.upperBound, dates[0].range.lowerBound)
    guard end <= beginning, ["", "from", "starting"].contains(String(text[end..<beginning]).trimmedForRow),
      (text[..<range.lowerBound] + text[dates[0].range.upperBound...]).allSatisfy(\.isWhitespace)
    else { return nil }
    var dated = repetition
    dated.firstDate = date
    return dated
  }

  private func date(of phrase: DatePhrase) -> Date? {
    let now = now()
    let present = calendar.localTime(of: now)
    if let minutes = phrase.minutes {
      guard minutes < LocalCalendar.lastYear * 366 * 1440 else { return nil }
      // Not by the local time, which a clock that is put back shows twice.
      let minute = (now.timeIntervalSince1970 / 60).rounded(.down)
      return limited(Date(timeIntervalSince1970: (minute + Double(minutes)) * 60))
    }
    guard var time = day(of: phrase, present) else { return nil }
    time.hour = phrase.time?.hour ?? 0
    time.minute = phrase.time?.minute ?? 0
    // “Tonight at 1” in the night itself.
    if phrase.day == .offset(0), time.hour >= 24,
      (present.hour, present.minute) < (time.hour - 24, time.minute)
    {
      time.hour -= 24
    }
    var date = (phrase.offset.map { LocalCalendar(secondsFromGMT: $0) } ?? calendar).date(of: time)
    if phrase.day == nil, date <= now {
      time.day += 1
      date = calendar.date(of: time)
    } else if phrase.isPartOfToday, date <= now {
      (time.hour, time.minute) = (0, 0)
      date = calendar.date(of: time)
    }
    return limited(date)
  }

  private func limited(_ date: Date) -> Date? {
    let year = calendar.localTime(of: date).year
    return (1970..<LocalCalendar.lastYear).contains(year) ? date : nil
  }

  private func day(of phrase: DatePhrase, _ present: LocalTime) -> LocalTime? {
    let today = LocalTime(year: present.year, month: present.month, day: present.day)
    let weekday = LocalCalendar.weekday(of: today)
    let daysIntoWeek = (weekday - locale.firstWeekday + 7) % 7
    func later(_ days: Int) -> LocalTime {
      LocalTime(year: today.year, month: today.month, day: today.day + days)
    }
    switch phrase.day {
    case nil: return today
    case .offset(let days)?: return days < LocalCalendar.lastYear * 366 ? later(days) : nil
    case .monthOffset(let months)?:
      return months < LocalCalendar.lastYear * 12 ? self.later(today, months: months) : nil
    case .weekday(let wanted)?: return later((wanted - weekday + 6) % 7 + 1)
    case .weekdayOfNextWeek(let wanted)?:
      return later(7 - daysIntoWeek + (wanted - locale.firstWeekday + 7) % 7)
    case .thisWeekend?: return later(weekday == 0 ? 0 : 6 - weekday)
    case .startOfNextWeek?: return later(7 - daysIntoWeek)
    case .startOfNextMonth?: return LocalTime(year: today.year, month: today.month + 1, day: 1)
    case .startOfNextYear?: return LocalTime(year: today.year + 1, month: 1, day: 1)
    case .endOfWeek?: return later(6 - daysIntoWeek)
    case .endOfMonth?: return LocalTime(year: today.year, month: today.month + 1, day: 0)
    case .endOfNextMonth?: return LocalTime(year: today.year, month: today.month + 2, day: 0)
    case .endOfYear?: return LocalTime(year: today.year, month: 12, day: 31)
    case .date(let year?, let month, let day)?: return LocalTime(year: year, month: month, day: day)
    case .date(nil, let month, let day)?:
      let isPast = (month, day) < (today.month, today.day)
      var year = isPast ? today.year + 1 : today.year
      while day > LocalCalendar.days(inMonth: month, of: year) { year += 1 }
      return LocalTime(year: year, month: month, day: day)
    case .weekdayDate(let weekday, let year, let month, let day)?:
      let date = DatePhrase(day: .date(year: year, month: month, day: day))
      return self.day(of: date, present).flatMap { LocalCalendar.weekday(of: $0) == weekday ? $0 : nil }
    case .dayOfMonth(let day)?:
      var month = LocalTime(year: today.year, month: day < today.day ? today.month + 1 : today.month, day: 1)
      while true {
        if month.month > 12 { (month.year, month.month) = (month.year + 1, 1) }
        if day <= LocalCalendar.days(inMonth: month.month, of: month.year) { break }
        month.month += 1
      }
      return LocalTime(year: month.year, month: month.month, day: day)
    }
  }

  /// The same day of a later month, or the last one if that month is shorter.
  private func later(_ day: LocalTime, months: Int) -> LocalTime {
    let count = day.month - 1 + months
    let (year, month) = (day.year + count / 12, count % 12 + 1)
    return LocalTime(
      year: year, month: month, day: min(day.day, LocalCalendar.days(inMonth: month, of: year)))
  }
}

/// The reason why a text is no date. Its description is a sentence.
public enum DateProblem: Error, Equatable, Sendable, CustomStringConvertible {
  case empty
  /// It has the form of a day or a time of day that does not exist.
  case impossible(String)
  case notUnderstood
  /// Further in the future than calendars reach.
  case tooFar

  public var description: String {
    switch self {
    case .empty: "There is no date."
    case .impossible(let what): "There is no such \(what)."
    case .notUnderstood: Self.notUnderstood("that")
    case .tooFar: "That is too far away."
    }
  }

  /// A sentence that names the words.
  public func description(of words: String) -> String {
    self == .notUnderstood ? Self.notUnderstood("“\(words)”") : "“\(words)” is no date: \(self)"
  }

  private static func notUnderstood(_ what: String) -> String {
    "I don't understand \(what) as a date. Try fri, +3d, tomorrow 9:00, 1 dec or 2026-12-01."
  }
}

/// The error for a text that is no repetition. Its description is a sentence.
public struct RepetitionProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public var description: String {
    "That is no repetition; write every week, every 2 months, every mon and thu, every 15th or after 3 days."
  }
}
