/// The colors of everything that is drawn.
package struct Palette: Equatable, Sendable {
  /// The background of everything.
  package var ground: RGB
  /// Text on the ground: titles, typed text, the keys at the bottom.
  package var text: RGB
  /// Accompanying text.
  package var faint: RGB
  /// Messages of the program.
  package var message: RGB
  package var heading: RGB
  /// Keys in the help.
  package var key: RGB

  /// The rows of tasks, and of lists, from the top down.
  package var tasks: Gradient
  package var lists: Gradient
  /// The amount of `selection` in the row under the cursor, 0 … 1.
  package var selectionTint = 0.25
  package var selection = RGB.white

  /// The ground of a completed row, and its amount in the row's text.
  package var completed: RGB
  package var completedFaintness = 0.7
  /// A row that is being completed.
  package var completing = RGB(0, 153, 0)
  /// The color of marked rows, and its amount.
  package var mark = RGB(60, 130, 246)
  package var markTint = 0.45
  /// The background of a date that has passed.
  package var overdue = RGB(176, 18, 32)
  /// The backgrounds of tags, one of them for each name.
  package var tags = [
    RGB(20, 92, 122), RGB(112, 52, 120), RGB(44, 104, 60), RGB(132, 66, 20), RGB(60, 64, 140),
    RGB(120, 36, 66),
  ]
  /// The background of matches of a search.
  package var highlight = RGB(255, 214, 102)

  /// The choices above the bottom line, and the selected one.
  package var panel: RGB
  package var panelText: RGB
  package var chosen = RGB(231, 167, 118)

  /// Text on the ground.
  package var plain: Style { Style(foreground: text, background: ground) }
  package func onGround(_ color: RGB, _ attributes: Style.Attributes = []) -> Style {
    Style(foreground: color, background: ground, attributes: attributes)
  }
}

/// Named colors: those for a terminal with a dark background, and those for one with a light background.
package struct Theme: Equatable, Sendable {
  package let name: String
  /// The description, in words.
  package let help: String
  package let dark: Palette
  package let light: Palette

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
