/// A request from the command line.
enum Invocation: Equatable {
  case app(file: String?, isAnimated: Bool, isReadOnly: Bool = false)
  /// The app as lines of words, without a terminal.
  case plain(file: String?, isReadOnly: Bool)
  /// The app without a terminal, run by a script.
  case script(file: String?, path: String, isReadOnly: Bool)
  /// One task with the text.
  case add(file: String?, list: String?, NewTaskOptions = NewTaskOptions(), text: String)
  /// One task for each line of standard input.
  case addLines(file: String?, list: String?, NewTaskOptions = NewTaskOptions())
  /// Completes the task with the id or the text.
  case done(file: String?, list: String?, task: String)
  case list(file: String?, list: String?, asJSON: Bool)
  /// The tasks of all lists that are due today or before.
  case today(file: String?, asJSON: Bool)
  /// The names of the lists.
  case lists(file: String?, asJSON: Bool)
  case watch(file: String?, list: String?)
  /// Copies the file into a new one.
  case backup(file: String?, copy: String)
  /// Reports the faults of a file, and saves everything that can be read of it into a new one if that is
  /// given.
  case doctor(file: String?, newFile: String?)
  /// Reports the errors of a configuration file; nil is the person's own.
  case checkConfiguration(path: String?)
  /// Prints an initial configuration file.
  case printConfiguration
  case manual
  /// The completion script of a shell.
  case completion(ShellCompletion)
  case help
  case version

  /// - Parameter arguments: The arguments without the program's name.
  init(arguments: some Sequence<String>) throws(UsageError) {
    var scanner = OptionScanner(arguments)
    var file: String?
    var isAnimated = true
    var isReadOnly = false
    var isPlain = false
    var script: String?
    var command: Subcommand?
    while command == nil, let item = try scanner.next(CommandLineTable.options.map(\.scanned)) {
      switch item {
      case .option("help", _):
        self = .help
        return
      case .option("version", _):
        self = .version
        return
      case .option("man", _):
        self = .manual
        return
      case .option("completion", let value):
        guard let shell = ShellCompletion(rawValue: value ?? "") else {
          throw UsageError(
            "--completion is for \(ShellCompletion.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = .completion(shell)
        return
      case .option("no-animation", _): isAnimated = false
      case .option("read-only", _): isReadOnly = true
      case .option("plain", _): isPlain = true
      case .option("script", let value): script = try Self.nonEmpty(value, "script")
      case .option("file", let value): file = try Self.nonEmpty(value, "file")
      case .operand(let name):
        guard let named = Subcommand(rawValue: name) else { throw UsageError("there is no command \(name)") }
        command = named
      case .option: break
      }
    }
    guard let command else {
      guard !isPlain || script == nil else { throw UsageError("--plain does not go with --script") }
      self =
        if isPlain {
          .plain(file: file, isReadOnly: isReadOnly)
        } else if let script {
          .script(file: file, path: script, isReadOnly: isReadOnly)
        } else {
          .app(file: file, isAnimated: isAnimated, isReadOnly: isReadOnly)
        }
      return
    }
    guard !isReadOnly else { throw UsageError("--read-only does not go with \(command.rawValue)") }
    guard !isPlain else { throw UsageError("--plain does not go with \(command.rawValue)") }
    guard script == nil else { throw UsageError("--script does not go with \(command.rawValue)") }
    guard isAnimated else { throw UsageError("--no-animation does not go with \(command.rawValue)") }

    var list: String?
    var asJSON = false
    var isToday = false
    var newTask = NewTaskOptions()
    var checks = false
    var prints = false
    var newFile: String?
    var operands: [String] = []
    while let item = try scanner.next(command.options) {
      switch item {
      case .option("help", _):
        self = .help
        return
      case .option("file", let value): file = try Self.nonEmpty(value, "file")
      case .option("list", let value): list = value
      case .option("json", _): asJSON = true
      case .option("today", _): isToday = true
      case .option("due", let value): newTask.due = try Self.nonEmpty(value, "due")
      case .option("repeat", let value): newTask.repetition = try Self.nonEmpty(value, "repeat")
      case .option("priority", let value): newTask.priority = try Self.nonEmpty(value, "priority")
      case .option("notes", let value): newTask.notes = value
      case .option("under", let value): newTask.under = try Self.nonEmpty(value, "under")
      case .option("check", _): checks = true
      case .option("print", _): prints = true
      case .option("save", let value): newFile = try Self.nonEmpty(value, "save")
      case .operand(let operand): operands.append(operand)
      case .option: break
      }
    }

    switch command {
    case .add:
      if operands == ["-"] {
        self = .addLines(file: file, list: list, newTask)
      } else {
        let text = operands.joined(separator: " ")
        guard !text.allSatisfy(\.isWhitespace) else { throw UsageError("add needs the text of the task") }
        self = .add(file: file, list: list, newTask, text: text)
      }
    case .done:
      let task = operands.joined(separator: " ")
      guard !task.allSatisfy(\.isWhitespace) else {
        throw UsageError("done needs the text or the id of a task")
      }
      self = .done(file: file, list: list, task: task)
    case .config:
      guard checks != prints else { throw UsageError("config needs --check or --print") }
      guard operands.count <= (checks ? 1 : 0) else {
        throw UsageError("config does not know what to do with \(operands[checks ? 1 : 0])")
      }
      self = checks ? .checkConfiguration(path: operands.first) : .printConfiguration
    case .backup:
      guard operands.count == 1, operands[0] != "" else {
        throw UsageError("backup needs the name of one new file")
      }
      self = .backup(file: file, copy: operands[0])
    case .doctor:
      guard operands.count <= 1, operands.isEmpty || file == nil else {
        throw UsageError("doctor looks at one file")
      }
      self = .doctor(file: try Self.nonEmpty(operands.first, "file") ?? file, newFile: newFile)
    case .list, .lists, .watch:
      if let operand = operands.first {
        throw UsageError("\(command.rawValue) does not know what to do with \(operand)")
      }
      if isToday {
        guard list == nil else { throw UsageError("--today is about all lists and does not go with --list") }
        self = .today(file: file, asJSON: asJSON)
      } else {
        self =
          switch command {
          case .lists: .lists(file: file, asJSON: asJSON)
          case .watch: .watch(file: file, list: list)
          default: .list(file: file, list: list, asJSON: asJSON)
          }
      }
    }
  }

  private enum Subcommand: String {
    case add, done, list, lists, watch, backup, doctor, config

    var options: [OptionScanner.Option] {
      let own = CommandLineTable.subcommands.first { $0.name == rawValue }?.options ?? []
      return ([CommandLineTable.help] + own).map(\.scanned)
    }
  }

  private static func nonEmpty(_ value: String?, _ option: String) throws(UsageError) -> String? {
    guard value != "" else { throw UsageError("--\(option) needs a value") }
    return value
  }
}

extension OptionDescription {
  fileprivate var scanned: OptionScanner.Option { .init(name: name, takesValue: value != nil) }
}
