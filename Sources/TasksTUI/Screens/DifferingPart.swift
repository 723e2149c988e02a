extension String {
  /// The columns of a text in a message of two lines.
  private static let longestPart = 80
  /// The characters that are shown before the part that differs.
  private static let context = 16

  /// The text for a message, or the part of it that begins shortly before it differs from another text.
  ///
  /// Complexity: O(n).
  func part(differingFrom other: String) -> String {
    guard DisplayText(beginning(Self.longestPart + 1)).width > Self.longestPart else {
      return DisplayText(self).string
    }
    let same = zip(unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
    guard same > Self.longestPart / 2 else { return DisplayText(self, clippedTo: Self.longestPart).string }
    // Not in the middle of a word, if there are blanks.
    let rest = String(unicodeScalars.dropFirst(same - Self.context))
    let blank = rest.prefix(Self.context).firstIndex(of: " ")
    let part = blank.map { String(rest[rest.index(after: $0)...]) } ?? rest
    return "…" + DisplayText(part, clippedTo: Self.longestPart - 1).string
  }
}
