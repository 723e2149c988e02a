import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Completed rows on top of the completed ones")
struct CompletedRowsTests {
  private func fixture(_ tasks: String) throws -> TasksStoreFixture {
    let fixture = try TasksStoreFixture(tasks: tasks)
    fixture.store.completedRows = .top
    return fixture
  }

  @Test("A task, one after the other, opened again, undone and done again")
  func single() throws {
    let fixture = try fixture("a b c D")
    let (store, place) = (fixture.store, fixture.place)
    let (a, b) = (try fixture.id("a"), try fixture.id("b"))
    #expect(
      try store.toggleCompleted([a], in: RowScope(place)).changes == .move(from: 0, to: 2, isModified: true))
    #expect(fixture.line == "b c A D")
    try store.toggleCompleted([b], in: RowScope(place))
    #expect(fixture.line == "c B A D")
    #expect(try store.toggleCompleted([fixture.id("c")], in: RowScope(place)).changes == .modification(at: 0))
    #expect(fixture.line == "C B A D")
    try store.toggleCompleted([a], in: RowScope(place))
    #expect(fixture.line == "a C B D")
    for expected in ["C B A D", "c B A D", "b c A D", "a b c D"] {
      _ = try store.undo(showing: RowScope(place))
      #expect(fixture.line == expected)
    }
    for expected in ["b c A D", "c B A D", "C B A D", "a C B D"] {
      _ = try store.redo(showing: RowScope(place))
      #expect(fixture.line == expected)
    }
    store.completedRows = .end
    try store.toggleCompleted([a], in: RowScope(place))
    #expect(fixture.line == "C B D A")
  }

  @Test("Several keep their order, whichever way they are completed")
  func several() throws {
    let fixture = try fixture("a b c d E")
    let ids = try ["b", "d", "a"].map(fixture.id)
    let (store, place) = (fixture.store, fixture.place)
    try store.toggleCompleted(ids, in: RowScope(place))
    #expect(fixture.line == "c A B D E")
    _ = try store.undo(showing: RowScope(place))
    try store.toggleCompleted(ids, in: RowScope(nil))
    #expect(fixture.line == "c A B D E")
    _ = try store.undo(showing: RowScope(place))
    #expect(fixture.line == "a b c d E")
    #expect(try store.complete(ids) == ids)
    #expect(fixture.line == "c B D A E")
    _ = try store.undo(showing: RowScope(place))
    #expect(fixture.line == "a b c d E")
    _ = try store.redo(showing: RowScope(place))
    #expect(fixture.line == "c B D A E")
  }

  @Test("Where another program has mixed them, above the completed ones that stand below the last open row")
  func mixed() throws {
    let fixture = try fixture("A b C d E")
    try fixture.store.toggleCompleted([fixture.id("b")], in: RowScope(fixture.place))
    #expect(fixture.line == "A C d B E")
    try fixture.store.toggleCompleted([fixture.id("d")], in: RowScope(fixture.place))
    #expect(fixture.line == "D A C B E")
  }

  @Test("Lists too, and tasks that are moved to another list")
  func lists() throws {
    let fixture = try fixture("a B C d")
    let store = fixture.store
    let work = try #require(try store.add("Work", to: .lists).rowID)
    try store.add(["x", "y"], to: .tasks(inList: work))
    let x = try #require(store.list(work)?.items.first).id
    try store.toggleCompleted([x], in: RowScope(.tasks(inList: work)))
    try store.move(fixture.tasks.map(\.id), in: RowScope(fixture.place), toList: work)
    let moved = store.list(work).map { list in
      list.items.map { $0.completed ? $0.text.uppercased() : $0.text }.joined(separator: " ")
    }
    #expect(moved == "y a d B C X")
    let home = try #require(try store.add("Home", to: .lists).rowID)
    try store.add("z", to: .tasks(inList: home))
    try store.toggleCompleted([home], in: RowScope(.lists))
    try store.toggleCompleted([work], in: RowScope(.lists))
    #expect(fixture.lists == "my tasks WORK HOME")
  }

  @Test("The next of a task that repeats stands above it")
  func repeating() throws {
    let fixture = try fixture("a b C")
    let (store, place) = (fixture.store, fixture.place)
    try store.setRepetition(
      [fixture.id("a"), fixture.id("b")], in: RowScope(place), to: Repetition("every day"))
    try store.toggleCompleted([fixture.id("a"), fixture.id("b")], in: RowScope(place))
    #expect(fixture.line == "a b A B C")
    _ = try store.undo(showing: RowScope(place))
    #expect(fixture.line == "a b C")
    try store.complete([fixture.id("b")])
    #expect(fixture.line == "a b B C")
    _ = try store.undo(showing: RowScope(place))
    #expect(fixture.line == "a b C")
  }
}
