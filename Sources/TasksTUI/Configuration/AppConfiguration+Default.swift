import TerminalUI

extension AppConfiguration {
  /// A file with the same effect as an empty one, to be edited: every line that sets something is a comment.
  static var defaultText: String {
    let settings = Settings()
    var lines = [
      "# The configuration of tasks, in $XDG_CONFIG_HOME/tasks/config.toml or ~/.config/tasks/config.toml.",
      "# What is in comments here is so anyway. Saved changes are taken over by every window at once.", "",
    ]
    for setting in SettingTable.all {
      lines.append("# \(setting.help): \(setting.valuesInWords(settings)).")
      lines.append("#\(setting.name) = \(literal(setting, settings))")
      lines.append("")
    }
    lines += [
      "# Keys, by the commands' names. They take the place of a command's own keys; a key that another "
        + "command has is",
      "# taken from that one. Names of keys: j, G, Up, PgDn, Home, Enter, Esc, Tab, Space, Delete, F1, and "
        + "C- or Ctrl- for Control,",
      "# M- for Alt, S- for Shift before them. A command without keys, [], is reached by its name.", "[keys]",
    ]
    lines += CommandTable.all.map { line($0.name, $0.keys.map(\.description)) }
    lines += [
      "", "# Keys while a text is being typed, in the same way.", "[keys.editing]",
    ]
    lines += EditingTable.all.map { line($0.name, $0.keys.map(\.description)) }
    lines += [
      "",
      "# A theme of your own: what it does not say is as in its base. Choose it with theme = \"mine\" above.",
      "#[themes.mine]", "#base = \"realmtasks\"",
    ]
    let palette = Theme.realmTasks.dark
    for (name, path) in Theme.gradients.sorted(by: { $0.key < $1.key }) {
      lines.append(line(name, palette[keyPath: path].stops.map(\.hexadecimal)))
    }
    lines.append(line("tags", palette.tags.map(\.hexadecimal)))
    for (name, path) in Theme.colors.sorted(by: { $0.key < $1.key }) {
      lines.append("#\(name) = \(literal(palette[keyPath: path].hexadecimal))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ name: String, _ texts: [String]) -> String {
    "#\(name) = [\(texts.map(literal).joined(separator: ", "))]"
  }

  private static func literal(_ setting: SettingDescription, _ settings: Settings) -> String {
    let value = setting.value(in: settings)
    switch setting.kind {
    case .choice, .text: return literal(value)
    case .toggle: return value == "on" ? "true" : "false"
    case .number: return value
    }
  }

  private static func literal(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
