import FoundationEssentials

/// Stored as text in UTC, `yyyy-MM-dd HH:mm:ss.SSS`, the format of SQLite's own date functions: it sorts by
/// time, and people can read and write it.
///
/// Rounded to milliseconds. A date outside the years 0000 to 9999 is clamped, because its text would no
/// longer sort by time.
///
/// Read from any prefix of that format down to the day alone, with `T` for the space, with any number of
/// fractional digits, with `Z` or an offset such as `+02:00` after it; and from a number, or text of one:
/// seconds since 1970.
extension Date: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue {
    .text(CivilTime.text(ofMilliseconds: CivilTime.milliseconds(since1970: timeIntervalSince1970)))
  }

  public init?(sqliteValue: SQLiteValue) {
    let milliseconds: Int64
    switch sqliteValue {
    case .null:
      return nil
    case .integer(let seconds):
      milliseconds = CivilTime.milliseconds(since1970: Double(seconds))
    case .real(let seconds):
      guard !seconds.isNaN else { return nil }
      milliseconds = CivilTime.milliseconds(since1970: seconds)
    case .text(var text):
      guard let value = text.withUTF8({ CivilTime.milliseconds(parsing: $0) }) else { return nil }
      milliseconds = value
    case .malformedText(let bytes), .blob(let bytes):
      guard let value = bytes.withUnsafeBufferPointer({ CivilTime.milliseconds(parsing: $0) }) else {
        return nil
      }
      milliseconds = value
    }
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

/// Conversion between milliseconds since 1970-01-01 00:00 UTC and text in the proleptic Gregorian calendar.
/// It has no leap seconds and no locale, and allocates only the text.
enum CivilTime {
  private static let millisecondsPerDay: Int64 = 86_400_000
  /// 0000-01-01 00:00:00.000
  private static let earliest: Int64 = -62_167_219_200_000
  /// 9999-12-31 23:59:59.999
  private static let latest: Int64 = 253_402_300_799_999

  /// The nearest millisecond, clamped to the years 0000 to 9999.
  static func milliseconds(since1970 seconds: Double) -> Int64 {
    let value = (seconds * 1000).rounded()
    if value <= Double(earliest) { return earliest }
    return value < Double(latest) ? Int64(value) : latest
  }

  /// The text `yyyy-MM-dd HH:mm:ss.SSS`. The argument must lie within the years 0000 to 9999.
  static func text(ofMilliseconds milliseconds: Int64) -> String {
    var days = milliseconds / millisecondsPerDay
    var rest = milliseconds % millisecondsPerDay
    if rest < 0 {
      rest += millisecondsPerDay
      days -= 1
    }
    let date = civil(fromDays: days)
    return String(unsafeUninitializedCapacity: 23) { buffer in
      func put(_ value: Int64, at start: Int, digits: Int) {
        var value = value
        for index in stride(from: start + digits - 1, through: start, by: -1) {
          buffer[index] = UInt8(ascii: "0") + UInt8(value % 10)
          value /= 10
        }
      }
      put(date.year, at: 0, digits: 4)
      buffer[4] = UInt8(ascii: "-")
      put(date.month, at: 5, digits: 2)
      buffer[7] = UInt8(ascii: "-")
      put(date.day, at: 8, digits: 2)
      buffer[10] = UInt8(ascii: " ")
      put(rest / 3_600_000, at: 11, digits: 2)
      buffer[13] = UInt8(ascii: ":")
      put(rest / 60_000 % 60, at: 14, digits: 2)
      buffer[16] = UInt8(ascii: ":")
      put(rest / 1000 % 60, at: 17, digits: 2)
      buffer[19] = UInt8(ascii: ".")
      put(rest % 1000, at: 20, digits: 3)
      return 23
    }
  }

  /// Nil for text that is neither a time nor a number. Days after the end of a month count into the next one,
  /// as in SQLite's date functions.
  static func milliseconds(parsing text: UnsafeBufferPointer<UInt8>) -> Int64? {
    if let milliseconds = milliseconds(written: text) { return milliseconds }
    var scanner = Scanner(rest: text[...])
    scanner.skipSpaces()
    let trimmed = scanner
    if let milliseconds = scanner.time(), scanner.skipSpaces() {
      return min(max(milliseconds, earliest), latest)
    }
    scanner = trimmed
    return scanner.number().map { milliseconds(since1970: $0) }
  }

  /// Reads the one format that ``text(ofMilliseconds:)`` writes, which files usually contain.
  private static func milliseconds(written text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 23, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: " "), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: ".")
    else { return nil }
    var areDigits = true
    func number(_ range: Range<Int>) -> Int64 {
      var value: Int64 = 0
      for index in range {
        let digit = text[index] &- UInt8(ascii: "0")
        areDigits = areDigits && digit < 10
        value = value &* 10 &+ Int64(digit)
      }
      return value
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    let fraction = number(20..<23)
    // Values out of these ranges are parsed by the general scanner.
    guard areDigits, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    return days(year: year, month: month, day: day) * millisecondsPerDay
      + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }

  /// Day 0 is 1970-01-01. Years begin with March, so that the leap day is the last of a year and 400 years
  /// are one period of 146,097 days.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // From March on, months have 31, 30, 31, 30, 31 days repeatedly: 153 days in five months.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
    let yearOfEra = yearFromMarch - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// A scanner that reads a text from its start. A method that returns nil or false may have read part of it.
  private struct Scanner {
    var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// Skips white space; returns true at the end.
    @discardableResult
    mutating func skipSpaces() -> Bool {
      rest = rest.drop { $0.isASCIISpace }
      return rest.isEmpty
    }

    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: byte) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digits(_ count: ClosedRange<Int>, upTo limit: Int64) -> Int64? {
      var value: Int64 = 0
      var read = 0
      while read < count.upperBound, let digit = rest.first?.asciiDigit {
        value = value * 10 + Int64(digit)
        rest.removeFirst()
        read += 1
      }
      return read >= count.lowerBound && value <= limit ? value : nil
    }

    mutating func time() -> Int64? {
      guard let year = digits(4...4, upTo: 9999), skip("-"),
        let month = digits(1...2, upTo: 12), month > 0, skip("-"),
        let day = digits(1...2, upTo: 31), day > 0
      else { return nil }
      var milliseconds = days(year: year, month: month, day: day) * millisecondsPerDay
      let dateAlone = self
      if !skip("T"), !skip("t") { skipSpaces() }
      guard let first = rest.first, first.asciiDigit != nil else {
        self = dateAlone
        return milliseconds
      }
      guard let hour = digits(1...2, upTo: 24), skip(":"), let minute = digits(2...2, upTo: 59) else {
        return nil
      }
      milliseconds += (hour * 60 + minute) * 60_000
      if skip(":") {
        // A leap second is read as the first second of the next minute.
        guard let second = digits(2...2, upTo: 60) else { return nil }
        milliseconds += second * 1000
        if skip(".") || skip(",") {
          guard let fraction = fraction() else { return nil }
          milliseconds += fraction
        }
      }
      skipSpaces()
      guard let offset = offset() else { return nil }
      return milliseconds - offset
    }

    /// Fractional digits of a second, to the nearest millisecond.
    private mutating func fraction() -> Int64? {
      // Digits after the fourth cannot change which millisecond is nearest.
      guard rest.first?.asciiDigit != nil else { return nil }
      var tenths: Int64 = 0
      var unit: Int64 = 1000
      while let digit = rest.first?.asciiDigit {
        tenths += Int64(digit) * unit
        unit /= 10
        rest.removeFirst()
      }
      return (tenths + 5) / 10
    }

    /// The offset `Z`, `+02:00`, `-0330`, `+1` or none, in milliseconds.
    private mutating func offset() -> Int64? {
      if rest.isEmpty || skip("Z") || skip("z") { return 0 }
      let sign: Int64
      if skip("+") {
        sign = 1
      } else if skip("-") {
        sign = -1
      } else {
        return nil
      }
      guard let hours = digits(1...2, upTo: 23) else { return nil }
      var minutes: Int64 = 0
      if skip(":") || rest.first?.asciiDigit != nil {
        guard let value = digits(2...2, upTo: 59) else { return nil }
        minutes = value
      }
      return sign * (hours * 60 + minutes) * 60_000
    }

    /// The whole rest as a decimal number.
    mutating func number() -> Double? {
      var end = rest.endIndex
      while end > rest.startIndex, rest[end - 1].isASCIISpace { end -= 1 }
      let text = rest[rest.startIndex..<end]
      // Swift also reads "inf", "nan" and hexadecimal.
      guard text.allSatisfy({ $0.asciiDigit != nil || ".+-eE".utf8.contains($0) }) else { return nil }
      return Double(String(decoding: text, as: UTF8.self))
    }
  }
}
