import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("What only tasks have")
struct TaskDetailTests {
  private let date = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("A date is set and removed by hand, one step each")
  func dates() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let (store, place) = (fixture.store, fixture.place)
    let (a, b) = (try fixture.id("a"), try fixture.id("b"))
    let edit = try store.setDate([a, b], in: RowScope(place), to: date)
    #expect(edit.changes == ChangeSet(modifications: [0, 1], modificationsInNew: [0, 1]))
    #expect(fixture.tasks.map(\.date) == [date, date, nil])
    #expect(try store.setDate([a, b], in: RowScope(place), to: date).noChange == .unchanged)
    try store.setDate([a], in: RowScope(place), to: nil)
    #expect(fixture.tasks.map(\.date) == [nil, date, nil])
    #expect(fixture.tasks.map(\.dateOrigin) == [.person, .person, .unknown])

    #expect(try undone(store.undo(showing: RowScope(place))) == "the date of “a”")
    #expect(fixture.tasks.map(\.date) == [date, date, nil])
    #expect(try undone(store.undo(showing: RowScope(place))) == "the date of 2 rows")
    #expect(fixture.tasks.allSatisfy { $0.date == nil && $0.dateOrigin == .unknown })
    #expect(try undone(store.redo(showing: RowScope(place))) == "the date of 2 rows")
    #expect(fixture.tasks.map(\.dateOrigin) == [.person, .person, .unknown])
  }

  @Test("A completed task keeps its date, and one that is gone has none")
  func refused() throws {
    let fixture = try TasksStoreFixture(tasks: "a C")
    let completed = try fixture.id("c")
    #expect(throws: Refusal.editingCompletedRow) {
      try fixture.store.setDate([completed], in: RowScope(fixture.place), to: date)
    }
    try fixture.store.setDate([completed, fixture.id("a")], in: RowScope(fixture.place), to: date)
    #expect(fixture.tasks.map(\.date) == [date, nil])
    #expect(
      try fixture.store.setDate([Identifier()], in: RowScope(fixture.place), to: date).noChange == .gone)
  }

  @Test("Tasks of several lists are changed as one step, each in its own list")
  func anywhere() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c")
    let (store, place) = (fixture.store, fixture.place)
    let work = try #require(try store.add("Work", to: .lists).rowID)
    let other = Place.tasks(inList: work)
    try store.add(["x", "y"], to: other)
    let x = try #require(store.list(work)?.items.first).id
    let a = try fixture.id("a")
    #expect(
      store.place(ofTask: x) == other && store.place(ofTask: a) == place
        && store.place(ofTask: Identifier()) == nil
    )

    func line() -> String {
      fixture.line + " / "
        + (store.list(work).map { $0.items.map { $0.completed ? $0.text.uppercased() : $0.text } } ?? [])
        .joined(separator: " ")
    }
    try store.setDate([a, x], in: RowScope(nil), to: date)
    #expect(store.task(x)?.date == date && store.task(a)?.date == date)
    try store.toggleCompleted([a, x], in: RowScope(nil))
    #expect(line() == "b c A / y X")
    // Open ones among them are completed; only when all are completed they are opened again.
    try store.toggleCompleted([a, x, fixture.id("b")], in: RowScope(nil))
    #expect(line() == "c A B / y X")
    try store.toggleCompleted([a, x], in: RowScope(nil))
    #expect(line() == "c a B / y x")
    try store.delete([a, x], in: RowScope(nil))
    #expect(line() == "c B / y")
    try store.move([fixture.id("c")], in: RowScope(nil), toList: work)
    #expect(line() == "B / y c")
    #expect(try store.delete([a, x], in: RowScope(nil)).noChange == .gone)
    let words = [
      "moving “c” to another list", "deleting 2 rows", "reopening 2 rows", "completing “b”",
      "completing 2 rows",
      "the date of 2 rows",
    ]
    for expected in words { #expect(try undone(store.undo(showing: RowScope(place))) == expected) }
    #expect(line() == "a b c / x y" && store.task(x)?.date == nil)
    for expected in words.reversed() { #expect(try undone(store.redo(showing: RowScope(place))) == expected) }
    #expect(line() == "B / y c")
  }

  @Test(
    "A task that is in several lists is in one of them after a move, and in no other that was meant",
    arguments: 0..<3, [true, false])
  func doubled(target: Int, isCollected: Bool) throws {
    let fixture = try TasksStoreFixture(tasks: "a b")
    let (store, place) = (fixture.store, fixture.place)
    let lists = [
      TaskList.firstListID, try #require(try store.add("Work", to: .lists).rowID),
      try #require(try store.add("Home", to: .lists).rowID),
    ]
    let a = try fixture.id("a")
    try store.store.write {
      for id in lists.dropFirst() {
        let task = TaskItem()
        task.text = "x"
        store.store.add(task)
        store.list(id)?.items.append(contentsOf: [try #require(store.task(a)), task])
      }
    }
    func texts() -> [String] { lists.map { store.list($0)?.items.map(\.text).joined() ?? "" } }
    #expect(texts() == ["ab", "ax", "ax"])
    let before = texts()
    let edit = try store.move([a], in: RowScope(isCollected ? nil : place), toList: lists[target])
    var expected = isCollected ? ["b", "x", "x"] : ["b", "ax", "ax"]
    if isCollected || target > 0 { expected[target] = target == 0 ? "ba" : "xa" } else { expected = before }
    #expect(texts() == expected)
    #expect((edit.noChange == .unchanged) == (expected == before))
    guard expected != before else { return }
    // It returns to one place.
    guard case .done = try store.undo(showing: RowScope(place)) else {
      Issue.record("it was not undone")
      return
    }
    #expect(lists.count { store.list($0)?.items.contains { $0.id == a } == true } == (isCollected ? 1 : 2))
    guard case .done = try store.redo(showing: RowScope(place)) else {
      Issue.record("it was not redone")
      return
    }
    #expect(texts() == expected)
  }

  @Test("What others changed in the same detail stands in the way of undo, and nothing else does")
  func others() throws {
    let fixture = try TasksStoreFixture(tasks: "a")
    let (store, place) = (fixture.store, fixture.place)
    let task = try #require(fixture.tasks.first)
    try store.setDate([task.id], in: RowScope(place), to: date)
    try store.store.write { task.text = "a2" }
    #expect(try undone(store.undo(showing: RowScope(place))) == "the date of “a”" && task.date == nil)
    try store.setDate([task.id], in: RowScope(place), to: date)
    try store.store.write { task.date = nil }
    #expect(try store.undo(showing: RowScope(place)) == .impossible(.setDate, .rowChanged("a2")))
    #expect(task.dateOrigin == .person)
  }

  @Test("Of tasks of one moment the texts say the order: of what is due, what comes and what waits")
  func oneMoment() throws {
    let fixture = try TasksStoreFixture(tasks: "e b d a c")
    let (store, moment) = (fixture.store, Date(timeIntervalSinceNow: 3600))
    try store.store.write {
      for task in fixture.tasks { (task.date, task.waitsUntil) = (moment, moment) }
      fixture.tasks[2].date = moment - 1
    }
    #expect(try store.openTasks(dueBefore: moment + 1).map(\.text) == ["d", "a", "b", "c", "e"])
    #expect(try store.openTasks(dueFrom: moment - 1).map(\.text) == ["d", "a", "b", "c", "e"])
    #expect(try store.waitingTasks(after: moment - 1).map(\.text) == ["a", "b", "c", "d", "e"])
  }

  @Test("A note is written, by whoever knows the one that is there, and taken back")
  func notes() throws {
    let fixture = try TasksStoreFixture(tasks: "a B")
    let (store, place) = (fixture.store, fixture.place)
    let (a, b) = (fixture.tasks[0], fixture.tasks[1])
    #expect(try store.setNotes(a.id, to: "one\ntwo \n\n").changes == .modification(at: 0))
    #expect(a.notes == "one\ntwo")
    #expect(try store.setNotes(a.id, to: "one\ntwo\n").noChange == .unchanged)
    #expect(try store.setNotes(a.id, to: "mine", replacing: "").noChange == .textChanged("one\ntwo"))
    #expect(try store.setNotes(Identifier(), to: "x").noChange == .gone)
    try store.setNotes(b.id, to: "of a completed one", replacing: "")
    #expect(b.notes == "of a completed one")
    #expect(try undone(store.undo(showing: RowScope(place))) == "the note of “B”" && b.notes == "")
    #expect(try undone(store.redo(showing: RowScope(place))) == "the note of “B”" && b.notes != "")
    // It goes with the task and comes back with it.
    try store.delete([a.id, b.id], in: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    #expect(fixture.tasks.map(\.notes) == ["one\ntwo", "of a completed one"])
    // A note that has been written since is not removed with a task that was added.
    let added = try #require(try store.add("c", to: place).rowID)
    try store.store.write { store.task(added)?.notes = "theirs" }
    #expect(try store.undo(showing: RowScope(place)) == .impossible(.add, .rowChanged("c")))
  }

  @Test("Priorities are set, raised and lowered, one step each; by whichever name people know them")
  func priorities() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let (store, place) = (fixture.store, fixture.place)
    let ids = fixture.tasks.map(\.id)
    func line() -> String { fixture.tasks.map { $0.priority == .none ? "-" : $0.priority.rawValue }.joined() }
    try store.setPriority([ids[0]], in: RowScope(place)) { _ in .b }
    try store.setPriority(ids, in: RowScope(place)) { $0.raised }
    #expect(line() == "AC-")
    try store.setPriority(ids, in: RowScope(nil)) { $0.lowered }
    #expect(line() == "B--")
    #expect(try store.setPriority([ids[1]], in: RowScope(place)) { $0.lowered }.noChange == .unchanged)
    #expect(throws: Refusal.editingCompletedRow) {
      try store.setPriority([ids[2]], in: RowScope(place)) { _ in .a }
    }
    #expect(
      try undone(store.undo(showing: RowScope(place))) == "the priority of 2 rows" && line() == "AC-")
    #expect(
      try undone(store.undo(showing: RowScope(place))) == "the priority of 2 rows" && line() == "B--")
    #expect(try undone(store.undo(showing: RowScope(place))) == "the priority of “a”" && line() == "---")
    _ = try store.redo(showing: RowScope(place))
    try store.delete([ids[0]], in: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    #expect(line() == "B--")
    for (name, priority) in [
      ("a", TaskPriority.a), ("H", .a), ("medium", .b), ("l", .c), ("None", .none), ("-", .none),
    ] {
      #expect(TaskPriority(named: name) == priority)
    }
    #expect(TaskPriority(named: "d") == nil)
  }
}
