/// A canvas on a screen, which may be smaller or larger, in the colors that the terminal shows: lines that
/// look the same there are the same.
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
  /// The cell of the screen beside the canvas.
  let outside: Cell
  /// The lines of the screen that differ from the frame before: all, if it had another size or there is none.
  let changedLines: [Int]
  /// Whether a line has clusters that terminals draw in different widths.
  private let isUncertain: [Bool]

  /// - Parameter previous: The frame before, if it has the same size.
  init(
    canvas: Canvas, width: Int, height: Int, placement: Placement, outside: Cell, after previous: Frame?
  ) {
    (self.canvas, self.width, self.height) = (canvas, width, height)
    (self.placement, self.outside) = (placement, outside)
    let changed = (0..<height).filter { line in
      previous.map { line < canvas.height && !canvas.hasSameLine(line, as: $0.canvas) } ?? true
    }
    changedLines = changed
    // The other lines are as they were, and need not be searched again.
    var isUncertain = previous?.isUncertain ?? Array(repeating: false, count: canvas.height)
    if placement != .none {
      for line in changed where line < canvas.height {
        isUncertain[line] = canvas.withLine(line) { $0.contains { !Self.isCertain($0.glyph) } }
      }
    }
    self.isUncertain = isUncertain
  }

  /// The cell of the screen; a cluster across the screen's edge is blank.
  func cell(_ column: Int, _ line: Int) -> Cell {
    guard column < canvas.width && line < canvas.height else { return outside }
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

  /// Whether a canvas has the size of this one, on a screen of the same size.
  func hasSize(of canvas: Canvas, width: Int, height: Int) -> Bool {
    width == self.width && height == self.height && canvas.width == self.canvas.width
      && canvas.height == self.canvas.height
  }

  /// The columns of a line from the first cell that differs to the last, with the whole of wide clusters; for
  /// frames of the same size that differ there.
  func differingColumns(line: Int, from other: Frame) -> Range<Int> {
    var first = 0
    var end = min(width, canvas.width)
    canvas.withLine(line) { cells in
      other.canvas.withLine(line) { others in
        while first < end, cells[first] == others[first] { first += 1 }
        while end > first, cells[end - 1] == others[end - 1] { end -= 1 }
      }
    }
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
  func linesToPlace(after other: Frame) -> [Int] {
    var others = isUncertain
    for line in changedLines where line < canvas.height { others[line] = false }
    guard others.contains(true) else { return changedLines }
    let (own, former) = (characters, other.characters)
    let origins = Dictionary(grouping: former.indices, by: { former[$0] })
    let mayScroll = changedLines.contains { line in
      origins[own[line]].map { $0.count == 1 && $0[0] != line } ?? false
    }
    return mayScroll ? Array(0..<height) : changedLines
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
    return placement == .everywhere && line == height - 1 || isUncertain[line]
  }
}
