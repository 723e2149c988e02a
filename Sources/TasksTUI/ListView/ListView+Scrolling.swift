import TerminalUI

extension ListView {
  /// Animates the rows from their former to their present places, after the person has moved by many lines.
  /// Of a longer way, only the last screenful is shown.
  ///
  /// - Parameter old: The former scroll position.
  mutating func glide(from old: Position, at time: Duration) {
    guard isAnimated, !fades, lastFrame != nil, width > 0, height > 0, old != scrollPosition else { return }
    let now = Motion.seconds(time)
    let distance = lines(from: old, to: scrollPosition)
    // A line or two would only blur.
    guard abs(distance) > 2 || gliding.isMoving(at: now) else { return }
    let most = Double(height)
    let place = gliding.value(at: now)
    gliding.displace(
      by: min(max(place + Double(distance), -most), most) - place, at: now, duration: movementDuration)
    extendMovement(to: gliding.end)
  }

  /// The lines from one position to another, clamped to a screenful either way. Complexity: O(height).
  private func lines(from old: Position, to new: Position) -> Int {
    let isDown = (new.row, new.line) > (old.row, old.line)
    let (upper, lower) = isDown ? (old, new) : (new, old)
    var lines = lower.line - upper.line
    var row = upper.row
    while row < lower.row, row < count, lines < height {
      lines += rowHeight(row)
      row += 1
    }
    return (isDown ? 1 : -1) * min(max(0, lines), height)
  }

  /// The rows that are in sight only while the others glide.
  ///
  /// - Parameter offset: The lines by which every row is drawn below its place.
  func placementsWhileGliding(by offset: Double) -> [Placement] {
    guard offset != 0, let first = layout.first, let last = layout.last else { return [] }
    var result: [Placement] = []
    var (index, line) = (first.index, first.line)
    while Double(line) + offset > 0, index > 0 {
      index -= 1
      line -= rowHeight(index)
      result.append(Placement(index: index, line: line, height: rowHeight(index)))
    }
    (index, line) = (last.index + 1, last.lineAfter)
    while Double(line) + offset < Double(height), index < count {
      result.append(Placement(index: index, line: line, height: rowHeight(index)))
      line += rowHeight(index)
      index += 1
    }
    return result
  }

  /// Shows at the right edge which part of the rows is in sight, if not all are.
  func drawPosition(into canvas: inout Canvas, rect: CellRect) {
    guard !isFocused, let first = layout.first, let last = layout.last, rect.height > 1, rect.width > 2,
      first.index > 0 || first.line < 0 || last.index < count - 1 || last.lineAfter > height
    else { return }
    let thumb = max(1, min(rect.height - 1, rect.height * layout.count / count))
    let room = rect.height - thumb
    let hidden = max(1, count - layout.count)
    // At an end if and only if the rows are.
    var top = Int((Double(room) * Double(first.index) / Double(hidden)).rounded())
    if first.index > 0 || first.line < 0 { top = max(top, 1) }
    if last.index < count - 1 || last.lineAfter > height { top = min(top, room - 1) }
    top = min(max(0, top), room)
    let column = rect.column + rect.width - 1
    for line in rect.line + top..<rect.line + top + thumb where line < canvas.height && column < canvas.width
    {
      // A row may have a mark of its own there.
      guard canvas[column, line].glyph == .space else { continue }
      var style = canvas[column, line].style
      let ground = style.background ?? .black
      style.foreground = ground.contrastingText.blended(with: ground, amount: 0.4)
      canvas[column, line] = Cell(text: "▐", width: 1, style: style)
    }
  }
}
