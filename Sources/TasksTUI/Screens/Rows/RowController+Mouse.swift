import LiveStore
import TasksModel
import TerminalUI

/// The mouse, on rows. The row under it is the one that was drawn there last, by identity: a row that has
/// moved since is still meant.
extension RowController {
  /// The columns at the left edge of a row in which a click completes it.
  static var checkWidth: Int { 2 }
  /// The time within which two clicks on a row are a double click.
  private static var doubleClickTime: Duration { .milliseconds(400) }

  /// - Parameter event: An event in columns and lines of the rows.
  /// - Returns: The command that follows from it, if there is one.
  func mouse(_ event: MouseEvent) -> CommandCall? {
    context.needsFrame = true
    if let lines = event.wheelLines {
      return CommandCall(.cursor(lines < 0 ? .scrollUp : .scrollDown), count: abs(lines))
    }
    switch event.action {
    case .wheelUp, .wheelDown: return nil
    case .press: return press(event)
    case .drag: return drag(event)
    case .release:
      guard let drag = dragging, !drag.isOver else { return nil }
      dragging?.isOver = true
      if drag.isSwiping { return endSwipe(drag, event) }
      return drag.hasMoved && isHolding ? CommandCall(.rows(.hold)) : nil
    }
  }

  private func press(_ event: MouseEvent) -> CommandCall? {
    if isEditing {
      if list.paintedRow(atLine: event.line) != list.focusedID { _ = makeWay() }
      return nil
    }
    _ = makeWay()
    let before = dragging
    dragging = nil
    guard let row = list.paintedRow(atLine: event.line), case .object(let id) = row else {
      return event.line >= list.paintedEnd ? CommandCall(.rows(.add)) : nil
    }
    reconcile()
    guard let index = index(of: id) else { return context.sayRowIsGone() }
    list.select(index)
    // A heading is no part of its row.
    if heading(ofRow: index) != nil, list.paintedRow(atLine: event.line - 1) != row { return nil }
    if event.column < Self.checkWidth { return CommandCall(.rows(.toggleCompleted)) }
    dragging = Drag(row: id, time: now, column: event.column)
    let isDouble =
      before.map { $0.row == id && !$0.hasMoved && now - $0.time <= Self.doubleClickTime } ?? false
    if isDouble { dragging = nil }
    return isDouble ? CommandCall(.screen(.activate)) : nil
  }

  /// Ends what goes on, because something else was clicked: a typed text is stored, and a held row dropped.
  ///
  /// - Returns: Whether nothing goes on any more: a text that others have changed has to be settled first.
  func makeWay() -> Bool {
    if isEditing {
      reconcile()
      commit()
    }
    drop()
    letGo()
    return !isEditing
  }

  /// Scrolls with the wheel while others have the keys.
  func scroll(byLines lines: Int) {
    let top = list.scrollPosition
    list.scroll(byLines: lines)
    list.glide(from: top, at: changeTime)
  }

  /// A row on which the mouse was pressed, and which it may be dragging.
  struct Drag {
    let row: Identifier
    let time: Duration
    let column: Int
    var hasMoved = false
    /// Whether it moves the row sideways.
    var isSwiping = false
    /// Whether the button was released.
    var isOver = false
  }

  /// Moves the row sideways as soon as the mouse has left its column, or lifts it as soon as it has left its
  /// line, and moves it along.
  private func drag(_ event: MouseEvent) -> CommandCall? {
    reconcile()
    guard let drag = dragging, !drag.isOver, !context.isReadOnly, !isEditing,
      let index = index(of: drag.row)
    else { return nil }
    if drag.isSwiping {
      swipe(index, by: event.column - drag.column)
      return nil
    }
    let line = min(max(event.line, 0), max(0, list.height - 1))
    let target = list.rowIndex(atLine: line) ?? list.count - 1
    if target == index, !isHolding, abs(event.column - drag.column) >= Self.leastSwipe {
      dragging?.isSwiping = true
      dragging?.hasMoved = true
      swipe(index, by: event.column - drag.column)
    }
    guard target != index else { return nil }
    if !isHolding {
      guard !drag.hasMoved else { return nil }
      list.select(index)
      dragging?.hasMoved = true
      hold()
      guard isHolding else { return nil }
    }
    moveHeldRow(by: target - index)
    return nil
  }

  /// The columns after which a drag is one sideways.
  private static var leastSwipe: Int { 2 }
  /// The columns after which letting go completes or deletes the row: RealmTasks' 60 points, also in lists
  /// beside their tasks.
  private var swipeDistance: Int { min(8, max(4, list.width / 3)) }

  private func swipe(_ index: Int, by columns: Int) {
    guard let element = element(at: index) else { return }
    let palette = context.palette
    let progress = min(1, Double(abs(columns)) / Double(swipeDistance))
    let meaning =
      columns < 0
      ? RowSwipe.Meaning(sign: "✗", color: palette.overdue, progress: progress)
      : RowSwipe.Meaning(
        sign: element.completed ? "○" : "✓", color: palette.completing, progress: progress)
    list.swipe(index, columns: columns, meaning)
  }

  /// Lets a row return that the mouse moves sideways. A key ends that, or a press if the release before was
  /// not seen.
  func letGo() {
    guard dragging?.isSwiping == true, dragging?.isOver == false else { return }
    dragging?.isOver = true
    list.endSwipe(at: changeTime)
  }

  /// Completes or deletes the row, or lets it return if it was let go early.
  private func endSwipe(_ drag: Drag, _ event: MouseEvent) -> CommandCall? {
    list.endSwipe(at: changeTime)
    let columns = event.column - drag.column
    guard abs(columns) >= swipeDistance else { return nil }
    reconcile()
    guard let index = index(of: drag.row) else { return context.sayRowIsGone() }
    clearMarks()
    list.select(index)
    return CommandCall(.rows(columns > 0 ? .toggleCompleted : .delete))
  }
}
