import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

/// An answer is about the row for which it was asked, whatever others do meanwhile.
@Suite("Prompts and questions about a row that changes meanwhile")
struct AskedRowTests {
  private let gone = "That row has just been deleted elsewhere."

  private func harness() throws -> (app: AppHarness, other: TasksStore) {
    let app = try AppHarness(["one", "two", "three"], width: 80)
    return (app, try app.other())
  }

  /// Deletes the row of a text elsewhere, and shows that.
  private func delete(_ text: String, _ app: AppHarness, _ other: TasksStore) throws {
    let id = try #require(other.list(TaskList.firstListID)?.items.first { $0.text == text }).id
    try other.delete([id], in: RowScope(app.place))
    try app.settle()
    app.draw()
  }

  @Test(
    "No other row gets the answer when the row is deleted",
    arguments: [("D", "fri"), ("P", "A"), ("R", "every week"), ("W", "fri"), (":", "delete"), (":", "raise")])
  func deleted(key: String, answer: String) throws {
    let (app, other) = try harness()
    try app.press(key)
    app.type(answer)
    try delete("one", app, other)
    #expect(app.selected == "two")
    try app.press("Enter")
    #expect(app.status == gone)
    #expect(app.tasks.map(\.text) == ["two", "three"])
    #expect(app.tasks.allSatisfy { $0.date == nil && $0.priority == .none && $0.waitsUntil == nil })
    // The next key is about the row that is seen now.
    try app.press("+")
    #expect(app.tasks[0].priority == .c)
  }

  @Test("The row is followed when it moves")
  func moved() throws {
    let (app, other) = try harness()
    try app.press("P")
    app.type("A")
    let one = try #require(app.tasks.first).id
    try other.move([one], in: RowScope(app.place), by: 2)
    try app.settle()
    app.draw()
    try app.press("Enter")
    #expect(app.tasks.map(\.priority) == [.none, .none, .a])
  }

  @Test("No other task gets the answer when the task leaves a view of all lists")
  func leavesView() throws {
    let (app, other) = try harness()
    for task in app.tasks {
      try app.store.setDate([task.id], in: RowScope(app.place), to: app.app.context.calendar.now())
    }
    try app.press("T", "D")
    app.type("mon")
    let one = try #require(other.list(TaskList.firstListID)?.items.first).id
    let dates = app.tasks.map(\.date)
    try other.toggleCompleted([one], in: RowScope(app.place))
    try app.settle()
    app.draw()
    try app.press("Enter")
    #expect(app.status == "That row is no longer here.")
    #expect(Set(app.tasks.map(\.date)) == Set(dates))
  }

  @Test("A question is about the list that it names")
  func question() throws {
    let (app, other) = try harness()
    let work = try #require(other.add("Work", to: .lists).rowID)
    _ = try other.add("urgent", to: .tasks(inList: work))
    try app.settle()
    try app.press("h", "g", "Space")
    #expect(app.texts.last?.contains("has 3 open tasks. Complete it? (y/n)") == true)
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    app.draw()
    try app.press("y")
    #expect(app.status == gone)
    #expect(app.store.lists.map(\.completed) == [false])
  }

  @Test("A question whose answer would mean more than was asked is asked again")
  func askedAgain() throws {
    let (app, other) = try harness()
    let ids = app.tasks.map(\.id)
    try other.toggleCompleted([ids[0]], in: RowScope(app.place))
    try other.clearCompleted(in: RowScope(app.place))
    try app.settle()
    try app.command("archive")
    try app.press("C")
    #expect(app.texts.last?.contains("Delete the task of the archive?") == true)
    try other.toggleCompleted([ids[1], ids[2]], in: RowScope(.tasks(inList: TaskList.firstListID)))
    try other.clearCompleted(in: RowScope(.tasks(inList: TaskList.firstListID)))
    try app.settle()
    app.draw()
    try app.press("y")
    #expect(app.texts.last?.contains("Delete all 3 tasks of the archive?") == true)
    #expect(app.store.list(TaskList.archiveID)?.items.count == 3)
    try app.press("y")
    #expect(app.store.list(TaskList.archiveID)?.items.isEmpty == true)
  }

  @Test("A list that was chosen and has been deleted is not made anew under the name of its id")
  func chosenList() throws {
    let (app, other) = try harness()
    let work = try #require(other.add("Work", to: .lists).rowID)
    try app.settle()
    try app.press(">")
    app.type("Wo")
    try other.delete([work], in: RowScope(.lists))
    try app.settle()
    app.draw()
    try app.press("Enter")
    #expect(app.status == "That list has been deleted elsewhere." && app.store.lists.count == 1)
    // Nor when the move is repeated.
    let home = try #require(other.add("Home", to: .lists).rowID)
    try app.settle()
    try app.press(">")
    app.type("Home")
    try app.press("Enter")
    #expect(app.tasks.map(\.text) == ["two", "three"])
    try other.delete([home], in: RowScope(.lists))
    try app.settle()
    try app.press(".")
    #expect(app.status == "That list has been deleted elsewhere." && app.tasks.count == 2)
  }
}
