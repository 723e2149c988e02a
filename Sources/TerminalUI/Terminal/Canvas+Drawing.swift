/// Drawing. Every operation clips: parts outside the canvas are ignored, and columns and lines may be
/// negative, so that a row can be drawn while it slides over an edge. Half a wide cluster is never left.
extension Canvas {
  /// Draws `text` from `column` of `line` on and returns the columns advanced; text beyond the right edge of
  /// the canvas is not examined.
  ///
  /// Complexity: O(columns), regardless of the length of the text.
  @discardableResult
  package mutating func put(_ text: String, column: Int, line: Int, style: Style = Style()) -> Int {
    put(text.lazy.map(DisplayText.Cluster.init), column: column, line: line, style: style)
  }

  /// Draws text that was prepared, or measured, before; see `put(_: String)`.
  @discardableResult
  package mutating func put(
    _ text: DisplayText, column: Int, line: Int, style: Style = Style(), direction: TextDirection? = nil
  ) -> Int {
    put(text.clusters, column: column, line: line, style: style, direction: direction)
  }

  /// Draws a part of a text, such as one line of `DisplayText.wrapped(to:)`; see `put(_: String)`.
  ///
  /// - Parameter direction: The direction of the text; nil for that of its first letter.
  @discardableResult
  package mutating func put(
    _ clusters: some Sequence<DisplayText.Cluster>, column: Int, line: Int, style: Style = Style(),
    direction: TextDirection? = nil
  ) -> Int {
    var position = column
    if direction != .rightToLeft {
      var isInOrder = true
      for cluster in clusters {
        if position >= width { break }
        isInOrder = !cluster.isRightToLeft
        guard isInOrder else { break }
        put(cluster, column: position, line: line, style: style)
        position += cluster.width
      }
      if isInOrder { return position - column }
    }
    var fitting: [DisplayText.Cluster] = []
    position = column
    for cluster in clusters {
      if position >= width { break }
      fitting.append(cluster)
      position += cluster.width
    }
    let order = VisualOrder(of: fitting, in: direction)
    var place = column
    for index in order?.indices ?? Array(fitting.indices) {
      let cluster = order?.drawn(fitting[index], at: index) ?? fitting[index]
      put(cluster, column: place, line: line, style: style)
      place += cluster.width
    }
    return position - column
  }

  /// Blanks lines: `height` of them, or all below.
  package mutating func fill(line: Int = 0, height: Int? = nil, style: Style = Style()) {
    let first = max(0, line)
    for line in first..<max(first, min(self.height, height.map { line + $0 } ?? self.height)) {
      fill(0..<width, line: line, with: Cell(style: style))
    }
  }

  /// Changes the style of cells on one line and keeps their text. A wide cluster changes as a whole if its
  /// first column is included.
  package mutating func restyle(
    column: Int = 0, line: Int, width: Int? = nil, _ change: (inout Style) -> Void
  ) {
    guard line >= 0 && line < height else { return }
    let columns = clippedColumns(from: column, width: width ?? self.width - column)
    withLine(line) { cells in
      for column in columns { change(&cells[column].style) }
    }
  }

  /// Copies `canvas` with its upper left corner to `column`, `line`. Its cursor is not copied.
  package mutating func draw(_ canvas: Canvas, column: Int, line: Int) {
    let columns = clippedColumns(from: column, width: canvas.width)
    guard !columns.isEmpty else { return }
    for source in 0..<canvas.height {
      let target = line + source
      guard target >= 0 && target < height else { continue }
      repairEdges(of: columns, line: target)
      copyCells(
        columns.lowerBound - column..<columns.upperBound - column, line: source, of: canvas,
        toColumn: columns.lowerBound, line: target)
      repairOrphans(in: columns, line: target)
    }
  }

  /// The text of a line as it is read on the screen, including trailing blanks.
  package func text(line: Int) -> String {
    (0..<width).map { self[$0, line].text }.joined()
  }

  /// All lines, without trailing blanks.
  package var text: String {
    (0..<height)
      .map { line in
        var text = text(line: line)
        while text.last == " " { text.removeLast() }
        return text
      }
      .joined(separator: "\n")
  }

  /// Draws one cluster; glyphs across an edge of the canvas become blanks.
  private mutating func put(_ cluster: DisplayText.Cluster, column: Int, line: Int, style: Style) {
    guard line >= 0 && line < height else { return }
    put(cluster.first, column: column, line: line, style: style)
    var position = column + cluster.first.width
    for glyph in cluster.others {
      put(glyph, column: position, line: line, style: style)
      position += glyph.width
    }
  }

  private mutating func put(_ glyph: DisplayText.Glyph, column: Int, line: Int, style: Style) {
    let columns = clippedColumns(from: column, width: glyph.width)
    if columns.isEmpty { return }
    repairEdges(of: columns, line: line)
    if columns.count < glyph.width {
      for column in columns { self[column, line] = Cell(style: style) }
      return
    }
    self[column, line] = Cell(glyph: glyph.cell, width: UInt8(glyph.width), style: style)
    for column in columns.dropFirst() { self[column, line] = Cell(glyph: .empty, width: 0, style: style) }
  }

  private func clippedColumns(from column: Int, width: Int) -> Range<Int> {
    let start = max(0, column)
    return start..<max(start, min(self.width, column + max(0, width)))
  }

  /// Blanks the remaining halves of wide clusters when `columns` are overwritten.
  private mutating func repairEdges(of columns: Range<Int>, line: Int) {
    var first = columns.lowerBound
    while first > 0 && self[first, line].width == 0 {
      first -= 1
      blank(first, line)
    }
    var next = columns.upperBound
    while next < width && self[next, line].width == 0 {
      blank(next, line)
      next += 1
    }
  }

  /// Blanks the halves of wide clusters at the cut sides of a copy.
  private mutating func repairOrphans(in columns: Range<Int>, line: Int) {
    var first = columns.lowerBound
    while first < columns.upperBound && self[first, line].width == 0 {
      blank(first, line)
      first += 1
    }
    let last = columns.upperBound - 1
    if self[last, line].width == 2 { blank(last, line) }
  }

  private mutating func blank(_ column: Int, _ line: Int) {
    self[column, line].glyph = .space
    self[column, line].width = 1
  }
}
