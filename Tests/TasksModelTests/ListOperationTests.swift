import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Operations on lists")
struct ListOperationTests {
  @Test("Lists are added, renamed and moved by the rules of tasks")
  func sameRules() throws {
    let fixture = try TasksStoreFixture(tasks: "t")
    let store = fixture.store
    try store.add(" work ", to: .lists)
    try store.add("home", to: .lists, at: .top)
    #expect(fixture.lists == "home my tasks work")
    try store.move([fixture.listID("work")], in: RowScope(.lists), by: -1)
    #expect(fixture.lists == "home work my tasks")
    let edit = try store.edit(fixture.listID("home"), in: RowScope(.lists), text: "house", replacing: "home")
    #expect(edit.changes == .modification(at: 0))
    let completed = try store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    #expect(completed.changes == .modification(at: 2))
    try store.add("last", to: .lists)
    #expect(fixture.lists == "house work last MY TASKS")
    #expect(throws: Refusal.editingCompletedRow) {
      try store.edit(TaskList.firstListID, in: RowScope(.lists), text: "x")
    }
    let reopened = try store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    #expect(reopened.changes == .modification(at: 3))
  }

  @Test(
    "A list can be completed when it has an open task, and its tasks stay as they are",
    arguments: [
      ("", false), ("A B", false), ("a", true), ("a B", true), ("A b", true),
    ])
  func completing(tasks: String, isCompletable: Bool) throws {
    let fixture = try TasksStoreFixture(tasks: tasks)
    try fixture.store.add("other", to: .lists)
    #expect(fixture.store.list(TaskList.firstListID)?.isCompletable == isCompletable)
    if isCompletable {
      let edit = try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
      #expect(edit.changes == .move(from: 0, to: 1, isModified: true))
      #expect(fixture.lists == "other MY TASKS")
    } else {
      #expect(throws: Refusal.completingListWithoutOpenTasks) {
        try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
      }
      #expect(fixture.lists == "my tasks other")
    }
    #expect(fixture.line == tasks)
  }

  @Test("A completed list can be opened again whatever its tasks are")
  func reopening() throws {
    let fixture = try TasksStoreFixture(tasks: "a")
    try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    try fixture.store.delete([fixture.id("a")], in: RowScope(fixture.place))
    try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    #expect(fixture.lists == "my tasks")
  }

  @Test("A list takes its tasks along, and tells what they were")
  func delete() throws {
    let fixture = try TasksStoreFixture(tasks: "a B")
    let other = Place.tasks(inList: try #require(try fixture.store.add("other", to: .lists).rowID))
    try fixture.store.add("x", to: other)
    let tasks = fixture.tasks.map { RowValues($0) }

    let edit = try fixture.store.delete([TaskList.firstListID], in: RowScope(.lists))
    #expect(edit.changes == .deletion(at: 0))
    #expect(
      edit.before == [RowValues(id: TaskList.firstListID, text: TaskList.firstListText, tasks: tasks)])
    #expect(fixture.lists == "other")
    #expect(fixture.store.store.objects(TaskItem.self).map(\.text) == ["x"])
  }

  @Test("Emptying the name of a list deletes it with its tasks")
  func emptyName() throws {
    let fixture = try TasksStoreFixture(tasks: "a B")
    let edit = try fixture.store.edit(TaskList.firstListID, in: RowScope(.lists), text: " ")
    #expect(edit.changes == .deletion(at: 0))
    #expect(edit.before.first?.tasks.map(\.text) == ["a", "B"])
    #expect(fixture.store.store.objects(TaskItem.self).isEmpty)
  }

  @Test("Clearing takes the completed lists with their tasks, and no others")
  func clear() throws {
    let fixture = try TasksStoreFixture(tasks: "a B")
    let other = Place.tasks(inList: try #require(try fixture.store.add("other", to: .lists).rowID))
    try fixture.store.add("x", to: other)
    try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    let edit = try fixture.store.clearCompleted(in: RowScope(.lists))
    #expect(edit.changes == ChangeSet(deletions: [1]))
    #expect(edit.before.map(\.text) == ["a", "B", TaskList.firstListText])
    #expect(fixture.lists == "other")
    #expect(fixture.store.archive?.items.map(\.text) == ["a", "B"])
    #expect(fixture.store.store.objects(TaskItem.self).count == 3)
  }
}
