extension Canvas {
  /// Draws a line of a text that is being edited.
  mutating func put(_ layout: LineEditor.Layout, line: Int, column: Int, at place: Int, style: Style) {
    put(
      layout.text.clusters[layout.lines[line]], column: column + layout.indentation(ofLine: line),
      line: place,
      style: style, direction: layout.direction)
  }
}
