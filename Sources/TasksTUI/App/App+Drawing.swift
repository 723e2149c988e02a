import TerminalUI

extension App {
  /// The time of the next frame; `nil` when nothing has changed and nothing moves.
  func nextFrame(after time: Duration) -> Duration? {
    if context.needsFrame { return time }
    if slide != nil { return max(time, lastPaintedAt + ScreenSlide.frameInterval) }
    return [screens.visible.nextFrame(after: time), listsBeside.nextFrame(after: time)]
      .compactMap { $0 }.min()
  }

  /// Draws what is another now that the wall clock has jumped. The time of the next frame is right by itself:
  /// it is counted from the present whenever it is asked for.
  func lookAtClock() { context.needsFrame = true }

  /// Draws the whole screen at a moment. The next key means the row under the cursor in this frame.
  func draw(width: Int, height: Int, at time: Duration) -> Canvas {
    deliverOwnWrites()
    context.dropOldMessage()
    var canvas = picture(width: width, height: height, at: time)
    if hasMisread {
      recoverFromMisreading(triesAgain: true)
      canvas = picture(width: width, height: height, at: time)
      // The next key tries again.
      if hasMisread {
        recoverFromMisreading(triesAgain: false)
        canvas = picture(width: width, height: height, at: time)
      }
    }
    if context.appearance.isASCII { canvas.useASCII() }
    return canvas
  }

  /// Lays the rows out as for a frame, which is painted later.
  func layOut(width: Int, height: Int) {
    _ = picture(width: width, height: height, at: context.clock())
    context.needsFrame = true
  }

  private func picture(width: Int, height: Int, at time: Duration) -> Canvas {
    let state = stateToShow
    context.needsFrame = false
    context.isAsking = front !== screen && front.isEditing && !front.isCarryingOut
    lastPaintedAt = time
    // On few lines, rows come first, then the message line, then the title.
    titleLines = height > 2 ? 1 : 0
    let visible = screens.visible
    let sentence = context.message == visible.ownSentence ? nil : context.message
    let message = Chrome.messageLines(
      sentence, beside: syncSummary, width: width, atMost: Chrome.mostMessageLines(width: width, height))
    statusLines = height > 1 ? max(1, message.count) : 0
    let lossLines = Chrome.lossLines(context, width: width, atMost: height - titleLines - statusLines)
    let rect = CellRect(
      line: titleLines, width: width, height: height - titleLines - statusLines - lossLines.count)
    context.isWide = width >= Settings.wideWidth
    let columns = listsBeside.columns(of: rect, for: visible)
    rowsArea = rect
    area = columns.map { listsBeside.area(of: visible, in: $0) } ?? rect
    if state == shownState, lastFrame?.width == width, lastFrame?.height == height,
      let picture = pictureFromLastFrame(columns, at: time)
    {
      return picture
    }
    shownState = nil
    var canvas = Canvas(width: width, height: height, filledWith: Cell(style: context.palette.plain))
    if context.isUnreadable, visible.needsFile {
      if let lastFrame { canvas.draw(lastFrame, column: 0, line: 0) }
      canvas.fill(line: titleLines + rect.height, style: context.palette.plain)
    } else {
      visible.draw(into: &canvas, rect: area, at: time)
      drawTitles(beside: columns, of: visible, into: &canvas, at: time)
    }
    Chrome.drawLoss(lossLines, context, into: &canvas, line: titleLines + rect.height)
    shownSummary = othersSummary
    if statusLines > 0 {
      hints = Chrome.drawStatus(
        of: visible, context, message, count: pendingCount, sign: syncSummary, others: shownSummary,
        into: &canvas, line: height - statusLines)
    }
    if let between = slide?.frame(to: canvas, area, at: time) {
      canvas = between
    } else {
      slide = nil
      if !context.isUnreadable, !hasMisread { (lastFrame, shownState) = (canvas, state) }
    }
    screens.drawBottomLine(into: &canvas)
    return canvas
  }

  /// The last frame with the rows as they are now, of the same state and size; nil if more may be different.
  private func pictureFromLastFrame(_ columns: ListsBeside.Columns?, at time: Duration) -> Canvas? {
    // Lists beside the tasks of the one under the cursor have another title for each.
    guard var canvas = lastFrame, screens.visible === screen, columns == nil || screen.openList != nil else {
      return nil
    }
    screen.draw(into: &canvas, rect: area, at: time)
    if let columns {
      listsBeside.draw(beside: screen, openList: screen.openList, columns, into: &canvas, at: time)
    }
    // Drawing may begin another day, or meet a row that cannot be read; and the words about other windows are
    // about the rows in sight.
    guard stateToShow == shownState, othersSummary == shownSummary else { return nil }
    lastFrame = canvas
    screens.drawBottomLine(into: &canvas)
    return canvas
  }

  private var stateToShow: ShownState {
    ShownState(generation: context.generation, readGeneration: context.store.store.readGeneration)
  }

  /// Draws the lists or tasks beside a screen, if there are any, and the titles.
  private func drawTitles(
    beside columns: ListsBeside.Columns?, of visible: any Screen, into canvas: inout Canvas, at time: Duration
  ) {
    guard let columns else {
      if visible.standsBesideLists { listsBeside.renew() }
      if titleLines > 0 { Chrome.drawTitle(of: visible, context, into: &canvas, columns: rowsArea) }
      return
    }
    listsBeside.draw(beside: visible, openList: screen.openList, columns, into: &canvas, at: time)
    if titleLines > 0 { listsBeside.drawTitles(beside: visible, columns, into: &canvas) }
  }
}

/// The state of the screens and of the file that a frame showed.
struct ShownState: Equatable {
  let generation: Int
  let readGeneration: UInt64
}
