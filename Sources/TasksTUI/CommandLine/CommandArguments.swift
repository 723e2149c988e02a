import TasksModel
import TerminalUI

/// The arguments that follow the name of a command.
struct CommandArguments {
  let command: Subcommand
  /// The file with the tasks, if an option named it, here or before the command.
  private(set) var namedFile: String?
  private(set) var operands: [String] = []
  /// The values of the options that have one.
  private(set) var values: [String: String] = [:]
  /// The options that were given without a value.
  private(set) var flags: Set<String> = []
  private(set) var topic: CollectedCommand.Topic?
  private(set) var format: FileFormat?

  /// Takes all arguments that are left, up to a question for help.
  ///
  /// - Parameter file: The file that was named before the command.
  init(of command: Subcommand, file: String?, _ scanner: inout OptionScanner) throws(UsageError) {
    self.command = command
    let options = [CommandLineTable.help] + command.description.options
    func hint(_ word: String, _: ArraySlice<String>) -> String? { Self.hint(about: word, for: command) }
    while !asksForHelp, let item = try scanner.next(options, hint: hint) {
      switch item {
      case .option(let name, _) where CollectedCommand.Topic(rawValue: name) != nil:
        if let topic { throw UsageError("--\(topic.rawValue) does not go with --\(name)") }
        topic = CollectedCommand.Topic(rawValue: name)
      case .option("format", let value): format = try Self.format(named: value ?? "")
      case .option(let name, let value) where ["list", "notes"].contains(name): values[name] = value
      case .option(let name, let value?): values[name] = try Self.nonEmpty(value, name)
      case .option(let name, nil): flags.insert(name)
      case .operand(let operand): operands.append(operand)
      }
    }
    namedFile = values["file"] ?? file
  }

  var asksForHelp: Bool { flags.contains("help") }

  var newTask: NewTaskOptions {
    NewTaskOptions(
      due: values["due"], repetition: values["repeat"], priority: values["priority"],
      notes: values["notes"], wait: values["wait"], under: values["under"])
  }

  private static func format(named name: String) throws(UsageError) -> FileFormat {
    guard let format = FileFormat(rawValue: name) else {
      throw UsageError("“\(name)” is no format: \(FileFormat.names)")
    }
    return format
  }

  /// The sentence about a word that begins with one sign of an option, such as a temperature below zero.
  private static func hint(about written: String, for command: Subcommand) -> String? {
    guard !written.hasPrefix("--"), command.description.takesWords else { return nil }
    return "there is no option \(written); words that begin with - come after --"
  }

  static func nonEmpty(_ value: String?, _ option: String) throws(UsageError) -> String? {
    guard value != "" else { throw UsageError("--\(option) needs a value") }
    return value
  }
}

/// The operands as what a command needs.
extension CommandArguments {
  /// The file with the tasks: that of an option, or the one that `doctor` is to look at.
  var file: String? {
    get throws(UsageError) {
      command == .doctor ? try Self.nonEmpty(operands.first, "file") ?? namedFile : namedFile
    }
  }

  /// The operands as one text.
  ///
  /// - Parameter need: What the command is said to need where there is none.
  func text(_ need: String) throws(UsageError) -> String {
    try Self.joined(operands, "\(command.rawValue) needs \(need)")
  }

  func task() throws(UsageError) -> String { try text("the text or the id of a task") }

  func two(_ need: String) throws(UsageError) -> (String, String) {
    guard operands.count == 2 else { throw UsageError("\(command.rawValue) needs \(need)") }
    return (operands[0], operands[1])
  }

  /// The one operand, which is not empty.
  func one(_ need: String) throws(UsageError) -> String {
    guard operands.count == 1, operands[0] != "" else {
      throw UsageError("\(command.rawValue) needs \(need)")
    }
    return operands[0]
  }

  /// The operands as a text for a row, which has one line; control characters in a task stay, and are printed
  /// visibly.
  func line(
    _ operands: some Sequence<String>, ofTask isOfTask: Bool, _ need: String
  ) throws(UsageError) -> String {
    let lines = operands.map { LineEditor.singleLine($0, keepsControls: isOfTask) }
    return try Self.joined(lines, "\(command.rawValue) needs \(need)").trimmedForRow
  }

  private static func joined(_ operands: [String], _ problem: String) throws(UsageError) -> String {
    let text = operands.joined(separator: " ")
    guard !text.allSatisfy(\.isWhitespace) else { throw UsageError(problem) }
    return text
  }

  func requireNoOperands() throws(UsageError) {
    guard let operand = operands.first else { return }
    let list = command.description.options.first { $0.name == "list" }
    let hint = list.map { "; a list is named by \($0.label)" } ?? ""
    throw UsageError("\(command.rawValue) does not know what to do with \(operand)\(hint)")
  }

  /// The format that was named, or that of the ending of a file.
  func format(ofFile path: String) throws(UsageError) -> FileFormat {
    guard let format = format ?? FileFormat(path: path) else {
      throw UsageError("say with --format in which format “\(path)” is: \(FileFormat.names)")
    }
    return format
  }
}
