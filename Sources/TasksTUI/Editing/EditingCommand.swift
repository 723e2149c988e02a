/// Everything that a key does to a text that is being typed.
///
/// What a command is called, what it does in words and which keys ask for it stands in `EditingTable.all`,
/// and nowhere else.
enum EditingCommand: String, CaseIterable, Sendable {
  case keep, cancel, keepNote
  case left, right, wordLeft, wordRight, start, end, lineUp, lineDown, firstLine, lastLine
  case deleteLeft, deleteRight, cutToEnd, cutToStart, cutToBlank, cutWordLeft, cutWordRight
  case paste, pasteOlder, exchange, uppercase, lowercase, capitalize, undo
}

/// A command of the line editor as it is shown to people.
struct EditingDescription: Sendable {
  let command: EditingCommand
  /// What it is called in the configuration: no other of them is.
  let name: String
  /// What it does, a sentence without its full stop.
  let help: String
  /// The keys, the one to teach first.
  let keys: [Key]

  fileprivate init(_ command: EditingCommand, _ name: String, _ help: String, _ keys: String...) {
    self.command = command
    self.name = name
    self.help = help
    self.keys = keys.compactMap { Key($0) }
  }
}

enum EditingTable {
  /// Every command exactly once, in the order that help shows them.
  static let all: [EditingDescription] = [
    .init(
      .keep, "keep", "Keep the text; without any, the row is deleted; in a note, a new line", "Enter", "C-j"),
    .init(.cancel, "cancel", "Put the old text back", "Esc", "C-g"),
    .init(.keepNote, "keep-note", "Keep the note", "C-s"),
    .init(.left, "left", "A character back", "Left", "C-b"),
    .init(.right, "right", "A character on", "Right", "C-f"),
    .init(.wordLeft, "word-left", "A word back", "M-b", "C-Left", "M-Left"),
    .init(.wordRight, "word-right", "A word on", "M-f", "C-Right", "M-Right"),
    .init(.start, "start", "To the start", "C-a", "Home"),
    .init(.end, "end", "To the end", "C-e", "End"),
    .init(.lineUp, "line-up", "A line up", "Up", "C-p"),
    .init(.lineDown, "line-down", "A line down", "Down", "C-n"),
    .init(.firstLine, "first-line", "To the start of the note", "M-<"),
    .init(.lastLine, "last-line", "To the end of the note", "M->"),
    .init(.deleteLeft, "delete-left", "Delete the character before", "Backspace", "S-Backspace", "C-h"),
    .init(.deleteRight, "delete-right", "Delete the character after", "Delete", "C-d"),
    .init(.cutToEnd, "cut-to-end", "Cut to the end", "C-k"),
    .init(.cutToStart, "cut-to-start", "Cut to the start", "C-u"),
    .init(.cutToBlank, "cut-to-blank", "Cut back to the last blank", "C-w"),
    .init(.cutWordLeft, "cut-word-left", "Cut a word back", "M-Backspace", "C-Backspace", "C-M-h"),
    .init(.cutWordRight, "cut-word-right", "Cut a word on", "M-d", "C-Delete", "M-Delete"),
    .init(.paste, "paste", "Paste what was cut", "C-y"),
    .init(.pasteOlder, "paste-older", "Then: what was cut before that", "M-y"),
    .init(.exchange, "exchange", "Exchange two characters", "C-t"),
    .init(.uppercase, "uppercase", "Make a word large", "M-u"),
    .init(.lowercase, "lowercase", "Make a word small", "M-l"),
    .init(.capitalize, "capitalize", "Make a word's first letter large", "M-c"),
    .init(.undo, "undo", "Undo", "C-_"),
  ]

  static func description(named name: String) -> EditingDescription? { all.first { $0.name == name } }
}

/// Which command of the line editor a key asks for, and which keys a command has.
struct EditingKeys: Sendable {
  private var commands: [Key: EditingCommand] = [:]
  private var keys: [EditingCommand: [Key]] = [:]

  /// The table's.
  static let usual = EditingKeys(changing: [:])

  /// - Parameter changes: Commands that have other keys than the table's. A key is taken from the command
  ///   that has it in the table; among these it must not stand twice.
  init(changing changes: [EditingCommand: [Key]]) {
    let taken = Set(changes.values.joined())
    for description in EditingTable.all {
      let keys = changes[description.command] ?? description.keys.filter { !taken.contains($0) }
      self.keys[description.command] = keys
      for key in keys { commands[key] = description.command }
    }
  }

  subscript(key: Key) -> EditingCommand? { commands[key] }

  /// The one to teach first.
  func keys(for command: EditingCommand) -> [Key] { keys[command] ?? [] }

  /// The key to teach for a command; nothing when it has none.
  func label(for command: EditingCommand) -> String { keys(for: command).first?.label ?? "" }
}
