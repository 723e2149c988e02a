import TerminalUI

extension Canvas {
  /// Draws a few lines in the middle of a rectangle, the first bright, the others dim; lines that do not fit
  /// are left out.
  mutating func putNotice(_ lines: [String], in rect: CellRect, _ palette: Palette) {
    let top = rect.line + max(0, (rect.height - lines.count) / 2)
    for (index, line) in lines.prefix(rect.height).enumerated() {
      let text = DisplayText(line, clippedTo: rect.width)
      put(
        text, column: rect.column + (rect.width - text.width) / 2, line: top + index,
        style: palette.onGround(index == 0 ? palette.text : palette.faint))
    }
  }
}
