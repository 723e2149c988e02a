import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore
@testable import TasksModel

/// Actions on many rows that are carried out in several transactions, compared with the same in one.
@Suite("Actions in parts")
struct LongActionTests {
  private enum Operation: CaseIterable {
    case complete, reopen, delete, clear, date, priority, moveToList, moveToNewList

    func callAsFunction(
      _ store: TasksStore, _ ids: [Identifier], _ scope: RowScope, _ list: Identifier, _ long: LongAction?
    ) throws -> Edit {
      switch self {
      case .complete: try store.toggleCompleted(ids, in: scope, ifCompleted: false, partOf: long)
      case .reopen: try store.toggleCompleted(ids, in: scope, ifCompleted: true, partOf: long)
      case .delete: try store.delete(ids, in: scope, partOf: long)
      case .clear: try store.clear(ids, in: scope, partOf: long)
      case .date: try store.setDate(ids, in: scope, to: Date(timeIntervalSince1970: 1), partOf: long)
      case .priority: try store.setPriority(ids, in: scope, partOf: long) { _ in .b }
      case .moveToList, .moveToNewList: try store.move(ids, in: scope, toList: list, partOf: long)
      }
    }
  }

  /// Two files with the same rows: an operation is one transaction in the first, and several in the second.
  private struct Pair {
    let whole: TasksStoreFixture
    let parted: TasksStoreFixture
    let ids: [[Identifier]]

    init(_ line: String) throws {
      whole = try TasksStoreFixture(tasks: line)
      parted = try TasksStoreFixture(tasks: line)
      ids = [whole, parted].map { $0.tasks.map(\.id) }
    }

    static func content(_ fixture: TasksStoreFixture) -> [String] {
      (Array(fixture.store.lists) + (fixture.store.archive.map { [$0] } ?? [])).filter {
        $0.id != TaskList.archiveID || !$0.items.isEmpty
      }.map { list in
        list.text + ": "
          + list.items.map { "\($0.text) \($0.completed) \($0.date == nil) \($0.priority)" }
          .joined(separator: ", ")
      }
    }

    func check(_ comment: String) {
      #expect(Pair.content(whole) == Pair.content(parted), "\(comment)")
    }
  }

  @Test("Carried out, undone and redone in parts, they do what they do at once")
  func random() throws {
    var generator = SeededGenerator()
    print(generator.comment)
    for _ in 0..<25 {
      let count = Int.random(in: 1...14, using: &generator)
      let open = Int.random(in: 0...count, using: &generator)
      let pair = try Pair(
        (0..<count).map { ($0 < open ? "t" : "T") + "\($0)" }.joined(separator: " "))
      let completedRows = CompletedRows.allCases.randomElement(using: &generator) ?? .end
      for fixture in [pair.whole, pair.parted] { fixture.store.completedRows = completedRows }
      let lists = try [pair.whole, pair.parted].map { fixture in
        let list = try #require(fixture.store.add("Other", to: .lists).rowID)
        try fixture.store.add("there", to: .tasks(inList: list))
        return list
      }
      let before = Pair.content(pair.parted)
      let operation = try #require(Operation.allCases.randomElement(using: &generator))
      let chosen = (0..<count).filter { _ in Bool.random(using: &generator) }
      let scope = RowScope(pair.whole.place)
      let one = Result {
        try operation(pair.whole.store, chosen.map { pair.ids[0][$0] }, scope, lists[0], nil)
      }
      let long = LongAction()
      var left = chosen[...]
      var changed = 0
      while !left.isEmpty {
        let part = left.prefix(Int.random(in: 1...5, using: &generator))
        left = left.dropFirst(part.count)
        do {
          let edit = try operation(
            pair.parted.store, part.map { pair.ids[1][$0] }, scope, lists[1], long)
          changed += edit.noChange == nil ? 1 : 0
        } catch is Refusal {
          // None of these rows can be changed.
        }
      }
      pair.check("\(operation) \(completedRows) of \(chosen) in \(before)")
      guard case .success(let edit) = one, edit.noChange == nil else {
        #expect(changed == 0)
        continue
      }
      let after = Pair.content(pair.parted)
      for _ in 0..<2 {
        _ = try pair.whole.store.undo(showing: scope)
        try take(changed, inParts: Bool.random(using: &generator), pair.parted.store.undo)
        pair.check("undone: \(operation) \(completedRows) of \(chosen) in \(before)")
        #expect(Pair.content(pair.parted) == before)
        _ = try pair.whole.store.redo(showing: scope)
        try take(changed, inParts: Bool.random(using: &generator), pair.parted.store.redo)
        #expect(Pair.content(pair.parted) == after)
      }
    }
  }

  /// Undoes or redoes an action of some parts.
  private func take(
    _ count: Int, inParts: Bool, _ operation: (RowScope, LongAction?) throws -> UndoResult
  ) throws {
    let scope = RowScope(.tasks(inList: TaskList.firstListID))
    guard inParts else {
      guard case .done(let undone) = try operation(scope, nil) else {
        Issue.record("not undone")
        return
      }
      return #expect(!undone.hasMore)
    }
    let long = LongAction()
    for number in 1...count {
      guard case .done(let undone) = try operation(scope, long) else {
        Issue.record("part \(number) of \(count) was not undone")
        return
      }
      #expect(undone.hasMore == (number < count))
    }
    #expect(try operation(scope, long) == .nothing)
  }

  @Test("The whole is one action, whatever else was done meanwhile; rows that are gone are left out")
  func oneAction() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d e")
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    let ids = fixture.tasks.map(\.id)
    let long = LongAction()
    try store.toggleCompleted(Array(ids[0...1]), in: scope, ifCompleted: false, partOf: long)
    try store.edit(ids[4], in: scope, text: "E")
    try store.delete([ids[2]], in: scope)
    try store.toggleCompleted(Array(ids[2...3]), in: scope, ifCompleted: false, partOf: long)
    #expect(fixture.line == "e A B D")
    guard case .done(let undone) = try store.undo(showing: scope) else {
      Issue.record("not undone")
      return
    }
    #expect(undone.words == "completing 3 rows")
    #expect(fixture.tasks.allSatisfy { !$0.completed } && fixture.tasks.count == 4)
    guard case .done(let other) = try store.undo(showing: scope) else { return }
    #expect(other.words == "deleting “c”")
  }

  @Test("An action that another window undoes is not continued, and what was undone can be redone")
  func undoneMeanwhile() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d")
    let (store, place) = (fixture.store, fixture.place)
    let scope = RowScope(place)
    let ids = fixture.tasks.map(\.id)
    let long = LongAction()
    try store.delete(Array(ids[..<2]), in: scope, partOf: long)
    guard case .done = try store.undo(showing: scope) else {
      Issue.record("not undone")
      return
    }
    #expect(throws: Refusal.undoneMeanwhile) { try store.delete([ids[2]], in: scope, partOf: long) }
    #expect(fixture.tasks.map(\.text) == ["a", "b", "c", "d"])
    guard case .done = try store.redo(showing: scope) else {
      Issue.record("not redone")
      return
    }
    #expect(fixture.tasks.map(\.text) == ["c", "d"])
  }

  @Test("However large, it can be undone; when it is too old it goes as a whole")
  func historyLimit() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d")
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    let ids = fixture.tasks.map(\.id)
    let note = String(repeating: "x", count: TasksStore.historyLimit / 16)
    for id in ids { try store.setNotes(id, to: note, in: scope) }
    let long = LongAction()
    for id in ids { try store.delete([id], in: scope, partOf: long) }
    #expect(fixture.tasks.isEmpty)
    _ = try store.undo(showing: scope)
    #expect(fixture.line == "a b c d")
    _ = try store.redo(showing: scope)
    func add(share: Int) throws {
      try store.add(String(repeating: "y", count: TasksStore.historyLimit / share), to: fixture.place)
    }
    // As much as makes the first two of the four parts too old: an action counts for a quarter at most.
    for _ in 0..<3 { try add(share: 2) }
    try add(share: 8)
    for _ in 0..<5 { #expect(try store.undo(showing: scope) != .nothing) }
    #expect(fixture.line == "a b c d")
    for _ in 0..<5 { #expect(try store.redo(showing: scope) != .nothing) }
    // And as much as makes the last one too old.
    try add(share: 8)
    for _ in 0..<5 { #expect(try store.undo(showing: scope) != .nothing) }
    #expect(try store.undo(showing: scope) == .nothing)
    #expect(fixture.tasks.isEmpty)
  }

  @Test("It goes as a whole where others have done something between its parts")
  func historyLimitBetweenParts() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d")
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    let ids = fixture.tasks.map(\.id)
    let note = String(repeating: "x", count: TasksStore.historyLimit / 16)
    for id in ids[..<2] { try store.setNotes(id, to: note, in: scope) }
    let long = LongAction()
    for id in ids[..<2] {
      try store.delete([id], in: scope, partOf: long)
      try store.setPriority([ids[3]], in: scope) { _ in id == ids[0] ? .a : .b }
    }
    try store.delete([ids[2]], in: scope, partOf: long)
    // As much as makes the first part too old, and not the second.
    for share in [8, 8, 8, 3] {
      try store.add(String(repeating: "y", count: share * TasksStore.historyLimit / 16), to: fixture.place)
    }
    for _ in 0..<5 { #expect(try store.undo(showing: scope) != .nothing) }
    #expect(fixture.line == "a b c d")
  }

  @Test("A part that cannot be undone any more is dropped; the others can")
  func obstacle() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d")
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    let ids = fixture.tasks.map(\.id)
    let long = LongAction()
    for id in ids { try store.setPriority([id], in: scope, partOf: long) { _ in .a } }
    let other = try #require(store.task(ids[2]))
    try store.store.write { other.priority = .c }
    let undoing = LongAction()
    guard case .done = try store.undo(showing: scope, partOf: undoing) else {
      Issue.record("not undone")
      return
    }
    #expect(try store.undo(showing: scope, partOf: undoing) == .impossible(.setPriority, .rowChanged("c")))
    guard case .done = try store.undo(showing: scope, partOf: undoing) else {
      Issue.record("not undone")
      return
    }
    #expect(fixture.tasks.map(\.priority) == [.a, .none, .c, .none])
  }

  @Test(
    "Clearing, undoing and redoing it cost each task the same, however many there are",
    arguments: [false, true]
  )
  func cost(inParts: Bool) throws {
    let (few, many) = (try costs(200, inParts), try costs(1_600, inParts))
    for (operation, (few, many)) in zip(["clear", "undo", "redo"], zip(few, many)) {
      #expect(many < few * 11 / 10, "\(operation): \(few) and \(many) instructions a task")
    }
  }

  /// The instructions of SQLite for each task.
  private func costs(_ count: Int, _ inParts: Bool) throws -> [Int] {
    let fixture = try TasksStoreFixture(
      tasks: (0..<count).map { ($0 % 2 == 0 ? "t" : "T") + "\($0)" }.joined(separator: " "))
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    // Parts are for a list on the screen, whose order is kept.
    let token = inParts ? store.list(TaskList.firstListID)?.items.observe { _ in } : nil
    defer { token?.invalidate() }
    let ids = try store.completedRows(of: fixture.place)
    let part = inParts ? 25 : ids.count
    let parts = stride(from: 0, to: ids.count, by: part)
    func measure(_ body: (LongAction?) throws -> Void) rethrows -> Int {
      try work(of: store) { try body(inParts ? LongAction() : nil) }.instructions / count
    }
    return [
      try measure { long in
        for start in parts {
          _ = try store.clear(Array(ids[start..<start + part]), in: scope, partOf: long)
        }
      },
      try measure { long in for _ in parts { _ = try store.undo(showing: scope, partOf: long) } },
      try measure { long in for _ in parts { _ = try store.redo(showing: scope, partOf: long) } },
    ]
  }

  private func work(of store: TasksStore, _ body: () throws -> Void) rethrows -> WorkCounter.Work {
    let coordinator = store.store.coordinator
    let connections = [coordinator.front, coordinator.openedBack].compactMap { $0?.connection.handle }
    let counter = WorkCounter()
    counter.install(on: connections)
    defer { counter.uninstall(from: connections) }
    try body()
    return counter.take()
  }

  @Test("A task that is reopened costs the same, however many completed ones there are")
  func costOfReopening() throws {
    func cost(_ count: Int) throws -> Int {
      let fixture = try TasksStoreFixture(tasks: (0..<count).map { "T\($0)" }.joined(separator: " "))
      let (store, scope) = (fixture.store, RowScope(fixture.place))
      // Of a list on the screen, whose order is kept.
      let token = store.list(TaskList.firstListID)?.items.observe { _ in }
      defer { token?.invalidate() }
      let ids = fixture.tasks.map(\.id)
      let long = LongAction()
      func reopen(_ ids: ArraySlice<Identifier>) throws {
        try store.toggleCompleted(Array(ids), in: scope, ifCompleted: true, partOf: long)
      }
      // SQLite counts the earlier executions of a statement with its next one.
      _ = try work(of: store) { try reopen(ids[..<10]) }
      return try work(of: store) {
        for start in stride(from: 10, to: 60, by: 5) { try reopen(ids[start..<start + 5]) }
      }.instructions / 50
    }
    let (few, many) = (try cost(100), try cost(3200))
    #expect(many < few * 5 / 4, "\(few) and \(many) instructions a task")
  }

  @Test(
    "A task that comes into a list costs the same, however many completed ones are there",
    arguments: [Place.tasks(inList: TaskList.firstListID), .archive])
  func costOfArriving(from source: Place) throws {
    func cost(_ count: Int) throws -> Int {
      let fixture = try TasksStoreFixture(tasks: (0..<60).map { "T\($0)" }.joined(separator: " "))
      let store = fixture.store
      let ids = fixture.tasks.map(\.id)
      var list = TaskList.firstListID
      if source == .archive {
        _ = try store.clear(ids, in: RowScope(fixture.place), partOf: nil)
      } else {
        try store.toggleCompleted(ids, in: RowScope(fixture.place))
        list = try #require(store.add("Other", to: .lists).rowID)
      }
      let target = try #require(store.list(list))
      try store.store.write {
        for number in 0..<count {
          let task = TaskItem()
          (task.text, task.completed) = ("T\(number)", true)
          target.items.append(task)
        }
      }
      let scope = RowScope(source)
      let token = (store.rows(of: source) as? TaskRows)?.items.observe { _ in }
      defer { token?.invalidate() }
      let long = LongAction()
      func bring(_ ids: ArraySlice<Identifier>) throws {
        if source == .archive {
          try store.toggleCompleted(Array(ids), in: scope, ifCompleted: true, partOf: long)
        } else {
          try store.move(Array(ids), in: scope, toList: list, partOf: long)
        }
      }
      _ = try work(of: store) { try bring(ids[..<10]) }
      let cost =
        try work(of: store) {
          for start in stride(from: 10, to: 60, by: 5) { try bring(ids[start..<start + 5]) }
        }.instructions / 50
      #expect(target.items.prefix(60).map(\.id) == ids)
      return cost
    }
    let (few, many) = (try cost(100), try cost(3200))
    #expect(many < few * 5 / 4, "\(few) and \(many) instructions a task")
  }

  @Test("Tasks that are reopened come after the open ones, whatever was done to those between two parts")
  func reopeningBetweenChanges() throws {
    let fixture = try TasksStoreFixture(tasks: "a B C D E F G H")
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    let ids = fixture.tasks.map(\.id)
    let list = try #require(store.add("Other", to: .lists).rowID)
    let long = LongAction()
    func reopen(_ index: Int) throws {
      try store.toggleCompleted([ids[index]], in: scope, ifCompleted: true, partOf: long)
    }
    try reopen(1)
    try store.move([ids[1]], in: scope, toList: list)
    try reopen(2)
    #expect(fixture.line == "a c D E F G H")
    try store.toggleCompleted([ids[2]], in: scope)
    try reopen(3)
    #expect(fixture.line == "a d E F G H C")
    try store.add("i", to: fixture.place)
    try reopen(4)
    #expect(fixture.line == "a d i e F G H C")
    try store.delete([ids[4]], in: scope)
    try reopen(5)
    #expect(fixture.line == "a d i f G H C")
    // Another program reopens one where it is.
    let last = try #require(store.task(ids[7]))
    try store.store.write { last.completed = false }
    try reopen(6)
    #expect(fixture.line == "a d i f g h C")
  }

  @Test("A task that is changed with others is read a few times, and not by each step")
  func costOfReading() throws {
    let fixture = try TasksStoreFixture(tasks: (0..<100).map { "t\($0)" }.joined(separator: " "))
    let (store, scope) = (fixture.store, RowScope(fixture.place))
    let ids = fixture.tasks.map(\.id)
    let statements =
      try work(of: store) {
        try store.setPriority(ids, in: scope) { _ in .a }
      }.statements / ids.count
    #expect(statements <= 6, "\(statements) statements a task")
  }
}
