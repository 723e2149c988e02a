/// A canvas on a screen, which may be smaller or larger.
struct Frame {
  enum Placement {
    /// Position and attributes cannot be saved and restored.
    case none
    case exceptCorner, everywhere
  }

  let canvas: Canvas
  /// The screen's size.
  let width: Int
  let height: Int
  let placement: Placement

  /// The cell of the screen; a cluster across the screen's edge is blank.
  func cell(_ column: Int, _ line: Int) -> Cell {
    guard column < canvas.width && line < canvas.height else { return Cell() }
    let cell = canvas[column, line]
    return column + Int(cell.width) > width ? Cell(style: cell.style) : cell
  }

  func isCorner(_ column: Int, _ line: Int) -> Bool { line == height - 1 && column == width - 1 }

  /// Whether the cluster that begins at `column` is left blank for ncurses and written by `Painter.place`.
  func isPlaced(_ column: Int, _ line: Int) -> Bool {
    guard placement != .none else { return false }
    let cell = cell(column, line)
    guard cell.width > 0 else { return false }
    if placement == .everywhere, isCorner(column + Int(cell.width) - 1, line) { return true }
    return !isCertain(column, line)
  }

  /// Whether every terminal draws the cluster as wide as its cell specifies.
  func isCertain(_ column: Int, _ line: Int) -> Bool {
    Self.isCertain(cell(column, line).glyph)
  }

  private static func isCertain(_ glyph: CellText) -> Bool {
    guard !glyph.isASCII, let first = glyph.first else { return true }
    return TextWidth.isCertain(first)
  }

  func hasSameSize(as other: Frame) -> Bool {
    width == other.width && height == other.height && canvas.width == other.canvas.width
      && canvas.height == other.canvas.height
  }

  /// Whether a line is the same; for frames of the same size.
  func hasSameLine(_ line: Int, as other: Frame) -> Bool {
    line >= canvas.height || canvas.hasSameLine(line, as: other.canvas)
  }

  /// The columns of a line from the first cell that differs to the last, with the whole of wide clusters; for
  /// frames of the same size that differ there.
  func differingColumns(line: Int, from other: Frame) -> Range<Int> {
    var first = 0
    var end = min(width, canvas.width)
    while first < end, cell(first, line) == other.cell(first, line) { first += 1 }
    while end > first, cell(end - 1, line) == other.cell(end - 1, line) { end -= 1 }
    func isCovered(_ column: Int) -> Bool {
      column < width && (cell(column, line).width == 0 || other.cell(column, line).width == 0)
    }
    while first > 0, isCovered(first) { first -= 1 }
    while isCovered(end) { end += 1 }
    return first..<end
  }

  /// Whether ncurses may show this frame after another by having the terminal scroll lines of it, of which
  /// those that are the same in both frames may be some; for frames of the same size.
  ///
  /// Complexity: O(changed lines × lines), of which most differ in their first cells.
  func mayScroll(from other: Frame, _ changed: [Int]) -> Bool {
    changed.contains { line in
      (0..<height).contains { $0 != line && looksLike(line: line, as: other, line: $0) }
    }
  }

  /// Whether a line is, to ncurses, the same as one of another frame: all placed clusters are blank to it.
  private func looksLike(line: Int, as other: Frame, line otherLine: Int) -> Bool {
    (0..<width).allSatisfy { column in
      let (cell, otherCell) = (cell(column, line), other.cell(column, otherLine))
      return cell == otherCell
        || cell.style == otherCell.style && cell.width == otherCell.width
          && isPlaced(column, line) && other.isPlaced(column, otherLine)
    }
  }

  /// Whether `Painter.place` may have to write into a line.
  func hasPlaced(line: Int) -> Bool {
    if placement == .none || line >= canvas.height { return false }
    if placement == .everywhere, line == height - 1 { return true }
    return canvas.withCells { cells in
      cells[line * canvas.width..<(line + 1) * canvas.width].contains { !Self.isCertain($0.glyph) }
    }
  }
}
