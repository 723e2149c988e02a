import FoundationEssentials

/// The values of a task as words of the form `key:value`, as todo.txt has them and its add-ons.
enum TaskWords {
  /// A date of a day, or with its time: `due:2026-12-01`, `due:2026-12-01T09:30`.
  static func due(_ date: Date, _ calendar: LocalCalendar) -> String {
    "due:" + calendar.text(of: date)
  }

  /// The day until which a task waits, or the moment: `t:2026-12-01`.
  static func wait(_ date: Date, _ calendar: LocalCalendar) -> String {
    "t:" + calendar.text(of: date)
  }

  /// `rec:1w` after the completion, `rec:+1w` by the date; another repetition as an encoded word.
  static func repetition(_ text: String) -> String {
    "rec:" + (shortForm(of: text) ?? EncodedWord.encode(text))
  }

  private static func shortForm(of text: String) -> String? {
    guard let repetition = Repetition(text), repetition.description == text else { return nil }
    let short =
      switch repetition.pattern {
      case .days(let count): "\(count)d"
      case .workdays(let count): "\(count)b"
      case .weeks(let count, _): "\(count)w"
      case .months(let count, _): "\(count)m"
      case .years(let count, _): "\(count)y"
      case .weekdaysOfMonths: ""
      }
    let word = repetition.isAfterCompletion ? short : "+" + short
    return Repetition("rec:" + word) == repetition ? word : nil
  }

  /// Takes a word's value; returns false if it is another word, or has been taken before.
  static func take(_ word: Substring, into values: inout RowValues, _ calendar: LocalCalendar) -> Bool {
    guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let value = word[word.utf8.index(after: colon)...]
    switch word[..<colon] {
    case "due" where values.date == nil:
      guard let time = Timestamp(value) else { return false }
      values.date = time.date(calendar)
    case "t" where values.details.waitsUntil == nil:
      guard let time = Timestamp(value) else { return false }
      values.details.waitsUntil = time.date(calendar)
    case "rec" where values.details.repetition.isEmpty && !value.isEmpty:
      if let repetition = Repetition(String(word)) ?? Repetition(EncodedWord.decode(value)) {
        values.details.repetition = repetition.description
      } else if value.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "%") }) {
        values.details.repetition = EncodedWord.decode(value)
      } else {
        return false
      }
    default: return false
    }
    return true
  }

  /// A text on one line, with spaces for tabs.
  static func line(_ text: String) -> String {
    func isSpace(_ character: Character) -> Bool { character.isNewline || character == "\t" }
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }), text.contains(where: isSpace)
    else { return text }
    return String(text.map { isSpace($0) ? " " : $0 })
  }
}
