struct OptionDescription: Equatable, Sendable {
  /// The value of an option, as shown to people and as completed by a shell.
  enum Value: Equatable, Sendable {
    case file
    case list
    /// A part of the text of an open task.
    case task
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
    case .task?: "TASK"
    case .text(let name)?, .choice(let name, _)?: name
    }
  }
}

struct SubcommandDescription: Sendable {
  struct Form: Sendable {
    /// The operands after the name and the options.
    let operands: String
    /// The description, a sentence without capital and full stop.
    let help: String

    init(_ operands: String, _ help: String) {
      self.operands = operands
      self.help = help
    }
  }

  let command: Subcommand
  /// The purpose of the command, a sentence without capital and full stop.
  let summary: String
  let forms: [Form]
  /// The options besides `--help`.
  let options: [OptionDescription]

  /// - Parameter summary: Needed only where the first form is not all that the command is for.
  init(_ command: Subcommand, summary: String?, _ forms: [Form], _ options: [OptionDescription]) {
    self.command = command
    self.summary = summary ?? forms[0].help
    self.forms = forms
    self.options = options
  }

  var name: String { command.rawValue }

  /// The optional options: those that no form contains.
  var optional: [OptionDescription] {
    let named = forms.flatMap { $0.operands.split { " []|".contains($0) } }
    return options.filter { option in !named.contains { $0 == "--" + option.name } }
  }

  /// The ways to call the command, with the name of the program.
  var usages: [String] {
    forms.map { form in
      (["tasks", name] + optional.map { "[\($0.label)]" } + [form.operands]).filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  /// Whether it is about one task that the person names.
  var namesTask: Bool { takesOperand("TASK") }

  /// Whether it takes words of the person.
  var takesWords: Bool { namesTask || ["TEXT…", "WORDS…", "NAME", "LIST"].contains(where: takesOperand) }

  /// Whether it takes no words but options.
  var takesOnlyOptions: Bool { forms.allSatisfy { $0.operands.isEmpty || $0.operands.hasPrefix("[--") } }

  private func takesOperand(_ operand: String) -> Bool {
    forms.contains { $0.operands.split(separator: " ").contains { $0 == operand } }
  }
}

/// The table of the command line, from which parsing, help, manual page and completion are made.
enum CommandLineTable {
  static let file = OptionDescription(
    "file", .file,
    help:
      "the file, which what writes makes when it is missing; without it $TASKS_FILE, "
      + "$XDG_DATA_HOME/tasks/tasks.db or ~/.local/share/tasks/tasks.db")
  static let help = OptionDescription("help", help: "print this")

  static let subcommands = Subcommand.allCases.map(\.description)

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
      + subcommands.flatMap(\.usages) + ["tasks --man | --completion SHELL | --help | --version"]
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
    "A to-do list for the terminal. Without a command it opens the app, where ? shows the keys; without a "
    + "terminal it prints the first list."
  static let meaningOfTask =
    "TASK is a task by a part of its text that no other has, its whole text, or its id or the beginning of "
    + "it. An open task comes before completed ones. Words may be in any order and case; those "
    + "that begin with - come after --."
  static let exitStatus = "0, 1 when something failed, 2 when the command line is wrong."
}
