/// `tasks --man`: the manual page, in the macros of man(7).
enum ManualPage {
  static var text: String {
    var page: [String] = [
      ".TH TASKS 1 \"\" \"tasks \(TasksProgram.version)\"", ".SH NAME",
      "tasks \\- a to\\-do list for the terminal", ".SH SYNOPSIS",
    ]
    for usage in CommandLineTable.synopsis { page += [".B " + escaped(usage), ".br"] }
    page += [".SH DESCRIPTION"] + paragraph(CommandLineTable.description)
    page += paragraph(
      "The file may be open in any number of windows and programs at once: each shows what "
        + "the others change as it happens. It is an SQLite database, which any other program may write.")
    page.append(".SH COMMANDS")
    for command in CommandLineTable.subcommands {
      for form in command.forms {
        page += entry(command.command.names.joined(separator: ", ") + " " + form.operands, form.help)
      }
    }
    page += paragraph(CommandLineTable.meaningOfTask)
    page.append(".SH OPTIONS")
    for (option, commands) in CommandLineTable.allOptions {
      page += entry(
        option.label,
        option.help + (commands.isEmpty ? "" : " (\(commands.joined(separator: ", ")))"))
    }
    for section in KeyLegend.sections() {
      page.append(
        "."
          + (section.title.hasPrefix("Settings")
            ? "SH SETTINGS" : "SH \"KEYS: \(section.title.uppercased())\""))
      for item in section.entries {
        page += entry(
          item.keys.joined(separator: ", "),
          item.help + (item.name.isEmpty || item.keys.first == ":" + item.name ? "" : " (:\(item.name))"))
      }
    }
    page.append(".SH FILES")
    page += entry(
      "$XDG_DATA_HOME/tasks/tasks.db", "the lists, unless $TASKS_FILE or --file names another file")
    page += entry(
      "$XDG_DATA_HOME/tasks/tasks.db.version-3",
      "a copy of the lists as they were when tasks first opened them with a newer version; "
        + "it stays until you remove it"
    )
    page += entry(
      "$XDG_CONFIG_HOME/tasks/config.toml",
      "settings, keys and themes; tasks config --print prints one to begin with")
    page.append(".SH ENVIRONMENT")
    for (name, help) in environment { page += entry(name, help) }
    page += [".SH EXIT STATUS"] + paragraph(CommandLineTable.exitStatus)
    return page.joined(separator: "\n") + "\n"
  }

  private static let environment = [
    ("TASKS_FILE", "the file, where --file does not name one"),
    ("TASKS_ANIMATION", "off: no movement"),
    (
      "TASKS_DURABILITY",
      "full: a change is on the disk before it is said to be done, and survives a failure of the power; "
        + "normal: the last moments' changes may not"
    ),
    ("NO_COLOR", "not empty: no colours"),
    ("COLORTERM", "truecolor or 24bit: the terminal has all colours"),
    ("VISUAL, EDITOR", "what notes are written in"),
    ("LC_ALL, LC_TIME, LANG", "the order of day and month in dates"),
  ]

  private static func entry(_ label: String, _ help: String) -> [String] {
    [".TP", ".B " + escaped(label)] + paragraph(help).dropFirst()
  }

  private static func paragraph(_ text: String) -> [String] {
    // A period at the start of a line would begin a macro.
    [".PP", (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + escaped(text)]
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result
  }
}
