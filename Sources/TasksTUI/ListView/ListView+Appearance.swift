import TerminalUI

extension ListView {
  /// Applies another appearance from now on.
  mutating func take(_ appearance: Appearance, gradient: Gradient) {
    let palette = appearance.palette
    self.gradient = gradient
    backdrop = palette.plain
    selectionColor = palette.selection
    selectionTint = palette.selectionTint
    isAnimated = appearance.isAnimated
    fades = appearance.movement == .fade
    movementDuration = 0.25 / appearance.speed
    flashDuration = 0.4 / appearance.speed
    scrollsToFocus = appearance.editsOnTop
    hasColors = appearance.hasColors
    movesBetweenLines = appearance.hasColors && !appearance.isASCII
  }
}
