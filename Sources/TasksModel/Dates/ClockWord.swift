/// A written time of day: `6pm`, `6:30pm`, `18:00`, `6`.
struct ClockWord {
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

  /// - Parameter allowsDot: Whether `6.30` is a time by the words around it; else it is a number, unless pm
  ///   follows it.
  init?(_ word: Substring, allowsDot: Bool = false) {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
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
