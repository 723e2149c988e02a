/// A word of a text that may have a date in it: in lower case, without the punctuation around it.
struct DateWord {
  let text: String
  let range: Range<String.Index>
  /// A comma, a full stop or the like stands in front of it, or nothing does.
  let beginsPart: Bool
  /// The same behind it.
  let endsPart: Bool

  /// Complexity: O(the length of the text).
  static func words(of text: String) -> [DateWord] {
    var words: [DateWord] = []
    var isAfterBreak = true
    for part in text.split(whereSeparator: \.isWhitespace).flatMap(splitTimestamp) {
      var word = part
      while let first = word.first, opening.contains(first) {
        isAfterBreak = true
        word = word.dropFirst()
      }
      var endsPart = false
      while let last = word.last, closing.contains(last) {
        endsPart = true
        word = word.dropLast()
      }
      // Punctuation that stands by itself ends what came before it.
      guard !word.isEmpty else {
        if let last = words.popLast() {
          words.append(
            DateWord(text: last.text, range: last.range, beginsPart: last.beginsPart, endsPart: true))
        }
        isAfterBreak = true
        continue
      }
      words.append(
        DateWord(
          text: word.lowercased(), range: word.startIndex..<word.endIndex, beginsPart: isAfterBreak,
          endsPart: endsPart))
      isAfterBreak = endsPart
    }
    if let last = words.popLast() {
      words.append(
        DateWord(text: last.text, range: last.range, beginsPart: last.beginsPart, endsPart: true))
    }
    return words
  }

  /// Day and time of `2026-12-01T09:00` are two words.
  private static func splitTimestamp(_ word: Substring) -> [Substring] {
    guard let mark = word.firstIndex(of: "T"), mark != word.startIndex, word[..<mark].contains("-"),
      word.first?.isNumber == true, word[word.index(before: mark)].isNumber
    else { return [word] }
    return [word[..<mark], word[word.index(after: mark)...]]
  }

  private static let opening: Set<Character> = ["(", "[", "{", "\"", "'", "“", "‘", "«"]
  private static let closing: Set<Character> = [
    ")", "]", "}", "\"", "'", "”", "’", "»", ",", ".", ";", ":", "!", "?", "-", "–",
  ]
}
