import LiveStore
import TerminalUI

/// A list of rows of text with a cursor: a function from its rows, the time and a size to cells.
///
/// Changes of the rows arrive as change sets and are shown as movement. The picture at rest depends only on
/// the rows, the cursor, the scroll position and the size, never on the history.
///
/// Every operation costs as much as the visible rows, and `apply` in addition as much as the change set; none
/// costs as much as all rows (a test counts). The view never reads a clock and starts nothing: the caller
/// provides times from one monotonic clock, and `nextFrame(after:)` returns when to draw again.
///
/// Order of calls: `apply` (or `reload`) as soon as the rows have changed, before anything else, because
/// `rows` may read live data; any number of other calls; `draw`.
struct ListView<RowID: Hashable> {
  /// A position in the rows: a row, and lines within it.
  struct Position: Equatable, Sendable {
    var row = 0
    var line = 0
  }

  /// A row of the layout at rest.
  struct Placement: Equatable, Sendable {
    let index: Int
    /// The line from the top of the view; negative if the row begins above it.
    let line: Int
    let height: Int
    var lineAfter: Int { line + height }
  }

  /// The row that a person means by a key: the one under the cursor in the last frame that was drawn, or the
  /// one that they have moved the cursor to since.
  struct MeantRow {
    let id: RowID
    /// The present index; `nil` if the row has been deleted since.
    fileprivate(set) var index: Int?
    var wasDeleted: Bool { index == nil }
  }

  /// A row in the last frame.
  struct PaintedRow {
    let id: RowID
    /// The lines of its text.
    let lines: Range<Int>
  }

  // MARK: Settings

  /// The colors of the rows.
  var gradient: Gradient
  /// The style of the space without rows. A background of `nil` is the terminal's own.
  var backdrop = Style()
  /// Whether changes are animated instead of shown at rest at once.
  var isAnimated = true
  /// Whether the old picture fades into the new one, without movement.
  var fades = false
  /// Whether there are colors; otherwise dimming uses an attribute.
  var hasColors = true
  /// Whether rows may be drawn between two lines while they move, with block characters. For terminals with
  /// colors.
  var movesBetweenLines = true
  /// The seconds from a change to rest.
  var movementDuration = 0.25
  /// The seconds that the flash of a modified row takes.
  var flashDuration = 0.4
  /// Whether the row that is edited goes to the top; otherwise it is only brought into sight.
  var scrollsToFocus = true
  /// The lines kept in sight above and below the cursor, if there are any.
  var scrollMargin = 2 {
    didSet { relayout() }
  }
  /// The color that is blended into the row under the cursor, and its amount, 0 … 1. Held rows and flashing
  /// ones have it too.
  var selectionColor = RGB.white
  var selectionTint = 0.25
  /// Whether the row under the cursor looks different. It does not where another list has the keys.
  var showsCursor = true
  /// The minimum of seconds between two frames.
  var frameInterval = 1.0 / 60

  // MARK: State at rest

  private(set) var rows: ListViewRows<RowID>
  /// The row under the cursor; `nil` if and only if there are no rows.
  private(set) var selectedIndex: Int?
  /// The first visible line.
  var scrollPosition = Position()
  private(set) var width = 0
  private(set) var height = 0
  /// The visible rows.
  private(set) var layout: [Placement] = []
  /// The row that is being edited: the others are dimmed. `nil` also after it was deleted.
  var focusedIndex: Int?
  /// Whether the list is dimmed: from `focus` to `unfocus`, even if the focused row is deleted.
  var isFocused = false
  /// The line of the selected row that is kept visible if the row is taller than the view.
  var focusedLine = 0
  /// The scroll position to return to when the editing ends.
  var positionBeforeFocus: Position?
  /// Whether the meant row was deleted and the cursor is on the row before it, not on the one after it.
  private var cursorIsBeforeGap = false
  /// The held row. `nil` also after it was deleted.
  var heldIndex: Int?

  /// The row that is moved sideways.
  var swiped: RowSwipe?

  /// The heights that have been read during a layout.
  var knownHeights: RowHeights?

  // MARK: State of movement

  /// The motions of rows that are not at rest, by index.
  var motions: [Int: RowMotion] = [:]
  var ghosts: [RowGhost] = []
  /// The picture that is replaced by a change of more than a screenful, and how much of it is left (1 … 0).
  var replaced: (picture: Canvas, presence: Motion)?
  /// The progress of dimming: 1 for dimmed, 0 for not.
  var dimming = Motion.still
  /// The lines by which every row is drawn below its place, after the person has scrolled.
  var gliding = Motion.still
  /// The end of the last movement.
  var settlesAt = -Double.infinity

  // MARK: The last frame

  /// The pictures of the rows in the last frame, by present index.
  var painted: [Int: Canvas] = [:]
  /// The places of these rows if all were at rest, and which of them looked different because of the cursor.
  var paintedLayout: [Placement]?
  var paintedCursor: Int?
  /// The positions of the rows, those on top last.
  var paintedRows: [PaintedRow] = []
  var lastFrame: Canvas?
  var lastPaintedAt = -Double.infinity
  /// The row that a key acts on, and its present state; `nil` if no row was under the cursor. After its
  /// deletion a key does nothing: the row that took its place is not meant.
  private(set) var meantRow: MeantRow?
  /// Whether keys go on meaning the same row when another one has been drawn under the cursor.
  var keepsMeantRow = false

  init(rows: ListViewRows<RowID>, gradient: Gradient = .tasks) {
    self.rows = rows
    self.gradient = gradient
    selectedIndex = rows.count > 0 ? 0 : nil
  }

  var count: Int { rows.count }
  var selectedID: RowID? { selectedIndex.map(rows.id) }

  // MARK: Time

  /// The time of the next frame of a movement; not before `time`. `nil`: nothing moves and the last frame
  /// that was drawn is the picture at rest, so that no timer is needed. Frames for other reasons (a key, a
  /// change set) need not wait for it.
  func nextFrame(after time: Duration) -> Duration? {
    guard lastPaintedAt < settlesAt else { return nil }
    guard lastPaintedAt.isFinite else { return time }
    return max(time, .seconds(lastPaintedAt + frameInterval))
  }

  /// Ends every movement: the next picture is the one at rest.
  mutating func settle() {
    motions = [:]
    ghosts = []
    replaced = nil
    dimming = .still
    gliding = .still
    if swiped?.release != nil { swiped = nil }
    // The last frame may show an intermediate state: one more frame is due then.
    if lastPaintedAt < settlesAt { settlesAt = lastPaintedAt.nextUp }
  }

  mutating func extendMovement(to end: Double) { settlesAt = max(settlesAt, end) }

  // MARK: Size

  /// Sets the size for cursor moves and scrolling until the next `draw`, which sets its own. A new size ends
  /// every movement.
  mutating func resize(width: Int, height: Int) {
    let width = max(0, width)
    let height = max(0, height)
    guard (width, height) != (self.width, self.height) else { return }
    self.width = width
    self.height = height
    settle()
    relayout()
  }

  // MARK: Rows

  /// Shows other rows, at rest, with the cursor on `selecting`: for the first rows, and when no change set is
  /// known.
  mutating func reload(_ rows: ListViewRows<RowID>, selecting index: Int? = nil) {
    self.rows = rows
    settle()
    painted = [:]
    focusedIndex = nil
    positionBeforeFocus = nil
    heldIndex = nil
    swiped = nil
    lastFrame = nil
    meantRow = nil
    selectedIndex = rows.count > 0 ? min(max(index ?? selectedIndex ?? 0, 0), rows.count - 1) : nil
    relayout()
  }

  /// Takes over the rows after `changes` and everything that refers to a row: cursor, focus, held row, scroll
  /// position.
  mutating func replaceRows(with newRows: ListViewRows<RowID>, after changes: ChangeSet) {
    let selected = selectedIndex.flatMap(changes.newIndex(ofOld:))
    let top = position(scrollPosition, after: changes, count: newRows.count)
    positionBeforeFocus = positionBeforeFocus.map { position($0, after: changes, count: newRows.count) }
    let place = selectedIndex ?? 0
    rows = newRows
    focusedIndex = focusedIndex.flatMap(changes.newIndex(ofOld:))
    heldIndex = heldIndex.flatMap(changes.newIndex(ofOld:))
    if let index = swiped.flatMap({ changes.newIndex(ofOld: $0.index) }) {
      swiped?.index = index
    } else {
      swiped = nil
    }
    if let index = meantRow?.index { meantRow?.index = changes.newIndex(ofOld: index) }
    if let selected {
      selectedIndex = selected
    } else {
      selectedIndex = index(inPlaceOf: place, after: changes)
      // The last row was deleted: the cursor had to move up.
      let stayed = changes.stayingCount(beforeOld: place)
      cursorIsBeforeGap = selectedIndex.map { changes.stayingCount(beforeNew: $0) < stayed } ?? false
    }
    scrollPosition = normalized(top)
    layout = placements(from: scrollPosition)
  }

  /// The row that replaces a deleted one: the next that stayed, otherwise the one before, otherwise any.
  private func index(inPlaceOf old: Int, after changes: ChangeSet) -> Int? {
    guard count > 0 else { return nil }
    let number = changes.stayingCount(beforeOld: old)
    let next = changes.newIndex(ofStaying: number)
    if next < count { return next }
    return number > 0 ? changes.newIndex(ofStaying: number - 1) : min(old, count - 1)
  }

  /// The position of a view that began at `top` after a change: its first row stays, and changes above it are
  /// not seen. (A view at the very top stays there: new rows on top come into sight.)
  private func position(_ top: Position, after changes: ChangeSet, count: Int) -> Position {
    guard top != Position() else { return top }
    let number = changes.stayingCount(beforeOld: top.row)
    let next = changes.newIndex(ofStaying: number)
    guard next < count else { return Position(row: max(0, count - 1)) }
    return Position(row: next, line: changes.stays(old: top.row) ? top.line : 0)
  }

  // MARK: Cursor

  /// Moves the cursor to a row; an index outside the rows means the nearest. Keys then mean that row.
  mutating func select(_ index: Int) {
    selectedIndex = count > 0 ? min(max(index, 0), count - 1) : nil
    meanSelectedRow()
    relayout()
  }

  /// Makes keys mean the row that is now under the cursor, drawn or not: for use after a change that a key
  /// made.
  mutating func meanSelectedRow() {
    meantRow = selectedIndex.map { MeantRow(id: rows.id($0), index: $0) }
    cursorIsBeforeGap = false
  }

  /// Moves the cursor, up for a negative number, starting from the row that is meant. If that was deleted and
  /// this has not been drawn yet, the next row is the one that took its place.
  mutating func moveSelection(by rows: Int) {
    guard let selectedIndex, rows != 0 else { return }
    var distance = rows
    if meantRow?.wasDeleted == true, (distance < 0) == cursorIsBeforeGap { distance -= distance.signum() }
    let (index, overflow) = selectedIndex.addingReportingOverflow(distance)
    select(overflow ? (rows < 0 ? 0 : count - 1) : index)
  }

  /// Moves cursor and rows by a screenful less one line, up for a negative `pages`.
  mutating func moveSelection(byPages pages: Int) { moveSelection(byLines: pages * max(1, height - 1)) }

  /// Moves cursor and rows by half a screenful, up for a negative number.
  mutating func moveSelection(byHalfPages pages: Int) { moveSelection(byLines: pages * max(1, height / 2)) }

  private mutating func moveSelection(byLines lines: Int) {
    guard let old = selectedIndex, lines != 0 else { return }
    let row = position(Position(row: old), movedBy: lines).row
    // A row taller than a page must not trap the cursor.
    selectedIndex = row != old ? row : min(max(old + lines.signum(), 0), count - 1)
    meanSelectedRow()
    scrollPosition = position(scrollPosition, movedBy: lines)
    relayout()
  }

  /// Scrolls by lines, up for a negative number, like a wheel. The cursor moves along when it would leave the
  /// view.
  mutating func scroll(byLines lines: Int) {
    guard let selectedIndex, height > 0, !isFocusOnTop else { return }
    scrollPosition = filled(position(scrollPosition, movedBy: lines))
    let visible = placements(from: scrollPosition)
    let margin = min(scrollMargin, (height - 1) / 2)
    // No margin at the ends of the rows: nothing is hidden there.
    let top = visible.first { $0.index == 0 || $0.line >= margin }?.index
    let bottom = visible.last { $0.index == count - 1 || $0.lineAfter <= height - margin }?.index
    if let top, let bottom, top <= bottom, !(top...bottom).contains(selectedIndex) {
      self.selectedIndex = min(max(selectedIndex, top), bottom)
      meanSelectedRow()
    }
    relayout()
  }

  /// Shows the rows from `position` on, as far as the cursor, which stays, allows.
  mutating func scroll(to position: Position) {
    scrollPosition = position
    relayout()
  }

  /// The row that is drawn on a line of the view at rest; `nil` below the last one.
  func rowIndex(atLine line: Int) -> Int? {
    layout.first { $0.line <= line && line < $0.lineAfter }?.index
  }

  // MARK: Layout

  /// Updates scroll position and layout, and the movements with them.
  mutating func relayout() {
    let old = layout
    // Each height is needed several times, and nothing changes meanwhile.
    knownHeights = RowHeights()
    scrollPosition = normalized(scrollPosition)
    layout = placements(from: scrollPosition)
    knownHeights = nil
    guard !motions.isEmpty || !ghosts.isEmpty, layout != old else { return }
    shiftMovement(from: old)
  }

  /// Moves ghosts and rows outside the layout along with the rows that both layouts show.
  private mutating func shiftMovement(from old: [Placement]) {
    let shown = visibleRange
    guard let oldFirst = old.first, let oldLast = old.last, let first = layout.first,
      max(oldFirst.index, first.index) <= min(oldLast.index, layout[layout.count - 1].index)
    else {
      ghosts = []
      motions = motions.filter { shown.contains($0.key) }
      return placeMotions()
    }
    let common = max(oldFirst.index, first.index)
    let shift = Double(layout[common - first.index].line - old[common - oldFirst.index].line)
    for place in ghosts.indices { ghosts[place].line += shift }
    if shift != 0 {
      for index in motions.keys where !shown.contains(index) { motions[index]?.target += shift }
    }
    placeMotions()
  }

  /// The indices of the layout.
  var visibleRange: Range<Int> {
    guard let first = layout.first else { return 0..<0 }
    return first.index..<first.index + layout.count
  }

  private mutating func placeMotions() {
    for place in layout {
      motions[place.index]?.target = Double(place.line)
      motions[place.index]?.height = place.height
    }
  }

  // MARK: Painting

  /// Applies another appearance from now on.
  mutating func take(_ appearance: Appearance, gradient: Gradient) {
    let palette = appearance.palette
    self.gradient = gradient
    backdrop = palette.plain
    selectionColor = palette.selection
    selectionTint = palette.selectionTint
    isAnimated = appearance.isAnimated
    fades = appearance.movement == .fade
    movementDuration = 0.25 / appearance.speed
    flashDuration = 0.4 / appearance.speed
    scrollsToFocus = appearance.editsOnTop
    hasColors = appearance.hasColors
    movesBetweenLines = appearance.hasColors && !appearance.isASCII
  }

  /// Stores the frame that the person now sees.
  mutating func didPaint(_ frame: Canvas, rows pictures: [Int: Canvas], at time: Double) {
    lastFrame = frame
    painted = pictures
    lastPaintedAt = time
    if !keepsMeantRow { meanSelectedRow() }
  }

  // MARK: Positions in the last frame, for the mouse

  /// The row that was drawn on a line of the view, moving or not.
  func paintedRow(atLine line: Int) -> RowID? {
    paintedRows.last { $0.lines.contains(line) }?.id
  }

  /// Whether all of a row is in sight at rest.
  func isInSight(_ index: Int) -> Bool {
    layout.contains { $0.index == index && $0.line >= 0 && $0.lineAfter <= height }
  }

  /// The line after the last row that was drawn.
  var paintedEnd: Int { paintedRows.map(\.lines.upperBound).max() ?? 0 }

  /// The present index of the row that was drawn on a line, if it is in sight. Complexity: O(visible rows).
  func indexOfPaintedRow(atLine line: Int) -> Int? {
    guard let id = paintedRow(atLine: line) else { return nil }
    return layout.first { rows.id($0.index) == id }?.index
  }

  var focusedID: RowID? { focusedIndex.map(rows.id) }
}
