import TerminalUI

extension ListView {
  /// Draws the list at a moment. Two calls with the same arguments draw the same.
  ///
  /// - Parameters:
  ///   - rect: The rectangle on the canvas; its size is the view's size. Parts outside the canvas are
  ///     clipped. Every cell of it is drawn; the canvas' cursor is set if a row's picture has one, and
  ///     unchanged otherwise.
  ///   - time: Not before the last `apply`, on the same clock.
  ///   - isContentSame: Whether every row shows the same as in the last frame, apart from its look.
  ///   - content: Draws a row. Its canvas has the row's width and height and is filled with the row's colors;
  ///     a cell that is drawn with another background keeps it. Called only for the rows in sight, at most
  ///     once each.
  /// - Complexity: O(cells of `rect` + moving rows), independent of the number of rows.
  mutating func draw(
    into canvas: inout Canvas, rect: CellRect, at time: Duration, isContentSame: Bool = false,
    content: (ListRow<RowID>, inout Canvas) -> Void
  ) {
    let now = Motion.seconds(time)
    resize(width: rect.width, height: rect.height)
    // Whatever moves the cursor or the rows lays them out itself.
    if !isContentSame { relayout() }
    endMovement(at: now)
    if isContentSame, isPlainlyAtRest, drawDifferences(at: now, content: content), let lastFrame {
      canvas.copy(lastFrame, column: rect.column, line: rect.line)
      return
    }

    // Every line is drawn, so that the memory of the last frame can be used again.
    var frame = lastFrame.take() ?? Canvas(width: width, height: height)
    if frame.width != width || frame.height != height { frame = Canvas(width: width, height: height) }
    frame.cursor = nil
    var pictures: [Int: Canvas] = [:]
    var layers: [RowLayer] = []
    var levels: [(level: RowLayer.Level, row: PaintedRow)] = []
    let offset = gliding.value(at: now)
    for row in rowsToDraw(at: now) {
      let shown = self.row(at: row.index, now)
      let picture = picture(of: shown, height: row.height, at: now, content: content)
      pictures[row.index] = picture
      let swipe = swiped?.index == row.index ? swiped : nil
      if let swipe, let beside = layer(beside: swipe, line: row.line, height: row.height, at: now) {
        layers.append(beside)
      }
      let layer = RowLayer(
        picture: picture, line: row.line, column: swipe?.columns(at: now) ?? 0, level: row.level,
        isStepped: !movesBetweenLines)
      layers.append(layer)
      let lines = layer.textLine..<layer.textLine + row.height
      levels.append((row.level, PaintedRow(id: shown.id, lines: lines)))
    }
    paintedLayout = isPlainlyAtRest ? layout : nil
    paintedCursor = cursorIndex
    paintedRows = levels.sorted { $0.level < $1.level }.map(\.row)
    for ghost in ghosts {
      var picture = ghost.picture
      picture.cursor = nil
      picture.blend(with: fadedColor, amount: 1 - ghost.presence.value(at: now))
      layers.append(
        RowLayer(
          picture: picture, line: ghost.line + offset, column: ghost.column - ghost.slide(at: now),
          level: .leaving,
          isStepped: !movesBetweenLines))
    }
    // Sorting is stable only if the order is part of the comparison.
    layers = layers.enumerated()
      .sorted { ($0.element.level, $0.offset) < ($1.element.level, $1.offset) }
      .map(\.element)
    frame.compose(layers, backdrop: backdrop)
    if let replaced {
      frame.crossfade(from: replaced.picture, amount: replaced.presence.value(at: now))
    }
    canvas.copy(frame, column: rect.column, line: rect.line)
    didPaint(frame, rows: pictures, at: now)
  }

  /// Whether nothing moves and no row has been taken hold of.
  private var isPlainlyAtRest: Bool {
    settlesAt == -.infinity && swiped == nil && heldIndex == nil && !isFocused
  }

  /// The row that looks different because the cursor is on it.
  private var cursorIndex: Int? { showsCursor ? selectedIndex : nil }

  /// Draws the rows that look different from the last frame into it, if all rows have the same places and
  /// were at rest: these are the row under the cursor, and that from which it has moved.
  ///
  /// - Returns: Whether that is so.
  private mutating func drawDifferences(
    at now: Double, content: (ListRow<RowID>, inout Canvas) -> Void
  ) -> Bool {
    guard layout == paintedLayout, lastFrame?.width == width, lastFrame?.height == height,
      // Taken, so that the cells are not copied.
      var frame = lastFrame.take()
    else { return false }
    let cursor = cursorIndex
    for place in layout where cursor != paintedCursor && [cursor, paintedCursor].contains(place.index) {
      let row = row(at: place.index, now)
      let picture = picture(of: row, height: place.height, at: now, content: content)
      frame.copy(picture, column: 0, line: place.line)
      painted[place.index] = picture
    }
    paintedCursor = cursor
    didPaint(frame, rows: painted, at: now)
    return true
  }

  /// Removes finished movements.
  private mutating func endMovement(at now: Double) {
    if !isAnimated { settle() }
    motions = motions.filter { $0.value.isMoving(at: now) }
    ghosts.removeAll { !$0.presence.isMoving(at: now) }
    if replaced?.presence.isMoving(at: now) == false { replaced = nil }
    if swiped?.release?.isMoving(at: now) == false { swiped = nil }
    if motions.isEmpty, ghosts.isEmpty, replaced == nil, swiped?.release == nil, !dimming.isMoving(at: now),
      !gliding.isMoving(at: now)
    {
      settlesAt = -.infinity
    }
  }

  private struct DrawnRow {
    let index: Int
    let line: Double
    let height: Int
    let level: RowLayer.Level
  }

  /// The rows of which a part is in sight, by index.
  private func rowsToDraw(at now: Double) -> [DrawnRow] {
    var result: [DrawnRow] = []
    let offset = gliding.value(at: now)
    func add(_ index: Int, line: Double, height lines: Int, _ motion: RowMotion?) {
      let line = line + offset
      guard line < Double(height), line + Double(lines) > 0 else { return }
      let level: RowLayer.Level =
        if index == heldIndex || (motion.map { $0.isRaised && $0.offset.isMoving(at: now) } ?? false) {
          .raised
        } else if motion?.absence.isMoving(at: now) == true {
          .arriving
        } else {
          .ordinary
        }
      result.append(DrawnRow(index: index, line: line, height: lines, level: level))
    }
    for place in layout {
      let motion = motions[place.index]
      add(place.index, line: motion?.line(at: now) ?? Double(place.line), height: place.height, motion)
    }
    for place in placementsWhileGliding(by: offset) where motions[place.index] == nil {
      add(place.index, line: Double(place.line), height: place.height, nil)
    }
    let shown = visibleRange
    // Rows that are out of sight at rest, but still moving out.
    for (index, motion) in motions.sorted(by: { $0.key < $1.key }) where !shown.contains(index) {
      add(index, line: motion.line(at: now), height: motion.height, motion)
    }
    return result
  }

  private func row(at index: Int, _ now: Double) -> ListRow<RowID> {
    let motion = motions[index]
    let flash = motion?.flash.value(at: now) ?? 0
    var background = color(of: index, at: now).blended(with: selectionColor, amount: flash * Self.flashTint)
    if let swiped, swiped.index == index {
      background = background.blended(with: swiped.meaning.color, amount: swiped.tint(at: now))
    }
    let isSelected = index == selectedIndex && showsCursor
    if isSelected { background = background.blended(with: selectionColor, amount: selectionTint) }
    if index == heldIndex { background = background.blended(with: selectionColor, amount: Self.holdTint) }
    return ListRow(
      index: index, id: rows.id(index), count: count, background: background,
      foreground: background.contrastingText, isSelected: isSelected,
      isFocused: index == focusedIndex, isHeld: index == heldIndex, flash: flash)
  }

  private func picture(
    of row: ListRow<RowID>, height: Int, at now: Double, content: (ListRow<RowID>, inout Canvas) -> Void
  ) -> Canvas {
    let index = row.index
    let blank = Cell(style: Style(foreground: row.foreground, background: row.background))
    var picture = Canvas(width: width, height: height, filledWith: blank)
    content(row, &picture)
    if picture.width != width || picture.height != height {
      let drawn = picture
      picture = Canvas(width: width, height: height, filledWith: blank)
      picture.copy(drawn, column: 0, line: 0)
    }
    if index != focusedIndex {
      let amount = (isFocused ? 1 : 0) + dimming.value(at: now)
      if amount > 0 {
        picture.blend(with: fadedColor, amount: Self.dimmedTint * amount)
        picture.keepContrast(Self.dimmedContrast)
      }
      if !hasColors && amount > 0.5 {
        for line in 0..<picture.height { picture.restyle(line: line) { $0.attributes.insert(.dim) } }
      }
    }
    picture.blend(with: fadedColor, amount: motions[index]?.absence.value(at: now) ?? 0)
    return picture
  }

  /// The color into which things fade.
  private var fadedColor: RGB { backdrop.background ?? .black }

  private static var flashTint: Double { 0.6 }
  private static var holdTint: Double { 0.2 }
  /// Dimmed rows keep 30 %.
  private static var dimmedTint: Double { 0.7 }
  private static var dimmedContrast: Double { 3 }
}
