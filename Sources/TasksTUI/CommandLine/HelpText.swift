/// The output of `tasks --help`, on lines of at most 80 columns.
enum HelpText {
  private static let width = 80

  static var text: String {
    var lines: [String] = []
    for (number, usage) in CommandLineTable.synopsis.enumerated() {
      lines += wrapped(usage, first: number == 0 ? "Usage: " : "       ", indent: 15)
    }
    lines += [""] + wrapped(CommandLineTable.description, first: "", indent: 0) + [""]
    for command in CommandLineTable.subcommands {
      for form in command.forms {
        let label = "  \(command.name) \(form.operands)"
        lines += wrapped(form.help, first: padded(label, to: 26), indent: 26)
      }
    }
    lines.append("")
    let named = CommandLineTable.subcommands.flatMap { command in
      command.options.filter { !command.optional.contains($0) }
    }
    for (option, _) in CommandLineTable.allOptions where !named.contains(option) {
      let short = option == CommandLineTable.help ? "  -h, " : "      "
      lines += wrapped(option.help, first: padded(short + option.label, to: 26), indent: 26)
    }
    lines += ["", "Exit status: " + CommandLineTable.exitStatus]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
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
