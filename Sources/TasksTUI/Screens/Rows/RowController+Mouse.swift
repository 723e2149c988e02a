import FoundationEssentials
import LiveStore
import TasksModel

/// The mouse, on rows. The row under it is the one that was drawn there last, by identity: a row that has
/// moved since is still meant.
extension RowController {
  /// The columns at the left edge of a row in which a click completes it.
  static var checkWidth: Int { 2 }
  /// The lines that the wheel scrolls by.
  private static var wheelLines: Int { 3 }
  /// The time within which two clicks on a row are a double click.
  private static var doubleClickTime: Duration { .milliseconds(400) }

  /// - Parameter event: An event in columns and lines of the rows.
  /// - Returns: The command that follows from it, if there is one.
  func mouse(_ event: MouseEvent) -> CommandCall? {
    context.needsFrame = true
    switch event.action {
    case .wheelUp: return CommandCall(.cursor(.scrollUp), count: Self.wheelLines)
    case .wheelDown: return CommandCall(.cursor(.scrollDown), count: Self.wheelLines)
    case .press: return press(event)
    case .drag: return drag(event)
    case .release:
      guard let drag = dragging, !drag.isOver else { return nil }
      dragging?.isOver = true
      return drag.hasMoved && isHolding ? CommandCall(.rows(.hold)) : nil
    }
  }

  private func press(_ event: MouseEvent) -> CommandCall? {
    if isEditing {
      // Elsewhere: the typed text is stored.
      if list.paintedRow(atLine: event.line) != list.focusedID {
        reconcile()
        commit()
      }
      return nil
    }
    drop()
    let before = dragging
    dragging = nil
    guard let row = list.paintedRow(atLine: event.line), case .object(let id) = row else {
      return event.line >= list.paintedEnd ? CommandCall(.rows(.add)) : nil
    }
    reconcile()
    guard let index = index(of: id) else {
      context.sayRowIsGone()
      return nil
    }
    list.select(index)
    if event.column < Self.checkWidth { return CommandCall(.rows(.toggleCompleted)) }
    dragging = Drag(row: id, time: now)
    let isDouble =
      before.map { $0.row == id && !$0.hasMoved && now - $0.time <= Self.doubleClickTime } ?? false
    if isDouble { dragging = nil }
    return isDouble ? CommandCall(.screen(.activate)) : nil
  }

  /// A row on which the mouse was pressed, and which it may be dragging.
  struct Drag {
    let row: Identifier
    /// The time of the press.
    let time: Duration
    var hasMoved = false
    /// Whether the button was released.
    var isOver = false
  }

  /// Lifts the row as soon as the mouse has left its line, and moves it along.
  private func drag(_ event: MouseEvent) -> CommandCall? {
    reconcile()
    guard let drag = dragging, !drag.isOver, !context.isReadOnly, !isEditing,
      let index = index(of: drag.row)
    else { return nil }
    let line = min(max(event.line, 0), max(0, list.height - 1))
    let target = list.rowIndex(atLine: line) ?? list.count - 1
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
}
