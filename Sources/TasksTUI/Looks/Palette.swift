/// The colors of everything that is drawn.
struct Palette: Equatable, Sendable {
  /// The background of everything.
  var ground: RGB
  /// Text on the ground: titles, typed text, the keys at the bottom.
  var text: RGB
  /// Accompanying text.
  var faint: RGB
  /// Messages of the program.
  var message: RGB
  var heading: RGB
  /// Keys in the help.
  var key: RGB

  /// The rows of tasks, and of lists, from the top down.
  var tasks: Gradient
  var lists: Gradient
  /// The amount of `selection` in the row under the cursor, 0 … 1.
  var selectionTint = 0.25
  var selection = RGB.white

  /// The ground of a completed row, and its amount in the row's text.
  var completed: RGB
  var completedFaintness = 0.7
  /// A row that is being completed.
  var completing = RGB(0, 153, 0)
  /// The color of marked rows, and its amount.
  var mark = RGB(60, 130, 246)
  var markTint = 0.45
  /// The background of a date that has passed.
  var overdue = RGB(176, 18, 32)
  /// The backgrounds of tags, one of them for each name.
  var tags = [
    RGB(20, 92, 122), RGB(112, 52, 120), RGB(44, 104, 60), RGB(132, 66, 20), RGB(60, 64, 140),
    RGB(120, 36, 66),
  ]
  /// The background of matches of a search.
  var highlight = RGB(255, 214, 102)

  /// The choices above the bottom line, and the selected one.
  var panel: RGB
  var panelText: RGB
  var chosen = RGB(231, 167, 118)

  /// Text on the ground.
  var plain: Style { Style(foreground: text, background: ground) }
  func onGround(_ color: RGB, _ attributes: Style.Attributes = []) -> Style {
    Style(foreground: color, background: ground, attributes: attributes)
  }
}

/// Named colors: those for a terminal with a dark background, and those for one with a light background.
struct Theme: Equatable, Sendable {
  let name: String
  /// The description, in words.
  let help: String
  let dark: Palette
  let light: Palette

  init(_ name: String, help: String, dark: Palette, light: Palette) {
    self.name = name
    self.help = help
    self.dark = dark
    self.light = light
  }

  /// A theme that is the same on every terminal.
  init(_ name: String, help: String, _ palette: Palette) {
    self.init(name, help: help, dark: palette, light: palette)
  }
}
