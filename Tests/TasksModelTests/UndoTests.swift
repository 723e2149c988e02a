import FoundationEssentials
import LiveStore
import TestSupport
import Testing

@testable import TasksModel

@Suite("Undo and redo")
struct UndoTests {
  @Test("The history is bounded in bytes: the oldest steps go, steps may be large, the others are undone")
  func historyLimit() throws {
    let fixture = try TasksStoreFixture()
    let store = fixture.store
    var generator = SeededGenerator()
    print(generator.comment)
    var expected: [Int] = []
    for round in 0..<16 {
      // Some are larger than the whole limit, and many are small.
      let share = [0.0, 0.01, 0.2, 0.6, 1.2].randomElement(using: &generator)!
      let text = "\(round) " + String(repeating: "x", count: Int(share * Double(TasksStore.historyLimit)))
      _ = try store.add(text, to: fixture.place)
      let sizes = store.store.objects(UndoStep.self).sorted(by: \.number).map(\.rows.utf8.count)
      expected.append(try #require(sizes.last))
      func counted() -> Int { expected.dropFirst().map { min($0, TasksStore.historyLimit / 4) }.reduce(0, +) }
      while counted() >= TasksStore.historyLimit { expected.removeFirst() }
      #expect(Array(sizes) == expected)
    }
    let added = fixture.tasks.count
    for _ in expected { #expect(try undone(store.undo(showing: RowScope(fixture.place))) != nil) }
    guard case .nothing = try store.undo(showing: RowScope(fixture.place)) else {
      Issue.record("there is more to undo than steps")
      return
    }
    #expect(fixture.tasks.count == added - expected.count)
  }

  @Test("An action larger than the whole history keeps those before it, in one part or in several")
  func largeAction() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c")
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    func undo() throws -> String? { try undone(store.undo(showing: scope)) }
    try store.setPriority([fixture.id("c")], in: scope) { _ in .a }
    let note = String(repeating: "x", count: 2 * TasksStore.historyLimit)
    for text in ["a", "b"] { try store.setNotes(fixture.id(text), to: note, in: scope) }
    let (long, ids) = (LongAction(), fixture.tasks.map(\.id))
    for id in ids { try store.delete([id], in: scope, partOf: long) }
    #expect(try undo() == "deleting 3 rows")
    #expect(try [undo(), undo()] == ["the note of “b”", "the note of “a”"])
    #expect(try undo() == "the priority of “c”")
    #expect(try undo() == nil)
  }

  @Test("Each operation is undone and done again, one step each")
  func everyOperation() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c D")
    let (store, place) = (fixture.store, fixture.place)
    let list = try #require(try store.add("Work", to: .lists).after.first?.id)
    let operations: [(expected: String, words: String, run: () throws -> Edit)] = [
      ("a b c e D", "adding “e”", { try store.add("e", to: place) }),
      ("a f b c e D", "adding “f”", { try store.add("f", to: place, at: .below(fixture.id("a"))) }),
      (
        "a f b c D E", "completing “e”", { try store.toggleCompleted([fixture.id("e")], in: RowScope(place)) }
      ),
      ("a f b c d E", "reopening “D”", { try store.toggleCompleted([fixture.id("d")], in: RowScope(place)) }),
      ("x f b c d E", "editing “a”", { try store.edit(fixture.id("a"), in: RowScope(place), text: "x") }),
      ("f b c d E", "deleting “x”", { try store.edit(fixture.id("x"), in: RowScope(place), text: "") }),
      ("b c f d E", "moving “f”", { try store.move([fixture.id("f")], in: RowScope(place), by: 2) }),
      ("b c d E", "deleting “f”", { try store.delete([fixture.id("f")], in: RowScope(place)) }),
      ("b c d", "clearing “e”", { try store.clearCompleted(in: RowScope(place)) }),
      (
        "d b c", "moving 2 rows",
        { try store.move([fixture.id("b"), fixture.id("c")], in: RowScope(place), by: 1) }
      ),
      (
        "c D B", "completing 2 rows",
        { try store.toggleCompleted([fixture.id("d"), fixture.id("b")], in: RowScope(place)) }
      ),
      (
        "c", "moving 2 rows to another list",
        {
          try store.move([fixture.id("b"), fixture.id("d")], in: RowScope(place), toList: list)
        }
      ),
      ("", "deleting “c”", { try store.delete([fixture.id("c")], in: RowScope(place)) }),
    ]
    var lines = [fixture.line.lowercased()]
    for operation in operations {
      let edit = try operation.run()
      #expect(edit.step != nil)
      #expect(fixture.line.lowercased() == operation.expected.lowercased())
      lines.append(fixture.line)
    }
    for _ in 0..<2 {
      for index in operations.indices.reversed() {
        let result = try store.undo(showing: RowScope(place))
        #expect(undone(result)?.lowercased() == operations[index].words.lowercased())
        #expect(index == 0 ? fixture.line.lowercased() == lines[0] : fixture.line == lines[index])
      }
      for index in operations.indices {
        #expect(
          try undone(store.redo(showing: RowScope(place)))?.lowercased()
            == operations[index].words.lowercased())
        #expect(fixture.line == lines[index + 1])
      }
      #expect(try store.redo(showing: RowScope(place)) == .nothing)
    }
  }

  @Test("A deleted list comes back with its tasks, as one step")
  func deletedList() throws {
    let fixture = try TasksStoreFixture(tasks: "a b C")
    let before = fixture.tasks.map { RowValues($0) }
    try fixture.store.delete([TaskList.firstListID], in: RowScope(.lists))
    #expect(fixture.tasks.isEmpty && fixture.lists == "")
    #expect(try undone(fixture.store.undo(showing: RowScope(.lists))) == "deleting “My Tasks”")
    #expect(fixture.lists == "my tasks" && fixture.tasks.map { RowValues($0) } == before)
    #expect(try undone(fixture.store.redo(showing: RowScope(.lists))) == "deleting “My Tasks”")
    #expect(fixture.tasks.isEmpty && fixture.store.store.objects(TaskItem.self).isEmpty)
  }

  @Test("What is done after an undo ends what could be done again")
  func redoEnds() throws {
    let fixture = try TasksStoreFixture(tasks: "a b")
    try fixture.store.delete([fixture.id("a")], in: RowScope(fixture.place))
    _ = try fixture.store.undo(showing: RowScope(fixture.place))
    try fixture.store.delete([fixture.id("b")], in: RowScope(fixture.place))
    #expect(try fixture.store.redo(showing: RowScope(fixture.place)) == .nothing)
    #expect(fixture.line == "a")
    _ = try fixture.store.undo(showing: RowScope(fixture.place))
    #expect(fixture.line == "a b")
    #expect(try fixture.store.undo(showing: RowScope(fixture.place)) == .nothing)
  }

  @Test("An operation that wrote nothing is no step")
  func nothingDone() throws {
    let fixture = try TasksStoreFixture(tasks: "a")
    try fixture.store.edit(fixture.id("a"), in: RowScope(fixture.place), text: "a")
    try fixture.store.clearCompleted(in: RowScope(fixture.place))
    try fixture.store.delete([Identifier()], in: RowScope(fixture.place))
    #expect(throws: Refusal.self) {
      try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
      try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
      _ = try fixture.store.undo(showing: RowScope(.lists))
      _ = try fixture.store.undo(showing: RowScope(.lists))
      try fixture.store.delete([fixture.id("a")], in: RowScope(fixture.place))
      try fixture.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    }
    #expect(try undone(fixture.store.undo(showing: RowScope(fixture.place))) == "deleting “a”")
    #expect(try fixture.store.undo(showing: RowScope(fixture.place)) == .nothing)
  }

  @Test("Moves that go on with one another are one step, and none when the row is back")
  func continuedMove() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d")
    let (store, place) = (fixture.store, fixture.place)
    let a = try fixture.id("a")
    let first = try store.move([a], in: RowScope(place), by: 1)
    let second = try store.move([a], in: RowScope(place), by: 2, continuing: first.step)
    #expect(second.step == first.step && fixture.line == "b c d a")
    let step = try #require(first.step)
    #expect(try store.takeBack(step: step, about: try fixture.id("b"), showing: RowScope(place)) == .nothing)
    #expect(try store.takeBack(step: step, about: a, showing: RowScope(place)) != .nothing)
    #expect(fixture.line == "a b c d")
    #expect(try store.redo(showing: RowScope(place)) == .nothing)
    #expect(try store.undo(showing: RowScope(place)) == .nothing)
  }

  @Test("A row that was lifted and comes back to where it stood leaves nothing to be undone")
  func noMovement() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c")
    let (store, place) = (fixture.store, fixture.place)
    let a = try fixture.id("a")
    let first = try store.move([a], in: RowScope(place), by: 2)
    #expect(try store.move([a], in: RowScope(place), by: -2, continuing: first.step).step == nil)
    #expect(fixture.line == "a b c")
    #expect(try store.undo(showing: RowScope(place)) == .nothing)
  }

  // MARK: Others

  private struct Pair {
    let one: TasksStore
    let two: TasksStore
    let place = Place.tasks(inList: TaskList.firstListID)

    init(_ tasks: [String], authors: (String, String) = ("one", "two")) throws {
      let name = UUID().uuidString
      one = try TasksStore(
        inMemory: name, scheduler: .fileDescriptor(NotificationSource()), author: authors.0)
      two = try TasksStore(
        inMemory: name, scheduler: .fileDescriptor(NotificationSource()), author: authors.1)
      let list = try #require(one.list(TaskList.firstListID))
      let store = one.store
      try store.write {
        for text in tasks {
          let task = TaskItem()
          task.text = text
          task.completed = text.first?.isUppercase == true
          store.add(task)
          list.items.append(task)
        }
      }
    }

    func id(_ text: String) throws -> Identifier {
      try one.store.refresh()
      let task = one.list(TaskList.firstListID)?.items.first { $0.text == text }
      return try #require(task).id
    }

    func line() throws -> String {
      try one.store.refresh()
      let rows = one.list(TaskList.firstListID).map { Array($0.items) } ?? []
      return rows.map { $0.completed ? "[\($0.text)]" : $0.text }.joined(separator: " ")
    }
  }

  @Test("Nobody undoes what another has done; the same person does in any window")
  func authors() throws {
    let pair = try Pair(["a", "b"])
    try pair.one.delete([pair.id("a")], in: RowScope(pair.place))
    #expect(try pair.two.undo(showing: RowScope(pair.place)) == .nothing)
    #expect(try undone(pair.one.undo(showing: RowScope(pair.place))) == "deleting “a”")
    let same = try Pair(["a", "b"], authors: ("me", "me"))
    try same.one.delete([same.id("a")], in: RowScope(same.place))
    #expect(try undone(same.two.undo(showing: RowScope(same.place))) == "deleting “a”")
    #expect(try same.line() == "a b")
  }

  @Test("What others did beside it stays: a text, a date, a completion, rows around it")
  func besideOthers() throws {
    let pair = try Pair(["a", "b", "c", "d"])
    let (one, two, place) = (pair.one, pair.two, pair.place)
    let (a, b, c) = (try pair.id("a"), try pair.id("b"), try pair.id("c"))
    try one.toggleCompleted([b], in: RowScope(place))
    try two.edit(a, in: RowScope(place), text: "A2")
    try two.add("new", to: place, at: .top)
    _ = try one.undo(showing: RowScope(place))
    #expect(try pair.line() == "new A2 b c d")
    try one.edit(c, in: RowScope(place), text: "c2")
    try two.toggleCompleted([c], in: RowScope(place))
    _ = try one.undo(showing: RowScope(place))
    #expect(try pair.line() == "new A2 b d [c]")
    try one.delete([b], in: RowScope(place))
    try two.delete([a], in: RowScope(place))
    _ = try one.undo(showing: RowScope(place))
    #expect(try pair.line() == "new b d [c]")
    try one.delete([b], in: RowScope(place))
    try two.toggleCompleted([pair.id("new")], in: RowScope(place))
    try two.toggleCompleted([pair.id("d")], in: RowScope(place))
    _ = try one.undo(showing: RowScope(place))
    // The row above it is completed now; it does not come back among the completed rows.
    #expect(try pair.line() == "b [c] [new] [d]")
  }

  @Test(
    "What cannot be undone any more says why, changes nothing, and lets the step before it be undone",
    arguments: 0..<7)
  func impossible(number: Int) throws {
    let pair = try Pair(["a", "b", "c", "D"])
    let (one, two, place) = (pair.one, pair.two, pair.place)
    let (a, b) = (try pair.id("a"), try pair.id("b"))
    try one.edit(b, in: RowScope(place), text: "b2")
    let expected: UndoObstacle
    switch number {
    case 0:
      try one.edit(a, in: RowScope(place), text: "a2")
      try two.edit(a, in: RowScope(place), text: "a3")
      expected = .rowChanged("a3")
    case 1:
      try one.toggleCompleted([a], in: RowScope(place))
      try two.toggleCompleted([a], in: RowScope(place))
      expected = .rowChanged("a")
    case 2:
      try one.edit(a, in: RowScope(place), text: "a2")
      try two.delete([a], in: RowScope(place))
      expected = .rowDeleted("a2")
    case 3:
      try one.move([a], in: RowScope(place), by: 1)
      try two.move([a], in: RowScope(place), by: 1)
      expected = .rowMoved("a")
    case 4:
      let added = try one.add("e", to: place)
      try two.edit(#require(added.rowID), in: RowScope(place), text: "e2")
      expected = .rowChanged("e2")
    case 5:
      try one.delete([a], in: RowScope(place))
      try two.delete([TaskList.firstListID], in: RowScope(.lists))
      expected = .listDeleted("a")
    default:
      // A list that was added here, and has a task from somebody else by now.
      let list = try #require(try one.add("Work", to: .lists).rowID)
      try two.add("theirs", to: .tasks(inList: list))
      expected = .rowChanged("Work")
    }
    let before = try pair.line()
    guard case .impossible(_, let obstacle) = try one.undo(showing: RowScope(place)) else {
      Issue.record("it was undone")
      return
    }
    #expect(obstacle == expected && !"\(obstacle)".isEmpty)
    #expect(try pair.line() == before)
    if number != 5 {
      #expect(try undone(one.undo(showing: RowScope(place))) == "editing “b”")
      #expect(try pair.id("b") == b)
    }
  }

  @Test("A bulk step that one row stands in the way of is not undone by halves")
  func wholeOrNothing() throws {
    let pair = try Pair(["a", "b", "c"])
    try pair.one.toggleCompleted([pair.id("a"), pair.id("b")], in: RowScope(pair.place))
    try pair.two.toggleCompleted([pair.id("a")], in: RowScope(pair.place))
    let before = try pair.line()
    guard case .impossible(.complete, .rowChanged("a")) = try pair.one.undo(showing: RowScope(pair.place))
    else {
      Issue.record("it was undone")
      return
    }
    #expect(try pair.line() == before)
  }

  @Test("It is in the file: another process can undo it later")
  func restart() throws {
    let folder = TemporaryFolder()
    let path = folder("tasks.db")
    defer { withExtendedLifetime(folder) {} }
    let place = Place.tasks(inList: TaskList.firstListID)
    func open() throws -> TasksStore {
      try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()))
    }
    let first = try open()
    try first.add(["a", "b"], to: place)
    try first.delete([#require(first.list(TaskList.firstListID)?.items.first).id], in: RowScope(place))
    first.close()
    let second = try open()
    #expect(try undone(second.undo(showing: RowScope(place))) == "deleting “a”")
    #expect(try undone(second.undo(showing: RowScope(place))) == "adding 2 rows")
    #expect(second.list(TaskList.firstListID)?.items.isEmpty == true)
    second.close()
    let third = try open()
    #expect(try undone(third.redo(showing: RowScope(place))) == "adding 2 rows")
    #expect(third.list(TaskList.firstListID)?.items.map(\.text) == ["a", "b"])
    third.close()
  }

  @Test(
    "Any sequence of operations is undone to its beginning and done again, and each edit tells what it did")
  func random() throws {
    var generator = SeededGenerator()
    let seed = generator.comment
    for number in 0..<8 {
      try runRandom(number % 3 == 0 ? .top : .end, using: &generator, comment: Comment(rawValue: seed))
    }
  }

  private func runRandom(
    _ completedRows: CompletedRows, using generator: inout SeededGenerator, comment: Comment
  ) throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d E F")
    let (store, place) = (fixture.store, fixture.place)
    let list = try #require(try store.add("Work", to: .lists).after.first?.id)
    store.completedRows = completedRows
    var states = [fixture.tasks.map { RowValues($0) }]
    for step in 0..<60 {
      let rows = fixture.tasks
      let ids = rows.map(\.id).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
      guard let id = rows.randomElement(using: &generator)?.id else {
        try store.add(["x\(step)", "y\(step)", "z\(step)"], to: place)
        states.append(fixture.tasks.map { RowValues($0) })
        continue
      }
      var edit: Edit?
      do {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: edit = try store.add("t\(step)", to: place, at: .above(id))
        case 1: edit = try store.add("t\(step)", to: place)
        case 2: edit = try store.toggleCompleted([id], in: RowScope(place))
        case 3:
          edit = try store.edit(
            id, in: RowScope(place), text: Bool.random(using: &generator) ? "" : "e\(step)")
        case 4: edit = try store.delete([id], in: RowScope(place))
        case 5:
          edit = try store.move([id], in: RowScope(place), by: Int.random(in: -3...3, using: &generator))
        case 6: edit = try store.toggleCompleted(ids, in: RowScope(place))
        case 7: edit = try store.delete(ids, in: RowScope(place))
        case 8, 9:
          edit = try store.move(ids, in: RowScope(place), by: Int.random(in: -3...3, using: &generator))
        case 12: edit = try store.setRepetition(ids, in: RowScope(place), to: Repetition("every 2 days"))
        case 13:
          edit = try store.setDate(
            [id], in: RowScope(place), to: Bool.random(using: &generator) ? nil : Date())
        case 10: edit = try store.move(ids, in: RowScope(place), toList: list)
        default: edit = try store.clearCompleted(in: RowScope(place))
        }
      } catch is Refusal {}
      let now = fixture.tasks.map { RowValues($0) }
      if let edit {
        var mirror = RowsModel(rows: try #require(states.last))
        mirror.apply(edit)
        try #require(mirror.rows == now, comment)
        #expect((edit.step == nil) == (now == states.last), comment)
      }
      if now != states.last { states.append(now) }
    }
    for _ in 0..<2 {
      for state in states.dropLast().reversed() {
        guard case .done = try store.undo(showing: RowScope(place)) else {
          Issue.record("nothing undone", severity: .error)
          return
        }
        try #require(fixture.tasks.map { RowValues($0) } == state, comment)
      }
      for state in states.dropFirst() {
        guard case .done = try store.redo(showing: RowScope(place)) else {
          Issue.record("nothing redone", severity: .error)
          return
        }
        try #require(fixture.tasks.map { RowValues($0) } == state, comment)
      }
    }
  }
}
