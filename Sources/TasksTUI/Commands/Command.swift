/// A command that a person can give outside the line editor.
///
/// `CommandTable.all` alone has the names, groups, descriptions and keys: key map, command line, help, hints
/// and the documentation of the keys are made from it.
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

/// A command with its arguments.
struct CommandCall: Equatable, Sendable {
  var command: Command
  /// The number of times or of rows, or of a row; nil if the person gave none.
  var count: Int?
  /// The rest of the command line; nil if a key gave the command.
  var argument: String?

  init(_ command: Command, count: Int? = nil, argument: String? = nil) {
    self.command = command
    self.count = count
    self.argument = argument
  }

  /// The number of times or of rows; one if the person gave none.
  var times: Int { max(1, count ?? 1) }
}

/// The description of a command for people.
struct CommandDescription: Sendable {
  /// A group of commands that are shown together.
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
  /// The name on the command line, which is unique.
  let name: String
  /// A word or two for the line at the bottom; nil if the name is enough.
  var hint: String?
  /// The description, a sentence without its full stop.
  let help: String
  /// The keys, of which the first one is taught.
  let keys: [Key]
  /// The argument after the name on the command line, such as `TEXT`; nil for none.
  var argument: String?
}
