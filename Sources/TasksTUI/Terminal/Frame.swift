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

  /// The lines in which clusters have to be placed after another frame: the changed ones; or all, if ncurses
  /// may have the terminal scroll, which takes unchanged lines along. For frames of the same size.
  ///
  /// It scrolls where a line has come from the only one that had its characters, whatever their looks are,
  /// and takes those next to it along that have the characters of their neighbours.
  ///
  /// Complexity: O(cells).
  func linesToPlace(after other: Frame, _ changed: [Int]) -> [Int] {
    guard Set(0..<height).subtracting(changed).contains(where: hasUncertain) else { return changed }
    let (own, others) = (characters, other.characters)
    let origins = Dictionary(grouping: others.indices, by: { others[$0] })
    let mayScroll = changed.contains { line in
      origins[own[line]].map { $0.count == 1 && $0[0] != line } ?? false
    }
    return mayScroll ? Array(0..<height) : changed
  }

  /// A number for the characters that ncurses is given for each line, where placed clusters are all alike.
  private var characters: [UInt64] {
    (0..<height).map { line in
      var number: UInt64 = 0
      // All cells of a placed cluster are blank, also those after the first.
      var isPlaced = false
      for column in 0..<width {
        let cell = cell(column, line)
        if cell.width > 0 { isPlaced = self.isPlaced(column, line) }
        let blank: UInt32 = isCorner(column, line) ? 0x20 : 0xA0
        number = number &* 0x100_0000_01B3 ^ UInt64(isPlaced ? blank : cell.glyph.first?.value ?? 0)
      }
      return number
    }
  }

  /// Whether `Painter.place` may have to write into a line.
  func hasPlaced(line: Int) -> Bool {
    if placement == .none || line >= canvas.height { return false }
    return placement == .everywhere && line == height - 1 || hasUncertain(line: line)
  }

  /// Whether a line has clusters that terminals draw in different widths.
  private func hasUncertain(line: Int) -> Bool {
    guard placement != .none, line < canvas.height else { return false }
    return canvas.withCells { cells in
      cells[line * canvas.width..<(line + 1) * canvas.width].contains { !Self.isCertain($0.glyph) }
    }
  }
}
