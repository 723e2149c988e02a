import TasksModel

/// The things that a row shows besides its text.
struct RowDecoration: Equatable {
  /// A text at the right end, on a lighter ground.
  var badge: String?
  /// Whether nothing is left to do: text and badge are faint.
  var isFaint = false
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
  /// The width from which on dates have a column at the right, instead of lines of their own.
  private static let widthForDates = 110
  private static let dateWidth = 28
  /// The columns of the numbers of subtasks, right of dates.
  private static let countWidth = 6

  // MARK: Layout

  /// The columns for the text of a row with a number of columns.
  ///
  /// - Parameter decoration: The badge, priority and subtasks of the row.
  func textWidth(ofRow width: Int, _ decoration: RowDecoration = RowDecoration()) -> Int {
    var words = decoration.priority == .none ? 0 : 1
    // Without columns for badges, the badge is drawn over the text.
    if badgeWidth > 0, let badge = decoration.badge {
      words += DisplayText(badge).width + (words == 0 ? 0 : Self.priorityWidth - 1)
    }
    let own = words == 0 ? 0 : words + Self.badgeMargins
    let count =
      (decoration.subtasks.map { $0.words.utf8.count + 1 } ?? 0)
      + (decoration.date != nil && hasDateColumn(inRow: width)
        ? Self.dateWidth + Self.countWidth + Self.priorityWidth + 2 : 0)
    let reserved =
      badgeWidth == 0 ? own == 0 ? 0 : own + 1 : min(max(badgeWidth, own) + 1, width / 3)
    return max(1, width - Self.leftMargin - Self.rightMargin - reserved - count)
  }

  /// Whether a row with a number of columns shows its date beside its text, rather than below.
  func hasDateColumn(inRow width: Int) -> Bool { width >= Self.widthForDates }

  /// The lines of a text, at most `maximumHeight`. Complexity: O(width), regardless of the length of the
  /// text.
  ///
  /// - Parameter hasDate: Whether one more line is for the date.
  func height(of text: String, hasDate: Bool = false, width: Int) -> Int {
    if hasDate { return height(of: text, width: width) + 1 }
    // No character takes more columns than bytes.
    if text.utf8.count <= width { return 1 }
    return lines(of: text, width: width).count
  }

  /// The first lines of a text; the last one ends with an ellipsis if there are more.
  private func lines(of text: String, width: Int) -> [Line] {
    if text.utf8.count <= width {
      let text = DisplayText(text)
      return [Line(text, in: text.direction, width: width)]
    }
    // A little more than can be seen, to find out whether there is more.
    let characters = text.beginning(width * Self.maximumHeight + width + 1)
    var beginning = DisplayText(characters)
    if characters.utf8.count < text.utf8.count, beginning.width <= width * Self.maximumHeight {
      // A letter with marks without end.
      beginning = DisplayText(clusters: beginning.clusters + DisplayText("…").clusters)
    }
    let direction = beginning.direction
    let ranges = beginning.wrapped(to: width)
    return ranges.prefix(Self.maximumHeight).enumerated().map { number, range in
      var clusters = beginning.clusters[range]
      if number == Self.maximumHeight - 1, ranges.count > Self.maximumHeight {
        clusters = beginning.clusters[range.lowerBound...]
      } else {
        // Spaces at a break may hang over the edge.
        while clusters.last?.isSpace == true { clusters.removeLast() }
      }
      return Line(
        DisplayText(clusters: Array(clusters)).clipped(to: width), start: range.lowerBound, in: direction,
        width: width)
    }
  }

  private struct Line {
    let text: DisplayText
    /// The index of its first cluster in the whole text.
    let start: Int
    /// The visual order, if a part runs from right to left.
    let order: VisualOrder?
    /// The first column: right-to-left text ends at the right edge.
    let indentation: Int

    init(_ text: DisplayText, start: Int = 0, in direction: TextDirection?, width: Int) {
      self.text = text
      self.start = start
      order = direction.flatMap { VisualOrder(of: text.clusters, in: $0) }
      indentation = direction == .rightToLeft ? max(0, width - text.width) : 0
    }

    /// The columns on this line of a range of the whole text's clusters.
    func columns(of range: Range<Int>) -> [Range<Int>] {
      let first = max(0, range.lowerBound - start)
      let last = min(text.clusters.count, range.upperBound - start)
      guard first < last else { return [] }
      guard let order else {
        let column = text.columns(of: 0..<first)
        return [column..<column + text.columns(of: first..<last)]
      }
      return (first..<last).map { index in
        let column = indentation + order.columns[index]
        return column..<column + text.clusters[index].width
      }
    }

    /// The columns of the first `count` of its columns, in the reading direction.
    func columns(ofFirst count: Int) -> Range<Int> {
      let start = order?.direction == .rightToLeft ? text.width - count : 0
      return indentation + start..<indentation + start + count
    }
  }

  // MARK: Drawing

  func draw(
    _ text: String, isCompleted: Bool, _ decoration: RowDecoration, _ row: ListRow<RowID>,
    into canvas: inout Canvas
  ) {
    let palette = appearance.palette
    var style = Style(foreground: row.foreground, background: row.background)
    let progress = decoration.toggleProgress ?? 1
    if isCompleted {
      let tint = row.isSelected ? palette.selectionTint * Self.completedTint : 0
      let background = palette.completed.blended(with: palette.selection, amount: max(row.flash * 0.4, tint))
        .blended(with: palette.completing, amount: 1 - progress)
      style = Style(foreground: background.contrastingText, background: background)
    }
    // With few colours, the nearest to a faint one may be unreadable on the row's.
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
    if decoration.isMarked { canvas.put("●", column: Self.leftMargin - 1, line: 0, style: style) }

    if decoration.isEditedElsewhere {
      drawPen(style, into: &canvas)
    } else if decoration.hasNote, canvas.width > Self.leftMargin + Self.rightMargin {
      canvas.put("≡", column: canvas.width - Self.rightMargin, line: 0, style: style)
    }
    let hasPriority = decoration.priority != .none
    let textWidth = textWidth(ofRow: canvas.width, decoration)
    let lines = lines(of: text, width: textWidth)
    let tags = isCompleted ? [] : tags(in: text)
    let length = lines.reduce(0) { $0 + $1.text.width }
    // The line is drawn along the text as the row is completed, and removed along it as it is reopened.
    let drawn = min(1, progress * Self.strikeSpeed)
    var struck = Int(
      (Double(length) * (isCompleted ? drawn : decoration.toggleProgress == nil ? 0 : 1 - drawn)).rounded())
    for (line, part) in lines.enumerated() {
      canvas.put(
        part.text, column: Self.leftMargin + part.indentation, line: line, style: style,
        direction: part.order?.direction)
      let done = part.columns(ofFirst: min(struck, part.text.width))
      canvas.restyle(column: Self.leftMargin + done.lowerBound, line: line, width: done.count) {
        $0.attributes.insert(.strikethrough)
      }
      struck -= done.count
      for (tag, columns) in tags.flatMap({ tag in part.columns(of: tag.range).map { (tag, $0) } }) {
        canvas.restyle(column: Self.leftMargin + columns.lowerBound, line: line, width: columns.count) {
          style in
          style.background = tag.color
          style.foreground = tag.color.contrastingText
          if !appearance.hasColors { style.attributes.insert(.underline) }
        }
      }
      for columns in decoration.highlights.flatMap(part.columns) {
        canvas.restyle(column: Self.leftMargin + columns.lowerBound, line: line, width: columns.count) {
          style in
          style.foreground = palette.highlight.contrastingText
          style.background = palette.highlight
          style.attributes.formUnion(
            appearance.hasColors && !appearance.hasFewColors ? .bold : [.underline, .bold])
        }
      }
    }
    let dateColumn = hasDateColumn(inRow: canvas.width)
    if let date = decoration.date, !dateColumn {
      let width = self.textWidth(ofRow: canvas.width)
      let date = DisplayText(date, clippedTo: width)
      // Below the beginning of the text.
      let indentation = lines.first?.order?.direction == .rightToLeft ? width - date.width : 0
      canvas.put(
        date, column: Self.leftMargin + indentation, line: lines.count,
        style: dateStyle(decoration.due, on: style, isCompleted: isCompleted))
    }
    if isCompleted && appearance.strikethrough == .unavailable && !decoration.isMarked {
      canvas.put("x", column: Self.leftMargin - 1, line: 0, style: style)
    }
    var end = canvas.width - Self.rightMargin
    defer {
      if let subtasks = decoration.subtasks {
        draw(
          subtasks, style, isCompleted: isCompleted, countEnd: end,
          line: lines.count + (decoration.date == nil || dateColumn ? 0 : 1), into: &canvas)
      }
      if let date = decoration.date, dateColumn {
        let date = DisplayText(date, clippedTo: Self.dateWidth)
        // Below one another, whatever is right of them.
        let reserved =
          max(badgeWidth, Self.priorityWidth + 1, canvas.width - Self.rightMargin - end) + Self.countWidth
        canvas.put(
          date, column: canvas.width - Self.rightMargin - reserved - date.width, line: 0,
          style: dateStyle(decoration.due, on: style, isCompleted: isCompleted))
      }
    }
    let words = [hasPriority ? decoration.priority.rawValue : nil, decoration.badge].compactMap { $0 }
    guard !words.isEmpty else { return }
    let room = canvas.width - Self.leftMargin - Self.rightMargin - (badgeWidth == 0 ? 0 : textWidth) - 1
    let badge = DisplayText(
      " \(DisplayText(words.joined(separator: "  "), clippedTo: max(1, room - Self.badgeMargins)).string) ")
    var badgeStyle = style
    badgeStyle.background = style.background?.blended(
      with: style.background?.contrastingText == .black ? .white : .black, amount: Self.badgeTint)
    if !decoration.isFaint && !isCompleted { badgeStyle.attributes.insert(.bold) }
    let column = canvas.width - Self.rightMargin - badge.width
    // Not over the text of a row that is too narrow for both.
    if column > Self.leftMargin {
      canvas.put(badge, column: column, line: 0, style: badgeStyle)
      end = column - 1
    }
  }

  /// Draws the sign that another window is editing the row.
  private func drawPen(_ style: Style, into canvas: inout Canvas) {
    guard canvas.width > Self.leftMargin + Self.rightMargin else { return }
    var style = style
    style.foreground = style.foreground?
      .faded(into: style.background ?? .black, amount: Self.dateFaintness, contrast: Self.legible)
    canvas.put("✎", column: canvas.width - Self.rightMargin, line: 0, style: style)
  }

  /// The tags in a text. Each name always has the same one of the palette's colours.
  private func tags(in text: String) -> [(range: Range<Int>, color: RGB)] {
    let ranges = TaskTags.ranges(in: String(text.prefix(Self.longestTagged)))
    guard !ranges.isEmpty else { return [] }
    let characters = Array(text.prefix(Self.longestTagged))
    let colors = appearance.palette.tags
    return ranges.map { range in
      let name = String(characters[range]).lowercased()
      let number = name.utf8.reduce(UInt32(5381)) { $0 &* 33 ^ UInt32($1) }
      return (range, colors[Int(number % UInt32(colors.count))])
    }
  }

  /// Later parts of a text are out of sight.
  private static let longestTagged = 2000

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

  /// Draws a row that is being edited, with all of its lines and the cursor.
  func draw(
    _ editor: LineEditor, _ row: ListRow<RowID>, isEditedElsewhere: Bool, into canvas: inout Canvas
  ) {
    let style = Style(
      foreground: row.foreground, background: row.background,
      attributes: appearance.hasColors ? [] : .bold)
    drawGround(row, style, into: &canvas)
    let layout = editor.layout(width: textWidth(ofRow: canvas.width))
    for line in layout.lines.indices {
      canvas.put(layout, line: line, column: Self.leftMargin, at: line, style: style)
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
