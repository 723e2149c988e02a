extension Canvas {
  /// Draws a prompt on the last line, with the meanings of its keys at the right if there is space for both.
  mutating func putPrompt(_ label: String, _ editor: LineEditor, hints: String, _ palette: Palette) {
    let line = height - 1
    guard line >= 0 else { return }
    fill(line: line, height: 1, style: palette.plain)
    let label = DisplayText(label)
    // Where rows and hints begin, if there is room for more than the label.
    let margin = label.width + Self.leastPromptWidth < width ? Self.promptMargin : 0
    let start = margin + label.width
    put(label, column: margin, line: line, style: palette.plain)
    let hints = DisplayText(hints)
    let room = width - start - hints.width - 2
    let fits = room >= Self.leastPromptWidth
    let window = editor.window(width: fits ? room : width - start)
    put(window.text, column: start, line: line, style: palette.plain, direction: .leftToRight)
    if fits && !hints.clusters.isEmpty {
      put(hints, column: width - hints.width - 2, line: line, style: palette.onGround(palette.faint))
    }
    cursor = (min(start + window.cursorColumn, max(0, width - 1)), line)
  }

  static let promptMargin = 2
  /// The minimum of columns for the typed text beside the hints.
  private static let leastPromptWidth = 20
}
