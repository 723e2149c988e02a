import TasksModel
import TerminalUI

/// The settings of a person: from the configuration file, or from `:set` while the program runs.
///
/// `SettingTable.all` alone has the names, descriptions and accepted values.
struct Settings: Equatable, Sendable {
  var theme = Theme.realmTasks.name
  /// The side of the theme that is shown: `auto` depends on the terminal's background.
  var background = "auto"
  var animation = Appearance.Movement.full.rawValue
  /// The speed of all movement, as a multiple of the usual one.
  var speed = 1.0
  var mouse = true
  var glyphs = "auto"
  /// The party that reorders right-to-left text; `auto` depends on the terminal.
  var bidi = "auto"
  /// Whether a row that is edited goes to the top of the screen.
  var editsOnTop = true
  /// Whether this window takes part in the exchange with other windows on its file.
  var presence = true
  /// Whether the lists stand beside their tasks; `auto` depends on the width of the terminal.
  var listsBeside = "auto"
  /// The least width of a terminal that has room for lists beside their tasks, and for columns of details.
  static let wideWidth = 110
  /// The name of the list that is opened first; empty for the one that was open last.
  var list = ""
  /// The destination of completed rows.
  var completed = CompletedRows.end.rawValue

  /// Whether lists are shown without their completed tasks.
  var hideCompleted = false

  /// The person's own themes.
  var ownThemes: [Theme] = []

  /// All themes; a person's own replaces a built-in one of the same name.
  var themes: [Theme] {
    Theme.builtIn.filter { known in !ownThemes.contains { $0.name == known.name } } + ownThemes
  }

  var completedRows: CompletedRows { CompletedRows(rawValue: completed) ?? .end }

  /// The appearance that follows from these settings.
  ///
  /// - Parameters:
  ///   - terminal: The capabilities of the terminal.
  ///   - background: The background color of the terminal, if it is known.
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
