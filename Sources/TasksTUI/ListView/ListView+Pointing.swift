/// What lies where in the last frame, for a mouse.
extension ListView {
  /// A row as it was drawn.
  struct PaintedRow {
    let id: RowID
    /// The line that its text begins on, and the one after it.
    let lines: Range<Int>
  }

  /// The row that the person saw on a line of the view, moving or not.
  func paintedRow(atLine line: Int) -> RowID? {
    paintedRows.last { $0.lines.contains(line) }?.id
  }

  /// The line after the last row that was drawn.
  var paintedEnd: Int { paintedRows.map(\.lines.upperBound).max() ?? 0 }

  /// Where the row that was seen on a line is now, if it is in sight. Complexity: O(visible rows).
  func indexOfPaintedRow(atLine line: Int) -> Int? {
    guard let id = paintedRow(atLine: line) else { return nil }
    return layout.first { rows.id($0.index) == id }?.index
  }

  var focusedID: RowID? { focusedIndex.map(rows.id) }
}
