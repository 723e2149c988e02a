import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// Tasks of all lists with something in common, live: those that are due or done, or those with a tag.
final class CollectedScreen: RowsScreen {
  /// The common property of the tasks.
  enum Topic: Equatable {
    /// Open, and due today or before.
    case today
    /// Open, and due after today.
    case upcoming
    /// Open, and out of sight in their lists until a moment.
    case waiting
    /// Completed, with the moment.
    case done
    /// A tag, a name as from `TaskTags.name`.
    case tag(String)

    var title: String {
      switch self {
      case .today: "Today"
      case .upcoming: "Upcoming"
      case .waiting: "Waiting"
      case .done: "Done"
      case .tag(let name): "#\(name)"
      }
    }

    init?(title: String) {
      let tag = title.hasPrefix("#") ? Topic.tag(String(title.dropFirst())) : nil
      guard let topic = tag ?? [.today, .upcoming, .waiting, .done].first(where: { $0.title == title })
      else { return nil }
      self = topic
    }
  }

  /// The destination of Esc: a list, the task of it whose subtasks were shown, and the row that had the
  /// cursor; or the lists, with the cursor on this one.
  struct Origin: Equatable {
    let list: Identifier
    var owner: Identifier?
    var task: Identifier?
    var isAmongLists = false
  }

  let topic: Topic
  let origin: Origin?
  private let context: ScreenContext
  private(set) var rows: RowController<TaskItem>
  private var listToken: NotificationToken?
  /// The day for which the rows were chosen.
  private var day: Range<Date>

  /// - Parameter origin: The screen that was open before.
  init(context: ScreenContext, _ topic: Topic, origin: Origin?) throws {
    self.context = context
    self.topic = topic
    self.origin = origin
    (rows, day) = try Self.rows(topic, context)
    // The rows show the names of their lists, which may be renamed, and from which tasks move to others.
    listToken = context.store.lists.observe { _ in context.needsFrame = true }
  }

  deinit { listToken?.invalidate() }

  private static func rows(
    _ topic: Topic, _ context: ScreenContext, selecting id: Identifier? = nil
  ) throws -> (RowController<TaskItem>, day: Range<Date>) {
    let calendar = context.calendar
    let today = calendar.calendar.startOfDay(calendar.now())
    let end = calendar.calendar.startOfDay(today, addingDays: 1)
    let collected: CollectedTasks
    switch topic {
    case .today:
      collected = CollectedTasks(results: try context.store.openTasks(dueBefore: end)) { text in
        // The text may name another time of today; the day is the same in any case.
        let found = context.dates.find(in: text)?.date
        return (text, found.flatMap { $0 < end ? $0 : nil } ?? today)
      }
    case .upcoming:
      collected = CollectedTasks(results: try context.store.openTasks(dueFrom: end), isByDay: true) { text in
        let found = context.dates.find(in: text)?.date
        return (text, found.flatMap { $0 >= end ? $0 : nil } ?? end)
      }
    case .waiting:
      collected = CollectedTasks(
        results: try context.store.waitingTasks(after: calendar.now()), date: { $0.waitsUntil },
        isDue: false, isByDay: true, adopt: nil)
    case .done:
      collected = CollectedTasks(
        results: try context.store.doneTasks(), date: { $0.completedAt }, isByDay: true, adopt: nil)
    case .tag(let name):
      collected = CollectedTasks(results: try context.store.tasks(withTag: name)) { text in
        (TaskTags.names(in: text).contains(name) ? text : "\(text) #\(name)", nil)
      }
    }
    let rows = RowController<TaskItem>(
      context: context, place: nil, collected: collected, items: AnyLiveCollection(collected.results),
      first: collected.results.limit(RowController<TaskItem>.mostFirstItems + 1),
      many: collected.results.limit(RowController<TaskItem>.mostFollowedItems + 1),
      gradient: \.tasks, selecting: id, badgeWidth: Self.badgeWidth
    ) { task in
      RowDecoration(
        badge: context.store.whereabouts(of: task).map {
          DisplayText($0, clippedTo: task.lists.isEmpty ? Self.longestBadge : Self.badgeWidth - 5).string
        })
    }
    return (rows, today..<end)
  }

  private static let badgeWidth = 14
  /// A subtask shows list and task.
  private static let longestBadge = 24

  var title: String { topic.title }

  var unsaved: UnsavedText? {
    var unsaved = rows.unsaved
    unsaved?.collection = title
    return unsaved
  }

  var summary: String {
    if !rows.marks.isEmpty { return "\(rows.markedCount.grouped) marked" }
    return rows.items.count.counted("task")
  }

  var hints: [Hint] {
    if !rows.marks.isEmpty { return Hint.markingInSeveralLists }
    let add = rows.takesNewRows ? [Hint(.rows(.add))] : []
    if rows.items.isEmpty {
      return add + [Hint(.screen(.back), "back"), Hint(.app(.help)), Hint(.app(.quit))]
    }
    if topic == .done {
      return [
        Hint(.rows(.toggleCompleted), "open again"), Hint(.screen(.open), "its list"),
        Hint(.screen(.back), "back"), Hint(.app(.search)), Hint(.app(.help)),
      ]
    }
    return [
      Hint(.rows(.toggleCompleted)), Hint(.tasks(.due)), Hint(.screen(.open), "its list"),
      Hint(.screen(.back), "back"), Hint(.app(.help)),
    ] + add + [Hint(.rows(.edit))]
  }

  func shows(_ topic: Topic) -> Bool { topic == self.topic }

  func renewed() -> CollectedScreen? {
    let screen = try? CollectedScreen(context: context, topic, origin: origin)
    screen?.rows.takeCursorAndMarks(of: rows)
    return screen
  }

  func open() -> ScreenRequest? {
    guard let id = rows.meantRow() else { return nil }
    guard let place = context.store.place(ofTask: id) else { return context.say("No list holds this task.") }
    return .openTask(id, in: place)
  }

  func leave() -> ScreenRequest? { origin.map(goBack) ?? .showLists(selecting: nil) }

  private func goBack(to origin: Origin) -> ScreenRequest {
    if origin.isAmongLists { return .showLists(selecting: origin.list) }
    guard context.store.list(origin.list) != nil else {
      context.say("That list has been deleted elsewhere.")
      return .showLists(selecting: nil)
    }
    let list = Place.tasks(inList: origin.list)
    guard let owner = origin.owner else {
      return origin.task.map { .openTask($0, in: list) } ?? .openList(origin.list)
    }
    // The task may have been moved meanwhile.
    guard context.store.place(ofTask: owner) == list else { return .openList(origin.list) }
    return origin.task.map { .openTask($0, in: .subtasks(of: owner)) } ?? .openSubtasks(of: owner)
  }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    replaceRowsAtEnd()
    rows.draw(into: &canvas, rect: rect, at: time)
    if rows.list.count == 0 {
      let lines: [String] =
        switch topic {
        case .today:
          ["Nothing is due today", "", "\(context.key(.tasks(.due))) on a task says when it is due"]
        case .upcoming:
          ["Nothing is due after today", "", "\(context.key(.tasks(.due))) on a task says when it is due"]
        case .waiting:
          ["Nothing waits", "", "\(context.key(.tasks(.wait))) on a task hides it in its list until a date"]
        case .done:
          ["Nothing has been done yet", "", "\(context.key(.rows(.toggleCompleted))) completes a task"]
        case .tag(let name): ["No task has the tag #\(name)", "", "Write it into a task's text"]
        }
      canvas.putNotice(context.isReadOnly ? Array(lines.prefix(1)) : lines, in: rect, context.palette)
    }
  }

  /// The moment from which the rows have to be others: the day ends, or the first of the tasks waits no more.
  private var end: Date {
    let firstEnd = topic == .waiting ? rows.collected?.results.first?.waitsUntil : nil
    return firstEnd.map { min($0, day.upperBound) } ?? day.upperBound
  }

  /// Chooses the tasks anew that are shown from now on. A text that is being typed is finished first.
  private func replaceRowsAtEnd() {
    let now = context.calendar.now()
    // The clock may have been set back.
    guard !rows.isEditing, now >= end || now < day.lowerBound else { return }
    do {
      (rows, day) = try Self.rows(topic, context, selecting: rows.selectedTask)
      // The title counts them.
      context.needsFrame = true
    } catch {
      context.say(error)
    }
  }

  func nextFrame(after time: Duration) -> Duration? {
    let end = rows.isEditing ? nil : context.moment(of: end)
    return [rows.nextFrame(after: time), end].compactMap { $0 }.min()
  }
}
