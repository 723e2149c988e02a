/// The description of keys in the help, including those of the line editor.
enum KeyLegend {
  struct Section: Equatable, Sendable {
    var title: String
    var entries: [Entry]

    /// The part of it that matches words; all of it if its title does, nil for nothing.
    func about(_ pattern: SearchPattern) -> Section? {
      if pattern.isEmpty || pattern.matches(title) { return self }
      let found = entries.filter {
        pattern.matches("\($0.keys.joined(separator: " ")) \($0.name) \($0.help)")
      }
      return found.isEmpty ? nil : Section(title: title, entries: found)
    }
  }

  struct Entry: Equatable, Sendable {
    /// The labels of the keys.
    var keys: [String]
    /// The name of a command after `:`; empty if it is none.
    var name = ""
    var help: String
  }

  static func sections(
    _ keyMap: KeyMap = KeyMap(), _ editingKeys: EditingKeys = .usual, _ settings: Settings = Settings()
  ) -> [Section] {
    CommandDescription.Group.allCases.map { group in
      Section(
        title: group.rawValue,
        entries: CommandTable.all.filter { $0.group == group }
          .map { Entry(keys: keys(of: $0, keyMap), name: $0.name, help: $0.help) })
    } + [
      Section(
        title: "Settings, after :set or in the configuration file",
        entries: SettingTable.all.map { setting in
          Entry(keys: [setting.name], help: "\(setting.help): \(setting.valuesInWords(settings))")
        }),
      Section(
        title: "While typing",
        entries: EditingTable.all.map { description in
          let keys = editingKeys.keys(for: description.command).map(\.label)
          return Entry(keys: keys.isEmpty ? ["–"] : keys, help: description.help)
        }),
    ]
  }

  /// A command without a key is typed.
  private static func keys(of description: CommandDescription, _ keyMap: KeyMap) -> [String] {
    let labels = keyMap.keys(for: description.command).map(\.label)
    guard labels.isEmpty else { return labels }
    return [":" + description.name + (description.argument.map { " " + $0 } ?? "")]
  }

  /// The text of Documentation/Keys.md.
  static var document: String {
    var lines = [
      "# Keys", "", "Made by `make golden` from the tables of commands. `?` shows the same in the program.",
      "",
      "| keys | |", "|---|---|",
    ]
    for section in sections() {
      lines.append("| **\(section.title)** | |")
      for entry in section.entries {
        lines.append("| \(entry.keys.map { "`\($0)`" }.joined(separator: " ")) | \(entry.help) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Key {
  /// The common name of the key: `j`, `↓`, `Shift-↓`, `Ctrl-D`.
  var label: String {
    var label = ""
    if modifiers.contains(.control) { label += "Ctrl-" }
    if modifiers.contains(.alt) { label += "Alt-" }
    if modifiers.contains(.shift) { label += "Shift-" }
    switch symbol {
    case .up: return label + "↑"
    case .down: return label + "↓"
    case .left: return label + "←"
    case .right: return label + "→"
    case .character(let character) where character.isLetter && !modifiers.isEmpty:
      return label + character.uppercased()
    default: return label + Key(symbol).description
    }
  }
}
