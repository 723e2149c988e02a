import TerminalUI

/// The subtasks of a row's task.
extension RowPicture {
  /// The columns by which subtasks are indented.
  private static let indentation = 2
  private static let markWidth = 2
  private static let countFaintness = 0.35

  /// Draws the count, as faint as legible, and a line for each subtask that is shown.
  ///
  /// - Parameters:
  ///   - row: The style of the row's text.
  ///   - countEnd: The column after the count.
  ///   - line: The first line below the text.
  func draw(
    _ subtasks: SubtaskSummary, _ row: Style, isCompleted: Bool, countEnd: Int, line: Int,
    into canvas: inout Canvas
  ) {
    let palette = appearance.palette
    func faint(_ amount: Double) -> Style {
      var style = row
      style.foreground = row.foreground?
        .faded(into: row.background ?? .black, amount: amount, contrast: Self.legible)
      if !appearance.hasColors { style.attributes.insert(.dim) }
      return style
    }
    let words = DisplayText(subtasks.words)
    let start = countEnd - words.width
    // Not over the text of a row that is too narrow for both.
    if start > Self.leftMargin {
      canvas.put(words, column: start, line: 0, style: isCompleted ? row : faint(Self.countFaintness))
    }
    let left = Self.leftMargin + Self.indentation
    let width = max(0, canvas.width - left - Self.markWidth - Self.rightMargin)
    for (index, subtask) in subtasks.lines.enumerated() {
      // A completed subtask of an open task has the fainter text of completed rows.
      let style = subtask.isCompleted && !isCompleted ? faint(palette.completedFaintness) : row
      let text = DisplayText(subtask.text, clippedTo: width)
      canvas.put(subtask.isCompleted ? "✓" : "○", column: left, line: line + index, style: style)
      canvas.put(text, column: left + Self.markWidth, line: line + index, style: style)
      guard subtask.isCompleted else { continue }
      canvas.restyle(column: left + Self.markWidth, line: line + index, width: text.width) {
        $0.attributes.insert(.strikethrough)
      }
    }
    let hidden = subtasks.presentCount - subtasks.lines.count
    if !subtasks.lines.isEmpty, hidden > 0 {
      canvas.put(
        DisplayText("… \(hidden.grouped) more", clippedTo: width), column: left,
        line: line + subtasks.lines.count, style: faint(Self.countFaintness))
    }
  }
}
