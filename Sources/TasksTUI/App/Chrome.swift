/// The lines above and below a screen.
enum Chrome {
  private static let ground = Style(foreground: .white, background: .black)
  private static let faint = Style(foreground: RGB(140, 140, 140), background: .black)
  private static let margin = 2

  static func drawTitle(of screen: any Screen, isReadOnly: Bool, into canvas: inout Canvas) {
    let summary = DisplayText((isReadOnly ? "read-only  " : "") + screen.summary)
    let room = canvas.width - 2 * margin
    let title = DisplayText(screen.title, clippedTo: max(0, room))
    var style = ground
    style.attributes = .bold
    canvas.put(title, column: min(margin, canvas.width - 1), line: 0, style: style)
    if title.width + 2 + summary.width <= room {
      canvas.put(summary, column: canvas.width - margin - summary.width, line: 0, style: faint)
    }
  }

  /// The message when there is one, else what the most useful keys do: as many as fit.
  ///
  /// - Parameter count: what has been typed of a count; at the right end.
  static func drawStatus(
    of screen: any Screen, message: String?, count: Int?, into canvas: inout Canvas, line: Int
  ) {
    if let count {
      let text = DisplayText("\(count)")
      let room = canvas.width - text.width - margin
      if room > 0 { canvas.put(text, column: room, line: line, style: ground) }
    }
    if let message {
      let text = DisplayText(message, clippedTo: max(0, canvas.width - margin - 1))
      canvas.put(
        text, column: margin, line: line, style: Style(foreground: RGB(255, 214, 102), background: .black))
      return
    }
    var column = margin
    for hint in screen.isEditing ? Hint.editing : screen.hints {
      let key = DisplayText(hint.key)
      let words = DisplayText(hint.words)
      let width = key.width + 1 + words.width
      guard column + width < canvas.width else { break }
      var style = ground
      style.attributes = .bold
      canvas.put(key, column: column, line: line, style: style)
      canvas.put(words, column: column + key.width + 1, line: line, style: faint)
      column += width + 2
    }
  }
}
