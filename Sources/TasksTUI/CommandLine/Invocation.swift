import TasksModel
import TerminalUI

/// A request from the command line.
struct Invocation: Equatable {
  enum Action: Equatable {
    case app(isAnimated: Bool, isReadOnly: Bool = false)
    /// The app as lines of words, without a terminal.
    case plain(isReadOnly: Bool)
    /// The app without a terminal, run by a script.
    case script(path: String, isReadOnly: Bool)
    /// One task with the text.
    case add(NewTaskOptions = NewTaskOptions(), text: String)
    /// One task for each line of standard input.
    case addLines(NewTaskOptions = NewTaskOptions())
    /// Completes the task with the id or the text.
    case done(task: String)
    /// Changes a task or a list.
    case change(ChangeCommand.Change)
    /// All that a task has.
    case show(task: String)
    /// The tasks that have some words.
    case search(words: String, isName: Bool = false)
    case list
    /// Tasks of all lists.
    case collected(CollectedCommand.Topic)
    /// The tasks whose time has come, printed, or each given to a command.
    case due(command: String?)
    case lists
    case importFile(ImportCommand.Request)
    case export(ExportCommand.Request)
    case watch(command: String? = nil)
    /// Copies the file into a new one.
    case backup(copy: String)
    /// Gives the file the lists and tasks of a copy.
    case restore(copy: String)
    /// Reports the faults of a file, and saves everything that can be read of it into a new one if that is
    /// given.
    case doctor(newFile: String?)
    /// Reports the errors of a configuration file; nil is the person's own.
    case checkConfiguration(path: String?)
    /// Prints an initial configuration file.
    case printConfiguration
    case manual
    case completion(ShellCompletion)
    case help
    case commandHelp(Subcommand)
    case version
  }

  var action: Action
  /// The file with the tasks, if it was named.
  var file: String?
  /// The name or the id of a list, if it was given.
  var list: String?
  var asJSON = false
  var isLong = false
}

extension Invocation {
  /// - Parameter arguments: The arguments without the program's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var scanner = OptionScanner(arguments)
    var file: String?
    var isAnimated = true
    var isReadOnly = false
    var isPlain = false
    var script: String?
    while let item = try scanner.next(CommandLineTable.options, hint: Self.placeOfOption) {
      switch item {
      case .option("help", _):
        self.init(action: .help, file: file)
        return
      case .option("version", _):
        self.init(action: .version, file: file)
        return
      case .option("man", _):
        self.init(action: .manual, file: file)
        return
      case .option("completion", let value):
        guard let shell = ShellCompletion(rawValue: value ?? "") else {
          throw UsageError(
            "--completion is for \(ShellCompletion.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.init(action: .completion(shell), file: file)
        return
      case .option("no-animation", _): isAnimated = false
      case .option("read-only", _): isReadOnly = true
      case .option("plain", _): isPlain = true
      case .option("script", let value): script = try CommandArguments.nonEmpty(value, "script")
      case .option("file", let value): file = try CommandArguments.nonEmpty(value, "file")
      case .option: break
      case .operand(let name):
        let command = try Subcommand(typed: name)
        let optionsOfApp = [
          ("read-only", isReadOnly), ("plain", isPlain), ("script", script != nil),
          ("no-animation", !isAnimated),
        ]
        if let (option, _) = optionsOfApp.first(where: \.1) {
          throw UsageError("--\(option) does not go with \(command.rawValue)")
        }
        try self.init(of: command, file: file, &scanner)
        return
      }
    }
    guard !isPlain || script == nil else { throw UsageError("--plain does not go with --script") }
    let action: Action =
      if isPlain {
        .plain(isReadOnly: isReadOnly)
      } else if let script {
        .script(path: script, isReadOnly: isReadOnly)
      } else {
        .app(isAnimated: isAnimated, isReadOnly: isReadOnly)
      }
    self.init(action: action, file: file)
  }

  private init(of command: Subcommand, file: String?, _ scanner: inout OptionScanner) throws(UsageError) {
    let arguments = try CommandArguments(of: command, file: file, &scanner)
    if arguments.asksForHelp {
      self.init(action: .commandHelp(command), file: file)
      return
    }
    self.init(
      action: try arguments.action(), file: try arguments.file, list: arguments.values["list"],
      asJSON: arguments.flags.contains("json"), isLong: arguments.flags.contains("details"))
  }

  /// The words for `tasks-sync`, if the arguments are those of `tasks sync`: the file, and all after the word
  /// itself. Its help needs no such program.
  static func wordsForSync(in arguments: [String]) -> [String]? {
    var scanner = OptionScanner(arguments)
    var file: [String] = []
    while let item = try? scanner.next(CommandLineTable.options) {
      switch item {
      case .option("file", let path?): file = ["--file", path]
      case .operand("sync") where !["--help", "-h"].contains(scanner.rest.first): return file + scanner.rest
      case .option, .operand: return nil
      }
    }
    return nil
  }

  /// The sentence about an option before a command that only commands have; nil if none has it.
  ///
  /// - Parameter rest: The arguments after it.
  private static func placeOfOption(_ written: String, _ rest: ArraySlice<String>) -> String? {
    func option(of command: Subcommand) -> OptionDescription? {
      command.description.options.first { "--" + $0.name == written }
    }
    // The command that follows, or the one that shows what there is, before any other.
    let commands = rest.compactMap(Subcommand.init(named:)) + [.list] + Subcommand.allCases
    for command in commands {
      guard let option = option(of: command) else { continue }
      return "\(written) comes after a command, as in tasks \(command.rawValue) \(option.label)"
    }
    return nil
  }
}
