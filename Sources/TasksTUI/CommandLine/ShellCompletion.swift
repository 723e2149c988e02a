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

  /// The options that have a value, with their dashes, each name once: commands share most of them.
  static var valuedOptions: [(name: String, value: OptionDescription.Value)] {
    var options: [(name: String, value: OptionDescription.Value)] = []
    for (option, _) in CommandLineTable.allOptions {
      guard let value = option.value, !options.contains(where: { $0.name == "--" + option.name }) else {
        continue
      }
      options.append(("--" + option.name, value))
    }
    return options
  }

  /// The names of the options whose values are of a kind.
  static func names(where applies: (OptionDescription.Value) -> Bool) -> [String] {
    valuedOptions.filter { applies($0.value) }.map(\.name)
  }

  /// The mark of the tasks that an operand may be, as `tasks list` prints it between brackets; `.` for any.
  static func mark(ofTask completed: Bool?) -> String { completed.map { $0 ? "x" : " " } ?? "." }

  /// A text in quotes of a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
