/// The English words of dates.
package enum DateVocabulary {
  /// The full names, from Sunday on.
  package static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  /// The full names.
  package static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  /// The days from Sunday, 0, on.
  static let weekdayOfWord = [
    "sunday": 0, "sun": 0, "monday": 1, "mon": 1, "tuesday": 2, "tue": 2, "tues": 2, "wednesday": 3, "wed": 3,
    "weds": 3, "thursday": 4, "thu": 4, "thur": 4, "thurs": 4, "friday": 5, "fri": 5, "saturday": 6, "sat": 6,
  ]

  /// The months from January, 1, on.
  static let monthOfWord = [
    "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5,
    "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sep": 9, "sept": 9,
    "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
  ]

  static func number(_ word: String) -> Int? {
    if let digits = digits(word[...]) { return digits }
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return words.firstIndex(of: word).map { $0 + 1 }
  }

  /// The value of a word of at most nine digits; nil for other words.
  static func digits(_ word: Substring) -> Int? {
    guard (1...9).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(word)
  }

  enum Unit {
    case minute, hour, day, week, month, year
  }

  static let unitOfWord: [String: Unit] = [
    "minute": .minute, "minutes": .minute, "min": .minute, "mins": .minute, "hour": .hour, "hours": .hour,
    "h": .hour, "hr": .hour, "hrs": .hour, "day": .day, "days": .day, "d": .day, "week": .week,
    "weeks": .week, "w": .week, "wk": .week, "wks": .week, "month": .month, "months": .month, "mo": .month,
    "m": .month, "year": .year, "years": .year, "y": .year, "yr": .year, "yrs": .year,
  ]

  static let timeOfWord = [
    "morning": DatePhrase.Time(9), "noon": DatePhrase.Time(12), "midday": DatePhrase.Time(12),
    "afternoon": DatePhrase.Time(15), "evening": DatePhrase.Time(18), "night": DatePhrase.Time(20),
  ]

  /// The numbers of a weekday in its month; 5 for the last one.
  static let ordinals = [
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 5,
  ]

  /// Words that announce a day.
  static let beforeDays: Set<String> = ["on", "by", "until", "till", "before", "due", "this"]
  /// Words that may follow a day, and never stand between an ordinal and the noun that it belongs to.
  static let afterDays: Set<String> = ["at", "with", "about", "for", "in", "midnight", "every", "each"]
  /// Words that announce the end of the time for a task.
  static let beforeEnds: Set<String> = ["by", "before", "until", "till", "due"]
  /// Words that announce a time of day.
  static let beforeTimes: Set<String> = ["at", "@", "by", "before", "until", "till", "from"]
}
