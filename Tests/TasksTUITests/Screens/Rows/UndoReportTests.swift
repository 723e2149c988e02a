import LiveStore
import Testing

@testable import TasksModel
@testable import TasksTUI

@Suite("The sentence about undoing, and the steps of a held row")
struct UndoReportTests {
  private func sentence(_ results: UndoResult...) -> String {
    var report = UndoReport.undo
    for result in results where !report.isOver { report.add(result) }
    return report.sentence
  }

  private func done(_ action: Action, _ count: Int, _ text: String) -> UndoResult {
    .done(Undone(action: action, count: count, text: text, rowID: nil, changes: ChangeSet()))
  }

  @Test("One action is named, several are counted, and the first that cannot be undone ends it")
  func sentences() {
    #expect(sentence() == "There is nothing to undo.")
    #expect(sentence(.nothing) == "There is nothing to undo.")
    #expect(sentence(done(.complete, 1, "Buy milk")) == "Undid: completing “Buy milk”.")
    #expect(sentence(done(.delete, 3, "Buy milk"), .nothing) == "Undid: deleting 3 rows.")
    #expect(sentence(done(.add, 1, "a"), done(.move, 1, "b"), .nothing) == "Undid: 2 changes.")
    #expect(
      sentence(done(.add, 1, "a"), .impossible(.reopen, .rowDeleted("Milk")), done(.add, 1, "b"))
        == "Reopening can no longer be undone: “Milk” has been deleted since.")
  }

  @Test("A held row moves by rows and pages, at most past all others, and is dropped by what only scrolls")
  func heldRow() {
    func offset(_ command: CursorCommand, _ times: Int = 1) -> Int? {
      command.offset(times: times, count: 50, height: 11)
    }
    #expect(offset(.down) == 1 && offset(.up, 3) == -3 && offset(.down, .max) == 50)
    #expect(offset(.pageDown, 2) == 20 && offset(.halfPageUp) == -5)
    #expect(offset(.first) == -50 && offset(.last) == 50)
    #expect(offset(.top) == nil && offset(.scrollDown) == nil)
    #expect(CursorCommand.pageUp.offset(times: 1, count: 5, height: 0) == -1)
    #expect(HeldRow.offset(of: RowsCommand.moveUp, times: 2, count: 5) == -2)
    #expect(HeldRow.offset(of: RowsCommand.delete, times: 1, count: 5) == nil)
  }
}
