import FoundationEssentials
import LiveStore
import TasksModel

/// The tasks of one list.
final class TasksScreen: Screen {
  let listID: UUID
  private let context: ScreenContext
  private let taskList: TaskList
  let rows: RowsScreen<TaskItem>
  private let count: OpenTaskCount
  private var listToken: NotificationToken?
  /// The list's name when it was last there.
  private var name: String

  /// - Parameter id: the task with the cursor; the first when there is none with this id.
  init(context: ScreenContext, list: TaskList, selecting id: UUID? = nil) {
    self.context = context
    listID = list.id
    taskList = list
    name = list.text
    rows = RowsScreen(
      context: context, place: .tasks(inList: list.id), items: list.items, gradient: \.tasks, selecting: id
    ) { _ in RowDecoration() }
    count = OpenTaskCount(of: list) { context.needsFrame = true }
    // The title follows a rename; and somebody may delete the list.
    listToken = context.store.lists.observe { _ in context.needsFrame = true }
  }

  deinit { listToken?.invalidate() }

  var title: String {
    if !taskList.isInvalidated { name = taskList.text }
    return name
  }

  var summary: String {
    if !rows.marks.isEmpty { return "\(rows.markedCount) marked" }
    guard !isGone, let open = count.value else { return "" }
    return open == 0 && rows.items.isEmpty ? "" : "\(open) open"
  }

  var hints: [Hint] {
    if rows.isHolding { return Hint.holding }
    if !rows.marks.isEmpty { return Hint.marking }
    if rows.items.isEmpty { return [Hint(.add), Hint(.back), Hint(.help), Hint(.quit)] }
    return [
      Hint(.add), Hint(.toggleCompleted), Hint(.back), Hint(.help), Hint(.quit), Hint(.edit), Hint(.delete),
    ]
  }
  var isEditing: Bool { rows.isEditing }
  var isGone: Bool { taskList.isInvalidated }

  func perform(_ call: CommandCall) -> ScreenRequest? {
    switch rows.performOnTasks(call) {
    case .done?: return nil
    case .request(let request)?: return request
    case nil: break
    }
    switch call.command {
    case .activate where !rows.isHolding:
      _ = rows.perform(CommandCall(.edit))
    case .back, .escape:
      if !rows.leaveMode(call.command) { return .showLists(selecting: listID) }
    case .moveToList: return rows.moveToList(call)
    default: _ = rows.perform(call)
    }
    return nil
  }

  var hasWork: Bool { rows.seek != nil }
  func work(for duration: Duration) { rows.workOnSeek(for: duration) }

  func mouse(_ event: MouseEvent) -> CommandCall? { rows.mouse(event) }
  func type(_ key: Key) { rows.type(key) }
  func paste(_ text: String) { rows.paste(text) }
  func textInSight(_ id: UUID) -> String? { rows.textInSight(id) }

  /// Puts what is being typed where Ctrl-Y finds it; returns whether there was anything.
  func rescueText() -> Bool { rows.rescueText() }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    rows.draw(into: &canvas, rect: rect, at: time)
    if rows.list.count == 0 {
      canvas.putNotice(
        [
          "Nothing to do", "", "\(context.key(.add)) adds a task",
          "\(context.key(.back)) goes to your lists, \(context.key(.activate)) into one",
          "\(context.key(.help)) shows every key, \(context.key(.commandLine)) takes commands by name",
        ], in: rect, context.palette)
    }
  }

  func nextFrame(after time: Duration) -> Duration? { rows.nextFrame(after: time) }
}
