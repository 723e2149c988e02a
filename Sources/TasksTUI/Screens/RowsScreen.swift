import FoundationEssentials
import LiveStore
import TasksModel

/// The rows of a place, lists or tasks, in a list view: everything that both screens do alike.
///
/// There are two ways to the same picture. What others have changed arrives as a change set and is applied to the list view.
/// What is done here is one operation of the model, which skips this screen's subscription and says what it did; that is
/// mirrored in the list view before the next frame. An operation delivers what is pending before it begins, so that the
/// indices it reports fit the rows that the list view has by then.
final class RowsScreen<Element: Row> {
  let context: ScreenContext
  let place: Place
  let items: List<Element>
  private let decorate: (Element) -> RowDecoration
  private let picture: RowPicture

  private(set) var list: ListView<RowID>
  private(set) var editing: RowEditing?
  /// How many rows stand in front of the draft; `nil` without one.
  private var draftPlace: Int?
  private var token: NotificationToken?
  /// Changes are being reported.
  private var hasBegun = false
  /// The objects drawn last: as long as somebody has them, their values are not read again.
  private var drawn: [Element] = []

  /// - Parameters:
  ///   - items: the rows; they need not have been read yet, and only those in sight ever are.
  ///   - selecting: the row with the cursor; the first when there is none with this id.
  ///   - badgeWidth: columns that badges take at most.
  ///   - decorate: what a row shows besides its text. Called for rows in sight, at each frame.
  init(
    context: ScreenContext, place: Place, items: List<Element>, gradient: Gradient, selecting id: UUID? = nil,
    badgeWidth: Int = 0, decorate: @escaping (Element) -> RowDecoration
  ) {
    self.context = context
    self.place = place
    self.items = items
    self.decorate = decorate
    picture = RowPicture(appearance: context.appearance, badgeWidth: badgeWidth)
    list = ListView(rows: ListRows([]), gradient: gradient)
    list.backdrop = Style(foreground: .white, background: .black)
    list.isAnimated = context.appearance.isAnimated
    list.movesBetweenLines = context.appearance.hasColors
    list.reload(makeRows(), selecting: id.flatMap(index(of:)))
    token = items.observe { [weak self] in self?.receive($0) }
  }

  deinit { token?.invalidate() }

  var isEditing: Bool { editing != nil }
  var isGone: Bool { items.isInvalidated }

  private var now: Duration { context.clock() }
  /// When the movement that a key causes begins: a frame ago, so that the frame of the key shows it on its way already and
  /// not where it was.
  private var keyTime: Duration { now - .milliseconds(16) }

  // MARK: Rows

  /// The rows as they are at this moment, with the draft among them.
  private func makeRows() -> ListRows<RowID> {
    ListRows(
      count: items.count + (draftPlace == nil ? 0 : 1),
      id: { [unowned self] in element(at: $0).map { .object($0.id) } ?? .draft },
      height: { [unowned self] in height(ofRow: $0, width: $1) })
  }

  /// The object of a row of the list view, or `nil` for the draft.
  private func element(at row: Int) -> Element? {
    guard let draftPlace else { return items[row] }
    if row == draftPlace { return nil }
    return items[row < draftPlace ? row : row - 1]
  }

  private func isEdited(_ element: Element?) -> Bool {
    switch editing?.target {
    case nil: false
    case .draft?: element == nil
    case .row(let id)?: element?.id == id
    }
  }

  private func height(ofRow row: Int, width: Int) -> Int {
    let element = element(at: row)
    let width = picture.textWidth(ofRow: width)
    if let editing, isEdited(element) { return editing.editor.layout(width: width).lines.count }
    return element.map { picture.height(of: $0.text, width: width) } ?? 1
  }

  /// Where the object with this id is among the collection's rows.
  private func index(of id: UUID) -> Int? {
    context.store.store.object(ofType: Element.self, forPrimaryKey: id).flatMap(items.index(of:))
  }

  // MARK: Changes made elsewhere

  private func receive(_ change: CollectionChange<List<Element>>) {
    context.needsFrame = true
    switch change {
    case .initial:
      catchUp()
      hasBegun = true
    case .update(_, let changes): apply(RowChanges(changes))
    case .error(let error): context.say(error)
    }
  }

  /// Until changes are reported, the store may show other rows than the list view without saying so. Usually it does not.
  private func catchUp() {
    guard !hasBegun else { return }
    let rows = makeRows()
    let meant = list.meantRow
    let isMeantRowThere = meant?.index.map { $0 < rows.count && rows.id($0) == meant?.id } ?? true
    if rows.count == list.count, isMeantRowThere { return }
    if let place = draftPlace { draftPlace = min(place, items.count) }
    var index: Int?
    if case .object(let id)? = meant?.id { index = self.index(of: id) }
    list.reload(makeRows(), selecting: draftPlace ?? index)
    if let index { list.select(index) }
    switch editing?.target {
    case .draft?: refocus(draftPlace ?? 0)
    case .row(let id)?:
      if let index = self.index(of: id) { refocus(index) } else { keepText(at: list.selectedIndex ?? 0) }
    case nil: break
    }
  }

  private func apply(_ changes: RowChanges) {
    guard case .row(let id)? = editing?.target, let edited = list.focusedIndex else {
      let old = draftPlace
      draftPlace = old.map(changes.draftPlace(old:))
      list.apply(changes.showingDraft(at: old, then: draftPlace), newRows: makeRows(), at: now)
      return
    }
    guard let index = changes.newIndex(ofOld: edited) else {
      let kept = changes.keepingDeletedRow(edited)
      draftPlace = kept.place
      makeDraft(.afterOpenRows)
      list.apply(kept.changes, newRows: makeRows(), at: now)
      context.say("Deleted elsewhere. Enter adds your text as a new row, Esc drops it.")
      return
    }
    list.apply(changes, newRows: makeRows(), at: now)
    let element = items[index]
    guard element.id == id else { return }
    let isKnown = element.text == editing?.original
    editing?.unseen = isKnown ? nil : element.text
    if !isKnown {
      context.say("Changed elsewhere to \(quoted(element.text)). Enter keeps yours, Esc theirs.")
    }
  }

  /// What is typed belongs to no row any more.
  private func makeDraft(_ point: InsertionPoint) {
    editing?.target = .draft(point)
    editing?.original = ""
    editing?.unseen = nil
  }

  /// Shows what is typed as a draft with `place` rows in front of it, when the rows have changed already.
  private func keepText(at place: Int) {
    let place = min(place, items.count)
    draftPlace = place
    makeDraft(.afterOpenRows)
    list.apply(.insertion(at: place), newRows: makeRows(), isLocal: true, at: keyTime)
    refocus(place)
  }

  private func quoted(_ text: String) -> String { "“\(DisplayText(text, clippedTo: 24).string)”" }

  // MARK: Commands

  /// Does what the command means on every screen of rows; returns whether it means anything.
  func perform(_ command: Command) -> Bool {
    context.needsFrame = true
    catchUp()
    switch command {
    case .moveDown: list.moveSelection(by: 1)
    case .moveUp: list.moveSelection(by: -1)
    case .moveToFirst: list.selectFirst()
    case .moveToLast: list.selectLast()
    case .pageDown: list.moveSelection(byPages: 1)
    case .pageUp: list.moveSelection(byPages: -1)
    case .halfPageDown: list.moveSelection(byHalfPages: 1)
    case .halfPageUp: list.moveSelection(byHalfPages: -1)
    case .edit: edit()
    case .add: add(.afterOpenRows)
    case .addOnTop: add(.top)
    case .toggleCompleted: toggleCompleted()
    case .delete:
      operateOnMeantRow { try $0.delete($1, in: place, withoutNotifying: tokens) }
    case .moveRowDown: moveRow(by: 1)
    case .moveRowUp: moveRow(by: -1)
    case .clearCompleted: clearCompleted()
    case .activate, .open, .back, .help, .repaint, .suspend, .quit: return false
    }
    return true
  }

  /// The row that the person means, by identity. When it is gone, or there is none, they are told so.
  func meantRow() -> UUID? {
    guard list.count > 0 || list.meantRow != nil else {
      context.say("There is no row here.")
      return nil
    }
    guard let meant = list.meantRow, !meant.wasDeleted, case .object(let id) = meant.id else {
      context.say(Self.goneSentence)
      return nil
    }
    return id
  }

  private static var goneSentence: String { "That row has just been deleted elsewhere." }

  private var tokens: [NotificationToken] { token.map { [$0] } ?? [] }

  /// Runs an operation on the meant row and mirrors what it did; returns that, if it did anything.
  @discardableResult
  private func operateOnMeantRow(_ operation: (TasksStore, UUID) throws -> Edit) -> Edit? {
    meantRow().flatMap { id in operate { try operation($0, id) } }
  }

  @discardableResult
  private func operate(_ operation: (TasksStore) throws -> Edit) -> Edit? {
    do {
      let edit = try operation(context.store)
      if case .none(let reason) = edit.change {
        explain(reason)
        return nil
      }
      list.apply(RowChanges(edit.change), newRows: makeRows(), isLocal: true, at: keyTime)
      return edit
    } catch {
      context.say(error)
      return nil
    }
  }

  private func explain(_ reason: Edit.NoChange) {
    switch reason {
    case .gone, .neighbourGone: context.say(Self.goneSentence)
    case .nothingCompleted: context.say("There is no completed row.")
    case .unchanged, .emptyText, .textChanged: break
    }
  }

  private func toggleCompleted() {
    guard let edit = operateOnMeantRow({ try $0.toggleCompleted($1, in: place, withoutNotifying: tokens) })
    else { return }
    // Whoever completes a row goes on with the next one; whoever opens a row again wants that one.
    if case .moved(let from, _, _) = edit.change, edit.after.first?.completed == true { list.select(from) }
  }

  private func moveRow(by offset: Int) {
    operateOnMeantRow { try $0.move($1, in: place, to: .offset(offset), withoutNotifying: tokens) }
  }

  private func clearCompleted() {
    let edit = operate { try $0.clearCompleted(in: place, withoutNotifying: tokens) }
    if case .cleared(let rows)? = edit?.change {
      context.say(rows.count == 1 ? "Cleared one completed row." : "Cleared \(rows.count) completed rows.")
    }
  }

  // MARK: Editing

  private func edit() {
    guard let id = meantRow(), let index = list.meantRow?.index else { return }
    let element = items[index]
    guard !element.completed else { return context.say(Refusal.editingCompletedRow) }
    let text = element.text
    editing = RowEditing(
      target: .row(id), editor: LineEditor(text, killRing: context.killRing), original: text)
    refocus(index)
  }

  private func add(_ point: InsertionPoint) {
    let place = point == .top ? 0 : placeAfterOpenRows()
    let selected = list.selectedID
    draftPlace = place
    editing = RowEditing(
      target: .draft(point), editor: LineEditor(killRing: context.killRing), original: "",
      selectedBefore: selected)
    list.apply(.insertion(at: place), newRows: makeRows(), isLocal: true, at: keyTime)
    refocus(place)
  }

  /// Where a draft is shown that will go after the open rows: in front of the completed ones at the end. Where other programs
  /// have mixed the two it is near that; the operation at Enter knows exactly.
  ///
  /// - Complexity: O(log n).
  private func placeAfterOpenRows() -> Int {
    let count = items.count
    var step = 1
    while step <= count, items[count - step].completed { step *= 2 }
    // Rows from `completed` on are; the one at `open` is not, or lies in front of all.
    var open = max(-1, count - step)
    var completed = step == 1 ? count : count - step / 2
    while completed - open > 1 {
      let middle = open + (completed - open) / 2
      if items[middle].completed { completed = middle } else { open = middle }
    }
    return completed
  }

  func type(_ key: Key) {
    guard editing != nil else { return }
    context.needsFrame = true
    let width = picture.textWidth(ofRow: list.width)
    switch editing?.editor.handle(key) {
    case .commit?: return commit()
    case .cancel?: return cancel()
    case .ignored?:
      if key == Key(.up) { _ = editing?.editor.move(lines: -1, width: width) }
      if key == Key(.down) { _ = editing?.editor.move(lines: 1, width: width) }
    case .handled?, nil: break
    }
    if let focused = list.focusedIndex { refocus(focused) }
  }

  /// Pasted text goes into the row that is being typed, or becomes one; it is never taken for keys.
  func paste(_ text: String) {
    context.needsFrame = true
    if editing == nil { add(.afterOpenRows) }
    editing?.editor.paste(text)
    if let focused = list.focusedIndex { refocus(focused) }
  }

  /// Shows the row that is being edited, with the line that the cursor is on.
  private func refocus(_ row: Int) {
    let line = editing?.editor.layout(width: picture.textWidth(ofRow: list.width)).cursorLine ?? 0
    list.focus(row, line: line, at: now)
  }

  /// - Parameter changes: what became of the rows by that; they are shown before anything else asks for rows.
  private func endEditing(_ changes: RowChanges? = nil) {
    if let editing { context.killRing = editing.editor.killRing }
    editing = nil
    if let changes { list.apply(changes, newRows: makeRows(), isLocal: true, at: keyTime) }
    list.unfocus(at: now)
  }

  private func commit() {
    guard let editing else { return }
    switch editing.target {
    case .row(let id): commit(editing, to: id)
    case .draft(let point): commitDraft(editing, at: point)
    }
  }

  private func commit(_ edited: RowEditing, to id: UUID) {
    do {
      let edit = try context.store.edit(
        id, in: place, text: edited.editor.text, replacing: edited.original, withoutNotifying: tokens)
      switch edit.change {
      case .none(.textChanged(let text)):
        // The change set that came with it has said so already, unless it came before and is not drawn yet.
        editing?.unseen = text
        context.say("Changed elsewhere to \(quoted(text)). Enter keeps yours, Esc theirs.")
      case .none(.gone):
        // The deletion was delivered before the operation began, so that the text is a draft by now.
        break
      case .none:
        endEditing()
      case .inserted, .deleted, .moved, .modified, .cleared:
        endEditing(RowChanges(edit.change))
      }
    } catch Refusal.editingCompletedRow {
      let selected = list.selectedIndex ?? 0
      editing?.selectedBefore = list.selectedID
      keepText(at: min(selected, placeAfterOpenRows()))
      context.say("Completed elsewhere. Enter adds your text as a new row, Esc drops it.")
    } catch {
      context.say(error)
    }
  }

  private func commitDraft(_ edited: RowEditing, at point: InsertionPoint) {
    do {
      let edit = try context.store.add(
        edited.editor.text, to: place, at: point, withoutNotifying: tokens)
      switch edit.change {
      case .inserted(let index):
        // Only now: what was pending has been delivered, and may have moved the draft.
        let shown = draftPlace ?? index
        draftPlace = nil
        endEditing(.move(from: shown, to: index, isModified: true))
      case .none(.emptyText): cancel()
      case .none(let reason): explain(reason)
      case .deleted, .moved, .modified, .cleared: break
      }
    } catch {
      context.say(error)
    }
  }

  private func cancel() {
    let before = editing?.selectedBefore
    let place = draftPlace
    draftPlace = nil
    endEditing(place.map(RowChanges.deletion(at:)))
    if case .object(let id)? = before, let index = index(of: id) { list.select(index) }
  }

  /// Ends editing because the rows are gone; what was typed can be yanked back.
  func rescueText() -> Bool {
    guard let editing, !editing.editor.isEmpty else { return false }
    var killRing = editing.editor.killRing
    killRing.push(editing.editor.text)
    context.killRing = killRing
    return true
  }

  // MARK: Drawing

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    catchUp()
    if let unseen = editing?.unseen {
      editing?.original = unseen
      editing?.unseen = nil
    }
    var drawn: [Element] = []
    list.draw(into: &canvas, rect: rect, at: time) { row, canvas in
      let element = element(at: row.index)
      if let element { drawn.append(element) }
      if let editing, isEdited(element) {
        picture.draw(editing.editor, row, into: &canvas)
      } else if let element {
        picture.draw(
          element.text, isCompleted: element.completed, decorate(element), row, into: &canvas)
      }
    }
    self.drawn = drawn
  }

  func nextFrame(after time: Duration) -> Duration? { list.nextFrame(after: time) }
}
