/// An option of the command line.
struct OptionDescription: Equatable, Sendable {
  /// The value of an option, as shown to people and as completed by a shell.
  enum Value: Equatable, Sendable {
    /// The path of a file.
    case file
    /// The name of a list.
    case list
    /// Any other text, under a name such as `DATE`.
    case text(String)
    case choice(String, [String])
  }

  /// The name without its dashes.
  let name: String
  let value: Value?
  /// The description, a sentence without capital and full stop.
  let help: String

  init(_ name: String, _ value: Value? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// The option with its value, such as `--file FILE`.
  var label: String { "--" + name + (valueName.map { " " + $0 } ?? "") }

  var valueName: String? {
    switch value {
    case nil: nil
    case .file?: "FILE"
    case .list?: "NAME"
    case .text(let name)?, .choice(let name, _)?: name
    }
  }
}

/// A command of the command line.
struct SubcommandDescription: Sendable {
  /// A form of the command.
  struct Form: Sendable {
    /// The operands after the name and the options.
    let operands: String
    /// The description, a sentence without capital and full stop.
    let help: String
  }

  let name: String
  let forms: [Form]
  /// The options besides `--help`.
  let options: [OptionDescription]

  /// The optional options: those that no form contains.
  var optional: [OptionDescription] {
    let named = forms.flatMap { $0.operands.split(separator: " ") }
    return options.filter { option in !named.contains { $0 == "--" + option.name } }
  }
}

/// The table of the command line, from which parsing, help, manual page and completion are made.
enum CommandLineTable {
  static let file = OptionDescription(
    "file", .file,
    help:
      "the file, which what writes makes when it is missing; without it $TASKS_FILE, "
      + "$XDG_DATA_HOME/tasks/tasks.db or ~/.local/share/tasks/tasks.db")
  private static let list = OptionDescription(
    "list", .list, help: "the list with this name, or id; else the first one")
  private static let json = OptionDescription("json", help: "print as JSON")
  static let help = OptionDescription("help", help: "print this")

  static let subcommands: [SubcommandDescription] = [
    .init(
      name: "add",
      forms: [
        .init(operands: "TEXT…", help: "add a task after the open ones and print its id"),
        .init(operands: "-", help: "the same for each line of standard input, in one transaction"),
      ],
      options: [
        file, list,
        .init(
          "under", .text("TASK"),
          help: "the open task with this text, or id, of which it is to be a subtask"),
        .init(
          "due", .text("DATE"),
          help:
            "when it is due, such as fri, +3d, \"tomorrow 9:00\", 2026-12-01; else a date in its text counts"
        ),
        .init(
          "repeat", .text("HOW"),
          help:
            "how often it comes again, such as \"every week\", \"every mon and thu\", \"every 15th\", "
            + "\"after 3 days\""
        ),
        .init("priority", .text("P"), help: "how important it is: A, B or C"),
        .init("notes", .text("TEXT"), help: "its note"),
      ]),
    .init(
      name: "done",
      forms: [
        .init(
          operands: "TEXT…|ID", help: "complete the open task with this text, or id, and print its id")
      ],
      options: [file, list]),
    .init(
      name: "list", forms: [.init(operands: "", help: "print the tasks, their subtasks indented")],
      options: [
        file, list, .init("today", help: "what is due today or before, of all lists, by date"), json,
      ]),
    .init(
      name: "lists", forms: [.init(operands: "", help: "print the names of the lists")],
      options: [file, json]),
    .init(
      name: "watch",
      forms: [.init(operands: "", help: "print each change as a line of JSON, until interrupted")],
      options: [file, list]),
    .init(
      name: "backup",
      forms: [
        .init(
          operands: "NEWFILE",
          help: "copy the file into a new one, while windows and programs go on writing to it")
      ],
      options: [file]),
    .init(
      name: "doctor",
      forms: [
        .init(
          operands: "[FILE]",
          help: "look for damage in the file and tell what was found; the exit status is 1 when there is some"
        )
      ],
      options: [
        file,
        .init(
          "save", .file,
          help:
            "save what can be read of the file into this new one; the exit status is 1 when something is lost"
        ),
      ]),
    .init(
      name: "config",
      forms: [
        .init(
          operands: "--check [FILE]",
          help:
            "tell what is wrong in the configuration file, "
            + "which is tasks/config.toml in $XDG_CONFIG_HOME or ~/.config"),
        .init(operands: "--print", help: "print a configuration to begin with"),
      ],
      options: [
        .init("check", help: "tell what is wrong"), .init("print", help: "print one to begin with"),
      ]),
  ]

  /// The options that come before a command, or without one.
  static let options: [OptionDescription] = [
    file,
    .init("no-animation", help: "no movement; the same as TASKS_ANIMATION=off"),
    .init("read-only", help: "look, and change nothing"),
    .init(
      "plain",
      help:
        "for screen readers and pipes: read a command or a key a line, and say each change in a line of words"
    ),
    .init(
      "script", .file, help: "play keys and commands from a file, without a terminal; - is standard input"),
    .init("man", help: "print the manual page: tasks --man | man -l -"),
    .init(
      "completion", .choice("SHELL", ShellCompletion.allCases.map(\.rawValue)),
      help: "print what completes a command line in bash, fish or zsh"),
    help,
    .init("version", help: "print the version"),
  ]

  /// The forms of calling the program.
  static var synopsis: [String] {
    ["tasks [--file FILE] [--no-animation] [--read-only] [--script FILE | --plain]"]
      + subcommands.flatMap { command in
        command.forms.map { form in
          let options = command.optional.map { "[\($0.label)]" }
          return (["tasks", command.name] + options + [form.operands]).filter { !$0.isEmpty }
            .joined(separator: " ")
        }
      } + ["tasks --man | --completion SHELL | --help | --version"]
  }

  /// All options, each once, with the commands that have it; no commands for the options before a command.
  static var allOptions: [(option: OptionDescription, commands: [String])] {
    var known: [(option: OptionDescription, commands: [String])] = []
    for command in subcommands {
      for option in command.options where option != file {
        if let place = known.firstIndex(where: { $0.option == option }) {
          known[place].commands.append(command.name)
        } else {
          known.append((option, [command.name]))
        }
      }
    }
    return [(file, [])] + known + options.dropFirst().map { ($0, []) }
  }

  static let description =
    "A to-do list for the terminal. Without a command it opens the app, where ? shows the keys."
  static let exitStatus = "0, 1 when something failed, 2 when the command line is wrong."
}
