import TasksModel
import TerminalUI

/// An entry of the `ScreenStack`: rows, a page above them, or a line that is being typed.
///
/// A screen handles an event and returns a request to the app if it cannot do all of it itself; it never
/// waits, and draws only when called.
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
  /// Whether keys wait for the end of its work, an action in parts, except the one that stops it.
  var isCarryingOut: Bool { get }
  /// Whether each key answers what is typed, before Enter.
  var answersWhileTyping: Bool { get }
  /// Whether what has been typed has no answer.
  var foundNothing: Bool { get }
  /// Whether it fills the terminal between title and bottom line, instead of lying on the screen beneath.
  var fillsTerminal: Bool { get }
  /// Whether the lists may stand beside it.
  var standsBesideLists: Bool { get }
  /// Whether it closes when other rows are shown beneath it.
  var isAboutRows: Bool { get }
  /// Whether it cannot be used while the file cannot be read.
  var needsFile: Bool { get }
  /// The activity that other windows are told; nil for that of the screen beneath.
  var activity: WindowState.Activity? { get }
  /// The title and the summary in words; nil for those of the screen beneath.
  var spokenTitle: String? { get }
  /// The question, or the place of the cursor, in words; nil for that of the screen beneath.
  var spokenPosition: String? { get }

  /// A sentence that is shown beside what it is about, and need not be on the bottom line; nil without one.
  var ownSentence: String? { get }
  /// The text that would be lost if the window were closed now; nil if there is none.
  var unsaved: UnsavedText? { get }

  func perform(_ call: CommandCall) -> ScreenRequest?
  /// Handles a key for the text that is being edited.
  func type(_ key: Key) -> ScreenRequest?
  func paste(_ text: String) -> ScreenRequest?
  /// Handles a mouse event, in columns and lines of the screen; the title is in line -1.
  func mouse(_ event: MouseEvent) -> ScreenRequest?
  /// Ends what goes on, and keeps what has been typed, because other rows are to be shown; returns false if
  /// that has to be settled first.
  func makeWay() -> Bool
  /// Takes over what other threads have found for a search.
  func take(_ finding: SearchFinding)
  /// Returns the screen to continue with above rows that were made anew.
  func renewed(above rows: any RowsScreen) -> any Screen

  /// The text of a row in the last frame; nil for any other.
  func textInSight(_ id: Identifier) -> String?
  /// Whether there is work that takes time: `work` is then called until it ends, and keys come first.
  var hasWork: Bool { get }
  /// The time until it may go on.
  var workDelay: Duration { get }
  /// Continues that work for a limited time, or to its end.
  func work(for duration: Duration) -> ScreenRequest?
  /// Draws every cell of `rect`.
  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration)
  /// Draws what is being typed on the last line of the terminal.
  func drawBottomLine(into canvas: inout Canvas)
  /// The time of the next frame of a movement; `nil` if nothing moves.
  func nextFrame(after time: Duration) -> Duration?
}

extension Screen {
  var isCarryingOut: Bool { false }
  var summary: String { "" }
  var hints: [Hint] { [] }
  var editingHints: [Hint] { Hint.editing }
  var answersWhileTyping: Bool { false }
  var foundNothing: Bool { false }
  var fillsTerminal: Bool { true }
  var standsBesideLists: Bool { false }
  var isAboutRows: Bool { true }
  var needsFile: Bool { fillsTerminal }
  var activity: WindowState.Activity? { nil }
  var spokenTitle: String? { nil }
  var spokenPosition: String? { nil }
  var ownSentence: String? { nil }
  var unsaved: UnsavedText? { nil }

  /// Passes on the commands of the app; a screen where a text is typed has no others.
  func perform(_ call: CommandCall) -> ScreenRequest? {
    if case .app = call.command { .passOn } else { nil }
  }
  func paste(_ text: String) -> ScreenRequest? { nil }
  func mouse(_ event: MouseEvent) -> ScreenRequest? { nil }
  func makeWay() -> Bool { false }
  func take(_ finding: SearchFinding) {}
  func renewed(above rows: any RowsScreen) -> any Screen { self }
  func textInSight(_ id: Identifier) -> String? { nil }
  var hasWork: Bool { false }
  var workDelay: Duration { .zero }
  func work(for duration: Duration) -> ScreenRequest? { nil }
  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {}
  func drawBottomLine(into canvas: inout Canvas) {}
  func nextFrame(after time: Duration) -> Duration? { nil }
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

  /// Whether its key would change something.
  var changesFile: Bool {
    guard case .commands(let commands) = keys else { return false }
    return commands.contains { CommandTable.description(of: $0)?.group == .change }
  }

  func label(_ keyMap: KeyMap, _ editingKeys: EditingKeys) -> String {
    switch keys {
    case .editing(let command): editingKeys.label(for: command)
    case .commands(let commands): commands.map(keyMap.label).joined(separator: " ")
    }
  }

  /// The key that a click on the hint, a number of columns from its beginning, strikes; nil if the command
  /// has none.
  func key(at offset: Int, _ keyMap: KeyMap, _ editingKeys: EditingKeys) -> Key? {
    switch keys {
    case .editing(let command): return editingKeys.keys(for: command).first
    case .commands(let commands):
      // Of several commands each has its own label; the words are about the first.
      var end = 0
      for command in commands {
        end += DisplayText(keyMap.label(for: command)).width + 1
        if offset < end { return keyMap.keys(for: command).first }
      }
      return commands.first.flatMap { keyMap.keys(for: $0).first }
    }
  }

  static let holding = [
    Hint([.cursor(.down), .cursor(.up)], "move"), Hint(.screen(.activate), "drop"),
    Hint(.screen(.escape), "put back"),
    Hint([.cursor(.first), .cursor(.last)], "ends"),
  ]
  static let unreadable = [Hint(.app(.help)), Hint(.app(.quit))]
  static let marking = [
    Hint(.rows(.toggleCompleted)), Hint(.rows(.delete)), Hint(.tasks(.moveToList), "to list"),
    Hint([.rows(.moveDown), .rows(.moveUp)], "move"), Hint(.screen(.escape), "end"),
  ]
  /// Tasks of several lists have no order of their own.
  static let markingInSeveralLists = marking.filter {
    $0 != Hint([.rows(.moveDown), .rows(.moveUp)], "move")
  }
  static let note = [
    Hint(EditingCommand.keepNote, "save"), Hint(.cancel, "cancel"), Hint(.keep, "new line"),
  ]
  static let editing = [Hint(EditingCommand.keep, "save"), Hint(.cancel, "cancel")]
}

enum ScreenRequest: Equatable {
  /// Perform the command: it has no meaning on this screen.
  case passOn
  case close
  /// Close the screen of an action that was not carried out to its end; the keys that wait for it are void.
  case breakOff
  /// Close the prompt, and use the line that was typed.
  case answer(String, PromptScreen.Use)
  /// Ask whether several pasted lines are as many rows, or one.
  case askAboutLines(String)
  /// Copy a text to the clipboard of the terminal.
  case copy(String)
  /// Carry out an action in parts.
  case carryOut(LongWork)
  /// Close the screen of an action, and perform the command for which it was carried out.
  case goOn(CommandCall)
  /// Perform a command that the mouse has chosen.
  case perform(CommandCall)
  case openList(Identifier)
  /// Show all lists, with the cursor on this one.
  case showLists(selecting: Identifier?)
  /// Show a task, or a subtask, in its place, with no screen above it.
  case openTask(Identifier, in: Place)
  /// Show the subtasks of a task.
  case openSubtasks(of: Identifier)
  /// Return to the list of the task whose subtasks are shown, with the cursor on the task.
  case closeSubtasks(of: Identifier, list: Identifier)
  case addSubtask(of: Identifier)
  case openNote(Identifier)
  /// Edit the note of a task in the person's editor.
  case editNote(Identifier)
  /// Ask for the argument of a command on this screen.
  case ask(Prompt, for: CommandCall)
  /// Make the screens anew: other rows have to be shown.
  case renew
  /// Ask a question that is answered with yes or no; yes performs the command.
  case confirm(String, CommandCall)
  /// Ask for one of several lists, for a command on this screen.
  case askForList(CommandCall)

  /// Scrolls a page on which there is nothing to be pointed at.
  static func scroll(by event: MouseEvent) -> ScreenRequest? {
    event.wheelLines.map { .perform(CommandCall(.cursor($0 < 0 ? .up : .down), count: abs($0))) }
  }
}

extension MouseEvent {
  /// The lines by which the wheel scrolls, up for a negative number; nil for another event.
  var wheelLines: Int? {
    switch action {
    case .wheelUp: -3
    case .wheelDown: 3
    case .press, .drag, .release: nil
    }
  }
}
