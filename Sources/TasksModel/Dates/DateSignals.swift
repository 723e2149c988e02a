/// The signs of a date in a text. Most texts have none of them, and are then not divided into words.
enum DateSignals {
  /// The words of which a date contains at least one, unless it contains a number in the form of a date or a
  /// time.
  private static let words: Set<UInt64> = {
    let days = ["today", "tomorrow", "tmr", "tmrw", "tonight", "midnight", "next", "weekend"]
    let others = ["am", "pm", "half", "quarter", "every", "each", "rec"]
    let words =
      days + others + Array(DateVocabulary.weekdayOfWord.keys) + Array(DateVocabulary.monthOfWord.keys)
      + Array(DateVocabulary.unitOfWord.keys) + Array(DateVocabulary.timeOfWord.keys)
    return Set(words.map { $0.utf8.reduce(0, appending) })
  }()

  /// The first eight letters of a word as a number.
  private static func appending(_ word: UInt64, _ letter: UInt8) -> UInt64 {
    word >> 56 == 0 ? word << 8 | UInt64(letter) : word
  }

  /// Whether there may be a date or a repetition in a text. No date is missed, but a text without one may
  /// pass.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  static func mayBe(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var word: UInt64 = 0
      var previous = UInt8(ascii: " ")
      // The length of a number that begins with a zero, as the time `0930` does.
      var digits = 0
      for byte in bytes {
        let isCounted = isDigit(byte) && (digits > 0 || byte == UInt8(ascii: "0") && !isDigit(previous))
        if !isCounted, digits == 4 { return true }
        digits = isCounted ? digits + 1 : 0
        // Letters and digits of other scripts may count as Latin ones.
        if byte >= 0x80 { return true }
        if isLetter(byte) {
          if isDigit(previous) { return true }
          word = appending(word, byte | 0x20)
        } else {
          if word != 0, words.contains(word) { return true }
          word = 0
          if isDigit(byte) ? isJoint(previous) || isLetter(previous) : isDigit(previous) && isJoint(byte) {
            return true
          }
        }
        previous = byte
      }
      return digits == 4 || word != 0 && words.contains(word)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether it stands within numbers that are dates or times, such as `6:30`, `+3`, `2026-12-01` and `12/1`.
  private static func isJoint(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "+"): true
    default: false
    }
  }
}
