import TasksModel
import TerminalUI

/// Everything a person can ask for outside the line editor, grouped by what answers it.
///
/// The handler of a group switches over all of its cases: a command that is added to a group does not compile
/// without an answer. Its name, its group in the help, its description and its keys stand in
/// `CommandTable.all` and nowhere else: key map, command line, help, hints and the table of keys are made
/// from that.
enum Command: Hashable, Sendable {
  case cursor(CursorCommand)
  case rows(RowsCommand)
  case tasks(TasksCommand)
  case screen(ScreenCommand)
  case app(AppCommand)
}

/// Moves of the cursor, and scrolling.
enum CursorCommand: CaseIterable, Sendable {
  case down, up, first, last, pageDown, pageUp, halfPageDown, halfPageUp, top, middle, bottom
  case scrollDown, scrollUp
}

/// Operations on rows that lists and tasks have in common.
enum RowsCommand: CaseIterable, Sendable {
  case add, addOnTop, addBelow, addAbove, toggleCompleted, edit, delete, clearCompleted
  case moveDown, moveUp, hold, sort, undo, redo, nextMatch, previousMatch, mark, markRange, markAll, copy
}

/// Operations that only tasks have.
enum TasksCommand: CaseIterable, Sendable {
  case due, repetition, wait, priority, raisePriority, lowerPriority, note, editNote, moveToList
  case subtask, demote, promote, fold, foldAll
}

/// Keys that every screen answers in its own way, most of them by going to another screen.
enum ScreenCommand: CaseIterable, Sendable {
  case activate, open, back, escape
}

/// Commands that the app answers, whatever is shown.
enum AppCommand: CaseIterable, Sendable {
  case search, today, upcoming, waiting, done, archive, tag, repeatChange, color, keepSorted
  case filter, saveSearch
  case commandLine, set, hide, theme, windows, sync, bringBack, forgetLost
  case help, repaint, suspend, quit
}

extension CursorCommand {
  /// The lines by which it moves; nil for a move within the lines in sight, or of these.
  ///
  /// - Parameters:
  ///   - count: The number of lines.
  ///   - height: The number of those in sight.
  func offset(times: Int, count: Int, height: Int) -> Int? {
    let times = min(times, count)
    let page = max(1, height - 1)
    let halfPage = max(1, height / 2)
    return switch self {
    case .down: times
    case .up: -times
    case .pageDown: times * page
    case .pageUp: -times * page
    case .halfPageDown: times * halfPage
    case .halfPageUp: -times * halfPage
    case .first: -count
    case .last: count
    case .top, .middle, .bottom, .scrollDown, .scrollUp: nil
    }
  }
}

extension Command: CaseIterable {
  static let allCases =
    CursorCommand.allCases.map(cursor) + RowsCommand.allCases.map(rows) + TasksCommand.allCases.map(tasks)
    + ScreenCommand.allCases.map(screen) + AppCommand.allCases.map(app)
}

extension Command {
  /// A need of the rows that are marked.
  enum NeedOfRows {
    /// All of them, from top to bottom.
    case rows
    /// Each as a mark of its own, to which the command adds others.
    case singleMarks
  }

  /// The need that a command has of the marked rows, which may be so many that it takes a while to find them.
  var needOfRows: NeedOfRows? {
    switch self {
    case .rows(let command):
      switch command {
      case .toggleCompleted, .delete, .moveDown, .moveUp, .copy: .rows
      case .mark, .markRange: .singleMarks
      case .add, .addOnTop, .addBelow, .addAbove, .edit, .clearCompleted, .hold, .sort, .undo, .redo,
        .nextMatch, .previousMatch, .markAll:
        nil
      }
    case .tasks(let command):
      switch command {
      case .due, .repetition, .wait, .priority, .raisePriority, .lowerPriority, .moveToList, .demote,
        .promote:
        .rows
      case .note, .editNote, .subtask, .fold, .foldAll: nil
      }
    case .app(.color): .rows
    case .cursor, .screen, .app: nil
    }
  }
}

struct CommandCall: Equatable, Sendable {
  var command: Command
  /// The number of times or of rows, or of a row; nil if the person gave none.
  var count: Int?
  /// The rest of the command line; nil if a key gave the command.
  var argument: String?
  /// The question that the command asks first, if the person has answered yes to it.
  var confirmed: String?
  /// The rows that were meant when the command asked for something; nil for those that are meant now.
  var rows: [Identifier]?
  /// Whether the rows have just been found, and are in order.
  var hasFoundRows = false

  init(_ command: Command, count: Int? = nil, argument: String? = nil) {
    self.command = command
    self.count = count
    self.argument = argument
  }

  /// The call for the rows that are meant when it is repeated.
  var repeatable: CommandCall {
    var call = self
    call.confirmed = nil
    call.rows = nil
    call.hasFoundRows = false
    return call
  }

  /// An argument that names a list which the person has chosen, and not one of any name.
  static func argument(of list: Identifier) -> String { "\(identifierMark)\(list)" }

  /// The list that the argument names as chosen.
  var chosenList: Identifier? {
    guard let argument, argument.first == Self.identifierMark else { return nil }
    return Identifier(String(argument.dropFirst()))
  }

  /// A character that no one types.
  private static let identifierMark: Character = "\u{1F}"

  /// The number of times or of rows; one if the person gave none.
  var times: Int { max(1, count ?? 1) }
}

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
  /// The group that has it in the table.
  var group = Group.move
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

  init(
    _ command: Command, _ name: String, _ help: String, hint: String? = nil, argument: String? = nil,
    _ keys: String...
  ) {
    self.command = command
    self.name = name
    self.hint = hint
    self.help = help
    self.keys = keys.map { Key($0)! }
    self.argument = argument
  }
}
