import TasksModel
import TerminalUI

/// The lists beside the rows, on a terminal that has room for both.
///
/// Keys mean the same as without them. While the lists themselves are the rows, they stand in the same
/// columns, and beside them the tasks of the one under the cursor.
final class ListsBeside {
  /// The columns of the lists, and those of the rows.
  struct Columns: Equatable {
    let lists: CellRect
    let rows: CellRect
  }

  /// The width from which on lists stand beside their tasks by themselves, and that from which on they can.
  private static let usualWidth = Settings.wideWidth
  private static let leastWidth = 60
  private static let listsWidth = 24...38
  private static let gap = 2

  private let context: ScreenContext
  /// The lists; nil while there is no room, or they are the rows.
  private var lists: ListsScreen?
  /// The tasks of the list under the cursor, while the lists are the rows.
  private var preview: TasksScreen?

  init(_ context: ScreenContext) {
    self.context = context
  }

  /// The columns into which a screen divides a rectangle; nil if it has all of it.
  func columns(of rect: CellRect, for screen: any Screen) -> Columns? {
    let least =
      switch context.settings.listsBeside {
      case "on": Self.leastWidth
      case "off": Int.max
      default: Self.usualWidth
      }
    guard screen.standsBesideLists, rect.width >= least else { return nil }
    let width = min(max(rect.width / 5, Self.listsWidth.lowerBound), Self.listsWidth.upperBound)
    let start = rect.column + width + Self.gap
    return Columns(
      lists: CellRect(column: rect.column, line: rect.line, width: width, height: rect.height),
      rows: CellRect(
        column: start, line: rect.line, width: rect.width - width - Self.gap, height: rect.height))
  }

  /// The part of the columns that a screen draws itself.
  func area(of screen: any Screen, in columns: Columns) -> CellRect {
    screen is ListsScreen ? columns.lists : columns.rows
  }

  /// Draws the other part: the tasks of the list under the cursor, or the lists.
  func draw(
    beside screen: any Screen, openList: Identifier?, _ columns: Columns, into canvas: inout Canvas,
    at time: Duration
  ) {
    if let screen = screen as? ListsScreen {
      lists = nil
      preview(of: screen.selectedRow)
      preview?.rows.list.showsCursor = false
      preview?.draw(into: &canvas, rect: columns.rows, at: time)
    } else {
      preview = nil
      let lists = lists ?? ListsScreen(context: context, selecting: openList)
      // No key moves the cursor there: its row need only be in sight.
      if self.lists == nil { lists.rows.list.scrollMargin = 0 }
      self.lists = lists
      lists.rows.show(open: openList)
      let cursor = canvas.cursor
      lists.draw(into: &canvas, rect: columns.lists, at: time)
      canvas.cursor = cursor
    }
  }

  func drawTitles(beside screen: any Screen, _ columns: Columns, into canvas: inout Canvas) {
    let areLists = screen is ListsScreen
    let left: (any Screen)? = areLists ? screen : lists
    let right: (any Screen)? = areLists ? preview : screen
    for case (let part?, let rect) in [(left, columns.lists), (right, columns.rows)] {
      Chrome.drawTitle(of: part, context, into: &canvas, columns: rect, isFaint: part !== screen)
    }
  }

  private func preview(of id: Identifier?) {
    if let preview, preview.listID == id, !preview.isGone { return }
    preview = id.flatMap(context.store.list).map { TasksScreen(context: context, list: $0) }
    preview?.beginCounting()
  }

  /// The tasks of a list as they stand beside the lists, if they do, to go on with them.
  func takePreview(of id: Identifier) -> TasksScreen? {
    guard let preview, preview.listID == id, !preview.isGone else { return nil }
    self.preview = nil
    preview.rows.list.showsCursor = true
    return preview
  }

  /// Keeps tasks that were open, to stand beside the lists as they are.
  func keep(_ screen: any RowsScreen) {
    guard let screen = screen as? TasksScreen, screen.ownerID == nil else { return }
    screen.beginCounting()
    preview = screen
  }

  /// Forgets all rows, which have to be read anew.
  func renew() { (lists, preview) = (nil, nil) }

  /// The list that a click on a line of the other part means: the one that was drawn there; while the lists
  /// are the rows, the one whose tasks stand beside them.
  func list(atLine line: Int) -> Identifier? {
    guard let lists else { return preview?.listID }
    if case .object(let id)? = lists.rows.list.paintedRow(atLine: line) { return id }
    return nil
  }

  /// Scrolls the other part.
  func scroll(byLines lines: Int) {
    lists?.rows.scroll(byLines: lines)
    preview?.rows.scroll(byLines: lines)
  }

  func nextFrame(after time: Duration) -> Duration? {
    [lists?.nextFrame(after: time), preview?.nextFrame(after: time)].compactMap { $0 }.min()
  }
}
