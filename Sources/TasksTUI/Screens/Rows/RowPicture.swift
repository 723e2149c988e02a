import TasksModel
import TerminalUI

/// The things that a row shows besides its text.
struct RowDecoration: Equatable {
  /// A text at the right end, on a lighter ground.
  var badge: String?
  /// Whether nothing is left to do: text and badge are faint.
  var isFaint = false
  /// The color of the row, if it is not that of its place.
  var ownColor: RGB?
  /// Whether the next command is about this row.
  var isMarked = false
  /// The progress of completing or reopening the row, 0 … 1; nil if it is not changing.
  var toggleProgress: Double?
  /// The due date in words, on a separate line.
  var date: String?
  /// The state of the due date; nil for a completed task.
  var due: DueDate.State?
  var hasNote = false
  /// Whether another window is editing it.
  var isEditedElsewhere = false
  var priority = TaskPriority.none
  /// The summary of the subtasks; nil if there are none.
  var subtasks: SubtaskSummary?
  /// The parts of the text that match the search, by characters, ascending.
  var highlights: [Range<Int>] = []
}

/// A drawer of rows: the text wrapped between two margins, the badge at its right, the cursor's mark at its
/// left.
struct RowPicture: Equatable {
  let appearance: Appearance
  /// The columns kept free for badges, on every line and with or without a badge; a row may need more.
  let badgeWidth: Int
  /// Whether the details of tasks have columns at the right, instead of places behind and below the text.
  var hasColumns = false

  /// The columns left of the text, with the cursor's mark.
  static let leftMargin = 2
  static let rightMargin = 1
  /// The columns of a priority beside a badge.
  private static let priorityWidth = 3
  /// The columns of a badge's ground left and right of its words.
  private static let badgeMargins = 2
  /// The greatest number of lines of a row that is not being edited.
  static let maximumHeight = 4

  /// The amount of its ground in the text of a list without open tasks. RealmTasks leaves 30 %, which is too
  /// little to read on the bright rows of lists.
  private static let listFaintness = 0.55
  private static let badgeTint = 0.15
  /// The reduction of the cursor's tint on a completed row.
  private static let completedTint = 0.8
  /// The text is struck through before the row is at rest.
  private static let strikeSpeed = 1.4
  private static let dateFaintness = 0.3
  /// The least contrast of text that is to be read, and of text that is dimmed.
  private static let readable = 4.5
  static let legible = 3.0

  /// The columns for the text of a row with a number of columns.
  ///
  /// - Parameters:
  ///   - decoration: The badge, priority and subtasks of the row.
  ///   - tags: Its tags that are beside the text.
  func textWidth(
    ofRow width: Int, _ decoration: RowDecoration = RowDecoration(), tags: [String] = []
  ) -> Int {
    if let columns = columns(inRow: width) {
      return max(1, columns.textEnd(decoration, tags: tags, rowWidth: width) - Self.leftMargin)
    }
    var words = decoration.priority == .none ? 0 : 1
    if let badge = decoration.badge {
      words += DisplayText(badge).width + (words == 0 ? 0 : Self.priorityWidth - 1)
    }
    let own = words == 0 ? 0 : words + Self.badgeMargins
    let margins = own == 0 ? Self.badgeMargins : 1
    let count = decoration.subtasks.map { $0.words.utf8.count + margins } ?? 0
    let reserved =
      badgeWidth == 0 ? own == 0 ? 0 : own + 1 : min(max(badgeWidth, own) + 1, width / 3)
    return max(1, width - Self.leftMargin - Self.rightMargin - reserved - count)
  }

  /// The columns for the details of a row; nil if they are behind and below the text.
  func columns(inRow width: Int) -> RowColumns? {
    hasColumns && width >= Self.leastWidthForColumns
      ? RowColumns(inRow: width, badgeWidth: badgeWidth) : nil
  }

  private static let leastWidthForColumns = 80

  /// The text that a row shows, and the tags that it shows beside it.
  func split(_ text: String, inRow width: Int) -> (text: String, tags: [String]) {
    columns(inRow: width)?.split(text) ?? (text, [])
  }

  /// The lines of a text, at most `maximumHeight`. Complexity: O(width), regardless of the length of the
  /// text.
  func height(of text: String, width: Int) -> Int {
    // No character takes more columns than bytes.
    if text.utf8.count <= width { return 1 }
    return lines(of: text, width: width).count
  }

  /// Draws a row onto a canvas of the width for which it is laid out.
  func draw(_ content: RowContent, _ row: ListRow<RowID>, into canvas: inout Canvas) {
    let (decoration, isCompleted) = (content.decoration, content.isCompleted)
    let palette = appearance.palette
    var style = Style(foreground: row.foreground, background: row.background)
    if let color = decoration.ownColor {
      let tint = max(row.isSelected ? palette.selectionTint : 0, row.flash * 0.4)
      style.background = color.blended(with: palette.selection, amount: tint)
      style.foreground = style.background?.contrastingText
    }
    let progress = decoration.toggleProgress ?? 1
    if isCompleted {
      let tint = row.isSelected ? palette.selectionTint * Self.completedTint : 0
      let background = palette.completed.blended(with: palette.selection, amount: max(row.flash * 0.4, tint))
        .blended(with: palette.completing, amount: 1 - progress)
      style = Style(foreground: background.contrastingText, background: background)
    }
    // With few colors, the nearest to a faint one may be unreadable on the row's.
    if isCompleted || decoration.isFaint && !appearance.hasFewColors {
      style.foreground = style.foreground?
        .faded(
          into: style.background ?? .black,
          amount: isCompleted
            ? palette.completedFaintness * progress : min(palette.completedFaintness, Self.listFaintness),
          contrast: Self.legible)
      if !appearance.hasColors { style.attributes.insert(.dim) }
    }
    if row.isSelected && !appearance.hasColors { style.attributes.insert(.reverse) }
    if decoration.isMarked {
      style.background = style.background?.blended(with: palette.mark, amount: palette.markTint)
      style.foreground = style.background?.contrastingText
      if !appearance.hasColors { style.attributes.insert(.bold) }
    }
    drawGround(row, style, into: &canvas)
    if let sign = sign(isCompleted: isCompleted, decoration, row) {
      canvas.put(sign, column: 0, line: 0, style: style)
    }
    if decoration.isEditedElsewhere {
      drawPen(style, into: &canvas)
    } else if decoration.hasNote, canvas.width > Self.leftMargin + Self.rightMargin {
      canvas.put("≡", column: canvas.width - Self.rightMargin, line: 0, style: style)
    }
    drawText(content, style, into: &canvas)
    if let columns = columns(inRow: canvas.width) {
      drawDetails(content, columns, style, into: &canvas)
    } else {
      drawDetails(decoration, content.lines, style, isCompleted: isCompleted, into: &canvas)
    }
  }

  /// The sign at the left edge, where the cursor's would be; the text never touches it.
  private func sign(isCompleted: Bool, _ decoration: RowDecoration, _ row: ListRow<RowID>) -> String? {
    let hasCursor = row.isSelected && !row.isFocused
    if decoration.isMarked { return hasCursor ? "◉" : "●" }
    if isCompleted, appearance.strikethrough == .unavailable { return hasCursor ? "X" : "x" }
    return nil
  }

  private func drawText(_ content: RowContent, _ style: Style, into canvas: inout Canvas) {
    let progress = content.decoration.toggleProgress ?? 1
    let length = content.lines.reduce(0) { $0 + $1.text.width }
    // The line is drawn along the text as the row is completed, and removed along it as it is reopened.
    let drawn = min(1, progress * Self.strikeSpeed)
    var struck = Int(
      (Double(length)
        * (content.isCompleted ? drawn : content.decoration.toggleProgress == nil ? 0 : 1 - drawn)).rounded())
    for (line, part) in content.lines.enumerated() {
      canvas.put(
        part.text, column: Self.leftMargin + part.indentation, line: line, style: style,
        direction: part.order?.direction)
      let done = part.columns(ofFirst: min(struck, part.text.width))
      canvas.restyle(column: Self.leftMargin + done.lowerBound, line: line, width: done.count) {
        $0.attributes.insert(.strikethrough)
      }
      struck -= done.count
      for (tag, columns) in content.tags.flatMap({ tag in part.columns(of: tag.range).map { (tag, $0) } }) {
        canvas.restyle(column: Self.leftMargin + columns.lowerBound, line: line, width: columns.count) {
          show(tag: tag.color, in: &$0)
        }
      }
      for columns in content.decoration.highlights.flatMap(part.columns) {
        canvas.restyle(
          column: Self.leftMargin + columns.lowerBound, line: line, width: columns.count, highlight)
      }
    }
  }

  private func show(tag color: RGB, in style: inout Style) {
    style.background = color
    style.foreground = color.contrastingText
    if !appearance.hasColors { style.attributes.insert(.underline) }
  }

  private func highlight(_ style: inout Style) {
    style.foreground = appearance.palette.highlight.contrastingText
    style.background = appearance.palette.highlight
    style.attributes.formUnion(
      appearance.hasColors && !appearance.hasFewColors ? .bold : [.underline, .bold])
  }

  /// Draws date and subtasks below the text, priority and badge behind it.
  private func drawDetails(
    _ decoration: RowDecoration, _ lines: [Line], _ style: Style, isCompleted: Bool, into canvas: inout Canvas
  ) {
    if let date = decoration.date {
      // Below the line above it.
      let isRightToLeft = lines.first?.order?.direction == .rightToLeft
      let width = textWidth(ofRow: canvas.width, isRightToLeft ? decoration : RowDecoration())
      let above = isRightToLeft ? 0 : lines.last?.indentation ?? 0
      let date = DisplayText(date, clippedTo: width - above)
      canvas.put(
        date, column: Self.leftMargin + (isRightToLeft ? width - date.width : above), line: lines.count,
        style: dateStyle(decoration.due, on: style, isCompleted: isCompleted))
    }
    let priority = decoration.priority == .none ? nil : decoration.priority.rawValue
    let words = [priority, decoration.badge].compactMap { $0 }
    var end = canvas.width - Self.rightMargin
    if !words.isEmpty {
      let textWidth = textWidth(ofRow: canvas.width, decoration)
      let room = canvas.width - Self.leftMargin - Self.rightMargin - textWidth - 1
      let start = drawBadge(
        words.joined(separator: "  "), room: room, end: end, isBold: !decoration.isFaint && !isCompleted,
        style,
        into: &canvas)
      end = start.map { $0 - 1 } ?? end
    } else {
      // Where the words of a badge end, apart from the mark of a note.
      end -= 1
    }
    if let subtasks = decoration.subtasks {
      draw(
        subtasks, style, isCompleted: isCompleted, countEnd: end,
        line: lines.count + (decoration.date == nil ? 0 : 1), into: &canvas)
    }
  }

  private func drawDetails(
    _ content: RowContent, _ columns: RowColumns, _ style: Style, into canvas: inout Canvas
  ) {
    let (decoration, isCompleted) = (content.decoration, content.isCompleted)
    var column = columns.tags.lowerBound
    var place = content.length
    for tag in content.ownTags {
      let text = DisplayText(tag)
      var own = style
      if !isCompleted, let color = self.tags(in: tag).first?.color { show(tag: color, in: &own) }
      place += 1
      if decoration.highlights.contains(where: { $0.overlaps(place..<place + tag.count) }) { highlight(&own) }
      place += tag.count
      column += canvas.put(text, column: column, line: 0, style: own) + 1
    }
    if let date = decoration.date {
      canvas.put(
        DisplayText(date, clippedTo: columns.date.count), column: columns.date.lowerBound, line: 0,
        style: dateStyle(decoration.due, on: style, isCompleted: isCompleted))
    }
    if let subtasks = decoration.subtasks {
      draw(
        subtasks, style, isCompleted: isCompleted, countEnd: columns.count.upperBound,
        line: content.lines.count, into: &canvas)
    }
    let isBold = !decoration.isFaint && !isCompleted
    for (words, place) in [
      (decoration.priority == .none ? nil : decoration.priority.rawValue, columns.priority),
      (decoration.badge, columns.badge),
    ] {
      guard let words, !words.isEmpty else { continue }
      drawBadge(words, room: place.count, end: place.upperBound, isBold: isBold, style, into: &canvas)
    }
  }

  /// Draws words on a lighter ground.
  ///
  /// - Returns: Its first column; nil if the row is too narrow for it.
  @discardableResult
  private func drawBadge(
    _ words: String, room: Int, end: Int, isBold: Bool, _ row: Style, into canvas: inout Canvas
  ) -> Int? {
    let badge = DisplayText(" \(DisplayText(words, clippedTo: max(1, room - Self.badgeMargins)).string) ")
    var style = row
    style.background = row.background?.blended(
      with: row.background?.contrastingText == .black ? .white : .black, amount: Self.badgeTint)
    if isBold { style.attributes.insert(.bold) }
    let column = end - badge.width
    // Not over the text of a row that is too narrow for both.
    guard column > Self.leftMargin else { return nil }
    canvas.put(badge, column: column, line: 0, style: style)
    return column
  }

  /// Draws the sign that another window is editing the row.
  private func drawPen(_ style: Style, into canvas: inout Canvas) {
    guard canvas.width > Self.leftMargin + Self.rightMargin else { return }
    var style = style
    style.foreground = style.foreground?
      .faded(into: style.background ?? .black, amount: Self.dateFaintness, contrast: Self.legible)
    canvas.put("✎", column: canvas.width - Self.rightMargin, line: 0, style: style)
  }

  private func dateStyle(_ due: DueDate.State?, on row: Style, isCompleted: Bool) -> Style {
    var style = row
    if isCompleted { return style }
    switch due {
    case .overdue?:
      style.background = appearance.palette.overdue
      style.foreground = appearance.palette.overdue.contrastingText
      style.attributes.insert(.bold)
    case .today?: style.attributes.insert(.bold)
    case .later?, nil:
      style.foreground = row.foreground?
        .faded(into: row.background ?? .black, amount: Self.dateFaintness, contrast: Self.readable)
    }
    return style
  }

  /// The lines of a sentence about a row that is being edited, below its text.
  func conflictLines(_ sentence: String?, inRow width: Int) -> [DisplayText] {
    guard let sentence else { return [] }
    let width = max(1, width - Self.leftMargin - Self.rightMargin)
    return DisplayText.lines(of: sentence, wrappedTo: width).map { DisplayText($0) }
  }

  /// Draws a row that is being edited, with all of its lines and the cursor.
  ///
  /// - Parameter conflict: A sentence about it, to be drawn below its text.
  func draw(
    _ editor: LineEditor, _ row: ListRow<RowID>, isEditedElsewhere: Bool, conflict: String?,
    into canvas: inout Canvas
  ) {
    let style = Style(
      foreground: row.foreground, background: row.background, attributes: appearance.hasColors ? [] : .bold)
    drawGround(row, style, into: &canvas)
    let layout = editor.layout(width: textWidth(ofRow: canvas.width))
    for line in layout.lines.indices {
      canvas.put(layout, line: line, column: Self.leftMargin, at: line, style: style)
    }
    let palette = appearance.palette
    let conflictStyle = palette.onGround(palette.message, appearance.hasColors ? [] : .bold)
    for (index, text) in conflictLines(conflict, inRow: canvas.width).enumerated() {
      let line = layout.lines.count + index
      canvas.fill(line: line, height: 1, style: conflictStyle)
      canvas.put(text, column: Self.leftMargin, line: line, style: conflictStyle)
    }
    if isEditedElsewhere { drawPen(style, into: &canvas) }
    canvas.cursor = (min(Self.leftMargin + layout.cursorColumn, canvas.width - 1), layout.cursorLine)
  }

  private func drawGround(_ row: ListRow<RowID>, _ style: Style, into canvas: inout Canvas) {
    canvas.fill(style: style)
    guard row.isSelected, !row.isFocused else { return }
    var mark = style
    mark.foreground = style.background?.contrastingText
    // A lighter row is enough of a mark; switching to bold and back takes 40 bytes.
    if !appearance.hasColors { mark.attributes.insert(.bold) }
    canvas.put(row.isHeld ? "↕" : "›", column: 0, line: 0, style: mark)
  }
}
