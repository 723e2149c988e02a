import LiveStore
import TasksModel
import TerminalUI

/// The tasks of one list, or the subtasks of one of them.
final class TasksScreen: RowsScreen {
  let listID: Identifier
  /// The task whose subtasks are shown; nil for the tasks of the list.
  let ownerID: Identifier?
  private let context: ScreenContext
  private let taskList: TaskList
  private let owner: TaskItem?
  private let ownersLists: LinkingObjects<TaskList>?
  let items: List<TaskItem>
  /// The tasks that are shown, if not all are: completed ones may be hidden, and some wait.
  private let filtered: Results<TaskItem>?
  private let waiting: WaitingTasks
  /// The number of the change after which the tasks were sorted last.
  private var sortedAfter = -1
  let rows: RowController<TaskItem>
  private var listToken: NotificationToken?
  /// The last name of the list, and the last text of the owner.
  private var name: String
  private var ownerText = ""

  /// - Parameter owner: A task of the list, whose subtasks are to be shown.
  init(context: ScreenContext, list: TaskList, owner: TaskItem? = nil, selecting id: Identifier? = nil) {
    self.context = context
    self.owner = owner
    listID = list.id
    ownerID = owner?.id
    ownersLists = owner?.lists
    taskList = list
    name = list.text
    items = owner?.subtasks ?? list.items
    let place = owner.map { Place.subtasks(of: $0.id) } ?? .tasks(inList: list.id)
    let hides = context.settings.hideCompleted && place != .archive
    let (few, most) = (
      RowController<TaskItem>.mostFirstItems + 1, RowController<TaskItem>.mostFollowedItems + 1
    )
    let first = items.limit(few)
    waiting = WaitingTasks(
      in: items, of: owner == nil ? list.id : nil, isShort: first.count < few, now: context.calendar.now(),
      isOfArchive: place == .archive, isKnown: context.placesWithWaiting.contains(place), context.memory
    ) {
      context.needsFrame = true
    }
    filtered = waiting.rows(of: items, hidingCompleted: hides)
    rows = RowController(
      context: context, place: place, collected: nil, filtered: filtered,
      items: filtered.map { AnyLiveCollection($0) } ?? AnyLiveCollection(items),
      first: filtered?.limit(few) ?? first, many: filtered?.limit(most) ?? items.limit(most),
      gradient: \.tasks, selecting: id, badgeWidth: place == .archive ? Self.badgeWidth : 0
    ) { task in
      // Where it came from.
      guard place == .archive, let list = context.store.list(Identifier(task.archivedFrom)) else {
        return RowDecoration()
      }
      return RowDecoration(badge: DisplayText(list.text, clippedTo: Self.badgeWidth - 2).string)
    }
    if owner == nil, place != .archive {
      rows.ownColor = { [list] in list.isInvalidated || list.color.isEmpty ? nil : RGB(list.color) }
      rows.keptOrder = { [list] in list.isInvalidated ? nil : list.order }
    }
    // The title follows a rename, also of a task; and the list may be deleted.
    listToken = context.store.lists.observe { _ in context.needsFrame = true }
  }

  private static let badgeWidth = 14

  deinit { listToken?.invalidate() }

  var listName: String {
    if !taskList.isInvalidated { name = taskList.text }
    return name
  }

  var title: String {
    guard let owner else { return listName }
    if !owner.isInvalidated { ownerText = owner.text }
    return "\(listName) › \(ownerText)"
  }

  var summary: String {
    if !rows.marks.isEmpty { return "\(rows.markedCount.grouped) marked" }
    guard !isGone, let open = waiting.openCount else { return "" }
    if rows.place == .archive { return items.count.counted("task") }
    if open == 0, items.isEmpty { return "" }
    var words = "\(open.grouped) open"
    if waiting.count > 0 { words += ", \(waiting.count.grouped) waiting" }
    // Completed tasks come behind the open ones.
    if context.settings.hideCompleted, items.last?.completed == true { words += ", others hidden" }
    if let order = rows.keptOrder() { words += ", by \(order.words)" }
    return words
  }

  /// Whether the tasks have changed since they were sorted. They are not sorted under the hands of a person.
  private var needsSorting: Bool {
    guard let order = rows.keptOrder(), order != rows.sortedBy || sortedAfter != rows.changeCount else {
      return false
    }
    return !rows.isEditing && !rows.isHolding && !context.isReadOnly && context.loss == nil && !isGone
  }

  private func sort() throws {
    // Those that are not shown may be in no order.
    let changed = rows.keptOrder() == rows.sortedBy && filtered == nil ? rows.unsorted : nil
    (rows.sortedBy, sortedAfter, rows.unsorted) = (rows.keptOrder(), rows.changeCount, [])
    do {
      if let changes = try context.store.keepSorted(listID, after: changed, in: rows.scope) {
        // Changes of others came before the transaction; this one is no reason to sort again.
        let others = rows.unsorted
        rows.show(changes)
        rows.unsorted = others
        sortedAfter += 1
      }
      if changed == nil, try !context.store.hasOpenTasksFirst(taskList) { rows.unsorted = nil }
    } catch {
      rows.unsorted = changed.flatMap { rows.unsorted?.union($0) }
      throw error
    }
  }

  var hasWork: Bool { rows.hasWork || needsSorting || needsOtherRows || waiting.isDue }

  /// Whether other rows have to be shown. Until nothing is going on with those that are shown, they stay.
  private var needsOtherRows: Bool {
    !rows.isEditing && !rows.isHolding && rows.marks.isEmpty && !context.isAsking
      && waiting.needsOtherRows(context.calendar.now())
  }

  /// Begins to count the tasks of a long list, of which the title tells.
  func beginCounting() { waiting.begin() }

  func work(for duration: Duration) -> ScreenRequest? {
    beginCounting()
    if needsOtherRows {
      if let place = rows.place { context.placesWithWaiting.insert(place) }
      return .renew
    }
    if needsSorting {
      do { try sort() } catch { context.say(error) }
      context.needsFrame = true
    }
    rows.work(for: duration)
    return nil
  }

  func nextFrame(after time: Duration) -> Duration? {
    [rows.nextFrame(after: time), waiting.end.map(context.moment(of:))].compactMap { $0 }.min()
  }

  var hints: [Hint] {
    if rows.isHolding { return Hint.holding }
    if !rows.marks.isEmpty { return Hint.marking }
    if rows.place == .archive {
      return [
        Hint(.rows(.toggleCompleted), "bring back"), Hint(.rows(.clearCompleted), "empty"),
        Hint(.screen(.back)), Hint(.app(.search)), Hint(.app(.help)), Hint(.rows(.delete)),
      ]
    }
    let back = owner == nil ? Hint(.screen(.back)) : Hint(.screen(.back), "back")
    if let owner, !owner.isInvalidated, owner.completed {
      return [back, Hint(.app(.search)), Hint(.app(.help)), Hint(.app(.quit)), Hint(.rows(.delete))]
    }
    if rows.items.isEmpty { return [Hint(.rows(.add)), back, Hint(.app(.help)), Hint(.app(.quit))] }
    return [
      Hint(.rows(.add)), Hint(.rows(.toggleCompleted)), back, Hint(.app(.help)), Hint(.app(.quit)),
      Hint(.rows(.edit)), Hint(.rows(.delete)),
    ]
  }

  /// Whether the list has been deleted, or the task has been deleted or moved.
  var isGone: Bool { taskList.isInvalidated || isOwnerGone }

  private var isOwnerGone: Bool {
    guard let owner else { return false }
    return owner.isInvalidated || ownersLists?.contains { $0.id == listID } != true
  }

  var departure: Departure? {
    guard !taskList.isInvalidated else {
      let name = DisplayText(listName, clippedTo: 30).string
      return Departure(list: nil, sentence: "The list “\(name)” was deleted elsewhere.")
    }
    guard let owner, isOwnerGone else { return nil }
    let isDeleted = owner.isInvalidated
    let place = isDeleted ? nil : context.store.whereabouts(of: owner)
    let fate = place.map { "moved to \($0.quoted)" } ?? (isDeleted ? "deleted" : "taken from its list")
    return Departure(
      list: taskList, sentence: "The task \((isDeleted ? ownerText : owner.text).quoted) was \(fate).")
  }

  var openList: Identifier? { listID }

  var origin: CollectedScreen.Origin? {
    CollectedScreen.Origin(list: listID, owner: ownerID, task: selectedRow)
  }

  func renewed() -> TasksScreen? {
    guard let list = context.store.list(listID) else { return nil }
    let owner = ownerID.flatMap(context.store.task)
    guard ownerID == nil || owner != nil else { return nil }
    let screen = TasksScreen(context: context, list: list, owner: owner, selecting: selectedRow)
    screen.rows.takeCursorAndMarks(of: rows)
    return screen
  }

  func makeSearch(for text: String) -> SearchScreen {
    SearchScreen(context: context, tasks: self, text: text)
  }

  func open() -> ScreenRequest? {
    guard owner == nil else { return context.say(Refusal.subtaskOfSubtask) }
    return rows.meantRow().map(ScreenRequest.openSubtasks)
  }

  func leave() -> ScreenRequest? {
    ownerID.map { .closeSubtasks(of: $0, list: listID) } ?? .showLists(selecting: listID)
  }

  /// A click on the count, in its column or at the right end, opens a task's subtasks.
  func call(for event: MouseEvent) -> CommandCall? {
    let call = rows.mouse(event)
    guard event.action == .press, call == nil, !rows.isEditing,
      case .object(let id)? = rows.list.paintedRow(atLine: event.line), let task = context.store.task(id),
      let summary = rows.subtaskSummary(of: task)
    else { return call }
    let width = rows.list.width
    let count = rows.picture.columns(inRow: width)?.count ?? width - summary.words.utf8.count - 1..<width
    return count.contains(event.column) ? CommandCall(.screen(.open)) : nil
  }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    rows.draw(into: &canvas, rect: rect, at: time)
    guard rows.list.count == 0 else { return }
    var lines: [String]
    let change: String
    if owner != nil {
      lines = ["No subtasks", "", "\(context.key(.screen(.back))) goes back to the task"]
      change = "\(context.key(.rows(.add))) adds one"
    } else if listID == TaskList.archiveID {
      lines = ["The archive is empty", ""]
      change = "\(context.key(.rows(.clearCompleted))) in a list moves its completed tasks here"
    } else {
      lines = [
        waiting.count > 0 ? "Nothing to do yet: \(waiting.count.grouped) waiting" : "Nothing to do", "",
        "\(context.key(.screen(.back))) goes to your lists, \(context.key(.screen(.activate))) into one",
        "\(context.key(.app(.help))) shows every key, "
          + "\(context.key(.app(.commandLine))) takes commands by name",
      ]
      change = "\(context.key(.rows(.add))) adds a task"
    }
    if !context.isReadOnly { lines.insert(change, at: 2) }
    canvas.putNotice(lines, in: rect, context.palette)
  }
}
