extension Unicode.Scalar {
  /// Whether a terminal shows it, and does nothing else: what decides for the screen and for what the command
  /// line prints.
  ///
  /// Neither are control characters (C0, C1, DEL), line and paragraph separators, what no version of Unicode
  /// has assigned, nor what is not seen and changes or hides what stands beside it: bidirectional marks,
  /// zero-width spaces, joiners, variation selectors, tags.
  var isVisible: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return !properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }
}
