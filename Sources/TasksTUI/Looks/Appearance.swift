/// How things are drawn here: what the person wants and what the terminal can do.
struct Appearance: Equatable, Sendable {
  /// How a change is shown.
  enum Movement: String, CaseIterable, Sendable {
    /// Rows travel.
    case full
    /// The old picture fades into the new one, and nothing travels.
    case fade
    /// The new picture is there at once.
    case off
  }

  var movement = Movement.full
  /// How many times as fast as usual everything moves.
  var speed = 1.0
  /// A row that is edited goes to the top of the screen; else it stays where it is.
  var editsOnTop = true
  var hasColors = true
  /// Sixteen colours or fewer: tints of one are the same to the eye.
  var hasFewColors = false
  var strikethrough = Terminal.Strikethrough.attribute
  /// Text that runs from right to left is put in order by the program; else the terminal does that.
  var ordersText = true
  /// Nothing but ASCII in what the program itself draws.
  var isASCII = false
  var palette = Theme.realmTasks.dark

  init(
    isAnimated: Bool = true, hasColors: Bool = true,
    strikethrough: Terminal.Strikethrough = .attribute, isASCII: Bool = false
  ) {
    movement = isAnimated ? .full : .off
    self.hasColors = hasColors
    self.strikethrough = strikethrough
    self.isASCII = isASCII
  }

  /// What a terminal with so many colours can do.
  init(
    isAnimated: Bool = true, depth: ColorDepth, strikethrough: Terminal.Strikethrough = .attribute,
    isASCII: Bool = false
  ) {
    self.init(
      isAnimated: isAnimated, hasColors: depth != .none, strikethrough: strikethrough, isASCII: isASCII)
    hasFewColors = depth == .eight || depth == .sixteen
  }

  var isAnimated: Bool { movement != .off }
}
