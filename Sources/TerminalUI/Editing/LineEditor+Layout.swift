/// The positions of the text and its cursor in cells.
extension LineEditor {
  package struct Layout: Equatable, Sendable {
    /// The first of the editor's clusters in the layout. Of a long text the layout has the part around the
    /// cursor; no screen shows more.
    var start: Int
    /// That part of the text as it is drawn; its clusters are the editor's from `start` on, one for one.
    var text: DisplayText
    /// The clusters of each line, as indices in `text`; the last line may be empty.
    package var lines: [Range<Int>]
    /// The cursor, in lines and columns from the upper left; always within the width.
    package var cursorLine: Int
    package var cursorColumn: Int
    /// The columns of the text before the cursor on its line, in either direction.
    var columnsBeforeCursor: Int
    /// The direction of the text, if a part of it runs from right to left.
    var direction: TextDirection?
    var width: Int

    /// The column where a line begins: right-to-left text ends at the right edge.
    func indentation(ofLine line: Int) -> Int {
      direction == .rightToLeft ? width - text.columns(of: lines[line]) : 0
    }

    /// The place among the editor's clusters that is as near to a column as possible.
    ///
    /// - Parameter range: The clusters of a line, as indices in `text`.
    func place(in range: Range<Int>, atColumn column: Int) -> Int {
      var place = range.lowerBound
      var passed = 0
      while place < range.upperBound, passed + text.clusters[place].width <= column {
        passed += text.clusters[place].width
        place += 1
      }
      return start + place
    }
  }

  /// The clusters of a page. A layout has the page with the cursor and those beside it.
  static let page = 2048

  /// The text wrapped to `width` columns, by words. If the cursor is after a full last line, an empty line
  /// follows for it.
  ///
  /// Complexity: O(a page), regardless of the length of the text.
  package func layout(width: Int) -> Layout {
    let start = max(0, (cursor / Self.page - 1) * Self.page)
    let end = min(clusters.count, start + 3 * Self.page)
    let cursor = cursor - start
    let text = DisplayText(clusters: clusters[start..<end].map(DisplayText.Cluster.init))
    let limit = max(1, width)
    var lines = text.wrapped(to: limit)
    var line = lines.lastIndex { $0.lowerBound <= cursor } ?? 0
    var column = text.columns(of: lines[line].lowerBound..<cursor)
    if column >= limit {
      if start + cursor == clusters.count {
        lines.append(cursor..<cursor)
        line += 1
        column = 0
      } else {
        // Among spaces that hang over the edge.
        column = limit - 1
      }
    }
    var layout = Layout(
      start: start, text: text, lines: lines, cursorLine: line, cursorColumn: column,
      columnsBeforeCursor: column, direction: text.direction, width: limit)
    if layout.direction != nil {
      let place =
        VisualOrder(of: text.clusters[lines[line]], in: layout.direction)
        .map { $0.cursorColumn(before: cursor - lines[line].lowerBound) } ?? -1
      layout.cursorColumn = min(max(0, layout.indentation(ofLine: line) + place), limit - 1)
    }
    return layout
  }

  /// Moves the cursor up or down in the text wrapped to `width`, as near to its column as possible; returns
  /// whether there is such a line.
  package mutating func move(lines offset: Int, width: Int) -> Bool {
    let layout = layout(width: width)
    let target = layout.cursorLine + offset
    guard layout.lines.indices.contains(target) else { return false }
    let range = layout.lines[target]
    // The end of a line is the start of the next, except for the last line.
    let end =
      target == layout.lines.count - 1 ? range.upperBound : max(range.lowerBound, range.upperBound - 1)
    move(to: layout.place(in: range.lowerBound..<end, atColumn: layout.columnsBeforeCursor))
    return true
  }

  /// The part of the text to show on a single line of `width` columns, with the cursor in sight, and the
  /// cursor's column in it; always drawn from left to right. Complexity: O(width).
  package func window(width: Int) -> (text: DisplayText, cursorColumn: Int) {
    let limit = max(1, width)
    var before: [DisplayText.Cluster] = []
    var column = 0
    for character in clusters[..<cursor].reversed() {
      let cluster = DisplayText.Cluster(character)
      guard column + cluster.width < limit else { break }
      before.append(cluster)
      column += cluster.width
    }
    var shown = Array(before.reversed())
    var used = column
    for character in clusters[cursor...] {
      let cluster = DisplayText.Cluster(character)
      guard used + cluster.width <= limit else { break }
      shown.append(cluster)
      used += cluster.width
    }
    let part = DisplayText(clusters: shown)
    if let order = VisualOrder(of: part.clusters, in: .leftToRight) {
      column = order.cursorColumn(before: before.count)
    }
    return (part, column)
  }
}

extension DisplayText {
  package func columns(of range: Range<Int>) -> Int {
    clusters[range].reduce(0) { $0 + $1.width }
  }
}

extension Canvas {
  /// Draws a line of a text that is being edited.
  package mutating func put(_ layout: LineEditor.Layout, line: Int, column: Int, at place: Int, style: Style)
  {
    put(
      layout.text.clusters[layout.lines[line]], column: column + layout.indentation(ofLine: line),
      line: place, style: style, direction: layout.direction)
  }
}
