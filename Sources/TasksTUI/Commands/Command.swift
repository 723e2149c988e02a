/// Everything a person can ask for outside the line editor.
///
/// What a command is called, which group it belongs to, what it does in words and which keys ask for it
/// stands in `CommandTable.all`, and nowhere else: key map, command line, help, hints and the README's table
/// are made from that.
enum Command: String, CaseIterable, Sendable {
  case moveDown, moveUp, moveToFirst, moveToLast, pageDown, pageUp, halfPageDown, halfPageUp
  case moveToTop, moveToMiddle, moveToBottom, scrollDown, scrollUp
  case add, addOnTop, addBelow, addAbove, toggleCompleted, edit, delete
  case moveRowDown, moveRowUp, holdRow, moveToList, clearCompleted, due, repetition, priority, raisePriority,
    lowerPriority, note, editNote, subtask, demote, promote, undo, redo, repeatChange
  case mark, markRange, markAll
  case search, nextMatch, previousMatch
  case activate, open, back, escape, fold, foldAll, today, tag
  case commandLine, set, theme, windows, help, repaint, suspend, quit
}

/// A command with what goes with it.
struct CommandCall: Equatable, Sendable {
  var command: Command
  /// How many times, how many rows, or which row; nil when the person did not say.
  var count: Int?
  /// The rest of the command line; nil when a key asked for the command.
  var argument: String?

  init(_ command: Command, count: Int? = nil, argument: String? = nil) {
    self.command = command
    self.count = count
    self.argument = argument
  }

  /// How many times or how many rows; once when the person did not say.
  var times: Int { max(1, count ?? 1) }
}

/// A command as it is shown to people.
struct CommandDescription: Sendable {
  /// Commands that are shown together.
  enum Group: String, CaseIterable, Sendable {
    case move = "Move"
    case change = "Change"
    case several = "Several rows"
    case find = "Find"
    case go = "Go"
    case program = "Program"
  }

  let command: Command
  let group: Group
  /// What it is called on the command line: no other command is.
  let name: String
  /// A word or two for the line at the bottom; nil when the name will do.
  var hint: String?
  /// What it does, a sentence without its full stop.
  let help: String
  /// The keys, the one to teach first.
  let keys: [Key]
  /// What may follow the name on the command line, such as `TEXT`; nil for nothing.
  var argument: String?
}
