import TerminalUI

extension String {
  /// The text for a message, or the part of it that begins shortly before it differs from another text.
  ///
  /// - Parameter columns: The columns of the part, of which a message of two lines has space for 80.
  ///
  /// Complexity: O(n).
  func part(differingFrom other: String, columns: Int = 80) -> String {
    guard DisplayText(beginning(columns + 1)).width > columns else {
      return DisplayText(self).string
    }
    let same = zip(unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
    guard same > columns / 2 else { return DisplayText(self, clippedTo: columns).string }
    // The characters that are shown before the part that differs.
    let context = min(16, columns / 2 - 2)
    // Not in the middle of a word, if there are blanks.
    let rest = String(unicodeScalars.dropFirst(same - context))
    let blank = rest.prefix(context).firstIndex(of: " ")
    let part = blank.map { String(rest[rest.index(after: $0)...]) } ?? rest
    return "…" + DisplayText(part, clippedTo: columns - 1).string
  }
}
