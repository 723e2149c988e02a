@_spi(_Unicode) import Swift

/// The differences that a comparison of texts ignores.
public struct StringOptions: OptionSet, Hashable, Sendable {
  /// The options as the bits of a number.
  public let rawValue: Int

  /// The options whose bits are set.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The case of letters: `ß` is `SS`, `ﬁ` is `FI`, all forms of sigma are one.
  public static let caseInsensitive = StringOptions(rawValue: 1)

  /// Accents and all other marks on a letter: `é` is `e`.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

extension String {
  /// A text that is the same for all texts that differ only in what the options ignore, and in the Unicode
  /// composition of their characters; without options, the text itself.
  func folded(_ options: StringOptions) -> String {
    if options.isEmpty { return self }
    if utf8.allSatisfy({ $0 < 0x80 }) { return options.contains(.caseInsensitive) ? lowercased() : self }
    var scalars = String.UnicodeScalarView()
    for scalar in _nfd {
      if options.contains(.diacriticInsensitive), scalar.properties.isMark { continue }
      // Upper case first, because it unifies letters with several lower-case forms; the dotless Turkish i is
      // a letter of its own.
      if options.contains(.caseInsensitive), scalar != "\u{131}" {
        // One by one: append(contentsOf:) takes as long as the text is already, and all of them its square.
        let letters = scalar.properties.uppercaseMapping.lowercased().unicodeScalars
        for letter in letters { scalars.append(letter) }
      } else {
        scalars.append(scalar)
      }
    }
    var folded = String.UnicodeScalarView()
    folded.append(contentsOf: String(scalars)._nfc)
    return String(folded)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isMark: Bool {
    generalCategory == .nonspacingMark || generalCategory == .enclosingMark
  }
}
