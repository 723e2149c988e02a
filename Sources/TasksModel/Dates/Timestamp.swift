import FoundationEssentials

/// The digits of a date in ISO 8601: `2026-12-01`, `2026-12-01T09:30`, `20261201T093000Z`.
struct Timestamp: Equatable {
  var time: LocalTime
  /// The seconds, with a fraction.
  var seconds = 0.0
  var isWholeDay = true
  /// The offset from Greenwich in seconds; nil for local time.
  var offset: Int?

  /// - Returns: Nil for anything else, and for a day or time that does not exist.
  init?(_ text: some StringProtocol) {
    var digits = Digits(text)
    guard let year = digits.take(4) else { return nil }
    let isExtended = digits.skip("-")
    guard let month = digits.take(2), !isExtended || digits.skip("-"), let day = digits.take(2),
      (1...12).contains(month), (1...LocalCalendar.days(inMonth: month, of: year)).contains(day), year > 0
    else { return nil }
    time = LocalTime(year: year, month: month, day: day)
    if digits.isAtEnd { return }
    guard digits.skip("T") || digits.skip(" "), let hour = digits.take(2) else { return nil }
    let hasColons = digits.skip(":")
    guard let minute = digits.take(2), hour < 24, minute < 60 else { return nil }
    (time.hour, time.minute, isWholeDay) = (hour, minute, false)
    if hasColons ? digits.skip(":") : digits.isAtDigit {
      guard let second = digits.take(2), second < 61 else { return nil }
      seconds = Double(second)
      if digits.skip(".") {
        guard let fraction = digits.fraction() else { return nil }
        seconds += fraction
      }
    }
    if digits.skip("Z") {
      offset = 0
    } else if let sign = digits.skip("+") ? 1 : digits.skip("-") ? -1 : nil {
      guard let hours = digits.take(2), hours < 24 else { return nil }
      _ = digits.skip(":")
      let minutes = digits.isAtEnd ? 0 : digits.take(2) ?? 60
      guard minutes < 60 else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard digits.isAtEnd else { return nil }
  }

  /// The moment; that of a whole day is its first one.
  func date(_ calendar: LocalCalendar) -> Date {
    let calendar = offset.map { LocalCalendar(secondsFromGMT: $0) } ?? calendar
    return calendar.date(of: time).addingTimeInterval(seconds)
  }
}

/// The bytes of a text, read as digits.
private struct Digits {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }
  var isAtDigit: Bool { !isAtEnd && (0x30...0x39).contains(bytes[position]) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func take(_ count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard isAtDigit else { return nil }
      number = number * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    return number
  }

  mutating func fraction() -> Double? {
    guard isAtDigit else { return nil }
    var (value, unit) = (0.0, 1.0)
    while isAtDigit {
      unit /= 10
      value += Double(bytes[position] - 0x30) * unit
      position += 1
    }
    return value
  }
}

extension LocalTime {
  /// `2026-12-01`.
  var dayText: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
  /// `20261201`.
  var basicDayText: String { padded(year, 4) + padded(month, 2) + padded(day, 2) }
}

/// A number with zeros in front.
func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Date {
  /// Whether the date has no fraction of a second, and a year of four digits.
  var hasISOText: Bool {
    let seconds = timeIntervalSince1970
    return seconds == seconds.rounded() && (-62_135_596_800...253_402_300_799).contains(seconds)
  }

  /// `2026-12-01T09:30:00Z`, cut to seconds.
  package var greenwichText: String {
    let time = LocalCalendar(secondsFromGMT: 0).localTime(of: self)
    let second = Int(timeIntervalSince1970.rounded(.down).truncatingRemainder(dividingBy: 60) + 60) % 60
    return "\(time.dayText)T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(second, 2))Z"
  }

  /// `20261201T093000Z`.
  var basicGreenwichText: String { greenwichText.filter { $0 != "-" && $0 != ":" } }
}
