import FoundationEssentials
import TasksModel

/// The content of the terminal between the title and the status line. A screen handles commands and returns
/// requests; it never waits, and draws only when called.
protocol Screen: AnyObject {
  /// The words of the top line.
  var title: String { get }
  /// The text at the right end of the top line; may be empty.
  var summary: String { get }
  /// The hints of the bottom line, the most useful first.
  var hints: [Hint] { get }
  /// The hints while a text is being edited.
  var editingHints: [Hint] { get }
  /// Whether keys go to `type` instead of the key map, because a text is being edited.
  var isEditing: Bool { get }
  /// Whether the content of the screen has been deleted, so that the screen has to close.
  var isGone: Bool { get }

  func perform(_ call: CommandCall) -> ScreenRequest?
  /// Handles a key for the text that is being edited.
  func type(_ key: Key)
  func paste(_ text: String)
  /// Handles a mouse event, in columns and lines of the screen; returns the resulting command.
  func mouse(_ event: MouseEvent) -> CommandCall?
  /// The text of a row in the last frame; nil for any other.
  func textInSight(_ id: Identifier) -> String?
  /// Whether there is work that takes time: `work` is then called until it ends, and keys come first.
  var hasWork: Bool { get }
  /// Continues that work for a limited time, or to its end.
  func work(for duration: Duration)
  /// Draws every cell of `rect`.
  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration)
  /// The time of the next frame of a movement; `nil` if nothing moves.
  func nextFrame(after time: Duration) -> Duration?
}

extension Screen {
  /// While a text is typed only the app has commands.
  func perform(_ call: CommandCall) -> ScreenRequest? {
    if case .app = call.command { .passOn } else { nil }
  }
  var editingHints: [Hint] { Hint.editing }
  func mouse(_ event: MouseEvent) -> CommandCall? { nil }
  func textInSight(_ id: Identifier) -> String? { nil }
  var hasWork: Bool { false }
  func work(for duration: Duration) {}
}

/// A key and its meaning here, in a word or two.
struct Hint: Equatable {
  private enum Keys: Equatable {
    case editing(EditingCommand)
    case commands([Command])
  }

  private let keys: Keys
  let words: String

  /// The first key of a command of the line editor, with its meaning here.
  init(_ command: EditingCommand, _ words: String) {
    keys = .editing(command)
    self.words = words
  }

  /// The first keys of commands, with their meaning here.
  init(_ commands: [Command], _ words: String) {
    keys = .commands(commands)
    self.words = words
  }

  /// The first key of a command, with the command's name or its meaning here.
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
    Hint([.cursor(.down), .cursor(.up)], "move"), Hint(.screen(.activate), "drops"),
    Hint(.screen(.escape), "puts back"),
    Hint([.cursor(.first), .cursor(.last)], "ends"),
  ]
  static let unreadable = [Hint(.app(.help)), Hint(.app(.quit))]
  static let marking = [
    Hint(.rows(.toggleCompleted)), Hint(.rows(.delete)), Hint(.tasks(.moveToList), "to list"),
    Hint([.rows(.moveDown), .rows(.moveUp)], "move"), Hint(.screen(.escape), "ends"),
  ]
  static let note = [
    Hint(EditingCommand.keepNote, "keeps"), Hint(.cancel, "puts back"), Hint(.keep, "new line"),
  ]
  static let editing = [Hint(EditingCommand.keep, "keeps"), Hint(.cancel, "puts back")]
}

/// A request of a screen to the app.
enum ScreenRequest: Equatable {
  /// The app is to follow the command: it means nothing on this screen.
  case passOn
  case openList(Identifier)
  /// Show all lists, with the cursor on this one.
  case showLists(selecting: Identifier?)
  case closeHelp
  /// Show a task, or a subtask, in its place.
  case openTask(Identifier, in: Place)
  /// Show the subtasks of a task.
  case openSubtasks(of: Identifier)
  /// Return to the list of the task whose subtasks are shown, with the cursor on the task.
  case closeSubtasks(of: Identifier, list: Identifier)
  /// Add a subtask of a task.
  case addSubtask(of: Identifier)
  /// Open the note of a task.
  case openNote(Identifier)
  /// Edit the note of a task in the person's editor.
  case editNote(Identifier)
  /// Ask for a priority, for a command on this screen.
  case askForPriority(CommandCall)
  /// Ask for a date, for a command on this screen.
  case askForDate(CommandCall)
  /// Ask for a repetition, for a command on this screen; for this task, or for several.
  case askForRepetition(CommandCall, task: Identifier?)
  /// Ask for one of several lists, for a command on this screen.
  case askForList(CommandCall)
}
