/// The positions of rows in the last frame, for the mouse.
extension ListView {
  struct PaintedRow {
    let id: RowID
    /// The lines of its text.
    let lines: Range<Int>
  }

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
