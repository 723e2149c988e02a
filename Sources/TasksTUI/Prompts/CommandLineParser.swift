/// The meaning of a line typed after `:`: `NAME`, `NAME ARGUMENT`, `COUNT NAME` or a row's number.
///
/// A name may be abbreviated while it is unambiguous.
enum CommandLineParser {
  struct Problem: Error, Equatable {
    /// The error, a sentence.
    var message: String
  }

  /// The names of commands that people know from vi.
  private static let aliases: [String: Command] = [
    "q": .app(.quit), "wq": .app(.quit), "x": .app(.quit), "help": .app(.help), "h": .app(.help),
  ]

  /// - Returns: Nil for an empty line.
  static func call(_ line: String) throws(Problem) -> CommandCall? {
    var rest = line.drop(while: \.isWhitespace)
    guard !rest.isEmpty else { return nil }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count).drop(while: \.isWhitespace)
    let count = Int(digits)
    guard digits.isEmpty || count ?? .max <= CommandCall.greatestCount else {
      throw Problem(message: "\(digits) is too large a number.")
    }
    guard !rest.isEmpty else { return CommandCall(.cursor(.first), count: count) }
    let name = rest.prefix { !$0.isWhitespace }
    let argument = rest.dropFirst(name.count).drop(while: \.isWhitespace)
    let command = try command(named: String(name))
    guard argument.isEmpty || CommandTable.description(of: command)?.argument != nil else {
      throw Problem(message: "“\(name)” stands alone: nothing may follow it.")
    }
    return CommandCall(command, count: count, argument: argument.isEmpty ? nil : String(argument))
  }

  private static func command(named name: String) throws(Problem) -> Command {
    let name = name.lowercased()
    if let exact = CommandTable.all.first(where: { $0.name == name }) { return exact.command }
    if let alias = aliases[name] { return alias }
    let matches = CommandTable.all.filter { $0.name.hasPrefix(name) }
    switch matches.count {
    case 0: throw Problem(message: "There is no command “\(name)”.")
    case 1: return matches[0].command
    default:
      let names = matches.map(\.name).joined(separator: ", ")
      throw Problem(message: "“\(name)” may be \(names).")
    }
  }

  /// The commands whose names begin with the typed text, then those that contain it in name or help.
  static func completions(
    of line: String, _ keyMap: KeyMap = KeyMap(), _ settings: Settings = Settings(),
    tags: (String) -> [Prompt.Completion] = { _ in [] }
  ) -> [Prompt.Completion] {
    let start = line.drop { $0.isWhitespace || ($0.isASCII && $0.isNumber) }
    guard !start.contains(where: \.isWhitespace) else {
      return arguments(of: line, from: start, settings, tags)
    }
    let typed = start.lowercased()
    let before = String(line.dropLast(start.count))
    let beginning = CommandTable.all.filter { $0.name.hasPrefix(typed) }
    let containing = CommandTable.all.filter {
      !$0.name.hasPrefix(typed) && ($0.name.contains(typed) || $0.help.lowercased().contains(typed))
    }
    return (beginning + containing).map { description in
      Prompt.Completion(
        text: before + description.name + (description.argument == nil ? "" : " "),
        title: description.name + (description.argument.map { " [\($0)]" } ?? ""),
        words: description.help, keys: keyMap.keys(for: description.command).first?.label ?? "")
    }
  }

  private static func arguments(
    of line: String, from start: Substring, _ settings: Settings, _ tags: (String) -> [Prompt.Completion]
  ) -> [Prompt.Completion] {
    var words = start.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map {
      $0.lowercased()
    }
    let typed = words.removeLast()
    let before = String(line.dropLast(typed.count))
    guard let command = try? command(named: words[0]) else { return [] }
    let candidates: [(value: String, help: String)]
    switch (command, words.count) {
    case (.app(.tag), 1): candidates = tags(typed).map { ($0.text, $0.words) }
    case (.tasks(.priority), 1): candidates = [("a", "high"), ("b", "medium"), ("c", "low"), ("none", "")]
    case (.app(.theme), 1): candidates = settings.themes.map { ($0.name, $0.help) }
    case (.app(.set), 1):
      candidates = SettingTable.all.map {
        ($0.name + " ", "\($0.help) (\($0.value(in: settings)))")
      }
    case (.app(.set), 2):
      guard let setting = SettingTable.setting(named: words[1]) else { return [] }
      let themes = setting.name == "theme" ? settings.themes : []
      candidates = setting.values(in: settings).map { value in
        (value, themes.first { $0.name == value }?.help ?? "")
      }
    default: return []
    }
    return candidates.filter { $0.value.hasPrefix(typed) }.map {
      Prompt.Completion(text: before + $0.value, title: $0.value, words: $0.help)
    }
  }
}

extension CommandCall {
  /// The greatest count: every number of rows is smaller, and nothing overflows.
  static let greatestCount = 1_000_000_000
}
