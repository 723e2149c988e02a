import TerminalUI

/// The content of a configuration file: settings, keys, and its errors.
struct AppConfiguration: Equatable, Sendable {
  typealias Problem = TOMLDocument.Problem
  private typealias Complaint = SettingDescription.Problem

  private(set) var settings = Settings()
  /// The keys of commands that differ from the usual ones.
  private(set) var keys: [Command: [Key]] = [:]
  /// The keys of the line editor that differ from the usual ones.
  private(set) var editingKeys: [EditingCommand: [Key]] = [:]
  /// The errors, in the order of their lines.
  private(set) var problems: [Problem] = []
  /// The first of them as a sentence.
  var complaint: String? { problems.first.map { "config.toml:\($0.line): \($0.message)." } }

  /// The content of an empty file.
  init() {}

  /// - Parameter text: The whole file. Wrong parts are ignored, and listed in `problems`.
  init(_ text: String) {
    let document = TOMLDocument(text)
    problems = document.problems
    var keyLines: [Key: (command: String, line: Int)] = [:]
    var editingLines: [Key: (command: String, line: Int)] = [:]
    // A theme may be used before it is defined.
    let themes = document.entries.filter { $0.table.first == "themes" }
    for entry in themes + document.entries.filter({ $0.table.first != "themes" }) {
      do throws(Complaint) {
        switch entry.table {
        case []: try readSetting(entry)
        case ["keys"]: try readKeys(entry, &keyLines)
        case ["keys", "editing"]: try readEditingKeys(entry, &editingLines)
        case let table where table.first == "themes": try readTheme(entry)
        case let table: throw Complaint(message: "there is no table \(table.joined(separator: "."))")
        }
      } catch {
        problems.append(Problem(line: entry.line, message: error.message))
      }
    }
    if !keys.isEmpty, KeyMap(changing: keys).keys(for: .app(.commandLine)).isEmpty {
      let line = document.entries.first { $0.table == ["keys"] }?.line ?? 1
      problems.append(
        Problem(line: line, message: "command needs a key, because every other command is reached by it"))
      keys[.app(.commandLine)] = nil
    }
    requireEditingKeys(document)
    problems.sort { $0.line < $1.line }
  }

  // MARK: Settings

  private mutating func readSetting(_ entry: TOMLDocument.Entry) throws(Complaint) {
    guard let setting = SettingTable.setting(named: entry.key) else {
      throw Complaint(message: "there is no setting “\(entry.key)”")
    }
    try setting.set(entry.value, in: &settings)
  }

  // MARK: Keys

  private mutating func readKeys(
    _ entry: TOMLDocument.Entry, _ lines: inout [Key: (command: String, line: Int)]
  ) throws(Complaint) {
    guard let description = CommandTable.all.first(where: { $0.name == entry.key }) else {
      throw Complaint(message: "there is no command “\(entry.key)”")
    }
    keys[description.command] = try Self.keys(in: entry, &lines) {
      Self.reservation(of: $0, for: description.command)
    }
  }

  private mutating func readEditingKeys(
    _ entry: TOMLDocument.Entry, _ lines: inout [Key: (command: String, line: Int)]
  ) throws(Complaint) {
    guard let description = EditingTable.description(named: entry.key) else {
      throw Complaint(message: "the line editor has no “\(entry.key)”")
    }
    editingKeys[description.command] = try Self.keys(in: entry, &lines) { key in
      if key.typed != nil {
        return "\(key.label) is typed; a key of the line editor is one such as C-a, M-b or F2"
      }
      return Self.reservation(of: key, for: nil)
    }
  }

  /// Requires keys that end editing, so that a person is never trapped in a text.
  private mutating func requireEditingKeys(_ document: TOMLDocument) {
    guard !editingKeys.isEmpty else { return }
    let keys = EditingKeys(changing: editingKeys)
    for command in [EditingCommand.keep, .cancel, .keepNote] where keys.keys(for: command).isEmpty {
      let name = EditingTable.all.first { $0.command == command }?.name ?? ""
      let entries = document.entries.filter { $0.table == ["keys", "editing"] }
      let line = (entries.first { $0.key == name } ?? entries.first)?.line ?? 1
      problems.append(
        Problem(line: line, message: "\(name) needs a key, because what is typed is left by it"))
      editingKeys = [:]
    }
  }

  /// The keys in an entry. None of them may be in an earlier entry.
  private static func keys(
    in entry: TOMLDocument.Entry, _ lines: inout [Key: (command: String, line: Int)],
    _ reservation: (Key) -> String?
  ) throws(Complaint) -> [Key] {
    let names: [String]? = if case .string(let name) = entry.value { [name] } else { entry.value.texts }
    guard let names else { throw Complaint(message: "the keys of \(entry.key) are texts in quotes") }
    var keys: [Key] = []
    for name in names {
      guard let key = Key(name) else { throw Complaint(message: "there is no key “\(name)”") }
      if let reason = reservation(key) { throw Complaint(message: reason) }
      if let other = lines[key] {
        throw Complaint(message: "\(key.label) is the key of \(other.command) already, on line \(other.line)")
      }
      keys.append(key)
    }
    for key in keys { lines[key] = (entry.key, entry.line) }
    return keys
  }

  /// The reason why a key cannot be used, or nil.
  private static func reservation(of key: Key, for command: Command?) -> String? {
    if let character = key.typed, character.isASCII, character.isNumber {
      return "digits are for counts, such as 3j"
    }
    switch key {
    case Key(.character("c"), .control): return "Ctrl-C always ends what goes on, or leaves the program"
    case Key(.character("z"), .control) where command != .app(.suspend):
      return "Ctrl-Z always suspends the program"
    default: return nil
    }
  }

  // MARK: Themes

  private mutating func readTheme(_ entry: TOMLDocument.Entry) throws(Complaint) {
    guard entry.table.count == 2 else {
      throw Complaint(message: "a theme is described in a table such as [themes.mine]")
    }
    let name = entry.table[1]
    var theme = settings.ownThemes.first { $0.name == name } ?? Theme(name, copying: .realmTasks)
    if entry.key == "base" {
      guard case .string(let base) = entry.value, let base = Theme.named(base) else {
        throw Complaint(message: "base is one of \(Theme.builtIn.map(\.name).joined(separator: ", "))")
      }
      guard !settings.ownThemes.contains(where: { $0.name == name }) else {
        throw Complaint(message: "base comes first in a theme")
      }
      theme = Theme(name, copying: base)
    } else if let path = Theme.colors[entry.key] {
      guard case .string(let text) = entry.value, let color = RGB(text) else {
        throw Complaint(message: "\(entry.key) is a colour such as \"#e7a776\"")
      }
      theme = theme.changing { $0[keyPath: path] = color }
    } else if let path = Theme.gradients[entry.key] {
      let gradient = Gradient(try Self.colors(entry))
      theme = theme.changing { $0[keyPath: path] = gradient }
    } else if entry.key == "tags" {
      let colors = try Self.colors(entry)
      theme = theme.changing { $0.tags = colors }
    } else {
      let names =
        ["base"] + Theme.gradients.keys.sorted() + ["tags"] + Theme.colors.keys.sorted()
      throw Complaint(message: "a theme has no “\(entry.key)”, only \(names.joined(separator: ", "))")
    }
    settings.ownThemes.removeAll { $0.name == name }
    settings.ownThemes.append(theme)
  }

  /// The value of an entry that is a list of at least one color.
  private static func colors(_ entry: TOMLDocument.Entry) throws(Complaint) -> [RGB] {
    let texts = entry.value.texts ?? []
    let colors = texts.compactMap { RGB($0) }
    guard !colors.isEmpty, colors.count == texts.count else {
      throw Complaint(message: "\(entry.key) is a list of colours such as [\"#e7a776\", \"#38477e\"]")
    }
    return colors
  }
}
