/// The colours of everything that is drawn.
struct Palette: Equatable, Sendable {
  /// Behind everything.
  var ground: RGB
  /// Words on the ground: titles, what is typed, the keys at the bottom.
  var text: RGB
  /// Words that only accompany others.
  var faint: RGB
  /// What the program has to say.
  var message: RGB
  var heading: RGB
  /// Keys in the help.
  var key: RGB

  /// Rows of tasks, and of lists, from the top down.
  var tasks: Gradient
  var lists: Gradient
  /// What the row under the cursor has of `selection`, 0 … 1.
  var selectionTint = 0.25
  var selection = RGB.white

  /// The ground of a completed row, and how much of it is in its text.
  var completed: RGB
  var completedFaintness = 0.7
  /// A row that is being completed.
  var completing = RGB(0, 153, 0)
  /// What a marked row has of it, and how much.
  var mark = RGB(60, 130, 246)
  var markTint = 0.45
  /// Behind a date that has passed.
  var overdue = RGB(176, 18, 32)
  /// Behind tags, one of them for each name.
  var tags = [
    RGB(20, 92, 122), RGB(112, 52, 120), RGB(44, 104, 60), RGB(132, 66, 20), RGB(60, 64, 140),
    RGB(120, 36, 66),
  ]
  /// Behind words that were searched for.
  var highlight = RGB(255, 214, 102)

  /// What may be chosen above the bottom line, and the one that is.
  var panel: RGB
  var panelText: RGB
  var chosen = RGB(231, 167, 118)

  /// Words on the ground.
  var plain: Style { Style(foreground: text, background: ground) }
  func onGround(_ color: RGB, _ attributes: Style.Attributes = []) -> Style {
    Style(foreground: color, background: ground, attributes: attributes)
  }
}

/// Colours under a name: those for a terminal with a dark background, and those for one with a light
/// background.
struct Theme: Equatable, Sendable {
  let name: String
  /// What it looks like, in words.
  let help: String
  let dark: Palette
  let light: Palette

  init(_ name: String, help: String, dark: Palette, light: Palette) {
    self.name = name
    self.help = help
    self.dark = dark
    self.light = light
  }

  /// One that is the same on every terminal.
  init(_ name: String, help: String, _ palette: Palette) {
    self.init(name, help: help, dark: palette, light: palette)
  }
}
