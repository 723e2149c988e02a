import CTerminal

/// How many columns a Unicode scalar takes, and how far terminals agree about it.
enum TextWidth {
  /// Columns of `scalar`: 0 for what is drawn over its neighbour, 1, 2, or `nil` when it is not printable.
  ///
  /// By glibc's `wcwidth` for UTF-8, which ncurses goes by too, whatever the process's locale.
  static func columns(of scalar: Unicode.Scalar) -> Int? {
    if scalar.value < 0x7F { return scalar.value >= 0x20 ? 1 : nil }
    let width = cterminal_scalar_width(scalar.value)
    return width < 0 ? nil : Int(width)
  }

  /// Whether every terminal can be expected to advance by `columns(of:)`.
  ///
  /// They differ over symbols that may be drawn as text or as emoji, over regional indicators, over emoji
  /// younger than the terminal, and over Indic and South-East Asian scripts, where some shape a cluster as a
  /// whole.
  static func isCertain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: return true
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
