import TasksModel

extension String {
  /// A sentence as it is printed: what would control a terminal is a code, and of long texts that it quotes
  /// the middle is left out.
  var asPrintedSentence: String { withLongQuotationsShortened.withControlsMadeVisible }

  /// The greatest number of scalars of a quotation that is whole; paths, which have to be, are shorter.
  private static let longestQuotation = 400
  private static let keptBeginning = 300
  private static let keptEnd = 60

  /// The sentence without the middle of each text that is quoted in it and would bury it: a task may be as
  /// long as a book.
  ///
  /// - Complexity: O(n).
  private var withLongQuotationsShortened: String {
    guard utf8.count > Self.longestQuotation else { return self }
    var kept = UnicodeScalarView()
    // The outermost quotation so far.
    var quotation = UnicodeScalarView()
    var depth = 0
    func endQuotation() {
      if quotation.count > Self.longestQuotation {
        kept.append(contentsOf: quotation.prefix(Self.keptBeginning))
        kept.append("…")
        kept.append(contentsOf: quotation.suffix(Self.keptEnd))
      } else {
        kept.append(contentsOf: quotation)
      }
      quotation = UnicodeScalarView()
    }
    for scalar in unicodeScalars {
      if scalar == "”", depth > 0 {
        depth -= 1
        if depth == 0 { endQuotation() }
      }
      if depth == 0 { kept.append(scalar) } else { quotation.append(scalar) }
      if scalar == "“" { depth += 1 }
    }
    endQuotation()
    return String(kept)
  }
}
