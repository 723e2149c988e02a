import FoundationEssentials
import TasksModel

/// What fills the terminal between the title and the status line. A screen takes commands and says what is
/// needed next; it never waits, and draws only when it is told to.
protocol Screen: AnyObject {
  /// The words of the top line.
  var title: String { get }
  /// What stands at the right end of the top line; may be empty.
  var summary: String { get }
  /// What the bottom line reminds of, the most useful first.
  var hints: [Hint] { get }
  /// The same while a text is being edited.
  var editingHints: [Hint] { get }
  /// Keys go to `type` and not to the key map: a text is being edited.
  var isEditing: Bool { get }
  /// What the screen shows has been deleted: it has to make way.
  var isGone: Bool { get }

  func perform(_ call: CommandCall) -> ScreenRequest?
  /// A key for the text that is being edited.
  func type(_ key: Key)
  func paste(_ text: String)
  /// What was done with the mouse, in columns and lines of the screen; returns what is to be done about it.
  func mouse(_ event: MouseEvent) -> CommandCall?
  /// The text of a row that the last frame showed; nil for any other.
  func textInSight(_ id: Identifier) -> String?
  /// Something goes on that takes time: `work` is to be called until it has come to its end, and keys go
  /// first.
  var hasWork: Bool { get }
  /// Goes on with it for so long, or to its end.
  func work(for duration: Duration)
  /// Draws every cell of `rect`.
  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration)
  /// When the next frame of what moves is due; `nil` when nothing moves.
  func nextFrame(after time: Duration) -> Duration?
}

extension Screen {
  var editingHints: [Hint] { Hint.editing }
  func mouse(_ event: MouseEvent) -> CommandCall? { nil }
  func textInSight(_ id: Identifier) -> String? { nil }
  var hasWork: Bool { false }
  func work(for duration: Duration) {}
}

/// A key and what it does here, in a word or two.
struct Hint: Equatable {
  private enum Keys: Equatable {
    case editing(EditingCommand)
    case commands([Command])
  }

  private let keys: Keys
  let words: String

  /// The first key of a command of the line editor, with what it means here.
  init(_ command: EditingCommand, _ words: String) {
    keys = .editing(command)
    self.words = words
  }

  /// The first keys of commands, with what they mean here.
  init(_ commands: [Command], _ words: String) {
    keys = .commands(commands)
    self.words = words
  }

  /// The first key of a command, with the command's name or with what it means here.
  init(_ command: Command, _ words: String? = nil) {
    let description = CommandTable.description(of: command)
    self.init([command], words ?? description?.hint ?? description?.name ?? "")
  }

  func label(_ keyMap: KeyMap, _ editingKeys: EditingKeys) -> String {
    switch keys {
    case .editing(let command): editingKeys.label(for: command)
    case .commands(let commands): commands.map(keyMap.label).joined(separator: " ")
    }
  }

  static let holding = [
    Hint([.moveDown, .moveUp], "move"), Hint(.activate, "drops"), Hint(.escape, "puts back"),
    Hint([.moveToFirst, .moveToLast], "ends"),
  ]
  static let marking = [
    Hint(.toggleCompleted), Hint(.delete), Hint(.moveToList, "to list"),
    Hint([.moveRowDown, .moveRowUp], "move"), Hint(.escape, "ends"),
  ]
  static let note = [
    Hint(EditingCommand.keepNote, "keeps"), Hint(.cancel, "puts back"), Hint(.keep, "new line"),
  ]
  static let editing = [Hint(EditingCommand.keep, "keeps"), Hint(.cancel, "puts back")]
}

/// What a screen needs next and cannot do itself.
enum ScreenRequest: Equatable {
  case openList(Identifier)
  /// The screen of all lists, with the cursor on this one.
  case showLists(selecting: Identifier?)
  case closeHelp
  /// A task, or a subtask, where it stands.
  case openTask(Identifier, in: Place)
  /// The subtasks of a task.
  case openSubtasks(of: Identifier)
  /// The list of the task whose subtasks have been shown, with the cursor on the task.
  case closeSubtasks(of: Identifier, list: Identifier)
  /// A subtask of a task is to be written.
  case addSubtask(of: Identifier)
  /// The note of a task is to be opened.
  case openNote(Identifier)
  /// The note of a task is to be edited by the program that the person has chosen for that.
  case editNote(Identifier)
  /// A priority is to be named, for a command on this screen.
  case askForPriority(CommandCall)
  /// A date is to be named, for a command on this screen.
  case askForDate(CommandCall)
  /// How often something comes again is to be said, for a command on this screen; about this task, or about
  /// several.
  case askForRepetition(CommandCall, task: Identifier?)
  /// One of several lists is to be named, for a command on this screen.
  case askForList(CommandCall)
}
