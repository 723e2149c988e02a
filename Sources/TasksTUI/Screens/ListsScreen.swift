import FoundationEssentials
import LiveStore
import TasksModel

/// All lists, each with the number of its open tasks; their subtasks are not counted.
final class ListsScreen: Screen {
  private let context: ScreenContext
  let rows: RowController<TaskList>

  /// - Parameter id: The list with the cursor; the first if there is none with this id.
  init(context: ScreenContext, selecting id: Identifier? = nil) {
    self.context = context
    let counts = OpenTaskCounts { context.needsFrame = true }
    rows = RowController(
      context: context, place: .lists, items: context.store.lists, gradient: \.lists, selecting: id,
      badgeWidth: Self.badgeWidth
    ) { list in
      let count = counts.count(of: list)
      return RowDecoration(badge: count.map(Self.badge), isFaint: count == 0)
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
  var summary: String { rows.marks.isEmpty ? "" : "\(rows.markedCount) marked" }
  var hints: [Hint] {
    if rows.isHolding { return Hint.holding }
    if !rows.marks.isEmpty { return Hint.marking.filter { $0 != Hint(.moveToList, "to list") } }
    if rows.items.isEmpty { return [Hint(.add), Hint(.help), Hint(.quit)] }
    return [
      Hint(.activate), Hint(.add), Hint(.help), Hint(.quit), Hint(.edit, "rename"), Hint(.toggleCompleted),
      Hint(.delete),
    ]
  }
  var isEditing: Bool { rows.isEditing }
  var isGone: Bool { false }

  func perform(_ call: CommandCall) -> ScreenRequest? {
    switch call.command {
    case .activate where !rows.isHolding, .open where !rows.isHolding:
      return rows.meantRow().map(ScreenRequest.openList)
    case .back, .escape: _ = rows.leaveMode(call.command)
    case .due, .repetition, .note, .editNote, .priority, .raisePriority, .lowerPriority, .subtask, .demote,
      .promote, .fold, .foldAll, .moveToList:
      context.say("That is for tasks; \(context.key(.open)) opens the list.")
    default: _ = rows.perform(call)
    }
    return nil
  }

  var hasWork: Bool { rows.seek != nil }
  func work(for duration: Duration) { rows.workOnSeek(for: duration) }

  /// A click on the number at the right end opens a list.
  func mouse(_ event: MouseEvent) -> CommandCall? {
    let isOnNumber = event.column >= rows.list.width - Self.badgeWidth - 1
    let call = rows.mouse(event)
    guard event.action == .press, call == nil, isOnNumber, !rows.isEditing,
      rows.list.paintedRow(atLine: event.line) != nil
    else { return call }
    return CommandCall(.open)
  }

  func type(_ key: Key) { rows.type(key) }
  func paste(_ text: String) { rows.paste(text) }
  func textInSight(_ id: Identifier) -> String? { rows.textInSight(id) }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    rows.draw(into: &canvas, rect: rect, at: time)
    if rows.list.count == 0 {
      canvas.putNotice(["No lists", "\(context.key(.add)) starts one"], in: rect, context.palette)
    }
  }

  func nextFrame(after time: Duration) -> Duration? { rows.nextFrame(after: time) }
}

/// The numbers of open tasks of the lists that were shown last.
private final class OpenTaskCounts {
  private var counts: [Identifier: OpenTaskCount] = [:]
  private let onChange: () -> Void

  init(onChange: @escaping () -> Void) {
    self.onChange = onChange
  }

  /// The number of open tasks of a list; `nil` while they are being counted.
  func count(of list: TaskList) -> Int? {
    if let count = counts[list.id] { return count.value }
    // More than any screen shows at once; each costs memory for the tasks of its list.
    if counts.count > 256 { counts.removeAll() }
    let count = OpenTaskCount(of: list.items, onChange: onChange)
    counts[list.id] = count
    return count.value
  }
}
