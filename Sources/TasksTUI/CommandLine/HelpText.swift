/// The output of `tasks --help`, on lines of at most 80 columns.
enum HelpText {
  private static let width = 80

  static var text: String {
    var lines: [String] = []
    lines += ["Usage: tasks [OPTION]…", "       tasks COMMAND [OPTION]… [OPERAND]…"]
    lines += [""] + wrapped(CommandLineTable.description, first: "", indent: 0) + [""]
    for command in CommandLineTable.subcommands {
      for form in command.forms {
        let label = "  \(command.command.names.joined(separator: ", ")) \(form.operands)"
        lines += entry(label, form.help)
      }
    }
    lines += [""] + wrapped(CommandLineTable.meaningOfTask, first: "", indent: 0) + [""]
    let named = CommandLineTable.subcommands.flatMap { command in
      command.options.filter { !command.optional.contains($0) }
    }
    for (option, _) in CommandLineTable.allOptions where !named.contains(option) {
      let short = option == CommandLineTable.help ? "  -h, " : "      "
      lines += entry(short + option.label, option.help)
    }
    lines += ["", "Exit status: " + CommandLineTable.exitStatus]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The output of `tasks help COMMAND`.
  static func text(of command: Subcommand) -> String {
    let description = command.description
    var lines: [String] = []
    for (usage, form) in zip(description.usages, description.forms) {
      lines +=
        wrapped(usage, first: "Usage: ", indent: 15) + wrapped(form.help, first: "  ", indent: 2) + [""]
    }
    if command.names.count > 1 {
      lines += ["The same: tasks " + command.names.dropFirst().joined(separator: ", tasks "), ""]
    }
    for option in description.options {
      lines += entry("  " + option.label, option.help)
    }
    if description.namesTask { lines += [""] + wrapped(CommandLineTable.meaningOfTask, first: "", indent: 0) }
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A command or an option with the text about it beside it, or below it if it is long.
  private static func entry(_ label: String, _ help: String) -> [String] {
    let indent = 26
    let start = label.count < indent ? label : ""
    let space = String(repeating: " ", count: indent - start.count)
    return (start == label ? [] : [label]) + wrapped(help, first: start + space, indent: indent)
  }

  /// Wraps words to lines; those after the first are indented.
  private static func wrapped(_ text: String, first: String, indent: Int) -> [String] {
    var lines = [first]
    var isAtStart = true
    for word in words(of: text) {
      let line = lines[lines.count - 1]
      if !isAtStart, line.count + 1 + word.count > width {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = line + (isAtStart ? "" : " ") + word
      }
      isAtStart = false
    }
    return lines
  }

  /// Splits a text into words; a text in brackets is one.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    for part in text.split(separator: " ") {
      if let last = words.last, last.hasPrefix("["), !last.contains("]") {
        words[words.count - 1] += " " + part
      } else {
        words.append(String(part))
      }
    }
    return words
  }
}
