import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// The rows of a place, lists or tasks, or tasks of any lists, in a list view: the common part of these
/// screens.
///
/// There are two ways to the same picture. Changes of others arrive as a change set, which is applied to the
/// list view. A change made here is one operation of the model, which skips this screen's subscription and
/// returns its edit; that is applied to the list view before the next frame. An operation delivers pending
/// changes before it begins, so that the indices in its edit fit the rows that the list view has by then.
final class RowController<Element: Row> {
  let context: ScreenContext
  /// The place of the rows; nil for tasks of any lists.
  let place: Place?
  let collected: CollectedTasks?
  /// The rows of the place that are shown, if not all are.
  let filtered: Results<TaskItem>?
  let items: AnyLiveCollection<Element>
  let decorate: (Element) -> RowDecoration
  private let gradient: KeyPath<Palette, Gradient>
  /// Returns the color that the rows have instead of those of the theme; nil if they have none.
  var ownColor: () -> RGB? = { nil }
  /// The order in which the rows are kept; nil if the person moves them.
  var keptOrder: () -> RowOrder? = { nil }
  /// The order by which they were sorted last.
  var sortedBy: RowOrder?
  /// The number of changes of the rows since the screen was made.
  var changeCount = 0
  /// The rows that have changed since they were put in the order in which they are kept; nil if that is not
  /// known.
  var unsorted: Set<Identifier>?
  private let badgeWidth: Int

  var list: ListView<RowID>
  var editing: RowEditing?
  /// The number of rows before the draft; `nil` without one.
  var draftPlace: Int?
  var held: HeldRow?
  /// The rows that the next command is about.
  var marks = RowMarks()
  /// The marked rows of which some may have been deleted, if they are very many.
  var marksToCheck: [Identifier] = []
  /// The row under the cursor in the last frame.
  var shownRow: ShownRow?
  /// The row on which the mouse was pressed.
  var dragging: Drag?
  /// The row that was open beside these in the last frame.
  private var openID: Identifier?
  /// The search for the next match, while it is in progress.
  var seek: Seek?
  private var token: NotificationToken?
  /// The observation of the whole file, until the rows are observed.
  private var versionToken: NotificationToken?
  /// Whether changes are being reported.
  var hasBegun = false
  /// The first rows, until all are known: a long list is shown before it has been read.
  private var firstItems: Results<Element>?
  /// The rows, one more than are followed in any case, until it is known whether there are as many.
  private var many: Results<Element>?
  /// Whether there were more rows when they were first counted.
  private var isVeryLong = false
  /// The rows that are being completed or reopened.
  private var toggles = RowToggles()
  private var pictures = RowPictures()
  private let facts = RowFacts<Element>()
  /// The objects drawn last, by row, which keep the cached values of their rows.
  private var drawn: [Int: Element] = [:]
  /// The wall clock time of the last frame.
  private var drawnAt = Date.distantPast
  private let subtasks: SubtaskSummaries
  private let wrapped = WrappedHeights()
  /// The time at which the words of due dates change.
  private var dueChange: Date?

  /// - Parameters:
  ///   - items: The rows; they need not have been read yet, and only those in sight ever are.
  ///   - selecting: The row with the cursor; the first if there is none with this id.
  ///   - badgeWidth: The greatest width of badges in columns.
  ///   - decorate: Returns what a row shows besides its text. Called for rows in sight, at each frame.
  convenience init(
    context: ScreenContext, place: Place, items: List<Element>, gradient: KeyPath<Palette, Gradient>,
    selecting id: Identifier? = nil, badgeWidth: Int = 0, decorate: @escaping (Element) -> RowDecoration
  ) {
    self.init(
      context: context, place: place, collected: nil, items: AnyLiveCollection(items),
      first: items.limit(Self.mostFirstItems + 1), many: items.limit(Self.mostFollowedItems + 1),
      gradient: gradient, selecting: id, badgeWidth: badgeWidth, decorate: decorate)
  }

  init(
    context: ScreenContext, place: Place?, collected: CollectedTasks?, filtered: Results<TaskItem>? = nil,
    items: AnyLiveCollection<Element>, first: Results<Element>, many: Results<Element>,
    gradient: KeyPath<Palette, Gradient>, selecting id: Identifier?, badgeWidth: Int = 0,
    decorate: @escaping (Element) -> RowDecoration
  ) {
    self.context = context
    self.place = place
    self.collected = collected
    self.filtered = filtered
    self.items = items
    self.decorate = decorate
    self.gradient = gradient
    self.badgeWidth = badgeWidth
    subtasks = SubtaskSummaries(hidingCompleted: context.settings.hideCompleted && place != .archive)
    list = ListView(rows: ListViewRows([]))
    list.take(context.appearance, gradient: context.palette[keyPath: gradient])
    if id == nil, first.count > Self.mostFirstItems { firstItems = first }
    list.reload(makeRows(), selecting: id.flatMap(index(of:)))
    // A key that is struck before the first frame means the row on which the cursor begins.
    list.meanSelectedRow()
    if firstItems == nil {
      follow()
    } else {
      self.many = many
      followWhenNeeded()
    }
  }

  deinit {
    token?.invalidate()
    versionToken?.invalidate()
  }

  /// Has all rows read in the background, and changes of them reported from then on. Nothing happens if that
  /// has begun.
  func follow() {
    guard token == nil else { return }
    versionToken?.invalidate()
    versionToken = nil
    token = items.observe { [weak self] in self?.receive($0) }
  }

  /// Whether there is something to do when no key waits.
  var hasWork: Bool { seek != nil || many != nil || !marksToCheck.isEmpty }

  func work(for duration: Duration) {
    // So that the first change of others moves the rows, too.
    if many != nil, !areVeryMany() { follow() }
    workOnSeek(for: duration)
    checkMarks(for: duration)
  }

  /// Follows the rows from the first change of the file or the first command on: the order of a very long
  /// list takes time and memory, and a person who only looks at it needs neither.
  private func followWhenNeeded() {
    versionToken = context.store.store.observe { [weak self] notification, _ in
      guard notification == .didChange else { return }
      self?.context.needsFrame = true
      self?.follow()
    }
  }

  var picture: RowPicture {
    RowPicture(
      appearance: context.appearance, badgeWidth: badgeWidth,
      hasColumns: context.isWide && Element.self == TaskItem.self)
  }

  /// Marks the row that is open beside these, or none, and brings it into sight when it has become that.
  func show(open id: Identifier?) {
    reconcile()
    defer { openID = id }
    // As in nearly every frame, where the place of the row need not be looked up.
    let isSelected = id.map { list.selectedID == .object($0) } ?? false
    let place = isSelected ? list.selectedIndex : id.flatMap(index(of:))
    // Not if the wheel has scrolled it away.
    list.showsCursor = place.map { isSelected || id != openID || list.isInSight($0) } ?? false
    if list.showsCursor, let place, place != list.selectedIndex { list.select(place) }
  }

  var isEditing: Bool { editing != nil }
  var tokens: [NotificationToken] { token.map { [$0] } ?? [] }
  var isGone: Bool { items.isInvalidated }

  var now: Duration { context.clock() }
  /// The start of a movement that a key or another process causes: a frame ago, so that the next frame shows
  /// it in motion already.
  var changeTime: Duration { now - .milliseconds(16) }

  /// Larger than any screen, and no more than the store reads one by one.
  static var mostFirstItems: Int { 1000 }
  /// The length up to which all rows are followed after the first frame: their order is read in milliseconds.
  static var mostFollowedItems: Int { 20_000 }

  /// Reads all rows. If they have not been read in the background yet, this waits for it.
  func showAllItems() {
    follow()
    guard firstItems != nil else { return }
    // Any element that is not among the first makes the store read the order.
    if let last = items.last { _ = items.index(of: last) }
    firstItems = nil
  }

  /// Whether so many rows are still to be read that a key would be late.
  private func areVeryMany() -> Bool {
    if let many { isVeryLong = many.count > Self.mostFollowedItems }
    many = nil
    return isVeryLong && firstItems != nil && !hasBegun
  }

  /// The work of waiting until all rows have been read, after which a command is performed; nil if there are
  /// not so many, or the command is about the first ones only. All can be marked once changes are reported.
  func reading(for call: CommandCall) -> LongWork? {
    // Only a terminal gets what is read in the background.
    guard context.searchInbox != nil, needsAllItems(call),
      areVeryMany() || !hasBegun && call.command == .rows(.markAll)
    else { return nil }
    follow()
    let work = LongWork(count: nil, kind: .reading) { [weak self] _ in
      self?.hasBegun == false ? 0 : nil
    } finish: { _ in
    }
    work.makeNext = { call }
    return work
  }

  /// Reads all rows, and shows them as they are.
  func catchUp() {
    showAllItems()
    reconcile()
  }

  /// The present rows, all once they are known, including the draft.
  func makeRows() -> ListViewRows<RowID> {
    let count = firstItems.map { min($0.count, Self.mostFirstItems) } ?? items.count
    return ListViewRows(
      count: count + (draftPlace == nil ? 0 : 1),
      id: { [unowned self] in element(at: $0).map { .object($0.id) } ?? .draft },
      height: { [unowned self] in height(ofRow: $0, width: $1) })
  }

  /// The object of a row of the list view, or `nil` for the draft.
  func element(at row: Int) -> Element? {
    if row == draftPlace { return nil }
    return facts.element(at: row, factsBasis) { items[draftPlace.map { row < $0 } ?? true ? row : row - 1] }
  }

  func isEdited(_ element: Element?) -> Bool {
    switch editing?.target {
    case nil: false
    case .draft?: element == nil
    case .row(let id)?: element?.id == id
    }
  }

  private var factsBasis: RowFacts<Element>.Basis {
    RowFacts.Basis(
      generation: context.generation, readGeneration: context.store.store.readGeneration,
      isWide: context.isWide, waitingSince: subtasks.moment)
  }

  private func height(ofRow row: Int, width: Int) -> Int {
    facts.height(ofRow: row, width: width, factsBasis) {
      (heading(ofRow: row) == nil ? 0 : 1) + contentHeight(ofRow: row, width: width)
    }
  }

  private func contentHeight(ofRow row: Int, width: Int) -> Int {
    let element = element(at: row)
    if let editing, isEdited(element) {
      return editing.editor.layout(width: picture.textWidth(ofRow: width)).lines.count
        + picture.conflictLines(editing.conflict, inRow: width).count
    }
    guard let element else { return 1 }
    // The decorations that take columns from the text, and lines.
    var decoration = isCollected ? decorate(element) : RowDecoration()
    var hasDate = shownDate(of: element).flatMap(words) != nil
    var lines = 0
    if let task = element as? TaskItem {
      if !task.repetition.isEmpty { hasDate = true }
      decoration.priority = task.priority
      if showsSubtasks {
        decoration.subtasks = subtaskSummary(of: task)
        if let summary = decoration.subtasks, context.folding.isUnfolded(task.id) {
          lines = SubtaskSummary.lineCount(of: summary.presentCount)
        }
      }
    }
    if hasDate { decoration.date = "" }
    let picture = picture
    let (text, tags) = picture.split(element.text, inRow: width)
    // Without columns the date has a line of its own.
    if hasDate, picture.columns(inRow: width) == nil { lines += 1 }
    return lines
      + wrapped.height(of: text, width: picture.textWidth(ofRow: width, decoration, tags: tags), picture)
  }

  /// Whether subtasks are shown below tasks: only in their list, because elsewhere they are rows themselves.
  var showsSubtasks: Bool {
    if case .tasks? = place { true } else { false }
  }

  func subtaskSummary(of task: TaskItem) -> SubtaskSummary? {
    guard showsSubtasks else { return nil }
    return subtasks.summary(of: task, isUnfolded: context.folding.isUnfolded(task.id))
  }

  /// The index of the object with this id among the collection's rows.
  func index(of id: Identifier) -> Int? {
    context.store.row(id, of: Element.self).flatMap(items.index(of:))
  }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    // Their changes are to be seen in motion.
    if !context.otherWindows.isEmpty { follow() }
    reconcile()
    if let unseen = editing?.unseen {
      editing?.original = unseen
      editing?.unseen = nil
    }
    let now = context.calendar.now()
    subtasks.wait(until: now)
    let isSame =
      facts.beginFrame(factsBasis) && editing == nil && now >= drawnAt && dueChange.map { now < $0 } ?? true
    drawnAt = now
    let picture = picture
    pictures.beginFrame(picture, isContentSame: isSame)
    // The former ones keep the values that those drawn now may need.
    let former = drawn
    defer { withExtendedLifetime(former) {} }
    if !isSame {
      list.take(
        context.appearance,
        gradient: ownColor().map(Gradient.init(ofList:)) ?? context.palette[keyPath: gradient])
      (drawn, dueChange) = ([:], nil)
    }
    let range = markedRange
    list.keepsMeantRow = context.isAsking
    list.draw(into: &canvas, rect: rect, at: time, isContentSame: isSame) { row, canvas in
      guard let heading = heading(ofRow: row.index) else {
        return draw(row, picture, range, into: &canvas)
      }
      var rest = canvas.below(heading, context.palette, column: RowPicture.leftMargin)
      draw(row, picture, range, into: &rest)
      canvas.copy(rest, column: 0, line: 1)
    }
    list.drawPosition(into: &canvas, rect: rect)
    noteShownRow()
    if drawn.count != list.painted.count { drawn = drawn.filter { list.painted[$0.key] != nil } }
    if !isSame { toggles.forget(allBut: drawn.values.map(\.id)) }
  }

  private func draw(
    _ row: ListRow<RowID>, _ picture: RowPicture, _ range: ClosedRange<Int>?, into canvas: inout Canvas
  ) {
    if drawn[row.index] != nil, editing == nil, pictures.drawKnown(row, into: &canvas) { return }
    let element = element(at: row.index)
    if let element { drawn[row.index] = element }
    if let editing, isEdited(element) {
      picture.draw(
        editing.editor, row,
        isEditedElsewhere: element.map { context.rowsEditedElsewhere.contains($0.id) } ?? false,
        conflict: editing.conflict, into: &canvas)
    } else if let element {
      pictures.draw(
        element.text, isCompleted: element.completed, decoration(of: element, row, range), row, into: &canvas)
    }
  }

  private func decoration(
    of element: Element, _ row: ListRow<RowID>, _ range: ClosedRange<Int>?
  ) -> RowDecoration {
    var decoration = decorate(element)
    decoration.isMarked = !marks.isEmpty && marks.contains(element.id, at: row.index, range: range)
    decoration.toggleProgress = toggles.progress(
      of: element.id, isCompleted: element.completed, flash: row.flash)
    if let date = shownDate(of: element) {
      show(date, isCompleted: element.completed, in: &decoration)
    }
    if let task = element as? TaskItem {
      decoration.hasNote = !task.notes.isEmpty
      decoration.priority = task.priority
      if !task.repetition.isEmpty { show(repetition: task.repetition, in: &decoration) }
      decoration.subtasks = subtaskSummary(of: task)
    }
    decoration.isEditedElsewhere = context.rowsEditedElsewhere.contains(element.id)
    if let pattern = context.searchPattern { decoration.highlights = pattern.ranges(in: element.text) }
    return decoration
  }

  private func shownDate(of element: Element) -> Date? {
    guard let collected, let task = element as? TaskItem else { return element.date }
    return collected.date(task)
  }

  /// The text of a row in the last frame. Complexity: O(lines).
  func textInSight(_ id: Identifier) -> String? { drawn.values.first { $0.id == id }?.text }

  /// The heading above a row: the day, above its first task, if the tasks are shown by day.
  func heading(ofRow row: Int) -> String? {
    guard let collected, collected.isByDay, let date = element(at: row).flatMap(shownDate) else { return nil }
    // A draft belongs to no day.
    let before = row > 0 ? element(at: row - 1) ?? (row > 1 ? element(at: row - 2) : nil) : nil
    let isFirst =
      before.flatMap(shownDate).map { context.calendar.dayNumber(of: $0) }
      != context.calendar.dayNumber(of: date)
    return isFirst ? context.calendar.headingWords(for: date) : nil
  }

  /// The words for a date: below the heading of its day the time, if there is one.
  private func words(for date: Date) -> String? {
    collected?.isByDay == true ? context.calendar.timeWords(for: date) : context.calendar.words(for: date)
  }

  /// Shows a faint sign after the date. A repetition that cannot be read, or has no date, is shown as text.
  private func show(repetition: String, in decoration: inout RowDecoration) {
    let isPlain = decoration.date != nil && Repetition(repetition) != nil
    let words = [decoration.date, "↻", isPlain ? nil : repetition].compactMap { $0 }
    decoration.date = words.joined(separator: " ")
  }

  private func show(_ date: Date, isCompleted: Bool, in decoration: inout RowDecoration) {
    let due = context.calendar.due(date)
    decoration.date = words(for: date)
    // The words change tomorrow in any case.
    let midnight = context.calendar.calendar.startOfDay(context.calendar.now(), addingDays: 1)
    dueChange = min(dueChange ?? midnight, midnight)
    guard !isCompleted, collected?.isDue != false else { return }
    decoration.due = due.state
    if due.state == .overdue { decoration.date = "overdue, \(context.calendar.words(for: date))" }
    if let nextChange = due.nextChange { dueChange = min(dueChange ?? nextChange, nextChange) }
  }

  func nextFrame(after time: Duration) -> Duration? {
    [list.nextFrame(after: time), dueChange.map(context.moment(of:)), subtasks.end.map(context.moment(of:))]
      .compactMap { $0 }.min()
  }
}

extension Canvas {
  /// Draws a heading on the first line, and returns the lines below it, which have the cells of this canvas.
  fileprivate mutating func below(_ heading: String, _ palette: Palette, column: Int) -> Canvas {
    let rest = Canvas(width: width, height: height - 1, filledWith: width > 0 ? self[0, 0] : Cell())
    fill(line: 0, height: 1, style: palette.plain)
    put(
      DisplayText(heading, clippedTo: max(0, width - column)), column: column, line: 0,
      style: palette.onGround(palette.faint))
    return rest
  }
}
