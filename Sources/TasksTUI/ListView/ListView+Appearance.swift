extension ListView {
  /// Looks and moves as it is wanted from now on.
  mutating func take(_ appearance: Appearance, gradient: Gradient) {
    let palette = appearance.palette
    self.gradient = gradient
    backdrop = palette.plain
    selectionColor = palette.selection
    selectionTint = palette.selectionTint
    isAnimated = appearance.isAnimated
    movesBetweenLines = appearance.hasColors && !appearance.isASCII
  }
}
