import TerminalUI

/// The description of keys in the help, including those of the line editor.
enum KeyLegend {
  struct Section: Equatable, Sendable {
    var title: String
    var entries: [Entry]

    /// The part of it that matches words; all of it if its title does, nil for nothing.
    func about(_ pattern: SearchPattern) -> Section? {
      if pattern.isEmpty || pattern.matches(title) { return self }
      let found = entries.filter {
        let words = "\($0.name) \($0.help) \(KeyLegend.synonyms[$0.name] ?? "")"
        return pattern.matches($0.keys.joined(separator: " ") + " " + words)
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

  /// Other words that people look for, by the names of the commands.
  private static let synonyms = [
    "add": "new create insert task", "add-on-top": "new create insert first",
    "add-below": "new create insert",
    "add-above": "new create insert", "complete": "done finish check tick toggle reopen",
    "edit": "change rename modify", "delete": "remove cut trash rm", "move-down": "sort order reorder",
    "move-up": "sort order reorder", "hold": "drag grab sort order reorder",
    "move-to-list": "send transfer refile",
    "clear": "purge clean remove archive", "due": "date deadline schedule when remind",
    "repeat": "recur every",
    "editor": "vim nano", "priority": "important urgent", "raise": "important urgent priority",
    "lower": "priority", "subtask": "child checklist indent", "demote": "indent child",
    "promote": "outdent unindent parent", "undo": "revert back restore recover", "redo": "again forward",
    "again": "repeat dot", "mark": "select", "mark-range": "select visual", "mark-all": "select",
    "copy": "yank clipboard",
    "lists": "back up parent", "fold": "expand collapse unfold tree", "fold-all": "expand collapse unfold",
    "note": "notes description comment", "today": "agenda due overdue",
    "upcoming": "agenda week later future next days", "sort": "order arrange",
    "filter": "saved searches views smart list", "save-search": "saved searches filter name",
    "hide": "completed filter show", "keep-sorted": "order arrange automatic", "color": "colour theme",
    "wait": "hide defer snooze later start threshold tickler", "waiting": "hidden deferred snoozed later",
    "done": "completed history log report finished", "archive": "cleared completed trash bin history",
    "tag": "label context filter",
    "escape": "cancel abort stop", "search": "find filter grep", "next-match": "find",
    "previous-match": "find",
    "set": "option config preferences", "theme": "color colour dark light", "windows": "who users shared",
    "keys": "help shortcuts", "repaint": "refresh redraw", "suspend": "background shell",
    "quit": "exit leave close",
  ]

  /// The dozen commands with which one can begin.
  static func essentials(_ keyMap: KeyMap) -> Section {
    let commands: [Command] = [
      .rows(.add), .rows(.toggleCompleted), .rows(.edit), .rows(.delete), .rows(.undo), .rows(.moveDown),
      .tasks(.due), .screen(.activate), .screen(.back), .app(.search), .app(.help), .app(.quit),
    ]
    let entries = commands.compactMap(CommandTable.description(of:)).map {
      Entry(keys: keys(of: $0, keyMap), name: $0.name, help: $0.help)
    }
    return Section(title: "To begin with", entries: entries)
  }

  /// The work of commands for which there is no key, for those who look for it in the help.
  static let shell = Section(
    title: "In a shell",
    entries: [
      Entry(
        keys: ["tasks import FILE"], name: "import convert migrate load json csv",
        help: "Take over tasks of todo.txt, Taskwarrior, iCalendar, CSV or Markdown"),
      Entry(
        keys: ["tasks export FILE"], name: "export convert save print json csv",
        help: "Write the tasks in one of these formats"),
      Entry(
        keys: ["tasks backup NEWFILE"], name: "backup copy save",
        help: "Copy the file while windows write to it"),
      Entry(
        keys: ["tasks restore COPY"], name: "restore backup copy",
        help: "Go back to such a copy"),
      Entry(
        keys: ["tasks doctor"], name: "doctor check repair rescue damage",
        help: "Look for damage in the file"),
    ])

  /// The title of the section about settings.
  static let settingsTitle = "Settings, after :set or in the configuration file"

  /// - Parameter tellsValues: Whether the values that settings have now are told.
  static func sections(
    _ keyMap: KeyMap = KeyMap(), _ editingKeys: EditingKeys = .usual, _ settings: Settings = Settings(),
    tellsValues: Bool = false
  ) -> [Section] {
    CommandDescription.Group.allCases.map { group in
      Section(
        title: group.rawValue,
        entries: CommandTable.all.filter { $0.group == group }
          .map { Entry(keys: keys(of: $0, keyMap), name: $0.name, help: $0.help) })
    } + [
      Section(
        title: settingsTitle,
        entries: SettingTable.all.map { setting in
          let value = tellsValues ? setting.value(in: settings) : ""
          return Entry(
            keys: [setting.name],
            help: "\(setting.help): \(setting.valuesInWords(settings))"
              + (value.isEmpty ? "" : "; now \(value)"))
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
