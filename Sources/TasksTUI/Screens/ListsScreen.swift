import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// All lists, each with the number of its open tasks; their subtasks are not counted.
final class ListsScreen: RowsScreen {
  private let context: ScreenContext
  let rows: RowController<TaskList>

  init(context: ScreenContext, selecting id: Identifier? = nil) {
    self.context = context
    let counts = OpenTaskCounts(context.memory, now: context.calendar.now) { context.needsFrame = true }
    rows = RowController(
      context: context, place: .lists, items: context.store.lists, gradient: \.lists, selecting: id,
      badgeWidth: Self.badgeWidth
    ) { list in
      let count = counts.count(of: list)
      return RowDecoration(
        badge: count.map(Self.badge), isFaint: count == 0,
        ownColor: list.color.isEmpty ? nil : RGB(list.color))
    }
  }

  private static let badgeWidth = 6

  /// The number in at most four columns.
  private static func badge(_ count: Int) -> String {
    switch count {
    case ..<10_000: "\(count)"
    case ..<1_000_000: "\(count / 1000)k"
    default: "\(count / 1_000_000)M"
    }
  }

  var title: String { "Lists" }
  var summary: String { rows.marks.isEmpty ? "" : "\(rows.markedCount.grouped) marked" }
  var hints: [Hint] {
    if rows.isHolding { return Hint.holding }
    if !rows.marks.isEmpty { return Hint.marking.filter { $0 != Hint(.tasks(.moveToList), "to list") } }
    if rows.items.isEmpty { return [Hint(.rows(.add)), Hint(.app(.help)), Hint(.app(.quit))] }
    return [
      Hint(.screen(.activate)), Hint(.rows(.add)), Hint(.app(.help)), Hint(.app(.quit)),
      Hint(.rows(.edit), "rename"), Hint(.rows(.toggleCompleted)), Hint(.rows(.delete)),
    ]
  }

  func renewed() -> ListsScreen? { ListsScreen(context: context, selecting: selectedRow) }

  var origin: CollectedScreen.Origin? {
    selectedRow.map { CollectedScreen.Origin(list: $0, isAmongLists: true) }
  }

  func listsForCommand(_ call: CommandCall) -> [Identifier]? { rows.rowsForCommand(call, count: 1) }

  func activate() -> ScreenRequest? { open() }
  func open() -> ScreenRequest? { rows.meantRow().map(ScreenRequest.openList) }
  func leave() -> ScreenRequest? { nil }

  func perform(_ command: TasksCommand, _ call: CommandCall) -> ScreenRequest? {
    return context.say("That is for tasks; \(context.key(.screen(.open))) opens the list.")
  }

  /// A click on the number at the right end opens a list. It may also be dragged from there.
  func call(for event: MouseEvent) -> CommandCall? {
    let isClick = event.action == .release && rows.dragging.map { !$0.isOver && !$0.hasMoved } == true
    let call = rows.mouse(event)
    guard isClick, let drag = rows.dragging, drag.column >= rows.list.width - Self.badgeWidth - 1 else {
      return call
    }
    return CommandCall(.screen(.open))
  }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    rows.draw(into: &canvas, rect: rect, at: time)
    if rows.list.count == 0 {
      let lines = ["No lists"] + (context.isReadOnly ? [] : ["\(context.key(.rows(.add))) starts one"])
      canvas.putNotice(lines, in: rect, context.palette)
    }
  }
}

/// The numbers of open tasks of the lists that were shown last.
private final class OpenTaskCounts {
  private var counts: [Identifier: OpenTaskCount] = [:]
  private let memory: FileMemory
  private let now: () -> Date
  private let onChange: () -> Void

  init(_ memory: FileMemory, now: @escaping () -> Date, onChange: @escaping () -> Void) {
    self.memory = memory
    self.now = now
    self.onChange = onChange
  }

  /// The number of open tasks of a list; `nil` while they are being counted.
  func count(of list: TaskList) -> Int? {
    if let count = counts[list.id] { return count.value(at: now()) }
    // More than any screen shows at once; each costs memory for the tasks of its list.
    if counts.count > 256 { counts.removeAll() }
    let count = OpenTaskCount(of: list.items, inList: list.id, memory, onChange: onChange)
    count.begin()
    counts[list.id] = count
    return count.value(at: now())
  }
}
