import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Operations on the tasks of a list")
struct TaskOperationTests {
  // MARK: Add

  @Test(
    "A new task goes after the open ones, above the completed ones",
    arguments: [
      ("", "new", 0), ("a b", "a b new", 2), ("a b C D", "a b new C D", 2), ("C D", "new C D", 0),
      ("a C b D", "a C b new D", 3),
    ])
  func addAfterOpenRows(before: String, after: String, index: Int) throws {
    let fixture = try TasksStoreFixture(tasks: before)
    let edit = try fixture.store.add("new", to: fixture.place)
    #expect(fixture.line == after)
    #expect(edit.changes == .insertion(at: index))
    #expect(edit.after == [RowValues(id: try fixture.id("new"), text: "new")])
    #expect(edit.before.isEmpty)
    #expect(edit.rowID == fixture.tasks[index].id)
  }

  @Test("A new task on top goes above all others")
  func addOnTop() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let edit = try fixture.store.add("new", to: fixture.place, at: .top)
    #expect(fixture.line == "new a b C")
    #expect(edit.changes == .insertion(at: 0))
  }

  @Test("White space around a new text is dropped, and a text of nothing else adds no task")
  func addTrims() throws {
    let fixture = try TasksStoreFixture()
    try fixture.store.add(" \t two words\u{3000}\n", to: fixture.place)
    #expect(fixture.line == "two words")
    let edit = try fixture.store.add(" \u{A0}\n", to: fixture.place)
    #expect(edit.noChange == .emptyText)
    #expect(fixture.line == "two words")
  }

  @Test("Many tasks are added in their order, without the empty ones")
  func addMany() throws {
    let fixture = try TasksStoreFixture(tasks: "a C")
    let ids = try #require(try fixture.store.add(["x", " ", "y ", ""], to: fixture.place))
    #expect(fixture.line == "a x y C")
    #expect(Array(ids) == fixture.tasks[1...2].map(\.id))
    #expect(try fixture.store.add([" "], to: fixture.place)?.isEmpty == true)
  }

  @Test("Adding to a list that has been deleted does nothing")
  func addToDeletedList() throws {
    let fixture = try TasksStoreFixture()
    try fixture.store.delete([TaskList.firstListID], in: RowScope(.lists))
    #expect(try fixture.store.add("x", to: fixture.place).noChange == .gone)
    #expect(try fixture.store.add(["x"], to: fixture.place) == nil)
    #expect(fixture.store.store.objects(TaskItem.self).isEmpty)
  }

  // MARK: Edit

  @Test("Editing changes the text and nothing else")
  func edit() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let id = try fixture.id("b")
    let edit = try fixture.store.edit(id, in: RowScope(fixture.place), text: " other ", replacing: "b")
    #expect(fixture.line == "a other C")
    #expect(edit.changes == .modification(at: 1))
    #expect(edit.before == [RowValues(id: id, text: "b")])
    #expect(edit.after == [RowValues(id: id, text: "other")])
  }

  @Test("Emptying the text deletes the task")
  func editToNothing() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let id = try fixture.id("a")
    let edit = try fixture.store.edit(id, in: RowScope(fixture.place), text: "  ")
    #expect(fixture.line == "b C")
    #expect(edit.changes == .deletion(at: 0))
    #expect(edit.before == [RowValues(id: id, text: "a")])
    #expect(fixture.store.task(id) == nil)
  }

  @Test("A text that is as it was writes nothing")
  func editUnchanged() throws {
    let fixture = try TasksStoreFixture(tasks: "a")
    let edit = try fixture.store.edit(fixture.id("a"), in: RowScope(fixture.place), text: "a ")
    #expect(edit.noChange == .unchanged)
  }

  @Test("A text that somebody else has edited meanwhile is not overwritten")
  func editConflict() throws {
    let fixture = try TasksStoreFixture(tasks: "theirs")
    let id = try fixture.id("theirs")
    let edit = try fixture.store.edit(id, in: RowScope(fixture.place), text: "mine", replacing: "original")
    #expect(edit.noChange == .textChanged("theirs"))
    #expect(fixture.line == "theirs")
    try fixture.store.edit(id, in: RowScope(fixture.place), text: "mine")
    #expect(fixture.line == "mine")
  }

  @Test("Both having written the same text is no conflict")
  func editSameText() throws {
    let fixture = try TasksStoreFixture(tasks: "same")
    let edit = try fixture.store.edit(
      fixture.id("same"), in: RowScope(fixture.place), text: "same", replacing: "original")
    #expect(edit.noChange == .unchanged)
  }

  @Test("A completed task cannot be edited")
  func editCompleted() throws {
    let fixture = try TasksStoreFixture(tasks: "a C")
    let id = try fixture.id("c")
    #expect(throws: Refusal.editingCompletedRow) {
      try fixture.store.edit(id, in: RowScope(fixture.place), text: "x")
    }
    #expect(throws: Refusal.editingCompletedRow) {
      try fixture.store.edit(id, in: RowScope(fixture.place), text: "")
    }
    #expect(fixture.line == "a C")
    #expect(!fixture.store.store.isInWriteTransaction)
  }

  // MARK: Complete

  @Test("A completed task goes to the very end")
  func complete() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C D")
    fixture.store.dates = RowsModel.dates
    let id = try fixture.id("a")
    let edit = try fixture.store.toggleCompleted([id], in: RowScope(fixture.place))
    #expect(fixture.line == "b C D A")
    #expect(edit.changes == .move(from: 0, to: 3, isModified: true))
    #expect(edit.before == [RowValues(id: id, text: "a")])
    var completed = RowValues(id: id, text: "a", completed: true)
    completed.details.completedAt = RowsModel.moment
    #expect(edit.after == [completed])
  }

  @Test("Completing the last row, or the only one, keeps its place")
  func completeInPlace() throws {
    let fixture = try TasksStoreFixture(tasks: "a b")
    let edit = try fixture.store.toggleCompleted([fixture.id("b")], in: RowScope(fixture.place))
    #expect(fixture.line == "a B")
    #expect(edit.changes == .modification(at: 1))
  }

  @Test(
    "A task that is opened again goes to the end of the open ones",
    arguments: [
      ("a b C D", "d", "a b d C", 3, 2), ("C D", "d", "d C", 1, 0), ("C a b", "c", "a b c", 0, 2),
      ("a C b D", "d", "a C b d", 3, 3),
    ])
  func uncomplete(before: String, name: String, after: String, from: Int, to: Int) throws {
    let fixture = try TasksStoreFixture(tasks: before)
    let edit = try fixture.store.toggleCompleted([fixture.id(name)], in: RowScope(fixture.place))
    #expect(fixture.line == after)
    #expect(edit.changes == .move(from: from, to: to, isModified: true))
    #expect(edit.after.first?.completed == false)
  }

  // MARK: Move

  @Test(
    "A task moves by steps among the open ones, and stops at their ends",
    arguments: [
      ("b", 1, "a c b D"), ("b", -1, "b a c D"), ("a", 9, "b c a D"), ("c", -9, "c a b D"),
      ("a", Int.max, "b c a D"), ("c", Int.min, "c a b D"),
    ])
  func moveByOffset(name: String, offset: Int, after: String) throws {
    let fixture = try TasksStoreFixture(tasks: "a b c D")
    let id = try fixture.id(name)
    let from = try #require(fixture.tasks.firstIndex { $0.id == id })
    let edit = try fixture.store.move([id], in: RowScope(fixture.place), by: offset)
    #expect(fixture.line == after)
    let to = try #require(fixture.tasks.firstIndex { $0.id == id })
    #expect(edit.changes == .move(from: from, to: to))
  }

  @Test("At the top, or at the end without completed rows, a step does nothing")
  func moveNowhere() throws {
    let fixture = try TasksStoreFixture(tasks: "a b")
    #expect(
      try fixture.store.move([fixture.id("a")], in: RowScope(fixture.place), by: -1).noChange == .unchanged)
    #expect(
      try fixture.store.move([fixture.id("b")], in: RowScope(fixture.place), by: 1).noChange == .unchanged)
    #expect(fixture.line == "a b")
  }

  @Test("An open task cannot go among the completed ones")
  func moveAmongCompleted() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C D")
    #expect(throws: Refusal.movingAmongCompletedRows) {
      try fixture.store.move([fixture.id("b")], in: RowScope(fixture.place), by: 1)
    }
    #expect(fixture.line == "a b C D")
  }

  @Test("A completed task cannot be moved")
  func moveCompleted() throws {
    let fixture = try TasksStoreFixture(tasks: "a C D")
    #expect(throws: Refusal.movingCompletedRow) {
      try fixture.store.move([fixture.id("d")], in: RowScope(fixture.place), by: -1)
    }
    #expect(fixture.line == "a C D")
  }

  // MARK: Delete and clear

  @Test("Any task can be deleted", arguments: [("a", "b C", 0), ("b", "a C", 1), ("c", "a b", 2)])
  func delete(name: String, after: String, index: Int) throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let values = RowValues(try #require(fixture.store.task(fixture.id(name))))
    let edit = try fixture.store.delete([values.id], in: RowScope(fixture.place))
    #expect(fixture.line == after)
    #expect(
      edit == Edit(changes: .deletion(at: index), before: [values], step: edit.step))
    #expect(edit.step != nil)
    #expect(fixture.store.task(values.id) == nil)
  }

  @Test("Clearing takes every completed task away, wherever it stands, and tells each index before")
  func clear() throws {
    let fixture = try TasksStoreFixture(tasks: "a B c D E")
    let edit = try fixture.store.clearCompleted(in: RowScope(fixture.place))
    #expect(fixture.line == "a c")
    #expect(edit.changes == ChangeSet(deletions: [1, 3, 4]))
    #expect(edit.before.map(\.text) == ["B", "D", "E"])
    #expect(fixture.store.archive?.items.map(\.text) == ["B", "D", "E"])
  }

  @Test("With no completed task there is nothing to clear")
  func clearNothing() throws {
    let fixture = try TasksStoreFixture(tasks: "a b")
    #expect(try fixture.store.clearCompleted(in: RowScope(fixture.place)).noChange == .nothingCompleted)
  }

  @Test("No operation does anything to a task that is gone, or that stands in another list")
  func gone() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let listEdit = try fixture.store.add("Other", to: .lists)
    let other = Place.tasks(inList: try #require(listEdit.rowID))
    let edit = try fixture.store.add("x", to: other)
    for id in [Identifier(), try #require(edit.rowID), TaskList.firstListID] {
      let store = fixture.store
      let place = fixture.place
      #expect(try store.edit(id, in: RowScope(place), text: "y").noChange == .gone)
      #expect(try store.edit(id, in: RowScope(place), text: "").noChange == .gone)
      #expect(try store.toggleCompleted([id], in: RowScope(place)).noChange == .gone)
      #expect(try store.move([id], in: RowScope(place), by: 1).noChange == .gone)
      #expect(try store.delete([id], in: RowScope(place)).noChange == .gone)
    }
    #expect(fixture.line == "a b C")
    #expect(!fixture.store.store.isInWriteTransaction)
  }
}
