import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("What only tasks have")
struct TaskDetailTests {
  private let date = Date(timeIntervalSince1970: 1_800_000_000)

  private func undone(_ result: UndoResult) -> String? {
    if case .done(let undone) = result { undone.words } else { nil }
  }

  @Test("A date is set and removed by hand, one step each")
  func dates() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let (store, place) = (fixture.store, fixture.place)
    let (a, b) = (try fixture.id("a"), try fixture.id("b"))
    let edit = try store.setDate([a, b], in: place, to: date)
    guard case .several(let difference) = edit.change else {
      Issue.record("\(edit)")
      return
    }
    #expect(difference.modifications == [0, 1] && difference.deletions.isEmpty)
    #expect(fixture.tasks.map(\.date) == [date, date, nil])
    #expect(try store.setDate([a, b], in: place, to: date).change == .none(.unchanged))
    try store.setDate([a], in: place, to: nil)
    #expect(fixture.tasks.map(\.date) == [nil, date, nil])
    #expect(fixture.tasks.map(\.dateOrigin) == [.person, .person, .unknown])

    #expect(try undone(store.undo(showing: place)) == "set the date of “a”")
    #expect(fixture.tasks.map(\.date) == [date, date, nil])
    #expect(try undone(store.undo(showing: place)) == "set the date of 2 rows")
    #expect(fixture.tasks.allSatisfy { $0.date == nil && $0.dateOrigin == .unknown })
    #expect(try undone(store.redo(showing: place)) == "set the date of 2 rows")
    #expect(fixture.tasks.map(\.dateOrigin) == [.person, .person, .unknown])
  }

  @Test("A completed task keeps its date, and one that is gone has none")
  func refused() throws {
    let fixture = try TasksStoreFixture(tasks: "a C")
    let completed = try fixture.id("c")
    #expect(throws: Refusal.editingCompletedRow) {
      try fixture.store.setDate([completed], in: fixture.place, to: date)
    }
    try fixture.store.setDate([completed, fixture.id("a")], in: fixture.place, to: date)
    #expect(fixture.tasks.map(\.date) == [date, nil])
    #expect(try fixture.store.setDate([Identifier()], in: fixture.place, to: date).change == .none(.gone))
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
    try store.setDate([a, x], in: nil, to: date)
    #expect(store.task(x)?.date == date && store.task(a)?.date == date)
    try store.toggleCompleted([a, x], in: nil)
    #expect(line() == "b c A / y X")
    // Open ones among them are completed; only when all are completed they are opened again.
    try store.toggleCompleted([a, x, fixture.id("b")], in: nil)
    #expect(line() == "c A B / y X")
    try store.toggleCompleted([a, x], in: nil)
    #expect(line() == "c a B / y x")
    try store.delete([a, x], in: nil)
    #expect(line() == "c B / y")
    try store.move([fixture.id("c")], from: nil, toList: work)
    #expect(line() == "B / y c")
    #expect(try store.delete([a, x], in: nil).change == .none(.gone))
    let words = [
      "move to another list “c”", "delete 2 rows", "reopen 2 rows", "complete “b”", "complete 2 rows",
      "set the date of 2 rows",
    ]
    for expected in words { #expect(try undone(store.undo(showing: place)) == expected) }
    #expect(line() == "a b c / x y" && store.task(x)?.date == nil)
    for expected in words.reversed() { #expect(try undone(store.redo(showing: place)) == expected) }
    #expect(line() == "B / y c")
  }

  @Test("What others changed in the same detail stands in the way of undo, and nothing else does")
  func others() throws {
    let fixture = try TasksStoreFixture(tasks: "a")
    let (store, place) = (fixture.store, fixture.place)
    let task = try #require(fixture.tasks.first)
    try store.setDate([task.id], in: place, to: date)
    try store.store.write { task.text = "a2" }
    #expect(try undone(store.undo(showing: place)) == "set the date of “a”" && task.date == nil)
    try store.setDate([task.id], in: place, to: date)
    try store.store.write { task.date = nil }
    #expect(try store.undo(showing: place) == .impossible(.setDate, .rowChanged("a2")))
    #expect(task.dateOrigin == .person)
  }

  @Test("A note is written, by whoever knows the one that is there, and taken back")
  func notes() throws {
    let fixture = try TasksStoreFixture(tasks: "a B")
    let (store, place) = (fixture.store, fixture.place)
    let (a, b) = (fixture.tasks[0], fixture.tasks[1])
    #expect(try store.setNotes(a.id, to: "one\ntwo \n\n").change == .modified(at: 0))
    #expect(a.notes == "one\ntwo")
    #expect(try store.setNotes(a.id, to: "one\ntwo\n").change == .none(.unchanged))
    #expect(try store.setNotes(a.id, to: "mine", replacing: "").change == .none(.textChanged("one\ntwo")))
    #expect(try store.setNotes(Identifier(), to: "x").change == .none(.gone))
    try store.setNotes(b.id, to: "of a completed one", replacing: "")
    #expect(b.notes == "of a completed one")
    #expect(try undone(store.undo(showing: place)) == "write the note of “B”" && b.notes == "")
    #expect(try undone(store.redo(showing: place)) == "write the note of “B”" && b.notes != "")
    // It goes with the task and comes back with it.
    try store.delete([a.id, b.id], in: place)
    _ = try store.undo(showing: place)
    #expect(fixture.tasks.map(\.notes) == ["one\ntwo", "of a completed one"])
    // What has been written since is not taken away with a task that was added.
    let added = try #require(try store.add("c", to: place).rowID)
    try store.store.write { store.task(added)?.notes = "theirs" }
    #expect(try store.undo(showing: place) == .impossible(.add, .rowChanged("c")))
  }

  @Test("Priorities are set, raised and lowered, one step each; by whichever name people know them")
  func priorities() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let (store, place) = (fixture.store, fixture.place)
    let ids = fixture.tasks.map(\.id)
    func line() -> String { fixture.tasks.map { $0.priority == .none ? "-" : $0.priority.rawValue }.joined() }
    try store.setPriority([ids[0]], in: place) { _ in .b }
    try store.setPriority(ids, in: place) { $0.raised }
    #expect(line() == "AC-")
    try store.setPriority(ids, in: nil) { $0.lowered }
    #expect(line() == "B--")
    #expect(try store.setPriority([ids[1]], in: place) { $0.lowered }.change == .none(.unchanged))
    #expect(throws: Refusal.editingCompletedRow) { try store.setPriority([ids[2]], in: place) { _ in .a } }
    #expect(try undone(store.undo(showing: place)) == "set the priority of 2 rows" && line() == "AC-")
    #expect(try undone(store.undo(showing: place)) == "set the priority of 2 rows" && line() == "B--")
    #expect(try undone(store.undo(showing: place)) == "set the priority of “a”" && line() == "---")
    _ = try store.redo(showing: place)
    try store.delete([ids[0]], in: place)
    _ = try store.undo(showing: place)
    #expect(line() == "B--")
    for (name, priority) in [
      ("a", TaskPriority.a), ("H", .a), ("medium", .b), ("l", .c), ("None", .none), ("-", .none),
    ] {
      #expect(TaskPriority(named: name) == priority)
    }
    #expect(TaskPriority(named: "d") == nil)
  }
}
