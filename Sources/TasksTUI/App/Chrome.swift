/// The lines above and below a screen.
enum Chrome {
  private static let margin = 2

  static func drawTitle(of screen: any Screen, _ context: ScreenContext, into canvas: inout Canvas) {
    let palette = context.palette
    let summary = DisplayText((context.isReadOnly ? "read-only  " : "") + screen.summary)
    let room = canvas.width - 2 * margin
    let title = DisplayText(screen.title, clippedTo: max(0, room))
    let style = palette.onGround(palette.text, .bold)
    canvas.put(title, column: min(margin, canvas.width - 1), line: 0, style: style)
    if title.width + 2 + summary.width <= room {
      canvas.put(
        summary, column: canvas.width - margin - summary.width, line: 0,
        style: palette.onGround(palette.faint))
    }
  }

  /// The message when there is one, else what the most useful keys do: as many as fit.
  ///
  /// - Parameter count: what has been typed of a count; at the right end.
  static func drawStatus(
    of screen: any Screen, _ context: ScreenContext, count: Int?, into canvas: inout Canvas, line: Int
  ) {
    let palette = context.palette
    if let count {
      let text = DisplayText("\(count)")
      let room = canvas.width - text.width - margin
      if room > 0 { canvas.put(text, column: room, line: line, style: palette.plain) }
    }
    if let message = context.message {
      let text = DisplayText(message, clippedTo: max(0, canvas.width - margin - 1))
      canvas.put(
        text, column: margin, line: line,
        style: palette.onGround(palette.message, context.appearance.hasColors ? [] : .bold))
      return
    }
    var column = margin
    for hint in screen.isEditing ? screen.editingHints : screen.hints {
      let key = DisplayText(hint.label(context.keys))
      let words = DisplayText(hint.words)
      let width = key.width + 1 + words.width
      guard column + width < canvas.width else { break }
      let style = palette.onGround(palette.text, .bold)
      canvas.put(key, column: column, line: line, style: style)
      canvas.put(
        words, column: column + key.width + 1, line: line,
        style: palette.onGround(palette.faint))
      column += width + 2
    }
  }
}
