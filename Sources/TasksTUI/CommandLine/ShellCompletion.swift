/// `tasks --completion SHELL`: the completion script of a shell.
///
/// The scripts ask `tasks lists` and `tasks list` for names and texts, of the file and the list that the line
/// names. They compare them, and never expand one: a list may be named `$(anything)`.
enum ShellCompletion: String, CaseIterable, Sendable {
  case bash, fish, zsh

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .fish: Self.fishScript
    case .zsh: Self.zshScript
    }
  }

  static var subcommandNames: [String] { Subcommand.allCases.flatMap(\.names) }

  /// The names, with their dashes, of the options whose values are of a kind.
  static func names(where applies: (OptionDescription.Value) -> Bool = { _ in true }) -> [String] {
    var names: [String] = []
    for (option, _) in CommandLineTable.allOptions where option.value.map(applies) ?? false {
      let name = "--" + option.name
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The words that an option, each once, may have as its value.
  static var choices: [(name: String, words: [String])] {
    names { if case .choice = $0 { true } else { false } }.map { name in
      for (option, _) in CommandLineTable.allOptions where "--" + option.name == name {
        if case .choice(_, let words)? = option.value { return (name, words) }
      }
      return (name, [])
    }
  }

  /// The mark of the tasks that an operand may be, as `tasks list` prints it between brackets; `?` for any.
  static func mark(ofTask completed: Bool?) -> String {
    switch completed {
    case true?: "x"
    case false?: " "
    case nil: "?"
    }
  }

  /// A text in quotes of a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
