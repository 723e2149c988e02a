extension Canvas {
  /// Draws a few lines in the middle of a rectangle, the first bright, the others dim; what does not fit is left out.
  mutating func putNotice(_ lines: [String], in rect: CellRect) {
    let top = rect.line + max(0, (rect.height - lines.count) / 2)
    for (index, line) in lines.prefix(rect.height).enumerated() {
      let text = DisplayText(line, clippedTo: rect.width)
      let grey: UInt8 = index == 0 ? 200 : 120
      put(
        text, column: rect.column + (rect.width - text.width) / 2, line: top + index,
        style: Style(foreground: RGB(grey, grey, grey), background: .black))
    }
  }
}
