extension Unicode.Scalar {
  /// Whether a terminal shows it, without any other effect: the criterion for the screen and for the output
  /// of the command line.
  ///
  /// False for control characters (C0, C1, DEL), line and paragraph separators, scalars that no version of
  /// Unicode has assigned, and invisible ones that change or hide their neighbours: bidirectional marks,
  /// zero-width spaces, joiners, variation selectors, tags.
  @inlinable public var isVisible: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return !properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }
}
