extension StringProtocol {
  /// The words between single spaces, also empty ones. A combining mark after a space begins a word: joined
  /// by spaces, the words are the text again, whatever they begin with.
  ///
  /// Complexity: O(the length of the text).
  var wordsBetweenSpaces: [Substring] {
    Substring(self).unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map(Substring.init)
  }

  package var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}
