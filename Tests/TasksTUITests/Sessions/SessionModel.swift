@testable import TasksTUI

/// Two windows and the rows that they share, as they should be after the keys so far: what the rules say, on
/// arrays.
///
/// It knows nothing of the file, of change sets or of time. Whatever is done here changes `rows` by way of
/// `change`, which keeps the undo history and says in each window where the cursor is then.
struct SessionModel {
  private(set) var rows = SessionRows()
  private(set) var windows: [SessionWindow]
  private var history: [Change] = []
  private var undone: [Change] = []
  private var nextID = 1

  /// A step of the undo history: how everything was before it, and which rows it was about.
  private struct Change {
    var before: SessionRows
    var ids: [Int]
  }

  /// The contents of a new file, in so many windows.
  init(windows count: Int) {
    let first = SessionRows.Row(id: 0, text: "My Tasks")
    rows.lists = [first]
    windows = Array(repeating: SessionWindow(list: first.id), count: count)
  }

  subscript(window: Int) -> SessionWindow {
    get { windows[window] }
    set { windows[window] = newValue }
  }

  mutating func makeRow(_ text: String) -> SessionRows.Row {
    defer { nextID += 1 }
    return SessionRows.Row(id: nextID, text: text)
  }

  // MARK: Changing

  /// One action of a person, to be undone as one.
  mutating func change(_ ids: [Int], _ body: (inout SessionRows) -> Void) {
    let before = rows
    update(body)
    guard rows != before else { return }
    history.append(Change(before: before, ids: ids))
    undone = []
  }

  /// Goes on with the last action, which is none when all is as it was before.
  mutating func continueChange(_ body: (inout SessionRows) -> Void) {
    update(body)
    if rows == history.last?.before { history.removeLast() }
  }

  /// Another program's change cannot be undone: the model takes it for the initial state.
  mutating func changeElsewhere(_ body: (inout SessionRows) -> Void) {
    update(body)
    for index in history.indices { body(&history[index].before) }
    for index in undone.indices { body(&undone[index].before) }
  }

  /// - Returns: The rows that it was about; nil when there is nothing to be undone.
  mutating func undo() -> [Int]? {
    guard let step = history.popLast() else { return nil }
    undone.append(Change(before: rows, ids: step.ids))
    update { $0 = step.before }
    return step.ids
  }

  mutating func redo() -> [Int]? {
    guard let step = undone.popLast() else { return nil }
    history.append(Change(before: rows, ids: step.ids))
    update { $0 = step.before }
    return step.ids
  }

  /// Undoes the last action as if it had never been.
  mutating func takeBack() {
    guard let step = history.popLast() else { return }
    update { $0 = step.before }
  }

  var historyLength: Int { history.count }

  private mutating func update(_ body: (inout SessionRows) -> Void) {
    let shown = windows.map { $0.shownRows(rows).map(\.id) }
    body(&rows)
    for index in windows.indices { windows[index].follow(rows, before: shown[index]) }
  }
}

/// The rows of one window, and the place of its cursor.
struct SessionWindow {
  enum Screen: Equatable {
    case rows(SessionRows.Place)
    case today
    case tag(String)
  }

  /// A text that is being typed.
  struct Typing: Equatable {
    enum Target: Equatable {
      case row(Int)
      /// A new row, which command is to add it, and beside which row.
      case new(String, Int?)
    }

    var target: Target
    var text: String
    /// How many rows stand in front of a new one.
    var place: Int?
    var cursorBefore: Int?
  }

  enum Mode: Equatable {
    case plain
    case typing(Typing)
    /// A row is lifted, with the history as long as it was then.
    case holding(historyLength: Int)
    case prompt(label: String, text: String, call: SessionCall)
    case search(text: String, everywhere: Bool, cursor: Int)
    case note(task: Int, text: String)
    case help
  }

  var screen: Screen
  /// The row under the cursor.
  var cursor: Int?
  var mode = Mode.plain
  var marks: Set<Int> = []
  /// Where a range begins that goes to the cursor.
  var anchor: Int?
  var count: Int?
  var searched = ""
  /// The text that Ctrl-Y inserts.
  var killed = ""
  var lastCall: SessionCall?
  /// Where Esc goes from rows of several lists: the list, and the row that was left there.
  var origin: Int?
  var originCursor: Int?
  /// The list that was opened last.
  var lastList: Int

  init(list: Int) {
    screen = .rows(.list(list))
    lastList = list
  }

  /// The list that is open.
  var list: Int? {
    if case .rows(.list(let id)) = screen { id } else { nil }
  }

  /// The rows of the screen, without one that is only being typed.
  func shownRows(_ rows: SessionRows) -> [SessionRows.Row] {
    switch screen {
    case .rows(let place): return rows[place]
    case .today:
      let tasks = rows.lists.flatMap(\.tasks).filter { !$0.isCompleted }
      return Self.daysOfToday.flatMap { day in tasks.filter { $0.due == day } }
    case .tag(let name):
      let tasks = rows.lists.flatMap(\.tasks).filter { $0.tags.contains(name) }
      return tasks.sorted { ($0.isCompleted ? 1 : 0, $0.text) < ($1.isCompleted ? 1 : 0, $1.text) }
    }
  }

  /// The row, or the task of the note, that is being typed.
  var editedRow: Int? {
    switch mode {
    case .typing(let typing): if case .row(let id) = typing.target { id } else { nil }
    case .note(let task, _): task
    default: nil
    }
  }

  /// The tasks due today or before, in order.
  static let daysOfToday = ["yesterday", "today"]

  /// The matches of a search.
  func found(_ text: String, everywhere: Bool, _ rows: SessionRows) -> [SessionRows.Row] {
    guard !text.isEmpty else { return [] }
    var tasks = list.map { rows[.list($0)] } ?? []
    if everywhere || list == nil {
      tasks = rows.lists.flatMap(\.tasks).sorted {
        ($0.isCompleted ? 1 : 0, $0.text) < ($1.isCompleted ? 1 : 0, $1.text)
      }
    }
    return tasks.filter { $0.text.lowercased().contains(text.lowercased()) }
  }

  /// The rows between the beginning of a range and the cursor, and those that are marked one by one.
  func markedRows(_ rows: SessionRows) -> [Int] {
    let ids = shownRows(rows).map(\.id)
    var marked = marks
    if let anchor, let cursor, let first = ids.firstIndex(of: anchor), let last = ids.firstIndex(of: cursor) {
      marked.formUnion(ids[min(first, last)...max(first, last)])
    }
    return ids.filter(marked.contains)
  }

  /// Goes by what has become of the rows.
  ///
  /// - Parameter before: What was shown.
  mutating func follow(_ rows: SessionRows, before: [Int]) {
    if let list, rows.row(list) == nil {
      // Deleted elsewhere.
      if case .typing(let typing) = mode, !typing.text.isEmpty { killed = typing.text }
      screen = .rows(.lists)
      (mode, marks, anchor) = (.plain, [], nil)
      cursor = rows.lists.first?.id
      return
    }
    let shown = shownRows(rows).map(\.id)
    marks.formIntersection(shown)
    let stayed = Set(before).intersection(shown)
    if case .typing(var typing) = mode {
      if case .row(let id) = typing.target, !shown.contains(id) {
        // The text becomes one of a new row, which stands where the row stood.
        typing = Typing(
          target: .new("a", nil), text: typing.text, place: before.firstIndex(of: id), cursorBefore: nil)
      }
      if let place = typing.place {
        // Below the row that it stood below.
        let above = before.prefix(place).last { stayed.contains($0) }
        typing.place = above.flatMap(shown.firstIndex(of:)).map { $0 + 1 } ?? 0
      }
      mode = .typing(typing)
    }
    guard let cursor, !shown.contains(cursor) else {
      if self.cursor == nil { self.cursor = shown.first }
      return
    }
    let old = before.firstIndex(of: cursor) ?? 0
    self.cursor =
      before.dropFirst(old).first { stayed.contains($0) } ?? before.prefix(old).last { stayed.contains($0) }
      ?? shown.first
  }
}

/// A command, by its name, with what goes with it.
struct SessionCall: Equatable {
  var name: String
  var count: Int?
  var argument: String?
  var isConfirmed = false
}
