import VisibleText

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
    let scalars = Array(unicodeScalars)
    var kept = UnicodeScalarView()
    var end = 0
    for quotation in Self.quotations(in: scalars) where quotation.count > Self.longestQuotation {
      kept.append(contentsOf: scalars[end..<quotation.lowerBound + Self.keptBeginning])
      kept.append("…")
      end = quotation.upperBound - Self.keptEnd
    }
    kept.append(contentsOf: scalars[end...])
    return String(kept)
  }

  /// The ranges of the outermost quotations, in order.
  private static func quotations(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    nestedQuotations(in: scalars) ?? plainQuotations(in: scalars)
  }

  /// - Returns: nil if some marks are not in pairs.
  private static func nestedQuotations(in scalars: [Unicode.Scalar]) -> [Range<Int>]? {
    var quotations: [Range<Int>] = []
    var (depth, start) = (0, 0)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "“" {
        if depth == 0 { start = index + 1 }
        depth += 1
      } else if scalar == "”" {
        depth -= 1
        guard depth >= 0 else { return nil }
        if depth == 0 { quotations.append(start..<index) }
      }
    }
    return depth == 0 ? quotations : nil
  }

  /// The quotations of a sentence in which a text has a mark without the other: the next closing mark ends
  /// each, and one more extends it.
  private static func plainQuotations(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var quotations: [Range<Int>] = []
    var start: Int?
    for (index, scalar) in scalars.enumerated() {
      if scalar == "“" {
        start = start ?? index + 1
      } else if scalar == "”" {
        if let begin = start ?? quotations.popLast()?.lowerBound { quotations.append(begin..<index) }
        start = nil
      }
    }
    return quotations + (start.map { [$0..<scalars.count] } ?? [])
  }
}
