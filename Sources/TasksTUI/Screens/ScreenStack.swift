import TerminalUI

/// The open screens: rows at the bottom, and the screens that were opened above them.
struct ScreenStack {
  var rows: any RowsScreen
  private var above: [any Screen] = []

  init(_ rows: any RowsScreen) {
    self.rows = rows
  }

  /// The screen that has the keys.
  var front: any Screen { above.last ?? rows }
  var visible: any Screen { above.last { $0.fillsTerminal } ?? rows }

  /// The screen whose work goes on.
  var working: any Screen { front.hasWork ? front : visible }

  func topmost<Value>(_ value: (any Screen) -> Value?) -> Value? {
    above.reversed().lazy.compactMap(value).first ?? value(rows)
  }

  mutating func push(_ screen: any Screen) { above.append(screen) }

  /// Closes the front screen, unless it is the rows.
  mutating func pop() { _ = above.popLast() }

  mutating func popToRows() { above.removeAll() }

  /// Shows other rows, and closes the screens that belonged to the former ones.
  mutating func leave(for rows: any RowsScreen) {
    above.removeAll { $0.isAboutRows }
    self.rows = rows
  }

  /// Shows the same rows made anew, beneath the screens that are open.
  mutating func renew(_ rows: any RowsScreen) {
    self.rows = rows
    above = above.map { $0.renewed(above: rows) }
  }

  /// Draws what is being typed on the last line: of the visible screen, and of a prompt above it.
  func drawBottomLine(into canvas: inout Canvas) {
    visible.drawBottomLine(into: &canvas)
    if front !== visible { front.drawBottomLine(into: &canvas) }
  }
}
