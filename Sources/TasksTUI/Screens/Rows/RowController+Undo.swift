import LiveStore
import TasksModel

extension RowController {
  func undo(times: Int) -> ScreenRequest? {
    take(times, .undo) { try $0.undo(showing: $1, partOf: $2) }
  }

  func redo(times: Int) -> ScreenRequest? {
    take(times, .redo) { try $0.redo(showing: $1, partOf: $2) }
  }

  private func take(
    _ times: Int, _ report: UndoReport,
    _ operation: @escaping (TasksStore, RowScope, LongAction) throws -> UndoResult
  ) -> ScreenRequest? {
    clearMarks()
    var report = report
    do {
      for _ in 0..<times where !report.isOver {
        let long = LongAction()
        let result = try operation(context.store, scope, long)
        mirror(result)
        if case .done(let undone) = result, undone.hasMore {
          return .carryOut(work(on: undone, report) { [self] in try operation($0, scope, long) })
        }
        report.add(result)
      }
      tell(report)
    } catch {
      context.say(error)
    }
    return nil
  }

  private func tell(_ report: UndoReport) {
    context.say(report.sentence)
    context.tellsOfUndo = !report.words.isEmpty
  }

  /// An action that is undone or redone in parts.
  ///
  /// - Parameters:
  ///   - first: The first part, which has been taken.
  ///   - report: The report of the actions before.
  private func work(
    on first: Undone, _ report: UndoReport, _ operation: @escaping (TasksStore) throws -> UndoResult
  ) -> LongWork {
    var (whole, report) = (first, report)
    var isOver = false
    let advance = { [self] (size: Int) -> Int? in
      if isOver { return nil }
      let result = try operation(context.store)
      guard case .done(let undone) = result else {
        report.add(result)
        isOver = true
        return 0
      }
      showWithoutMotion { mirror(result) }
      whole.count += undone.count
      isOver = !undone.hasMore
      return undone.count
    }
    return LongWork(count: nil, doneCount: first.count, advance: advance) { [self] ending in
      if report.isOver { return context.say(report.sentence) }
      report.add(.done(whole))
      switch ending {
      case .done: tell(report)
      case .stopped: context.say("Stopped. \(report.sentence)")
      case .failed(let error): context.say(error)
      }
    }
  }

  /// Shows the changes of undo, with the cursor on the first of its rows.
  func mirror(_ result: UndoResult) {
    guard case .done(let undone) = result, !undone.changes.isEmpty else { return }
    show(undone.changes)
    if let index = undone.rowID.flatMap(index(of:)) { list.select(index) }
  }
}
