import LiveStore
import TasksModel

/// A row that is held and moves with the cursor.
///
/// Each step is written at once, like any other move, so that every window shows it; all of them are one
/// action for undo.
struct HeldRow {
  let id: Identifier
  /// The action so far; nil before the first step.
  var step: Int?

  /// The rows by which a command moves the lifted row; nil if the row is dropped first.
  static func offset(of command: RowsCommand, times: Int, count: Int) -> Int? {
    switch command {
    case .moveDown: min(times, count)
    case .moveUp: -min(times, count)
    case .add, .addOnTop, .addBelow, .addAbove, .toggleCompleted, .edit, .delete, .clearCompleted, .hold,
      .sort, .undo, .redo, .nextMatch, .previousMatch, .mark, .markRange, .markAll, .copy:
      nil
    }
  }
}

extension RowController {
  var isHolding: Bool { held != nil }

  func hold() {
    if refusesMoving() { return }
    guard let id = meantRow(), let index = list.meantRow?.index else { return }
    guard !items[index].completed else { return context.say(Refusal.movingCompletedRow) }
    clearMarks()
    held = HeldRow(id: id)
    list.hold(index)
  }

  /// Moves the lifted row, or drops it if the command is about something else.
  ///
  /// - Returns: Whether the command is done with that.
  func takeHeldRow(by offset: Int?) -> Bool {
    guard isHolding else { return false }
    if let offset { moveHeldRow(by: offset) } else { drop() }
    return offset != nil
  }

  func drop() {
    held = nil
    list.hold(nil)
  }

  func moveHeldRow(by offset: Int) {
    guard let row = held else { return }
    let edit = operate { try $0.move([row.id], in: scope, by: offset, continuing: row.step) }
    // Nil if the row is where it was lifted.
    if let edit { held?.step = edit.step }
    // Keys keep meaning the held row, in any place.
    if let held, let index = index(of: held.id) { list.select(index) }
  }

  /// Moves the row back to where it was lifted, as if it had never been moved.
  func putBack() {
    guard let row = held else { return }
    drop()
    guard let step = row.step else { return }
    do {
      let result = try context.store.takeBack(step: step, about: row.id, showing: scope)
      mirror(result)
      if case .impossible(_, let obstacle) = result { context.say("It cannot go back: \(obstacle)") }
      if let index = index(of: row.id) { list.select(index) }
    } catch {
      context.say(error)
    }
  }

  /// Drops the held row if others have deleted or moved it.
  func checkHeldRow() {
    guard held != nil else { return }
    guard let index = list.heldIndex else {
      drop()
      return context.sayRowIsGone()
    }
    if items[index].completed {
      drop()
      context.say("The lifted row has been completed elsewhere.")
    }
  }
}
