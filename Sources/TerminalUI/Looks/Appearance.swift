/// The appearance, from the settings of the person and the capabilities of the terminal.
package struct Appearance: Equatable, Sendable {
  /// The presentation of a change.
  package enum Movement: String, CaseIterable, Sendable {
    /// Rows travel.
    case full
    /// The old picture fades into the new one, without movement.
    case fade
    /// The new picture is shown at once.
    case off
  }

  package var movement = Movement.full
  /// The speed of all movement, as a multiple of the usual one.
  package var speed = 1.0
  /// Whether a row that is edited goes to the top of the screen; otherwise it stays in its place.
  package var editsOnTop = true
  package var hasColors = true
  /// Whether there are sixteen colors or fewer, in which tints of one color look the same.
  package var hasFewColors = false
  package var strikethrough = Terminal.Strikethrough.attribute
  /// Whether the program reorders right-to-left text; otherwise the terminal does.
  package var ordersText = true
  /// Whether the program draws its own signs in ASCII only.
  package var isASCII = false
  package var palette = Theme.realmTasks.dark

  /// The capabilities of a terminal with a number of colors.
  package init(
    isAnimated: Bool = true, depth: ColorDepth = .direct,
    strikethrough: Terminal.Strikethrough = .attribute, isASCII: Bool = false
  ) {
    movement = isAnimated ? .full : .off
    hasColors = depth != .none
    hasFewColors = depth == .eight || depth == .sixteen
    self.strikethrough = strikethrough
    self.isASCII = isASCII
  }

  package var isAnimated: Bool { movement != .off }
}
