/// Everything a key can ask for outside the line editor.
///
/// What a command is called, which group it belongs to, what it does in words and which keys ask for it stands in
/// `CommandTable.all`, and nowhere else: key map, help, hints and the README's table are made from that.
enum Command: String, CaseIterable, Sendable {
  case moveDown, moveUp, moveToFirst, moveToLast, pageDown, pageUp, halfPageDown, halfPageUp
  case activate, edit, add, addOnTop, toggleCompleted, delete, moveRowDown, moveRowUp, clearCompleted
  case open, back
  case help, repaint, suspend, quit
}

/// A command as it is shown to people.
struct CommandDescription: Sendable {
  /// Commands that are shown together.
  enum Group: String, CaseIterable, Sendable {
    case move = "Move"
    case change = "Change"
    case go = "Go"
    case program = "Program"
  }

  let command: Command
  let group: Group
  /// One or two words, for the line at the bottom.
  let name: String
  /// What it does, a sentence without its full stop.
  let help: String
  /// The keys, the one to teach first.
  let keys: [Key]
}

enum CommandTable {
  /// Every command exactly once, in the order that help shows them.
  static let all: [CommandDescription] = [
    .init(
      command: .moveDown, group: .move, name: "down", help: "Move down",
      keys: [character("j"), Key(.down)]),
    .init(command: .moveUp, group: .move, name: "up", help: "Move up", keys: [character("k"), Key(.up)]),
    .init(
      command: .moveToFirst, group: .move, name: "top", help: "Go to the first row",
      keys: [character("g"), Key(.home)]),
    .init(
      command: .moveToLast, group: .move, name: "end", help: "Go to the last row",
      keys: [character("G"), Key(.end)]),
    .init(command: .pageDown, group: .move, name: "page down", help: "A page down", keys: [Key(.pageDown)]),
    .init(command: .pageUp, group: .move, name: "page up", help: "A page up", keys: [Key(.pageUp)]),
    .init(
      command: .halfPageDown, group: .move, name: "half page down", help: "Half a page down",
      keys: [control("d")]),
    .init(
      command: .halfPageUp, group: .move, name: "half page up", help: "Half a page up",
      keys: [control("u")]),

    .init(
      command: .add, group: .change, name: "add", help: "Add a row after the open ones",
      keys: [character("a")]),
    .init(
      command: .addOnTop, group: .change, name: "add on top", help: "Add a row on top",
      keys: [character("A")]),
    .init(
      command: .toggleCompleted, group: .change, name: "complete", help: "Complete, or open again",
      keys: [character(" "), character("x")]),
    .init(command: .edit, group: .change, name: "edit", help: "Edit the row", keys: [character("e")]),
    .init(
      command: .delete, group: .change, name: "delete", help: "Delete the row",
      keys: [character("d"), Key(.delete)]),
    .init(
      command: .moveRowDown, group: .change, name: "move down", help: "Move the row down",
      keys: [character("J"), Key(.down, .shift), Key(.down, .alt)]),
    .init(
      command: .moveRowUp, group: .change, name: "move up", help: "Move the row up",
      keys: [character("K"), Key(.up, .shift), Key(.up, .alt)]),
    .init(
      command: .clearCompleted, group: .change, name: "clear", help: "Clear the completed rows",
      keys: [character("C")]),

    .init(
      command: .activate, group: .go, name: "open", help: "Open the list; edit the task",
      keys: [Key(.enter)]),
    .init(
      command: .open, group: .go, name: "open", help: "Open the list", keys: [character("l"), Key(.right)]),
    .init(
      command: .back, group: .go, name: "lists", help: "Back to the lists",
      keys: [character("h"), Key(.left), Key(.escape)]),

    .init(
      command: .help, group: .program, name: "keys", help: "Show the keys", keys: [character("?")]),
    .init(
      command: .repaint, group: .program, name: "repaint", help: "Draw the screen anew",
      keys: [control("l")]),
    .init(
      command: .suspend, group: .program, name: "suspend", help: "Suspend; fg in the shell goes on",
      keys: [control("z")]),
    .init(command: .quit, group: .program, name: "quit", help: "Quit", keys: [character("q")]),
  ]

  static func description(of command: Command) -> CommandDescription? {
    all.first { $0.command == command }
  }

  private static func character(_ character: Character) -> Key { Key(.character(character)) }
  private static func control(_ character: Character) -> Key { Key(.character(character), .control) }
}

/// Which command a key asks for.
struct KeyMap: Sendable {
  private let commands: [Key: Command]

  init(_ table: [CommandDescription] = CommandTable.all) {
    var commands: [Key: Command] = [:]
    for description in table {
      for key in description.keys { commands[key] = description.command }
    }
    self.commands = commands
  }

  subscript(key: Key) -> Command? { commands[key] }
}
