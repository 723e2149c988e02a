import TerminalUI

/// The lines above and below a screen.
enum Chrome {
  private static let margin = 2
  /// The least width of the words about windows that is of use.
  private static let leastWindowsWidth = 11

  /// - Parameters:
  ///   - columns: The rectangle of the screen, above which its title is drawn.
  ///   - isFaint: Whether another screen has the keys.
  static func drawTitle(
    of screen: any Screen, _ context: ScreenContext, into canvas: inout Canvas, columns: CellRect,
    isFaint: Bool = false
  ) {
    let palette = context.palette
    let summary = DisplayText((context.isReadOnly && !isFaint ? "read-only  " : "") + screen.summary)
    let room = columns.width - 2 * margin
    let title = DisplayText(screen.title, clippedTo: max(0, room))
    let style = isFaint ? palette.onGround(palette.faint) : palette.onGround(palette.text, .bold)
    canvas.put(title, column: columns.column + min(margin, columns.width - 1), line: 0, style: style)
    if title.width + 2 + summary.width <= room {
      canvas.put(
        summary, column: columns.column + columns.width - margin - summary.width, line: 0,
        style: palette.onGround(palette.faint))
    }
  }

  /// Lines that tell why the file cannot be followed; one line if there is no room for all.
  static func lossLines(_ context: ScreenContext, width: Int, atMost height: Int) -> [DisplayText] {
    guard let loss = context.loss, height > 0 else { return [] }
    let room = max(1, width - 2 * margin)
    let sentence = loss.sentence + (context.isReadOnly ? "" : " Until then nothing is saved.")
    let lines = DisplayText.lines(of: sentence, wrappedTo: room)
    guard lines.count <= max(1, height / 2) else { return [DisplayText(sentence, clippedTo: room)] }
    return lines.map { DisplayText($0) }
  }

  static func drawLoss(_ lines: [DisplayText], _ context: ScreenContext, into canvas: inout Canvas, line: Int)
  {
    let palette = context.palette
    let style = palette.onGround(palette.message, context.appearance.hasColors ? [] : .bold)
    for (index, text) in lines.enumerated() {
      canvas.put(text, column: min(margin, canvas.width - 1), line: line + index, style: style)
    }
  }

  /// The greatest number of lines of a message: on a narrow terminal, as many as hold most sentences.
  static func mostMessageLines(width: Int, _ height: Int) -> Int {
    height > 5 ? max(2, width < narrowWidth ? height / 3 : 0) : 1
  }

  private static let narrowWidth = 60

  /// The lines of the message; none without one.
  ///
  /// - Parameter sign: The words about other machines, for which the message leaves room, unless it would
  ///   have less than half of the width.
  static func messageLines(
    _ message: String?, beside sign: String? = nil, width: Int, atMost count: Int
  ) -> [DisplayText] {
    guard let message else { return [] }
    let whole = DisplayText.lines(ofMessage: message, width: width - margin - 1, atMost: count)
    guard let sign, let last = whole.last else { return whole }
    let room = width - 3 * margin - bulleted(sign).width
    if last.width <= room || room < width / 2 { return whole }
    return DisplayText.lines(ofMessage: message, width: room, atMost: count)
  }

  private static func bulleted(_ words: String) -> DisplayText { DisplayText("● " + words) }

  /// Draws the message if there is one, otherwise the meanings of the most useful keys that work
  /// here: as many as fit.
  ///
  /// - Returns: The columns of those keys and their meanings.
  /// - Parameters:
  ///   - message: The lines of the message.
  ///   - count: The count typed so far, shown at the right end.
  ///   - sign: The words about other machines, which are never cut.
  ///   - others: These and the words about other windows, shown in its place while there is no count.
  ///   - line: The first of its lines.
  static func drawStatus(
    of screen: any Screen, _ context: ScreenContext, _ message: [DisplayText], count: Int?, sign: String?,
    others: String?, into canvas: inout Canvas, line: Int
  ) -> [(columns: Range<Int>, hint: Hint)] {
    let palette = context.palette
    let last = line + max(1, message.count) - 1
    var end = canvas.width
    if let count {
      let text = DisplayText("\(count)")
      end = canvas.width - text.width - margin
      if end > 0 { canvas.put(text, column: end, line: last, style: palette.plain) }
    } else if let others {
      let sign = sign.map(bulleted)
      let most = max(0, canvas.width - 3 * margin)
      // The message has precedence, and the sign has it over the hints.
      let room =
        message.last.map { max(0, most - $0.width) }
        ?? max(most - canvas.width / 3, min(most, sign?.width ?? 0))
      var text = bulleted(others)
      if text.width > room { text = sign.flatMap { $0.width >= room ? $0 : nil } ?? text.clipped(to: room) }
      if text.width <= room, text.width >= sign?.width ?? min(leastWindowsWidth, DisplayText(others).width) {
        end = canvas.width - margin - text.width
        canvas.put(text, column: end, line: last, style: palette.onGround(palette.faint))
      }
    }
    for (index, text) in message.enumerated() {
      canvas.put(
        text, column: margin, line: line + index,
        style: palette.onGround(palette.message, context.appearance.hasColors ? [] : .bold))
    }
    guard message.isEmpty else { return [] }
    var drawn: [(Range<Int>, Hint)] = []
    var column = margin
    let hints = screen.isEditing ? screen.editingHints : screen.hints
    for hint in context.isUnreadable && screen.needsFile ? Hint.unreadable : hints
    where !context.isReadOnly || !hint.changesFile {
      let key = DisplayText(hint.label(context.keys, context.editingKeys))
      let words = DisplayText(hint.words)
      let width = key.width + 1 + words.width
      guard column + width < end else { break }
      let style = palette.onGround(palette.text, .bold)
      canvas.put(key, column: column, line: line, style: style)
      canvas.put(
        words, column: column + key.width + 1, line: line, style: palette.onGround(palette.faint))
      drawn.append((column..<column + width, hint))
      column += width + 2
    }
    return drawn
  }
}
