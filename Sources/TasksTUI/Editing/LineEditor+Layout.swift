/// Where the text and its cursor lie in cells.
extension LineEditor {
  struct Layout: Equatable, Sendable {
    /// The first of the editor's clusters that it has: of a long text, the part around the cursor. No screen
    /// shows more.
    var start: Int
    /// That part of the text as it is drawn; its clusters are the editor's from `start` on, one for one.
    var text: DisplayText
    /// The clusters of each line, by their places in `text`; the last line may be empty.
    var lines: [Range<Int>]
    /// The cursor, in lines and columns from the upper left; always within the width.
    var cursorLine: Int
    var cursorColumn: Int
    /// Columns of what stands before the cursor on its line, whichever way it runs.
    var columnsBeforeCursor: Int
    /// That of the text, when something in it runs from right to left.
    var direction: TextDirection?
    /// Columns that a line has.
    var width: Int

    /// The column where a line begins: at the right edge ends what runs from right to left.
    func indentation(ofLine line: Int) -> Int {
      direction == .rightToLeft ? width - text.columns(of: lines[line]) : 0
    }
  }

  /// The text as it is drawn; its clusters are the editor's, one for one.
  var displayText: DisplayText { DisplayText(clusters) }

  /// Columns before the cursor, were the text on one line.
  var cursorColumn: Int { DisplayText(clusters[..<cursor]).width }

  /// Clusters of a page. A layout has the page with the cursor and those beside it.
  static let page = 2048

  /// The text wrapped to `width` columns, by words. When the cursor stands after a full last line, an empty
  /// line follows for it.
  ///
  /// Complexity: O(a page), however long the text is.
  func layout(width: Int) -> Layout {
    let start = max(0, (cursor / Self.page - 1) * Self.page)
    let end = min(clusters.count, start + 3 * Self.page)
    let cursor = cursor - start
    let text = DisplayText(clusters[start..<end])
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
      columnsBeforeCursor: column,
      direction: text.direction, width: limit)
    if layout.direction != nil {
      let place =
        VisualOrder(of: text.clusters[lines[line]], in: layout.direction)
        .map { $0.cursorColumn(before: cursor - lines[line].lowerBound) } ?? -1
      layout.cursorColumn = min(max(0, layout.indentation(ofLine: line) + place), limit - 1)
    }
    return layout
  }

  /// Moves the cursor up or down in the text as it is wrapped to `width`, as near to its column as it can;
  /// returns whether there is such a line.
  mutating func move(lines offset: Int, width: Int) -> Bool {
    let layout = layout(width: width)
    let target = layout.cursorLine + offset
    guard layout.lines.indices.contains(target) else { return false }
    let range = layout.lines[target]
    // The end of a line is the start of the next, except for the last line.
    let end =
      target == layout.lines.count - 1 ? range.upperBound : max(range.lowerBound, range.upperBound - 1)
    var position = range.lowerBound
    var column = 0
    while position < end, column + layout.text.clusters[position].width <= layout.columnsBeforeCursor {
      column += layout.text.clusters[position].width
      position += 1
    }
    move(to: layout.start + position)
    return true
  }

  /// The part of the text to show on a single line of `width` columns so that the cursor is seen, and the
  /// cursor's column in it; drawn from left to right, whatever it begins with. Complexity: O(width).
  func window(width: Int) -> (text: DisplayText, cursorColumn: Int) {
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
  func columns(of range: Range<Int>) -> Int {
    clusters[range].reduce(0) { $0 + $1.width }
  }
}
