/// The positions of rows: functions of the rows' heights, the size and the cursor, each of which visits at
/// most as many lines as the view or the distance has.
extension ListView {
  /// The lines of a row, at least 1.
  func rowHeight(_ index: Int) -> Int {
    if let known = knownHeights?.lines[index] { return known }
    let lines = min(max(1, rows.height(index, width)), Self.maximumHeight)
    knownHeights?.lines[index] = lines
    return lines
  }

  /// Larger than any screen: keeps sums of heights far from overflow.
  private static var maximumHeight: Int { 4096 }

  /// The rows that a view shows when it begins at `top`. Complexity: O(lines).
  func placements(from top: Position) -> [Placement] {
    guard width > 0, height > 0, count > 0 else { return [] }
    var result: [Placement] = []
    var line = -top.line
    var index = top.row
    while line < height, index < count {
      let lines = rowHeight(index)
      result.append(Placement(index: index, line: line, height: lines))
      line += lines
      index += 1
    }
    return result
  }

  /// The position a number of lines further down or up, clamped to the first and last line. Complexity:
  /// O(lines).
  func position(_ start: Position, movedBy lines: Int) -> Position {
    guard count > 0 else { return Position() }
    var place = start
    place.line += lines
    while place.line < 0, place.row > 0 {
      place.row -= 1
      place.line += rowHeight(place.row)
    }
    if place.line < 0 { return Position() }
    while place.row < count {
      let lines = rowHeight(place.row)
      if place.line < lines { return place }
      place.line -= lines
      place.row += 1
    }
    return Position(row: count - 1, line: rowHeight(count - 1) - 1)
  }

  /// The nearest scroll position that shows the cursor with its margin and leaves no line empty that could
  /// show a row; a row that is edited is on top. Idempotent. Complexity: O(height).
  func normalized(_ position: Position) -> Position {
    guard count > 0 else { return Position() }
    let row = min(max(position.row, 0), count - 1)
    var top = Position(row: row, line: max(0, position.line))
    guard width > 0, height > 0 else { return top }
    if isFocusOnTop, let focusedIndex {
      // Alone on top, even if the lines below stay empty; of a row that does not fit, the edited line is in
      // sight.
      let first = rowHeight(focusedIndex) <= height ? 0 : max(0, focusedLine - height + 1)
      return Position(row: focusedIndex, line: min(first, rowHeight(focusedIndex) - 1))
    }
    top.line = min(top.line, rowHeight(row) - 1)
    guard let selectedIndex else { return filled(top) }

    let lines = rowHeight(selectedIndex)
    // A row that does not fit is represented by one line of it.
    let fits = lines <= height
    let first = fits ? 0 : min(focusedLine, lines - 1)
    let after = fits ? lines : first + 1
    let margin = fits ? max(0, min(scrollMargin, (height - lines) / 2)) : 0
    let start = line(ofRow: selectedIndex, from: top)
    if start.map({ $0 + first < margin }) ?? (selectedIndex < top.row) {
      top = self.position(Position(row: selectedIndex, line: first), movedBy: -margin)
    } else if start.map({ $0 + after > height - margin }) ?? true {
      top = self.position(Position(row: selectedIndex, line: after), movedBy: margin - height)
    }
    return filled(top)
  }

  /// The line of a row in a view that begins at `top`; `nil` if the row is above it, or below its end.
  private func line(ofRow index: Int, from top: Position) -> Int? {
    guard index >= top.row else { return nil }
    var line = -top.line
    var row = top.row
    while row < index {
      line += rowHeight(row)
      row += 1
      if line > height { return nil }
    }
    return line
  }

  /// `top`, or a position further up if the rows would end before the view does.
  func filled(_ top: Position) -> Position {
    // Every row has a line.
    if count - top.row >= height + top.line { return top }
    var line = -top.line
    var row = top.row
    while line < height, row < count {
      line += rowHeight(row)
      row += 1
    }
    return line >= height ? top : position(Position(row: count), movedBy: -height)
  }
}

/// Heights of rows while a layout is calculated.
final class RowHeights {
  var lines = NearRows<Int>(limit: 4096)
}
