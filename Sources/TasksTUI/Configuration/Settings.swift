import TasksModel

/// What a person may set: in the configuration file, or with `:set` for as long as the program runs.
///
/// What each is called, what it does and which values it takes stands in `SettingTable.all`, and nowhere
/// else.
struct Settings: Equatable, Sendable {
  var theme = Theme.realmTasks.name
  /// Which of the theme's two sides is shown: `auto` goes by the terminal's background.
  var background = "auto"
  var animation = Appearance.Movement.full.rawValue
  /// How many times as fast as usual everything moves.
  var speed = 1.0
  var mouse = true
  var glyphs = "auto"
  /// Who puts text in order that runs from right to left.
  var bidi = "auto"
  /// A row that is edited goes to the top of the screen.
  var editsOnTop = true
  /// Whether this window tells others on its file of itself, and shows them.
  var presence = true
  /// The list that is opened first, by its name; empty for the one that was open last.
  var list = ""
  /// Where a completed row goes.
  var completed = CompletedRows.end.rawValue

  /// Themes of the person's own.
  var ownThemes: [Theme] = []

  /// All themes; a person's own takes the place of another of its name.
  var themes: [Theme] {
    Theme.builtIn.filter { known in !ownThemes.contains { $0.name == known.name } } + ownThemes
  }

  var completedRows: CompletedRows { CompletedRows(rawValue: completed) ?? .end }

  /// How things are drawn by these settings.
  ///
  /// - Parameters:
  ///   - terminal: what the terminal can do.
  ///   - background: the terminal's own, when it has told.
  func appearance(on terminal: Appearance, background terminalBackground: RGB?) -> Appearance {
    var appearance = terminal
    appearance.movement = Appearance.Movement(rawValue: animation) ?? .full
    appearance.speed = speed
    if bidi != "auto" { appearance.ordersText = bidi == "program" }
    appearance.editsOnTop = editsOnTop
    let shown = themes.first { $0.name == theme } ?? .realmTasks
    let isLight = background == "auto" ? terminalBackground?.contrastingText == .black : background == "light"
    appearance.palette = isLight ? shown.light : shown.dark
    if appearance.hasFewColors {
      appearance.palette.selection = appearance.palette.ground.contrastingText
      appearance.palette.selectionTint = 0.8
    }
    if glyphs != "auto" { appearance.isASCII = glyphs == "ascii" }
    return appearance
  }
}
