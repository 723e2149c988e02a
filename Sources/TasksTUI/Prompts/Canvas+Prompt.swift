import TerminalUI

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

  /// Draws a question or notice that a key answers, on the last lines if it does not fit into one: half of it
  /// cannot be answered.
  mutating func putQuestion(_ words: String, _ palette: Palette) {
    let lines = DisplayText.lines(
      ofMessage: words, width: width - Self.promptMargin - 1,
      atMost: max(1, min(Self.mostQuestionLines, height)))
    for (number, line) in lines.dropLast().enumerated() {
      let place = height - lines.count + number
      fill(line: place, height: 1, style: palette.plain)
      put(line, column: Self.promptMargin, line: place, style: palette.plain)
    }
    putPrompt((lines.last?.string ?? "") + " ", LineEditor(), hints: "", palette)
  }

  private static let mostQuestionLines = 3
  private static let promptMargin = 2
  /// The minimum of columns for the typed text beside the hints.
  private static let leastPromptWidth = 20
}
