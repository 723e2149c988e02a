@_spi(_Unicode) import Swift

/// Letters without case and accents, for searching.
enum FoldedLetters {
  /// The folded letter; nil for a scalar that is no letter, or in none of the blocks.
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    for (first, letters) in blocks where scalar.value >= first {
      let offset = Int(scalar.value - first)
      if offset < letters.count { return letters[offset] }
    }
    return nil
  }

  /// The first scalar of each block and its folded letters: those of Latin, Greek and Cyrillic, and of Latin
  /// and Greek with further marks.
  private static let blocks = [0xC0...0x24F, 0x370...0x3FF, 0x400...0x45F, 0x1E00...0x1FFF].map {
    (block: ClosedRange<UInt32>) in
    (first: block.lowerBound, letters: block.map { Unicode.Scalar($0).flatMap(folding) })
  }

  /// The first scalar of the canonical decomposition in lower case.
  private static func folding(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.properties.isAlphabetic else { return nil }
    return lowercase(scalar).flatMap { withoutStroke[$0] }
      ?? String(scalar)._nfd.first { _ in true }.flatMap(lowercase)
  }

  private static func lowercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    scalar.properties.lowercaseMapping.unicodeScalars.first
  }

  /// Letters with a stroke, and one without a dot, which Unicode does not decompose.
  private static let withoutStroke: [Unicode.Scalar: Unicode.Scalar] = [
    "ø": "o", "đ": "d", "ħ": "h", "ł": "l", "ŧ": "t", "ı": "i",
  ]
}
