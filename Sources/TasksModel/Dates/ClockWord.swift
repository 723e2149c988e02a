/// A written time of day: `6pm`, `6:30pm`, `18:00`, `6`, `18h`, `0630`.
struct ClockWord {
  /// The way in which it is written.
  enum Form {
    case usual
    /// `18h`, `18h30`; the words around it tell it from a span of time.
    case hours
    /// `1830`; the words around it tell it from a number.
    case digits
  }

  enum Half {
    case am, pm

    init?(_ word: some StringProtocol) {
      switch word {
      case "am", "a.m": self = .am
      case "pm", "p.m": self = .pm
      default: return nil
      }
    }

    var other: Half { self == .am ? .pm : .am }
  }

  let hour: Int
  let minute: Int
  let hasMinutes: Bool
  var half: Half?
  private(set) var form = Form.usual
  /// Whether it begins with a zero, as numbers and spans of time seldom do.
  let hasLeadingZero: Bool

  /// - Parameters:
  ///   - allowsDot: Whether `6.30` is a time by the words around it; else it is a number, unless pm follows
  ///     it.
  ///   - allowsAllForms: Whether `18h` and `1830` are times too.
  init?(_ word: Substring, allowsDot: Bool = false, allowsAllForms: Bool = false) {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    hasLeadingZero = digits.first == "0" && digits.utf8.count > 1
    if allowsAllForms, digits.utf8.count == 4, digits.endIndex == word.endIndex,
      let number = DateVocabulary.digits(digits)
    {
      (hour, minute, hasMinutes, form) = (number / 100, number % 100, true, .digits)
      guard hour < 24, minute < 60 else { return nil }
      return
    }
    guard digits.utf8.count <= 2, let hour = DateVocabulary.digits(digits) else { return nil }
    var rest = word.dropFirst(digits.count)
    self.hour = hour
    var minute = 0
    var hasMinutes = false
    if rest.first == ":" || rest.first == "." {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard digits.utf8.count == 2, let number = DateVocabulary.digits(digits) else { return nil }
      let isClock = rest.first == ":" || allowsDot
      rest = rest.dropFirst(3)
      guard isClock || Half(rest) != nil else { return nil }
      (minute, hasMinutes) = (number, true)
    }
    if allowsAllForms, !hasMinutes, rest.first == "h", hour < 24 {
      let digits = rest.dropFirst()
      if digits.isEmpty {
        rest = digits
      } else if digits.utf8.count == 2, let number = DateVocabulary.digits(digits), number < 60 {
        minute = number
        rest = ""
      }
      if rest.isEmpty { (hasMinutes, form) = (true, .hours) }
    }
    self.minute = minute
    self.hasMinutes = hasMinutes
    if !rest.isEmpty {
      guard let half = Half(rest) else { return nil }
      self.half = half
    }
  }

  /// The time; nil when there is no such one. A bare hour from one to six is in the afternoon.
  var time: DatePhrase.Time? {
    guard minute < 60 else { return nil }
    switch half {
    case .am?: return (1...12).contains(hour) ? DatePhrase.Time(hour % 12, minute) : nil
    case .pm?: return (1...12).contains(hour) ? DatePhrase.Time(hour % 12 + 12, minute) : nil
    case nil:
      guard hour < 24 else { return nil }
      return DatePhrase.Time(!hasMinutes && (1...6).contains(hour) ? hour + 12 : hour, minute)
    }
  }
}
