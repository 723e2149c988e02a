/// A row's picture in motion: it may be between two lines and may have slid to the left.
struct RowLayer {
  /// The order of overlapping rows, from the bottom up.
  enum Level: Int, Comparable {
    /// A new row: the others move away from over it.
    case arriving
    case ordinary
    /// A deleted row: it slides away over those that close the gap.
    case leaving
    /// A row that moved past others, or is held.
    case raised

    static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// The parts of a line: block characters have eight heights.
  static let partsPerLine = 8

  let picture: Canvas
  /// The top edge in parts of a line.
  let top: Int
  /// The left edge in columns.
  let column: Int
  let level: Level

  /// - Parameters:
  ///   - line: The top edge in lines.
  ///   - isStepped: Whether only whole lines are used.
  init(picture: Canvas, line: Double, column: Int = 0, level: Level, isStepped: Bool) {
    self.picture = picture
    self.column = column
    self.level = level
    let parts = Self.partsPerLine
    top = isStepped ? Int(line.rounded()) * parts : Int((line * Double(parts)).rounded())
  }

  var bottom: Int { top + picture.height * Self.partsPerLine }
  var columnAfter: Int { column + picture.width }

  /// The line that the first line of text is drawn on.
  var textLine: Int { (top + Self.partsPerLine / 2) >> 3 }

  /// Whether a cell of the canvas contains text: also in the blank between two words, where a block character
  /// would look like a letter.
  func hasText(column: Int, line: Int) -> Bool {
    let x = column - self.column
    let y = line - textLine
    if !picture[x, y].isBlank { return true }
    return x > 0 && x + 1 < picture.width && !picture[x - 1, y].isBlank && !picture[x + 1, y].isBlank
  }

  /// Whether it is exactly on lines and columns, as every row at rest is.
  var isAligned: Bool { top % Self.partsPerLine == 0 && column == 0 }
}

extension Canvas {
  /// Draws layers, the last ones on top. If two meet within a line, block characters show both; text is drawn
  /// on the line that contains most of it. Complexity: O(lines × layers + cells drawn).
  ///
  /// - Parameter backdrop: The color without layers; `nil` is the terminal's own.
  mutating func compose(_ layers: [RowLayer], backdrop: RGB?) {
    let parts = RowLayer.partsPerLine
    var here: [RowLayer] = []
    for line in 0..<height {
      here.removeAll(keepingCapacity: true)
      for layer in layers.reversed()
      where layer.top < (line + 1) * parts && layer.bottom > line * parts && layer.columnAfter > 0 {
        here.append(layer)
      }
      guard let first = here.first else { continue }
      if here.count == 1, first.isAligned, first.picture.width == width {
        copyLine(line - first.top / parts, of: first.picture, to: line)
      } else {
        compose(line: line, topmostFirst: here, backdrop: backdrop)
      }
    }
    for layer in layers {
      // The cursor of a row that has partly slid out would be in the wrong text.
      guard layer.column == 0, let cursor = layer.picture.cursor else { continue }
      let line = layer.textLine + cursor.line
      if (0..<height).contains(line), (0..<width).contains(cursor.column) {
        self.cursor = (cursor.column, line)
      }
    }
  }

  private mutating func copyLine(_ source: Int, of picture: Canvas, to line: Int) {
    for column in 0..<width { self[column, line] = picture[column, source] }
  }

  private mutating func compose(line: Int, topmostFirst layers: [RowLayer], backdrop: RGB?) {
    // Between two edges of layers the same layers cover every column.
    var edges = [0, width]
    for layer in layers {
      for edge in [layer.column, layer.columnAfter] where edge > 0 && edge < width { edges.append(edge) }
    }
    edges.sort()
    for (start, end) in zip(edges, edges.dropFirst()) where start < end {
      let covering = layers.filter { $0.column <= start && $0.columnAfter >= end }
      let split = LineSplit(line: line, topmostFirst: covering)
      let text = split.text
      for column in start..<end {
        if let text, text.hasText(column: column, line: line) {
          self[column, line] = text.picture[column - text.column, line - text.textLine]
        } else {
          self[column, line] = split.cell(column: column, line: line, backdrop: backdrop)
        }
      }
    }
    mendWideClusters(line: line)
  }
}

/// The layers that show on one line, over columns that the same layers cover: one above, one below, and their
/// boundary.
private struct LineSplit {
  var upper: RowLayer?
  var lower: RowLayer?
  /// The parts of the line that `lower` has, 0 … 8.
  var lowerParts = 0
  /// The layer whose text is shown here.
  var text: RowLayer?

  init(line: Int, topmostFirst layers: [RowLayer]) {
    let parts = RowLayer.partsPerLine
    let begin = line * parts
    let owners = (begin..<begin + parts).map { part in
      layers.firstIndex { $0.top <= part && $0.bottom > part }
    }
    upper = owners[0].map { layers[$0] }
    lower = owners[parts - 1].map { layers[$0] }
    // If three share a line the middle one is divided between the others: a cell has two colors.
    let aboveEnd = owners.firstIndex { $0 != owners[0] } ?? parts
    let belowStart = (owners.lastIndex { $0 != owners[parts - 1] } ?? -1) + 1
    lowerParts = aboveEnd == parts ? 0 : parts - (aboveEnd + belowStart) / 2
    text =
      layers.indices.first { index in
        let textLine = line - layers[index].textLine
        return textLine >= 0 && textLine < layers[index].picture.height
          && owners.count { $0 == index } * 2 >= parts
      }.map { layers[$0] }
  }

  func cell(column: Int, line: Int, backdrop: RGB?) -> Cell {
    func color(_ layer: RowLayer?) -> RGB? {
      guard let layer else { return backdrop }
      let textLine = min(max(line - layer.textLine, 0), layer.picture.height - 1)
      return layer.picture[column - layer.column, textLine].style.background
    }
    let above = color(upper)
    let below = color(lower)
    if lowerParts == 0 || above == below { return Cell(style: Style(background: above)) }
    if lowerParts == RowLayer.partsPerLine { return Cell(style: Style(background: below)) }
    // A foreground cannot be the terminal's own background: black is the nearest to it.
    return Cell(
      text: Self.blocks[lowerParts - 1], style: Style(foreground: below ?? .black, background: above))
  }

  /// One eighth to seven eighths, from the bottom.
  private static let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇"]
}
