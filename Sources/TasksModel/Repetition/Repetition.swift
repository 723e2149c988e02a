import FoundationEssentials

/// The repetition of a task: `every week`, `every monday and thursday at 9:00`, `after 3 days`.
///
/// Its description is the stored format, and one that a person may type; `Repetition(_:)` reads both. A
/// repetition follows a schedule, counted from the date of the task (`every`), or the completion of the task
/// (`after`).
public struct Repetition: Hashable, Sendable {
  /// The days of a repetition. Counts are 1 … 999.
  enum Pattern: Hashable, Sendable {
    case days(Int)
    /// Monday to Friday.
    case workdays(Int)
    /// On the days of the week, 0 for Sunday; without any, on that of the date. Weeks begin on Monday.
    case weeks(Int, on: Set<Int> = [])
    /// On the day of the month, 1 … 31, or on its last one if it is shorter; nil for that of the date.
    case months(Int, on: Int? = nil)
    case years(Int, on: DayOfYear? = nil)
    /// On a weekday of the month, such as the second Tuesday.
    case weekdaysOfMonths(Int, on: WeekdayOfMonth)
  }

  struct WeekdayOfMonth: Hashable, Sendable {
    /// 1 … 4, or 5 for the last one.
    var number: Int
    /// 0 for Sunday.
    var weekday: Int

    static let last = 5
  }

  struct DayOfYear: Hashable, Sendable {
    var month: Int
    /// The day; the last one of the month if it has fewer, as a February may.
    var day: Int
  }

  static let counts = 1...999

  var pattern: Pattern
  /// Whether it counts from the day of the completion instead of the date.
  public internal(set) var isAfterCompletion = false
  /// The time of day; nil for that of the date.
  var time: DatePhrase.Time?
  /// The intended time of day, if the present date had to be a later one because the clocks skip it.
  var meantTime: DatePhrase.Time?
  /// The intended day of the month, if the present date had to be an earlier one because its month is
  /// shorter.
  var meantDay: Int?
  /// The first date, if a person has said from when on; it is that of the task then, and not stored here.
  var firstDate: Date?

  /// The repetition of a task to which a person gives a date besides.
  var withoutFirstDate: Repetition {
    var copy = self
    copy.firstDate = nil
    return copy
  }

  init(_ pattern: Pattern, isAfterCompletion: Bool = false, time: DatePhrase.Time? = nil) {
    self.pattern = pattern
    self.isAfterCompletion = isAfterCompletion
    self.time = time
  }

  /// - Parameter text: A text from a file or a person. Also the format of todo.txt's add-ons, `rec:1w` and
  ///   `rec:+1w`.
  /// - Returns: Nil when it is not entirely a repetition: such a text repeats nothing.
  public init?(_ text: String) {
    var parser = DateParser(text, locale: DateLocale(), isWhole: true)
    guard let match = parser.repetition(at: 0), match.end == parser.words.count else { return nil }
    self = match.part
  }
}

extension Repetition: CustomStringConvertible {
  /// A repetition of a task in the words in which a person has asked for it: without the day and the time
  /// that its later dates have again. One that cannot be read stays as it is.
  public static func words(of stored: String) -> String {
    guard var repetition = Repetition(stored) else { return stored }
    (repetition.meantDay, repetition.meantTime) = (nil, nil)
    return repetition.description
  }

  public var description: String {
    isAfterCompletion ? "after \(intervalWords)\(timeWords)" : "every \(patternWords)\(timeWords)"
  }

  private var patternWords: String {
    switch pattern {
    case .weeks(1, on: let days) where !days.isEmpty: return Self.words(forWeekdays: days)
    case .months(1, on: let day?): return Self.ordinal(day)
    case .years(1, on: let day?): return Self.words(for: day)
    case .weekdaysOfMonths(1, on: let day): return Self.words(for: day)
    default: break
    }
    let interval = intervalWords.hasPrefix("1 ") ? String(intervalWords.dropFirst(2)) : intervalWords
    switch pattern {
    case .weeks(_, on: let days) where !days.isEmpty: return "\(interval) on \(Self.words(forWeekdays: days))"
    case .months(_, on: let day?): return "\(interval) on the \(Self.ordinal(day))"
    case .years(_, on: let day?): return "\(interval) on \(Self.words(for: day))"
    case .weekdaysOfMonths(_, on: let day): return "\(interval) on the \(Self.words(for: day))"
    default: return interval + (meantDay.map { " from the \(Self.ordinal($0))" } ?? "")
    }
  }

  private var intervalWords: String {
    switch pattern {
    case .days(let count): count.counted("day")
    case .workdays(let count): count.counted("weekday")
    case .weeks(let count, _): count.counted("week")
    case .months(let count, _), .weekdaysOfMonths(let count, _): count.counted("month")
    case .years(let count, _): count.counted("year")
    }
  }

  private var timeWords: String {
    func words(_ time: DatePhrase.Time) -> String { LocalTime.clockWords(time.hour, time.minute) }
    return time.map { " at \(words($0))" } ?? meantTime.map { " usually at \(words($0))" } ?? ""
  }

  private static func words(forWeekdays days: Set<Int>) -> String {
    let names = days.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }.map { DateVocabulary.weekdays[$0] }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  private static func words(for day: DayOfYear) -> String {
    "\(day.day) \(DateVocabulary.months[day.month - 1])"
  }

  private static func words(for day: WeekdayOfMonth) -> String {
    let number = day.number == WeekdayOfMonth.last ? "last" : ordinal(day.number)
    return "\(number) \(DateVocabulary.weekdays[day.weekday])"
  }

  private static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number / 10, number % 10) {
      case (1, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }
}
