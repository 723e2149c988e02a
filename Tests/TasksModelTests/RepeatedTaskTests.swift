import LiveStore
import LiveStoreFixtures
import TestSupport
import Testing

@testable import TasksModel

@Suite("Tasks that another program has put into a list several times")
struct RepeatedTaskTests {
  private let fixture: TasksStoreFixture
  private let list: TaskList

  init() throws {
    fixture = try TasksStoreFixture(tasks: "")
    try fixture.store.add((0..<6).map { "task \($0)" }, to: fixture.place)
    list = try #require(fixture.store.list(TaskList.firstListID))
  }

  private var ids: [Identifier] { list.items.map(\.id) }

  private func repeatTasks(using random: inout SeededGenerator) throws {
    try fixture.store.store.write {
      for _ in 0..<3 {
        let task = list.items[Int.random(in: 0..<list.items.count, using: &random)]
        list.items.insert(task, at: Int.random(in: 0...list.items.count, using: &random))
      }
    }
  }

  @Test("Deleting some deletes those and no others, and undo brings each back once")
  func deleting() throws {
    var random = SeededGenerator()
    for round in 0..<40 {
      let tests = try RepeatedTaskTests()
      try tests.repeatTasks(using: &random)
      let before = tests.ids
      let doomed = Set(before.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)))
      try tests.fixture.store.delete(before.filter(doomed.contains), in: RowScope(tests.fixture.place))
      #expect(tests.ids == before.filter { !doomed.contains($0) }, "round \(round), \(random.comment)")
      let undone = try tests.fixture.store.undo(showing: RowScope(tests.fixture.place))
      guard case .done = undone else {
        Issue.record("\(undone), round \(round), \(random.comment)")
        continue
      }
      #expect(Set(tests.ids) == Set(before), "round \(round), \(random.comment)")
    }
  }

  @Test("Their list is deleted with each of them once, also with a subtask that is beside its task")
  func deletingList() throws {
    var random = SeededGenerator()
    try repeatTasks(using: &random)
    try fixture.store.store.write { list.items[0].subtasks.append(list.items[1]) }
    let tasks = Set(ids)
    try fixture.store.delete([list.id], in: RowScope(.lists))
    #expect(list.isInvalidated && fixture.store.allTasks.isEmpty)
    guard case .done = try fixture.store.undo(showing: RowScope(.lists)) else {
      Issue.record("It was not undone.")
      return
    }
    #expect(Set(fixture.store.list(TaskList.firstListID)?.items.map(\.id) ?? []) == tasks)
    #expect(fixture.store.list(TaskList.firstListID)?.items.count == tasks.count)
  }

  @Test("A task that is in another list too stays there when one of them is deleted, and when that is undone")
  func otherList() throws {
    try fixture.store.add("Work", to: .lists)
    let work = try #require(fixture.store.lists.last)
    try fixture.store.store.write { work.items.append(list.items[2]) }
    let (shared, before) = (ids[2], ids)
    try fixture.store.delete([list.id], in: RowScope(.lists))
    #expect(work.items.map(\.id) == [shared] && fixture.store.allTasks.count == 1)
    guard case .done = try fixture.store.undo(showing: RowScope(.lists)) else {
      Issue.record("It was not undone.")
      return
    }
    #expect(work.items.map(\.id) == [shared])
    #expect(fixture.store.list(TaskList.firstListID)?.items.map(\.id) == before)
  }

  @Test("One that is in another list, or below a task, too is brought back into both where it was")
  func undoneInBoth() throws {
    try fixture.store.add("Work", to: .lists)
    try fixture.store.add(["a", "b"], to: .tasks(inList: try #require(fixture.store.lists.last).id))
    let work = try #require(fixture.store.lists.last)
    try fixture.store.store.write {
      work.items.insert(list.items[2], at: 1)
      work.items[0].subtasks.append(list.items[3])
      work.items[0].subtasks.append(list.items[2])
    }
    func places() -> [[Identifier]] { [ids, work.items.map(\.id), work.items[0].subtasks.map(\.id)] }
    let before = places()
    let doomed = [ids[2], ids[3]]
    for long in [false, true] {
      let place = fixture.place
      try fixture.store.delete(doomed, in: RowScope(long ? .tasks(inList: work.id) : place))
      let deleted = places()
      #expect(deleted != before)
      for _ in 0..<2 {
        guard case .done = try fixture.store.undo(showing: RowScope(place)) else {
          Issue.record("It was not undone.")
          return
        }
        #expect(places() == before)
        _ = try fixture.store.redo(showing: RowScope(place))
        #expect(places() == deleted)
      }
      _ = try fixture.store.undo(showing: RowScope(place))
    }
  }

  @Test("Links of subtasks in circles are there again when a deletion is undone")
  func circles() throws {
    let store = fixture.store
    let tasks = Array(list.items)
    let third = TaskItem()
    try store.store.write {
      // Two in the list below each other, one below itself, and one below a task that is below it.
      tasks[0].subtasks.append(tasks[1])
      tasks[1].subtasks.append(tasks[0])
      tasks[2].subtasks.append(tasks[2])
      third.text = "third"
      store.store.add(third)
      tasks[3].subtasks.append(third)
      third.subtasks.append(tasks[3])
    }
    let all = (tasks + [third]).map(\.id)
    func links() -> [[Identifier]?] { all.map { store.task($0)?.subtasks.map(\.id) } }
    let (before, order) = (links(), ids)
    for doomed in all.map({ [$0] }) + [Array(all.prefix(6)), all] {
      let scope = store.place(ofTask: doomed[0])
      try store.delete(doomed, in: RowScope(doomed.count == 1 ? scope : nil))
      #expect(links() != before)
      guard case .done = try store.undo(showing: RowScope(fixture.place)) else {
        Issue.record("It was not undone.")
        return
      }
      #expect(links() == before && ids == order)
    }
    // Two that are in no list at all.
    try store.store.write {
      for task in [tasks[0], tasks[1]] { list.items.remove(store.task(task.id) ?? task) }
    }
    let scattered = ids
    try store.delete([all[0]], in: RowScope(nil))
    #expect(store.task(all[0]) == nil && store.task(all[1]) != nil)
    guard case .done = try store.undo(showing: RowScope(fixture.place)) else {
      Issue.record("It was not undone.")
      return
    }
    #expect(links() == before && ids == scattered)
  }

  @Test("Clearing counts each once, and takes it away from all of its places in the list")
  func clearing() throws {
    try fixture.store.toggleCompleted([ids[1], ids[2]], in: RowScope(fixture.place))
    let done = Array(ids.suffix(2))
    try fixture.store.store.write {
      list.items.append(list.items[4])
      list.items.insert(list.items[5], at: 0)
    }
    let edit = try fixture.store.clearCompleted(in: RowScope(fixture.place))
    #expect(edit.before.map(\.id) == [done[1], done[0]])
    #expect(fixture.store.archive?.items.map(\.id) == [done[1], done[0]])
    #expect(ids.count == 4 && Set(ids).isDisjoint(with: done))
    guard case .done = try fixture.store.undo(showing: RowScope(fixture.place)) else {
      Issue.record("It was not undone.")
      return
    }
    #expect(Set(ids).isSuperset(of: done) && fixture.store.archive?.items.isEmpty == true)
  }

  @Test("The order that sorting, once or for good, has changed is there again when it is undone")
  func sortedOrder() throws {
    var random = SeededGenerator()
    for round in 0..<60 {
      let tests = try RepeatedTaskTests()
      let (store, place, list) = (tests.fixture.store, tests.fixture.place, tests.list)
      try store.store.write {
        for task in list.items {
          task.text = String("abcdef".randomElement(using: &random)!)
          task.completed = Int.random(in: 0..<6, using: &random) == 0
        }
      }
      try tests.repeatTasks(using: &random)
      func open() throws -> [Identifier] { try list.items.openIDs() }
      let before = try open()
      func texts() -> [String] { list.items.filter { !$0.completed }.map(\.text) }
      let scope = RowScope(Bool.random(using: &random) ? place : .lists)
      let isKept = round % 2 == 0
      if isKept {
        try store.setOrder([list.id], to: .text, in: RowScope(.lists))
        _ = try store.keepSorted(list.id)
      } else if try store.moves(sorting: place, by: .text) == nil {
        var shown = tests.ids
        let edit = try store.sortTogether(by: .text, in: RowScope(place))
        edit.changes.check(from: &shown, to: tests.ids)
        if edit.noChange == .unchanged { continue }
      } else {
        continue
      }
      let sorted = try open()
      #expect(texts() == texts().sorted(), "round \(round), \(random.comment)")
      for _ in 0..<2 {
        var shown = tests.ids
        guard case .done(let undone) = try store.undo(showing: scope) else {
          Issue.record("It was not undone.")
          return
        }
        #expect(try open() == before, "round \(round), \(random.comment)")
        if scope.place == place { undone.changes.check(from: &shown, to: tests.ids) }
        guard case .done(let redone) = try store.redo(showing: scope) else {
          Issue.record("It was not redone.")
          return
        }
        if scope.place == place { redone.changes.check(from: &shown, to: tests.ids) }
        if isKept { _ = try store.keepSorted(list.id) }
        #expect(try open() == sorted, "round \(round), \(random.comment)")
      }
    }
  }

  @Test("Lists of which one is there several times are sorted, and stand again as they stood")
  func sortedLists() throws {
    let store = fixture.store
    for name in ["work", "Home"] { try store.add(name, to: .lists) }
    try store.store.write { store.lists.insert(store.lists[1], at: 0) }
    let before = store.lists.map(\.text)
    #expect(try store.moves(sorting: .lists, by: .text) == nil)
    try store.sortTogether(by: .text, in: RowScope(.lists))
    #expect(store.lists.map(\.text) == ["Home", "My Tasks", "work", "work"])
    #expect(try store.sortTogether(by: .text, in: RowScope(.lists)).noChange == .unchanged)
    _ = try store.undo(showing: RowScope(.lists))
    #expect(store.lists.map(\.text) == before)
  }
}

extension ChangeSet {
  /// Checks that the change set leads from one order to another, and takes the step.
  fileprivate func check(from shown: inout [Identifier], to ids: [Identifier]) {
    shown.follow(self) { ids[$0] }
    #expect(shown == ids)
  }
}
