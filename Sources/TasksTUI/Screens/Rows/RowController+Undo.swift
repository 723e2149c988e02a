import FoundationEssentials
import LiveStore
import TasksModel

/// Undo and redo.
extension RowController {
  func undo(times: Int) {
    take(times, UndoReport(done: "Undid", none: "There is nothing to undo.", undoing: "undone")) {
      try $0.undo(showing: scope)
    }
  }

  func redo(times: Int) {
    take(times, UndoReport(done: "Redid", none: "There is nothing to redo.", undoing: "redone")) {
      try $0.redo(showing: scope)
    }
  }

  private func take(
    _ times: Int, _ report: UndoReport, _ operation: (TasksStore) throws -> UndoResult
  ) {
    clearMarks()
    var report = report
    do {
      for _ in 0..<times where !report.isOver {
        let result = try operation(context.store)
        mirror(result)
        report.add(result)
      }
      context.say(report.sentence)
    } catch {
      context.say(error)
    }
  }

  /// Shows the changes of undo, with the cursor on the first of its rows.
  func mirror(_ result: UndoResult) {
    guard case .done(let undone) = result, !undone.changes.isEmpty else { return }
    show(undone.changes)
    if let index = undone.rowID.flatMap(index(of:)) { list.select(index) }
  }
}
