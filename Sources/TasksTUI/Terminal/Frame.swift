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
    let glyph = cell(column, line).glyph
    guard !glyph.isASCII, let first = glyph.first else { return true }
    return TextWidth.isCertain(first)
  }

  func hasSameSize(as other: Frame) -> Bool {
    width == other.width && height == other.height && canvas.width == other.canvas.width
      && canvas.height == other.canvas.height
  }

  /// Whether a line is the same; for frames of the same size.
  func hasSameLine(_ line: Int, as other: Frame) -> Bool {
    guard line < canvas.height else { return true }
    let range = line * canvas.width..<(line + 1) * canvas.width
    return canvas.cells[range] == other.canvas.cells[range]
  }

  /// The number of cells of a line that differ; for frames of the same size.
  func differences(line: Int, from other: Frame) -> Int {
    guard line < canvas.height else { return 0 }
    return (0..<canvas.width).count { canvas[$0, line] != other.canvas[$0, line] }
  }
}
