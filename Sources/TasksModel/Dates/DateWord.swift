/// A word of a text that may contain a date: in lower case, without the punctuation around it.
struct DateWord {
  let text: String
  let range: Range<String.Index>
  /// Whether it follows a comma, a full stop or the like, or comes first.
  let beginsPart: Bool
  /// Whether such punctuation follows it, or it comes last.
  fileprivate(set) var endsPart: Bool

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
      // By indices: `dropLast` may count what it leaves, which for a long run is its length each time.
      let scalars = word.unicodeScalars
      var end = word.endIndex
      while end > word.startIndex, case let last = scalars.index(before: end), closing.contains(scalars[last])
      {
        end = last
      }
      let endsPart = end < word.endIndex
      word = word[..<end]
      // Separate punctuation ends the part before it.
      guard !word.isEmpty else {
        words.endPart()
        isAfterBreak = true
        continue
      }
      words.append(
        DateWord(
          // Comparing it with all date words costs its length each time.
          text: word.utf8.count > longest ? "…" : word.lowercased(), range: word.startIndex..<word.endIndex,
          beginsPart: isAfterBreak,
          endsPart: endsPart))
      isAfterBreak = endsPart
    }
    words.endPart()
    return words
  }

  /// Day and time of `2026-12-01T09:00` are two words.
  private static func splitTimestamp(_ word: Substring) -> [Substring] {
    guard let mark = word.firstIndex(of: "T"), mark != word.startIndex, word[..<mark].contains("-"),
      word.first?.isNumber == true, word[word.index(before: mark)].isNumber
    else { return [word] }
    return [word[..<mark], word[word.index(after: mark)...]]
  }

  /// The greatest length in bytes; words of dates are shorter.
  private static let longest = 64
  private static let opening: Set<Character> = ["(", "[", "{", "\"", "'", "“", "‘", "«"]
  private static let closing: Set<Unicode.Scalar> = [
    ")", "]", "}", "\"", "'", "”", "’", "»", ",", ".", ";", ":", "!", "?", "-", "–",
  ]
}

extension [DateWord] {
  fileprivate mutating func endPart() {
    if let last = indices.last { self[last].endsPart = true }
  }
}
