/// What a row shows besides its text.
struct RowDecoration: Equatable {
  /// At the right end, on a lighter ground.
  var badge: String?
  /// There is nothing to do here: text and badge are faint.
  var isFaint = false
  /// The next command is about this row.
  var isMarked = false
}

/// Draws rows: the text wrapped between two margins, the badge at its right, the cursor's mark at its left.
struct RowPicture {
  let appearance: Appearance
  /// Columns kept free of text for badges, on every line and whether a row has one or not.
  let badgeWidth: Int

  /// Columns left of the text, where the cursor's mark stands.
  private static let leftMargin = 2
  private static let rightMargin = 1
  /// Lines that a row takes at most while it is not being edited.
  static let maximumHeight = 4

  /// RealmTasks' completed rows: a dark grey (20 % white).
  private static let completedBackground = RGB(51, 51, 51)
  /// How much of its ground is in faint text. RealmTasks leaves text 30 % everywhere; on the bright rows of lists, which
  /// are there to be opened, that is too little to read.
  private static let completedFaintness = 0.7
  private static let listFaintness = 0.55
  private static let badgeTint = 0.15
  private static let markColor = RGB(60, 130, 246)
  private static let markTint = 0.45

  // MARK: Layout

  /// Columns for the text, of a row of so many columns.
  func textWidth(ofRow width: Int) -> Int {
    let reserved = badgeWidth == 0 ? 0 : min(badgeWidth + 1, width / 3)
    return max(1, width - Self.leftMargin - Self.rightMargin - reserved)
  }

  /// Lines that a text takes, at most `maximumHeight`. Complexity: O(width), however long the text is.
  func height(of text: String, width: Int) -> Int {
    // No character takes more columns than bytes.
    if text.utf8.count <= width { return 1 }
    return lines(of: text, width: width).count
  }

  /// The first lines of a text; the last one ends with an ellipsis when there are more.
  private func lines(of text: String, width: Int) -> [DisplayText] {
    if text.utf8.count <= width { return [DisplayText(text)] }
    // A little more than can be seen, so that it shows whether there is more.
    let beginning = DisplayText(text.prefix(width * Self.maximumHeight + width + 1))
    let ranges = beginning.wrapped(to: width)
    var lines = ranges.prefix(Self.maximumHeight).map { range in
      // Spaces at a break may hang over the edge.
      var clusters = beginning.clusters[range]
      while clusters.last?.isSpace == true { clusters.removeLast() }
      return DisplayText(clusters: Array(clusters)).clipped(to: width)
    }
    if ranges.count > Self.maximumHeight {
      let last = Self.maximumHeight - 1
      let rest = DisplayText(clusters: Array(beginning.clusters[ranges[last].lowerBound...]))
      lines[last] = rest.clipped(to: width)
    }
    return lines
  }

  // MARK: Drawing

  func draw(
    _ text: String, isCompleted: Bool, _ decoration: RowDecoration, _ row: ListRow<RowID>,
    into canvas: inout Canvas
  ) {
    var style = Style(foreground: row.foreground, background: row.background)
    if isCompleted {
      let background = Self.completedBackground.blended(
        with: .white, amount: max(row.flash * 0.4, row.isSelected ? 0.2 : 0))
      style = Style(foreground: .white, background: background)
    }
    if isCompleted || decoration.isFaint {
      style.foreground = style.foreground?
        .blended(
          with: style.background ?? .black,
          amount: isCompleted ? Self.completedFaintness : Self.listFaintness)
      if !appearance.hasColors { style.attributes.insert(.dim) }
    }
    if row.isSelected && !appearance.hasColors { style.attributes.insert(.reverse) }
    if decoration.isMarked {
      style.background = style.background?.blended(with: Self.markColor, amount: Self.markTint)
      style.foreground =
        isCompleted || decoration.isFaint ? style.foreground : style.background?.contrastingText
      if !appearance.hasColors { style.attributes.insert(.bold) }
    }
    drawGround(row, style, into: &canvas)
    if decoration.isMarked { canvas.put("●", column: Self.leftMargin - 1, line: 0, style: style) }

    var textStyle = style
    if isCompleted { textStyle.attributes.insert(.strikethrough) }
    for (line, part) in lines(of: text, width: textWidth(ofRow: canvas.width)).enumerated() {
      canvas.put(part, column: Self.leftMargin, line: line, style: textStyle)
    }
    if isCompleted && appearance.strikethrough == .unavailable && !decoration.isMarked {
      canvas.put("x", column: Self.leftMargin - 1, line: 0, style: style)
    }
    guard let badge = decoration.badge.map({ DisplayText(" \($0) ") }) else { return }
    var badgeStyle = style
    badgeStyle.background = style.background?.blended(with: .white, amount: Self.badgeTint)
    if !decoration.isFaint && !isCompleted { badgeStyle.attributes.insert(.bold) }
    let column = canvas.width - Self.rightMargin - badge.width
    // Not over the text of a row that is too narrow for both.
    if column > Self.leftMargin { canvas.put(badge, column: column, line: 0, style: badgeStyle) }
  }

  /// A row that is being edited, with all of its lines and the cursor.
  func draw(_ editor: LineEditor, _ row: ListRow<RowID>, into canvas: inout Canvas) {
    let style = Style(foreground: row.foreground, background: row.background)
    drawGround(row, style, into: &canvas)
    let layout = editor.layout(width: textWidth(ofRow: canvas.width))
    for (line, range) in layout.lines.enumerated() {
      canvas.put(layout.text.clusters[range], column: Self.leftMargin, line: line, style: style)
    }
    canvas.cursor = (min(Self.leftMargin + layout.cursorColumn, canvas.width - 1), layout.cursorLine)
  }

  private func drawGround(_ row: ListRow<RowID>, _ style: Style, into canvas: inout Canvas) {
    canvas.fill(style: style)
    guard row.isSelected, !row.isFocused else { return }
    var mark = style
    mark.foreground = style.background?.contrastingText
    mark.attributes.insert(.bold)
    canvas.put(row.isHeld ? "↕" : "›", column: 0, line: 0, style: mark)
  }
}
