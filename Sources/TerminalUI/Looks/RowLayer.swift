/// A row's picture in motion: it may be between two lines and may have slid to the left.
package struct RowLayer {
  /// The order of overlapping rows, from the bottom up.
  package enum Level: Int, Comparable {
    /// A new row: the others move away from over it.
    case arriving
    case ordinary
    /// A deleted row: it slides away over those that close the gap.
    case leaving
    /// A row that moved past others, or is held.
    case raised

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// The parts of a line: block characters have eight heights.
  static let partsPerLine = 8

  let picture: Canvas
  /// The top edge in parts of a line.
  let top: Int
  /// The left edge in columns.
  let column: Int
  package let level: Level

  /// - Parameters:
  ///   - line: The top edge in lines.
  ///   - isStepped: Whether only whole lines are used.
  package init(picture: Canvas, line: Double, column: Int = 0, level: Level, isStepped: Bool) {
    self.picture = picture
    self.column = column
    self.level = level
    let parts = Self.partsPerLine
    top = isStepped ? Int(line.rounded()) * parts : Int((line * Double(parts)).rounded())
  }

  var bottom: Int { top + picture.height * Self.partsPerLine }
  var columnAfter: Int { column + picture.width }

  /// The line that the first line of text is drawn on.
  package var textLine: Int { (top + Self.partsPerLine / 2) >> 3 }

  /// The ground of the row on a line of the canvas, beside its text.
  func ground(line: Int) -> RGB? {
    picture.width == 0 ? nil : picture[0, min(max(line - textLine, 0), picture.height - 1)].style.background
  }
}

extension Canvas {
  /// Draws layers, the last ones on top. Where two meet within a line, the line has the ground of both, in
  /// the proportion of their parts of it, and the text of the one that has most of it: text and ground are
  /// always in the same cells. Complexity: O(lines × layers + cells drawn).
  ///
  /// - Parameter backdrop: The style without layers; a background of `nil` is the terminal's own.
  package mutating func compose(_ layers: [RowLayer], backdrop: Style) {
    let parts = RowLayer.partsPerLine
    var here: [RowLayer] = []
    for line in 0..<height {
      here.removeAll(keepingCapacity: true)
      for layer in layers.reversed()
      where layer.top < (line + 1) * parts && layer.bottom > line * parts && layer.columnAfter > 0 {
        here.append(layer)
      }
      guard let first = here.first else {
        fill(0..<width, line: line, with: Cell(style: backdrop))
        continue
      }
      // As every row at rest.
      if here.count == 1, first.column == 0, first.top % parts == 0, first.picture.width == width {
        copyCells(0..<width, line: line - first.top / parts, of: first.picture, toColumn: 0, line: line)
      } else {
        compose(line: line, topmostFirst: here, backdrop: backdrop.background)
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
      withLine(line) { split.draw(start..<end, line: line, backdrop: backdrop, into: &$0) }
    }
    mendWideClusters(line: line)
  }
}

/// The layers that show on one line, over columns that the same layers cover.
private struct LineSplit {
  /// The layers, or the backdrop, and the parts of the line that each has.
  private var shares: [(layer: RowLayer?, parts: Int)] = []
  /// The layer whose text is shown here, and its index in `shares`.
  private var text: RowLayer?
  private var textShare: Int?

  init(line: Int, topmostFirst layers: [RowLayer]) {
    let parts = RowLayer.partsPerLine
    let begin = line * parts
    let owners = (begin..<begin + parts).map { part in
      layers.firstIndex { $0.top <= part && $0.bottom > part }
    }
    for index in [nil] + layers.indices.map(Optional.some) {
      let count = owners.count { $0 == index }
      guard count > 0 else { continue }
      shares.append((index.map { layers[$0] }, count))
      guard text == nil, count * 2 >= parts, let layer = index.map({ layers[$0] }),
        (0..<layer.picture.height).contains(line - layer.textLine)
      else { continue }
      (text, textShare) = (layer, shares.count - 1)
    }
  }

  /// Draws the text in columns of a line, on the grounds of all layers in the proportion of their parts.
  func draw(
    _ columns: Range<Int>, line: Int, backdrop: RGB?, into cells: inout UnsafeMutableBufferPointer<Cell>
  ) {
    let grounds = shares.map { share in share.layer.map { $0.ground(line: line) } ?? backdrop }
    guard let text else {
      let ground = shares.count > 1 ? blended(grounds) : grounds.first ?? backdrop
      let cell = Cell(style: Style(background: ground))
      for column in columns { cells[column] = cell }
      return
    }
    let picture = text.picture
    let start = (line - text.textLine) * picture.width - text.column
    guard shares.count > 1 else {
      for column in columns { cells[column] = picture.cells[start + column] }
      return
    }
    // Adjacent cells mostly have the same style.
    var (style, blended) = (Style?.none, Style())
    for column in columns {
      var cell = picture.cells[start + column]
      if cell.style != style {
        (style, blended) = (cell.style, cell.style)
        blended.background = self.blended(grounds, text: cell.style.background)
      }
      cell.style = blended
      cells[column] = cell
    }
  }

  /// The colors of the layers in the proportion of their parts.
  ///
  /// - Parameter own: The ground of the text's cell.
  private func blended(_ grounds: [RGB?], text own: RGB?? = nil) -> RGB {
    var (ground, seen) = (RGB.black, 0)
    for (number, share) in shares.enumerated() {
      // The terminal's own ground is unknown: black is the nearest to it.
      let color = number == textShare ? own ?? grounds[number] : grounds[number]
      seen += share.parts
      ground = ground.blended(with: color ?? .black, amount: Double(share.parts) / Double(seen))
    }
    return ground
  }
}
