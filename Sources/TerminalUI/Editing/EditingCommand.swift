/// A command of a key while a text is being typed.
///
/// `EditingTable.all` alone has the names, descriptions and keys.
package enum EditingCommand: String, CaseIterable, Sendable {
  case keep, keepAndAdd, cancel, keepNote
  case left, right, wordLeft, wordRight, start, end, lineUp, lineDown, pageUp, pageDown
  case firstLine, lastLine
  case deleteLeft, deleteRight, cutToEnd, cutToStart, cutToBlank, cutWordLeft, cutWordRight
  case paste, pasteOlder, exchange, uppercase, lowercase, capitalize, undo, complete
}

/// The description of a command of the line editor for people.
package struct EditingDescription: Sendable {
  package let command: EditingCommand
  /// The name in the configuration, which is unique.
  package let name: String
  /// The description, a sentence without its full stop.
  package let help: String
  /// The keys, of which the first one is taught.
  package let keys: [Key]

  fileprivate init(_ command: EditingCommand, _ name: String, _ help: String, _ keys: String...) {
    self.command = command
    self.name = name
    self.help = help
    self.keys = keys.compactMap { Key($0) }
  }
}

package enum EditingTable {
  /// All commands, each once, in the order of the help.
  package static let all: [EditingDescription] = [
    .init(
      .keep, "keep", "Save the text; without any, the row is deleted; in a note, a new line", "Enter", "C-j"),
    .init(.keepAndAdd, "keep-and-add", "Save the text, and type the next row below", "C-o", "M-Enter"),
    .init(.cancel, "cancel", "Cancel; the old text comes back", "Esc", "C-g"),
    .init(.keepNote, "keep-note", "Save the note", "C-s"),
    .init(.left, "left", "A character back", "Left", "C-b"),
    .init(.right, "right", "A character on", "Right", "C-f"),
    .init(.wordLeft, "word-left", "A word back", "M-b", "C-Left", "M-Left"),
    .init(.wordRight, "word-right", "A word on", "M-f", "C-Right", "M-Right"),
    .init(.start, "start", "To the start", "C-a", "Home"),
    .init(.end, "end", "To the end", "C-e", "End"),
    .init(.lineUp, "line-up", "A line up", "Up", "C-p"),
    .init(.lineDown, "line-down", "A line down", "Down", "C-n"),
    .init(.pageUp, "page-up", "A page of the note up", "PgUp", "M-v"),
    .init(.pageDown, "page-down", "A page of the note down", "PgDn", "C-v"),
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
    .init(.exchange, "exchange", "Swap two characters", "C-t"),
    .init(.uppercase, "uppercase", "Uppercase a word", "M-u"),
    .init(.lowercase, "lowercase", "Lowercase a word", "M-l"),
    .init(.capitalize, "capitalize", "Capitalize a word", "M-c"),
    .init(.undo, "undo", "Undo", "C-_"),
    .init(.complete, "complete", "Complete the #tag or the !priority", "Tab"),
  ]

  package static func description(named name: String) -> EditingDescription? { all.first { $0.name == name } }
}

/// The command of each key in the line editor, and the keys of each command.
package typealias EditingKeys = KeyAssignment<EditingCommand>

extension EditingKeys {
  package static let usual = EditingKeys(changing: [:])

  package init(changing changes: [EditingCommand: [Key]]) {
    self.init(EditingTable.all.map { ($0.command, $0.keys) }, changing: changes)
  }

  /// The key to teach for a command; empty if it has none.
  package func label(for command: EditingCommand) -> String { keys(for: command).first?.label ?? "" }
}
