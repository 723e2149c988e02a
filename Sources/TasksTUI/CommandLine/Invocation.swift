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
    var isAnimated = true
    var isReadOnly = false
    var isPlain = false
    var script: String?
    var command: Subcommand?
    let optionsBefore = CommandLineTable.options
    while command == nil, let item = try scanner.next(optionsBefore, hint: Self.placeOfOption) {
      switch item {
      case .option("help", _):
        action = .help
        return
      case .option("version", _):
        action = .version
        return
      case .option("man", _):
        action = .manual
        return
      case .option("completion", let value):
        guard let shell = ShellCompletion(rawValue: value ?? "") else {
          throw UsageError(
            "--completion is for \(ShellCompletion.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        action = .completion(shell)
        return
      case .option("no-animation", _): isAnimated = false
      case .option("read-only", _): isReadOnly = true
      case .option("plain", _): isPlain = true
      case .option("script", let value): script = try Self.nonEmpty(value, "script")
      case .option("file", let value): file = try Self.nonEmpty(value, "file")
      case .operand(let name):
        command = try Self.command(named: name)
      case .option: break
      }
    }
    guard let command else {
      guard !isPlain || script == nil else { throw UsageError("--plain does not go with --script") }
      action =
        if isPlain {
          .plain(isReadOnly: isReadOnly)
        } else if let script {
          .script(path: script, isReadOnly: isReadOnly)
        } else {
          .app(isAnimated: isAnimated, isReadOnly: isReadOnly)
        }
      return
    }
    guard !isReadOnly else { throw UsageError("--read-only does not go with \(command.rawValue)") }
    guard !isPlain else { throw UsageError("--plain does not go with \(command.rawValue)") }
    guard script == nil else { throw UsageError("--script does not go with \(command.rawValue)") }
    guard isAnimated else { throw UsageError("--no-animation does not go with \(command.rawValue)") }

    var flags: Set<String> = []
    var values: [String: String] = [:]
    var topic: CollectedCommand.Topic?
    var format: FileFormat?
    var operands: [String] = []
    let options = [CommandLineTable.help] + command.description.options
    func hint(_ word: String, _: ArraySlice<String>) -> String? { Self.hint(about: word, for: command) }
    while let item = try scanner.next(options, hint: hint) {
      switch item {
      case .option("help", _):
        action = .commandHelp(command)
        return
      case .option(let name, _) where CollectedCommand.Topic(rawValue: name) != nil:
        guard topic == nil else { throw UsageError("--\(topic?.rawValue ?? "") does not go with --\(name)") }
        topic = CollectedCommand.Topic(rawValue: name)
      case .option("format", let value): format = try Self.format(named: value ?? "")
      case .option(let name, let value) where ["list", "notes"].contains(name): values[name] = value
      case .option(let name, let value?): values[name] = try Self.nonEmpty(value, name)
      case .option(let name, nil): flags.insert(name)
      case .operand(let operand): operands.append(operand)
      }
    }
    file = values["file"] ?? file
    list = values["list"]
    asJSON = flags.contains("json")
    isLong = flags.contains("details")
    let newTask = NewTaskOptions(
      due: values["due"], repetition: values["repeat"], priority: values["priority"],
      notes: values["notes"], wait: values["wait"], under: values["under"])

    /// Returns the operands as one text.
    func text(_ need: String) throws(UsageError) -> String {
      try Self.joined(operands, "\(command.rawValue) needs \(need)")
    }
    func task() throws(UsageError) -> String { try text("the text or the id of a task") }
    func two(_ need: String) throws(UsageError) -> (String, String) {
      guard operands.count == 2 else { throw UsageError("\(command.rawValue) needs \(need)") }
      return (operands[0], operands[1])
    }

    if command.description.takesOnlyOptions { try Self.requireNone(operands, command) }
    switch command {
    case .add:
      action =
        operands == ["-"]
        ? .addLines(newTask)
        : .add(newTask, text: try Self.line(operands, ofTask: true, "add needs the text of the task"))
    case .done: action = .done(task: try task())
    case .show: action = .show(task: try task())
    case .search:
      let saved = values["saved"]
      guard saved == nil || operands.isEmpty else { throw UsageError("--saved does not go with words") }
      let words = if let saved { saved } else { try text("some words") }
      action = .search(words: words, isName: saved != nil)
    case .edit:
      guard let task = operands.first, !task.allSatisfy(\.isWhitespace) else {
        throw UsageError("edit needs the text or the id of a task")
      }
      guard operands.count > 1 || newTask != NewTaskOptions() else {
        throw UsageError("edit needs the new text, after the task in quotes, or an option such as --due")
      }
      let text =
        operands.count > 1
        ? try Self.line(Array(operands.dropFirst()), ofTask: true, "edit needs the new text") : nil
      action = .change(.edit(task: task, text: text, newTask))
    case .move:
      guard let target = values["to"] else { throw UsageError("move needs --to LIST") }
      action = .change(.move(task: try task(), list: target))
    case .undone: action = .change(.reopen(task: try task()))
    case .delete: action = .change(.delete(task: try task()))
    case .addList:
      let name = try Self.line(operands, ofTask: false, "list-add needs the name of the list")
      action = .change(.addList(name))
    case .renameList:
      let need = "a list and its new name, in quotes if they have spaces"
      let (list, name) = try two(need)
      let newName = try Self.line([name], ofTask: false, "list-rename needs \(need)")
      action = .change(.renameList(list, name: newName))
    case .colorList:
      let (list, color) = try two("a list, in quotes if it has spaces, and a colour or none")
      action = .change(.colorList(list, color: color))
    case .sortList:
      let (list, order) = try two("a list, in quotes if it has spaces, and an order or off")
      action = .change(.sortList(list, order: order))
    case .saveSearch:
      let problem = "search-save needs a name, and the words that it is for"
      let name = try Self.line(Array(operands.prefix(1)), ofTask: false, problem)
      let words = operands.dropFirst().joined(separator: " ")
      action = .change(.saveSearch(name, words: words))
    case .deleteList:
      action = .change(.deleteList(try text("the name of the list"), isConfirmed: flags.contains("yes")))
    case .clear: action = .change(.clear)
    case .undo: action = .change(.undo)
    case .redo: action = .change(.redo)
    case .help:
      guard operands.count <= 1 else { throw UsageError("help is about one command") }
      action = if let name = operands.first { .commandHelp(try Self.command(named: name)) } else { .help }
    case .config:
      let checks = flags.contains("check")
      guard checks != flags.contains("print") else { throw UsageError("config needs --check or --print") }
      guard operands.count <= (checks ? 1 : 0) else {
        throw UsageError("config does not know what to do with \(operands[checks ? 1 : 0])")
      }
      action = checks ? .checkConfiguration(path: operands.first) : .printConfiguration
    case .backup:
      guard operands.count == 1, operands[0] != "" else {
        throw UsageError("backup needs the name of one new file")
      }
      action = .backup(copy: operands[0])
    case .restore:
      guard operands.count == 1, operands[0] != "" else {
        throw UsageError("restore needs the name of one copy, such as tasks backup makes it")
      }
      action = .restore(copy: operands[0])
    case .doctor:
      guard operands.count <= 1, operands.isEmpty || file == nil else {
        throw UsageError("doctor looks at one file")
      }
      file = try Self.nonEmpty(operands.first, "file") ?? file
      action = .doctor(newFile: values["save"])
    case .list:
      if let format {
        let other = topic?.rawValue ?? (asJSON ? "json" : isLong ? "details" : nil)
        if let other { throw UsageError("--format does not go with --\(other)") }
        action = .export(ExportCommand.Request(format: format, isOfOneList: true))
      } else if let topic {
        guard list == nil else {
          throw UsageError("--\(topic.rawValue) is about all lists and does not go with --list")
        }
        action = .collected(topic)
      } else {
        action = .list
      }
    case .due:
      let program = values["exec"]
      guard program == nil || !asJSON else { throw UsageError("--exec prints nothing, also not with --json") }
      action = .due(command: program)
    case .importFile:
      guard operands.count == 1, operands[0] != "" else {
        throw UsageError("import needs the name of one file, or - for standard input")
      }
      action = .importFile(
        ImportCommand.Request(
          path: operands[0], format: try Self.format(format, ofFile: operands[0]),
          skipsBad: flags.contains("skip-bad"), isTrial: flags.contains("dry-run")))
    case .export:
      guard operands.count <= 1, operands != [""] else {
        throw UsageError("export needs the name of one new file, or none")
      }
      var request = ExportCommand.Request(format: format ?? .jsonl, replaces: flags.contains("force"))
      if let path = operands.first, path != "-" {
        (request.path, request.format) = (path, try Self.format(format, ofFile: path))
      }
      action = .export(request)
    case .sync:
      // Its words are another program's, which has been started by now, but for the help.
      action = .commandHelp(command)
    case .lists: action = .lists
    case .watch: action = .watch(command: values["exec"])
    }
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

  private static func command(named name: String) throws(UsageError) -> Subcommand {
    guard let command = Subcommand(named: name) else { throw UsageError("there is no command “\(name)”") }
    return command
  }

  private static func format(named name: String) throws(UsageError) -> FileFormat {
    guard let format = FileFormat(rawValue: name) else {
      throw UsageError("“\(name)” is no format: \(FileFormat.names)")
    }
    return format
  }

  /// The format that was named, or that of the ending of a file.
  private static func format(
    _ format: FileFormat?, ofFile path: String
  ) throws(UsageError) -> FileFormat {
    guard let format = format ?? FileFormat(path: path) else {
      throw UsageError("say with --format in which format “\(path)” is: \(FileFormat.names)")
    }
    return format
  }

  private static func joined(_ operands: [String], _ problem: String) throws(UsageError) -> String {
    let text = operands.joined(separator: " ")
    guard !text.allSatisfy(\.isWhitespace) else { throw UsageError(problem) }
    return text
  }

  /// A text for a row, which has one line; control characters in a task stay, and are printed visibly.
  private static func line(
    _ operands: [String], ofTask isOfTask: Bool, _ problem: String
  ) throws(UsageError) -> String {
    try joined(operands.map { LineEditor.singleLine($0, keepsControls: isOfTask) }, problem).trimmedForRow
  }

  private static func requireNone(_ operands: [String], _ command: Subcommand) throws(UsageError) {
    guard let operand = operands.first else { return }
    let list = command.description.options.first { $0.name == "list" }
    let hint = list.map { "; a list is named by \($0.label)" } ?? ""
    throw UsageError("\(command.rawValue) does not know what to do with \(operand)\(hint)")
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

  /// The sentence about a word that begins with one sign of an option, such as a temperature below zero.
  private static func hint(about written: String, for command: Subcommand) -> String? {
    guard !written.hasPrefix("--"), command.description.takesWords else { return nil }
    return "there is no option \(written); words that begin with - come after --"
  }

  private static func nonEmpty(_ value: String?, _ option: String) throws(UsageError) -> String? {
    guard value != "" else { throw UsageError("--\(option) needs a value") }
    return value
  }
}
