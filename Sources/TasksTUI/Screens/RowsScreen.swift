import LiveStore
import TasksModel
import TerminalUI

/// A screen of rows, at the bottom of the stack: the lists, the tasks of a list or a task, or tasks of all
/// lists.
protocol RowsScreen: Screen {
  associatedtype Element: Row
  var rows: RowController<Element> { get }

  /// The lists that a command on lists is about; nil if it is about none here.
  func listsForCommand(_ call: CommandCall) -> [Identifier]?
  /// The list whose tasks are shown; nil for other rows.
  var openList: Identifier? { get }
  /// Whether it shows the tasks of all lists with this topic.
  func shows(_ topic: CollectedScreen.Topic) -> Bool
  /// The rows to return to from tasks of all lists; nil for the first of the lists.
  var origin: CollectedScreen.Origin? { get }
  /// The way to other rows, if the rows shown are gone.
  var departure: Departure? { get }
  /// Returns the same screen with rows that observe the file again; nil if its rows are gone.
  func renewed() -> Self?
  /// Returns a search that begins here.
  func makeSearch(for text: String) -> SearchScreen

  /// Performs `ScreenCommand.activate`.
  func activate() -> ScreenRequest?
  /// Performs `ScreenCommand.open`.
  func open() -> ScreenRequest?
  /// Returns to the screen that led here.
  func leave() -> ScreenRequest?
  func perform(_ command: TasksCommand, _ call: CommandCall) -> ScreenRequest?
  /// The command of a mouse event, in columns and lines of the rows.
  func call(for event: MouseEvent) -> CommandCall?
  /// Writes a note and shows the change.
  func setNote(of id: Identifier, to text: String, replacing original: String) throws -> Edit
}

/// The way to other rows from rows that are gone.
struct Departure {
  /// The list to show; nil for the lists.
  let list: TaskList?
  /// The sentence about the rows that are gone.
  let sentence: String
}

extension RowsScreen {
  var openList: Identifier? { nil }
  func listsForCommand(_ call: CommandCall) -> [Identifier]? {
    openList.flatMap { $0 == TaskList.archiveID ? nil : [$0] }
  }
  func shows(_ topic: CollectedScreen.Topic) -> Bool { false }
  var origin: CollectedScreen.Origin? { nil }
  var departure: Departure? { nil }

  var place: Place? { rows.place }
  var collectedTasks: Results<TaskItem>? { rows.collected?.results }
  var selectedRow: Identifier? { rows.selectedTask }
  func select(_ id: Identifier) { rows.select(id) }
  func drop() { rows.drop() }
  /// The text that is being typed in a row.
  var rowEditing: RowEditing? { rows.editing }
  /// Lets a row return that the mouse moves sideways.
  func letGo() { rows.letGo() }
  var spokenRows: [String] { rows.spokenRows }
  func resume(_ editing: RowEditing) { rows.resume(editing) }
  var ownSentence: String? { rows.editing?.conflict }
  var unsaved: UnsavedText? { rows.unsaved }
  /// Whether Esc ends something in these rows: a lifted row, marks or a search.
  var hasMode: Bool { rows.isHolding || !rows.marks.isEmpty || rows.context.searchPattern != nil }
  /// Stores the typed text for Ctrl-Y; returns whether there was any.
  func rescueText() -> Bool { rows.rescueText() }
  func makeSearch(for text: String) -> SearchScreen { SearchScreen(context: rows.context, text: text) }

  func setNote(of id: Identifier, to text: String, replacing original: String) throws -> Edit {
    try rows.context.store.setNotes(id, to: text, replacing: original)
  }

  var standsBesideLists: Bool { true }
  var isEditing: Bool { rows.isEditing }
  var editingHints: [Hint] {
    (rows.offer.map { [Hint(EditingCommand.complete, $0)] } ?? []) + Hint.editing
      + [Hint(EditingCommand.keepAndAdd, "save, next row")]
  }
  var spokenTitle: String? { summary.isEmpty ? title : "\(title), \(summary)" }
  var spokenPosition: String? { rows.spokenPosition }

  var activity: WindowState.Activity? {
    switch rows.editing?.target {
    case nil: nil
    case .row(let id)?: .editing(id)
    case .draft?: .adding(list: openList)
    }
  }

  func perform(_ call: CommandCall) -> ScreenRequest? {
    if rows.context.refuses(call.command) { return nil }
    if let work = rows.reading(for: call) ?? rows.finding(for: call) { return .carryOut(work) }
    switch call.command {
    case .cursor(let command): rows.perform(command, call)
    case .rows(let command): return rows.perform(command, call)
    case .tasks(let command): return perform(command, call)
    case .screen(let command): return perform(command)
    case .app: return .passOn
    }
    return nil
  }

  private func perform(_ command: ScreenCommand) -> ScreenRequest? {
    switch command {
    case .activate where rows.isHolding, .open where rows.isHolding: rows.drop()
    case .activate: return activate()
    case .open: return open()
    case .back:
      if !rows.leaveMode(command) { return leave() }
    case .escape:
      // It ends what goes on, and tasks of all lists: struck once more, by reflex, it leads nowhere.
      if !rows.leaveMode(command), place == nil { return leave() }
    }
    return nil
  }

  func type(_ key: Key) -> ScreenRequest? {
    rows.type(key)
    return nil
  }

  func paste(_ text: String) -> ScreenRequest? {
    isEditing || !rows.context.refuses(.rows(.add)) ? rows.paste(text) : nil
  }
  func pasteIntoRow(_ text: String) { rows.pasteIntoRow(text) }

  func mouse(_ event: MouseEvent) -> ScreenRequest? {
    if event.action == .press, !isEditing {
      if event.line < 0 { return .perform(CommandCall(.screen(.back))) }
      // The line that tells about keys.
      if event.line >= rows.list.height { return nil }
    }
    return call(for: event).map(ScreenRequest.perform)
  }

  func call(for event: MouseEvent) -> CommandCall? { rows.mouse(event) }
  func makeWay() -> Bool { rows.makeWay() }

  func textInSight(_ id: Identifier) -> String? { rows.textInSight(id) }
  var hasWork: Bool { rows.hasWork }
  func work(for duration: Duration) -> ScreenRequest? {
    rows.work(for: duration)
    return nil
  }
  func nextFrame(after time: Duration) -> Duration? { rows.nextFrame(after: time) }
}

extension RowsScreen where Element == TaskItem {
  func activate() -> ScreenRequest? { perform(CommandCall(.rows(.edit))) }

  func perform(_ command: TasksCommand, _ call: CommandCall) -> ScreenRequest? {
    rows.perform(command, call)
  }

  func setNote(of id: Identifier, to text: String, replacing original: String) throws -> Edit {
    try rows.setNote(of: id, to: text, replacing: original)
  }
}
