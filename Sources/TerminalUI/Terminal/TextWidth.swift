import CTerminal

/// The columns of Unicode scalars, and the agreement of terminals about them.
package enum TextWidth {
  /// The columns of `scalar`: 0 for one drawn over its neighbour, 1, 2, or `nil` if it is not printable.
  ///
  /// By glibc's `wcwidth` for UTF-8, which ncurses uses too, in any locale of the process.
  package static func columns(of scalar: Unicode.Scalar) -> Int? {
    if scalar.value < 0x7F { return scalar.value >= 0x20 ? 1 : nil }
    let width = cterminal_scalar_width(scalar.value)
    return width < 0 ? nil : Int(width)
  }

  /// Whether every terminal can be expected to advance by `columns(of:)`.
  ///
  /// They differ for symbols that may be drawn as text or as emoji, for regional indicators, for emoji newer
  /// than the terminal, and for Indic and South-East Asian scripts, in which some shape a cluster as a whole.
  static func isCertain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: return true
    // Punctuation, and the lines and blocks that moving rows are drawn with: without an emoji among them, and
    // too frequent to be looked up.
    case 0x2010..<0x203C, 0x2500..<0x25AA: return true
    case 0x900..<0xE00, 0xF00..<0x10A0, 0x1780..<0x1800: return false
    case 0x1F1E6...0x1F1FF: return false
    default: break
    }
    let properties = scalar.properties
    if properties.generalCategory == .spacingMark { return false }
    guard properties.isEmoji else { return true }
    guard properties.isEmojiPresentation, let age = properties.age else { return false }
    return age.major <= 10
  }
}
