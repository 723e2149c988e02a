import LiveStore
import TasksModel
import TerminalUI

/// The tasks that match some words, found while the words are typed.
final class SearchScreen: Screen {
  enum Scope {
    /// The open list, or the open subtasks.
    case list
    case everything
  }

  private let context: ScreenContext
  /// The screen of the open list; nil if none is open: then everything is searched.
  private let tasks: TasksScreen?
  private(set) var scope: Scope
  private(set) var editor: LineEditor
  private var search: TaskSearch
  private var list: ListView<RowID>
  /// The tasks drawn last. The store keeps the rows of objects that are referenced, so that the next frame
  /// reads none of them again.
  private var drawn: [TaskItem] = []
  private var progressShownAt = Duration.zero
  private static let progressInterval = Duration.milliseconds(100)

  /// - Parameter tasks: The screen from which the search begins, if it shows one list.
  init(context: ScreenContext, tasks: TasksScreen? = nil, text: String = "") {
    self.context = context
    self.tasks = tasks
    scope = tasks == nil ? .everything : .list
    editor = LineEditor(text, killRing: context.killRing)
    list = ListView(rows: ListViewRows([]))
    list.take(context.appearance, gradient: context.palette.tasks)
    search = TaskSearch(Self.source(scope, tasks, context), inbox: context.searchInbox)
    attach()
    search(for: text)
  }

  func renewed(above rows: any RowsScreen) -> any Screen {
    let new = rows.makeSearch(for: editor.text)
    if scope == .everything, new.scope == .list { new.toggleScope() }
    return new
  }

  private static func source(
    _ scope: Scope, _ tasks: TasksScreen?, _ context: ScreenContext
  ) -> TaskSearch.Source {
    if scope == .list, let tasks { return .list(tasks.items) }
    // The open ones first, each part sorted by text: an order that needs no list.
    let all = context.store.allTasks
    return .all(all.sorted(by: \.text).sorted(by: \.completed))
  }

  private var picture: RowPicture {
    RowPicture(
      appearance: context.appearance, badgeWidth: context.isWide ? Self.badgeWidth : 0,
      hasColumns: context.isWide)
  }

  private static let badgeWidth = 14

  private func attach() {
    search.onChange = { [unowned self] in show($0, isForeign: $1) }
    search.onError = { [context] in context.say($0) }
  }

  private func makeRows() -> ListViewRows<RowID> {
    ListViewRows(
      count: search.matches.indices.count, id: { [search] in .object(search[$0].id) },
      height: { [search, picture, weak self] in
        let task = search[$0]
        let date = task.date.map { _ in "" }
        let columns = picture.columns(inRow: $1)
        let (text, tags) = picture.split(task.text, inRow: $1)
        var decoration = RowDecoration(badge: columns == nil ? nil : "", date: date)
        // Beside most texts there is room for any badge.
        if columns == nil, text.utf8.count > $1 / 2 - 6 {
          decoration.badge = self?.badge(of: task, inRow: $1)
        }
        return picture.height(of: text, width: picture.textWidth(ofRow: $1, decoration, tags: tags))
          + (date != nil && columns == nil ? 1 : 0)
      })
  }

  /// The subtask that matches, or the list of the task; nil if the row has neither beside its text.
  private func badge(of task: TaskItem, inRow width: Int) -> String? {
    if let subtask = search.matchingSubtask(of: task) {
      return DisplayText("› \(subtask.text)", clippedTo: max(4, width / 2)).string
    }
    guard scope == .everything, let place = context.store.whereabouts(of: task) else { return nil }
    return DisplayText(place, clippedTo: max(4, width / 4)).string
  }

  /// Shows changes of the matches. Only changes of others are animated: typing is answered at once.
  private func show(_ changes: ChangeSet, isForeign: Bool) {
    // During a long search, a few frames a second show its progress, and one the first match at once.
    let now = context.clock()
    let areFirst = changes.insertions.first == 0
    if isForeign || areFirst || !search.isSearching || now >= progressShownAt + Self.progressInterval {
      progressShownAt = now
      context.needsFrame = true
    }
    list.isAnimated = isForeign && context.appearance.isAnimated
    list.apply(changes, newRows: makeRows(), isLocal: !isForeign, at: context.clock())
  }

  // MARK: Searching

  private func search(for text: String) {
    let pattern = SearchPattern(text)
    guard pattern != search.pattern else { return }
    search.search(for: pattern)
    list.select(0)
    search(for: Self.timeAtKey)
  }

  /// The time that a key may search before the frame that answers it.
  private static let timeAtKey = Duration.milliseconds(4)

  var hasWork: Bool { search.hasWork }

  func work(for duration: Duration) -> ScreenRequest? {
    search(for: duration)
    return nil
  }

  private func search(for duration: Duration) {
    let end = context.clock() + duration
    search.work { context.clock() >= end }
  }

  func take(_ finding: SearchFinding) { search.take(finding) }

  private func toggleScope() {
    guard tasks != nil else { return }
    scope = scope == .list ? .everything : .list
    let pattern = search.pattern
    search = TaskSearch(Self.source(scope, tasks, context), inbox: context.searchInbox)
    list.reload(ListViewRows([]))
    attach()
    search.search(for: pattern)
    context.needsFrame = true
  }

  // MARK: Screen

  var title: String { scope == .list ? tasks?.title ?? "" : "All lists" }

  var summary: String {
    if search.pattern.isEmpty { return "" }
    let count = search.matches.indices.count
    let found = count == 1 ? "1 match" : "\(count.grouped) matches"
    return search.isSearching ? "\(found), \(Int(search.progress * 100)) %" : found
  }

  var standsBesideLists: Bool { true }
  var isEditing: Bool { true }
  var answersWhileTyping: Bool { true }
  var foundNothing: Bool {
    !search.pattern.isEmpty && !search.isSearching && search.matches.indices.isEmpty
  }
  var spokenTitle: String? { summary.isEmpty ? title : "\(title), \(summary)" }

  var spokenPosition: String? {
    guard !search.pattern.isEmpty, !search.matches.indices.isEmpty else { return "Type words to search for" }
    let found = search.matches.indices.prefix(12).indices.map { search[$0].text }
    return found.joined(separator: "; ") + ". An empty line goes to the first, Esc leaves"
  }

  func paste(_ text: String) -> ScreenRequest? {
    editor.paste(text)
    search(for: editor.text)
    return nil
  }

  func type(_ key: Key) -> ScreenRequest? {
    context.needsFrame = true
    switch (context.editingKeys[key], key.description) {
    case (_, "Tab"): toggleScope()
    // The keys by which Emacs searches on.
    case (.lineDown?, _), (_, "C-s"): list.moveSelection(by: 1)
    case (.lineUp?, _), (_, "C-r"): list.moveSelection(by: -1)
    case (.pageDown?, _): list.moveSelection(byPages: 1)
    case (.pageUp?, _): list.moveSelection(byPages: -1)
    case (.deleteLeft?, _) where editor.isEmpty: return leave(.close)
    default:
      switch editor.handle(key, context.editingKeys) {
      case .cancel: return leave(.close)
      case .commit: return accept()
      case .handled: search(for: editor.text)
      case .ignored: break
      }
    }
    return nil
  }

  /// A click chooses a row, and another one on it opens it.
  func mouse(_ event: MouseEvent) -> ScreenRequest? {
    if let lines = event.wheelLines { list.scroll(byLines: lines) }
    guard event.action == .press, let index = list.indexOfPaintedRow(atLine: event.line) else { return nil }
    if index == list.selectedIndex { return accept() }
    list.select(index)
    return nil
  }

  /// Keeps what is searched for, as Enter does.
  func makeWay() -> Bool {
    keepPattern()
    context.killRing = editor.killRing
    return true
  }

  private func keepPattern() { context.searchPattern = search.pattern.isEmpty ? nil : search.pattern }

  private func accept() -> ScreenRequest? {
    // Struck at once, Enter means what is about to be found.
    guard list.count > 0 || !search.isSearching else { return nil }
    keepPattern()
    guard list.count > 0 || list.meantRow != nil else { return leave(.close) }
    guard let meant = list.meantRow, !meant.wasDeleted, case .object(let id) = meant.id,
      let place = place(ofTask: id)
    else { return context.sayRowIsGone() }
    // A subtask is in no row of its own.
    if let task = context.store.task(id), let subtask = search.matchingSubtask(of: task) {
      return leave(.openTask(subtask.id, in: .subtasks(of: id)))
    }
    return leave(.openTask(id, in: place))
  }

  private func leave(_ request: ScreenRequest) -> ScreenRequest {
    context.killRing = editor.killRing
    return request
  }

  private func place(ofTask id: Identifier) -> Place? {
    scope == .list ? tasks.flatMap { $0.isGone ? nil : $0.rows.place } : context.store.place(ofTask: id)
  }

  // MARK: Drawing

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    list.take(context.appearance, gradient: context.palette.tasks)
    let picture = picture
    var drawn: [TaskItem] = []
    list.draw(into: &canvas, rect: rect, at: time) { row, canvas in
      let task = search[row.index]
      drawn.append(task)
      var decoration = RowDecoration()
      decoration.date = task.date.map(context.calendar.words)
      decoration.highlights = search.pattern.ranges(in: task.text)
      decoration.isEditedElsewhere = context.rowsEditedElsewhere.contains(task.id)
      decoration.badge = badge(of: task, inRow: canvas.width)
      if decoration.badge == nil, picture.columns(inRow: canvas.width) != nil { decoration.badge = "" }
      picture.draw(
        picture.layOut(task.text, isCompleted: task.completed, decoration, width: canvas.width), row,
        into: &canvas)
    }
    list.drawPosition(into: &canvas, rect: rect)
    self.drawn = drawn
    guard list.count == 0 else { return }
    if search.pattern.isEmpty {
      canvas.putNotice(
        ["Search", "Type words; Tab changes between this list and all"], in: rect, context.palette)
    } else if !search.isSearching {
      canvas.putNotice(["Nothing found"], in: rect, context.palette)
    }
  }

  func drawBottomLine(into canvas: inout Canvas) {
    let hints =
      (tasks == nil ? "" : "Tab \(scope == .list ? "all lists" : "this list")  ")
      + "\(context.editingKey(.keep)) open  \(context.editingKey(.cancel)) leave"
    canvas.putPrompt("/", editor, hints: hints, context.palette)
  }

  func nextFrame(after time: Duration) -> Duration? { list.nextFrame(after: time) }
}
