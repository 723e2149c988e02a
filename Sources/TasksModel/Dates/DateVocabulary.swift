/// The English words of dates.
enum DateVocabulary {
  /// The full names, from Sunday on.
  static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  /// The full names.
  static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  static func weekday(_ word: String) -> Int? {
    switch word {
    case "sunday", "sun": 0
    case "monday", "mon": 1
    case "tuesday", "tue", "tues": 2
    case "wednesday", "wed", "weds": 3
    case "thursday", "thu", "thur", "thurs": 4
    case "friday", "fri": 5
    case "saturday", "sat": 6
    default: nil
    }
  }

  static func month(_ word: String) -> Int? {
    switch word {
    case "january", "jan": 1
    case "february", "feb": 2
    case "march", "mar": 3
    case "april", "apr": 4
    case "may": 5
    case "june", "jun": 6
    case "july", "jul": 7
    case "august", "aug": 8
    case "september", "sep", "sept": 9
    case "october", "oct": 10
    case "november", "nov": 11
    case "december", "dec": 12
    default: nil
    }
  }

  static func number(_ word: String) -> Int? {
    if let digits = digits(word[...]) { return digits }
    return ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].firstIndex(
      of: word
    )
    .map { $0 + 1 }
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

  static func unit(_ word: String) -> Unit? {
    switch word {
    case "minute", "minutes", "min", "mins": .minute
    case "hour", "hours", "h", "hr", "hrs": .hour
    case "day", "days", "d": .day
    case "week", "weeks", "w", "wk", "wks": .week
    case "month", "months", "mo", "m": .month
    case "year", "years", "y", "yr", "yrs": .year
    default: nil
    }
  }

  static func timeOfDay(_ word: String) -> DatePhrase.Time? {
    switch word {
    case "morning": DatePhrase.Time(9)
    case "noon", "midday": DatePhrase.Time(12)
    case "afternoon": DatePhrase.Time(15)
    case "evening": DatePhrase.Time(18)
    case "night": DatePhrase.Time(20)
    default: nil
    }
  }

  /// Words that announce a day.
  static let beforeDays: Set<String> = ["on", "by", "until", "till", "before", "due", "this"]
  /// Words that announce a time of day.
  static let beforeTimes: Set<String> = ["at", "@", "by", "before", "until", "till", "from"]
}
