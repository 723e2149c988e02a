import FoundationEssentials
import LiveStore
import LiveStoreFixtures
import TestSupport
import Testing

@testable import TasksModel

@Suite("Colours and orders of lists, and tasks that wait")
struct ListPropertyTests {
  private let store: TasksStore
  private let place = Place.tasks(inList: TaskList.firstListID)

  init() throws {
    store = try TasksStore(inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()))
  }

  private var list: TaskList? { store.list(TaskList.firstListID) }
  private var texts: [String] { list.map { $0.items.map(\.text) } ?? [] }

  private func add(_ text: String, due days: Double? = nil, priority: TaskPriority = .none) throws {
    let edit = try store.add(text, to: place, date: days.map { Date(timeIntervalSince1970: $0 * 86_400) })
    let id = try #require(edit.rowID)
    if priority != .none { try store.setPriority([id], in: RowScope(place)) { _ in priority } }
  }

  @Test("A list has a colour and an order of its own; both are undone, also with the deletion of the list")
  func undo() throws {
    let scope = RowScope(.lists)
    try store.setColor([TaskList.firstListID], to: "#112233", in: scope)
    try store.setOrder([TaskList.firstListID], to: .due, in: scope)
    #expect(list?.color == "#112233" && list?.order == .due)
    #expect(try store.setColor([TaskList.firstListID], to: "#112233", in: scope).noChange == .unchanged)
    try store.delete([TaskList.firstListID], in: scope)
    #expect(list == nil)
    _ = try store.undo(showing: scope)
    #expect(list?.color == "#112233" && list?.order == .due)
    _ = try store.undo(showing: scope)
    #expect(list?.color == "#112233" && list?.order == nil)
    _ = try store.undo(showing: scope)
    #expect(list?.color == "")
    _ = try store.redo(showing: scope)
    #expect(list?.color == "#112233")
    // Not over the colour that another person has given it since.
    try store.store.write { list?.color = "#445566" }
    guard case .impossible = try store.undo(showing: scope) else {
      Issue.record("it was undone")
      return
    }
  }

  @Test(
    "A kept order is that of sorting once, whatever is added, and is no step of undo",
    arguments: RowOrder.allCases)
  func keptOrder(order: RowOrder) throws {
    try add("c", due: 3)
    try add("B", due: 1, priority: .b)
    try add("a", priority: .a)
    try add("done", due: 0)
    try store.toggleCompleted([try #require(list?.items.last?.id)], in: RowScope(place))
    #expect(try store.keepSorted(TaskList.firstListID) == nil)
    try store.setOrder([TaskList.firstListID], to: order, in: RowScope(.lists))
    let before = store.store.objects(UndoStep.self).count
    let changes = try #require(try store.keepSorted(TaskList.firstListID, in: RowScope(place)))
    #expect(!changes.moves.isEmpty && changes.modifications.isEmpty)
    let expected: [RowOrder: [String]] = [
      .due: ["B", "c", "a"], .priority: ["a", "B", "c"], .text: ["a", "B", "c"],
    ]
    #expect(texts == (expected[order] ?? []) + ["done"])
    #expect(try store.keepSorted(TaskList.firstListID) == nil)
    #expect(store.store.objects(UndoStep.self).count == before)
    try add("b2", due: 2, priority: .c)
    try store.keepListsSorted()
    let then: [RowOrder: [String]] = [
      .due: ["B", "b2", "c", "a"], .priority: ["a", "B", "b2", "c"], .text: ["a", "B", "b2", "c"],
    ]
    #expect(texts == (then[order] ?? []) + ["done"])
  }

  @Test(
    "Undo of a kept order gives the tasks that are still there their former order, and new ones come last")
  func undoneOrder() throws {
    for text in ["c", "a", "gone", "d", "done", "b"] { try add(text) }
    func id(_ text: String) throws -> Identifier { try #require(list?.items.first { $0.text == text }).id }
    let scope = RowScope(place)
    try store.toggleCompleted([id("done")], in: scope)
    let other = try #require(try store.add("Other", to: .lists).rowID)
    try store.setOrder([TaskList.firstListID, other], to: .text, in: RowScope(.lists))
    try store.keepListsSorted()
    #expect(texts == ["a", "b", "c", "d", "gone", "done"])
    // As other people and their programs do.
    try store.store.write {
      let list = try #require(list)
      store.store.delete(try #require(list.items.first { $0.text == "gone" }))
      for text in ["aa", "z"] {
        let task = TaskItem()
        task.text = text
        store.store.add(task)
        list.items.insert(task, at: 0)
      }
    }
    try store.keepListsSorted()
    #expect(texts == ["a", "aa", "b", "c", "d", "z", "done"])
    for _ in 0..<2 {
      let before = texts
      let result = try store.undo(showing: scope)
      guard case .done(let undone) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(texts == ["c", "a", "d", "b", "aa", "z", "done"] && list?.order == nil)
      #expect(undone.action == .setOrder && undone.count == 2 && undone.rowID == nil)
      var rows = before
      rows.follow(undone.changes) { texts[$0] }
      #expect(rows == texts)
      _ = try store.redo(showing: scope)
      try store.keepListsSorted()
      #expect(texts == before && list?.order == .text)
    }
  }

  @Test("A kept order is undone over another one, and where it was off already, and each is what it was")
  func undoneOrders() throws {
    for text in ["b", "c", "a"] { try add(text, priority: text == "c" ? .a : .none) }
    let lists = RowScope(.lists)
    func set(_ order: RowOrder?) throws {
      try store.setOrder([TaskList.firstListID], to: order, in: lists)
      try store.keepListsSorted()
    }
    func undo() throws -> [String] {
      _ = try store.undo(showing: lists)
      try store.keepListsSorted()
      return texts
    }
    try set(.text)
    try set(.priority)
    try set(nil)
    #expect(texts == ["c", "a", "b"])
    #expect(try undo() == ["c", "a", "b"] && list?.order == .priority)
    #expect(try undo() == ["a", "b", "c"] && list?.order == .text)
    #expect(try undo() == ["b", "c", "a"] && list?.order == nil)
  }

  @Test("Undo of one kept order over another gives tasks that the former does not tell apart as they stood")
  func undoneOrderOverAnother() throws {
    for text in ["c", "a", "b", "d"] { try add(text, priority: text == "b" ? .b : .none) }
    for order in [RowOrder.priority, .text] {
      try store.setOrder([TaskList.firstListID], to: order, in: RowScope(.lists))
      try store.keepListsSorted()
    }
    #expect(texts == ["a", "b", "c", "d"])
    for _ in 0..<2 {
      _ = try store.undo(showing: RowScope(.lists))
      try store.keepListsSorted()
      #expect(texts == ["b", "c", "a", "d"] && list?.order == .priority)
      _ = try store.redo(showing: RowScope(.lists))
      try store.keepListsSorted()
      #expect(texts == ["a", "b", "c", "d"] && list?.order == .text)
    }
  }

  @Test("Undo of a priority or date that had sorted a task elsewhere puts it between its neighbours again")
  func undoneSorting() throws {
    for text in ["b", "c", "a", "d"] { try add(text, priority: text == "b" ? .b : .none) }
    let scope = RowScope(place)
    let id = try #require(list?.items.first { $0.text == "a" }).id
    let changes: [(RowOrder, () throws -> Edit)] = [
      (.priority, { try store.setPriority([id], in: scope) { _ in .a } }),
      (.due, { try store.setDate([id], in: scope, to: .distantPast) }),
    ]
    try store.store.write { list?.items.first { $0.text == "b" }?.date = Date(timeIntervalSince1970: 0) }
    for (order, change) in changes {
      try store.setOrder([TaskList.firstListID], to: order, in: RowScope(.lists))
      try store.keepListsSorted()
      #expect(texts == ["b", "c", "a", "d"])
      _ = try change()
      try store.keepListsSorted()
      let sorted = texts
      #expect(sorted == ["a", "b", "c", "d"])
      let result = try store.undo(showing: scope)
      guard case .done(let undone) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(texts == ["b", "c", "a", "d"] && undone.changes.moves.count == 1)
      try store.keepListsSorted()
      #expect(texts == ["b", "c", "a", "d"])
      _ = try store.redo(showing: scope)
      try store.keepListsSorted()
      #expect(texts == sorted)
      _ = try store.undo(showing: scope)
    }
  }

  @Test("The order of many tasks takes few bytes of the history, and that of very many is not kept")
  func orderInFewBytes() throws {
    let count = 2_000
    try store.add((0..<count).map { "t\($0 * 7919 % count)" }, to: place)
    let before = texts
    try store.setOrder([TaskList.firstListID], to: .text, in: RowScope(.lists))
    let step = try #require(store.store.objects(UndoStep.self).sorted(by: \.number).last)
    #expect(step.action == Action.setOrder.rawValue && step.rows.utf8.count < 7 * count + 1_000)
    try store.keepListsSorted()
    #expect(texts == before.sorted())
    _ = try store.undo(showing: RowScope(.lists))
    #expect(texts == before)
    let ids = (0...TaskOrder.mostTasks).map { Identifier("\($0)") }
    #expect(TaskOrder(of: ids) == nil && TaskOrder(of: ids.dropLast()) != nil)
    #expect(TaskOrder(of: ids.dropLast())?.indices(of: ids.dropLast().reversed()).first == ids.count - 2)
  }

  @Test("After any changes of known tasks a kept order is that of all tasks", arguments: RowOrder.allCases)
  func keptOrderAfterChanges(order: RowOrder) throws {
    var random = SeededGenerator()
    let scope = RowScope(place)
    func number() -> Int { Int.random(in: 0..<8, using: &random) }
    try store.setOrder([TaskList.firstListID], to: order, in: RowScope(.lists))
    var isKnown = false
    for round in 0..<cases(200, sample: 50) {
      let items = try #require(list?.items)
      var changed: Set<Identifier> = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        guard let task = items.randomElement(using: &random), number() > 1 || items.count > 30 else {
          try changed.insert(#require(try store.add("T\(number())", to: place).rowID))
          continue
        }
        changed.insert(task.id)
        let date = Date(timeIntervalSince1970: Double(number()) * 86_400)
        switch task.completed ? 3 + number() : number() {
        case 0: try store.edit(task.id, in: scope, text: "t\(number())")
        case 1: try store.setDate([task.id], in: scope, to: number() == 0 ? nil : date)
        case 2:
          let priority = [TaskPriority.none, .a, .b, .c].randomElement(using: &random)!
          try store.setPriority([task.id], in: scope) { _ in priority }
        case 3, 4: try store.toggleCompleted([task.id], in: scope)
        case 5 where items.count > 20: try store.delete([task.id], in: scope)
        // Another program's, which may put it below the completed ones.
        default:
          let place = number() % items.count
          try store.store.write { items.move(from: items.index(of: task)!, to: place) }
        }
      }
      for index in items.indices.dropLast() where items[index].completed && !items[index + 1].completed {
        if changed.contains(items[index].id) { isKnown = false }
      }
      let open = items.filter { !$0.completed }
      let keys = open.map { task in
        switch order {
        case .due: "\(task.date.map { Int($0.timeIntervalSince1970 / 86_400) } ?? 9)"
        case .priority: task.priority == .none ? "D" : task.priority.rawValue
        case .text: task.text.lowercased()
        }
      }
      let sorted = open.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { open[$0].id }
      let rows = items.map(\.id)
      let edit = try store.keepSorted(TaskList.firstListID, after: isKnown ? changed : nil, in: scope)
      if !isKnown { isKnown = try store.hasOpenTasksFirst(#require(list)) }
      #expect(items.filter { !$0.completed }.map(\.id) == sorted, "round \(round), \(random.comment)")
      #expect((edit == nil) == (items.map(\.id) == rows), "round \(round), \(random.comment)")
      try #require(try store.keepSorted(TaskList.firstListID) == nil, "round \(round), \(random.comment)")
    }
  }

  @Test("Tasks wait until a moment; on its next date one that repeats does not; undo takes the waiting back")
  func waiting() throws {
    let moment = Date(timeIntervalSince1970: 4_000_000_000)
    try add("one", due: 1)
    let task = try #require(list?.items.first)
    try store.setRepetition([task.id], in: RowScope(place), to: Repetition("every day"))
    try store.setWaiting([task.id], in: RowScope(place), until: moment)
    #expect(task.waitsUntil == moment)
    #expect(try store.waitingTasks(after: Date()).map(\.text) == ["one"])
    #expect(try store.waitingTasks(after: moment).isEmpty)
    #expect(try store.setWaiting([task.id], in: RowScope(place), until: moment).noChange == .unchanged)
    try store.toggleCompleted([task.id], in: RowScope(place))
    #expect(task.waitsUntil == nil && list?.items.last?.waitsUntil == moment)
    #expect(try store.waitingTasks(after: Date()).isEmpty)
    _ = try store.undo(showing: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    #expect(task.waitsUntil == nil)
    var changes = TaskChanges()
    changes.waitsUntil = .some(moment)
    try store.change(task.id, changes)
    #expect(task.waitsUntil == moment)
    guard case .done(let undone) = try store.undo(showing: RowScope(place)) else {
      Issue.record("it was not undone")
      return
    }
    #expect(undone.action == .setWaiting && task.waitsUntil == nil)
  }

  @Test("Our own format keeps them, and the archive; a task in two lists is written once")
  func format() throws {
    try add("one")
    try add("two")
    let task = try #require(list?.items.first)
    try store.setWaiting([task.id], in: RowScope(place), until: Date(timeIntervalSince1970: 4_000_000_000))
    try store.setColor([TaskList.firstListID], to: "#112233", in: RowScope(.lists))
    try store.setOrder([TaskList.firstListID], to: .priority, in: RowScope(.lists))
    let last = try #require(list?.items.last)
    try store.toggleCompleted([last.id], in: RowScope(place))
    try store.clearCompleted(in: RowScope(place))
    let other = try #require(try store.add("Other", to: .lists).rowID)
    try store.store.write { store.list(other)?.items.append(task) }
    var text = ""
    #expect(try store.exportRecords(.jsonl, to: { text += $0 }) == 2)
    #expect(text.components(separatedBy: "\"one\"").count == 2)

    let copy = try TasksStore(inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()))
    var bytes = Array(text.utf8)
    _ = try copy.importRecords(
      .jsonl,
      from: {
        defer { bytes = [] }
        return bytes
      })
    let first = try #require(copy.list(TaskList.firstListID))
    #expect(first.color == "#112233" && first.order == .priority)
    #expect(first.items.first?.waitsUntil == Date(timeIntervalSince1970: 4_000_000_000))
    #expect(copy.lists.map(\.text) == ["My Tasks", "Other"])
    #expect(copy.archive?.items.map(\.text) == ["two"])
    #expect(copy.archive?.items.first?.archivedFrom == TaskList.firstListID.description)
    var again = ""
    try copy.exportRecords(.jsonl, to: { again += $0 })
    #expect(again == text)
  }

  @Test("Many rows are moved in parts as they are in one, up and down, and undone as one")
  func movingInParts() throws {
    var random = SeededGenerator()
    for round in 0..<40 {
      let store = try TasksStore(
        inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()))
      let other = try TasksStore(
        inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()))
      let texts = (0..<12).map { "t\($0)" }
      for each in [store, other] { try each.add(texts, to: place) }
      let chosen = (0..<12).filter { _ in Bool.random(using: &random) }
      let offset = Int.random(in: -14...14, using: &random)
      guard offset != 0, !chosen.isEmpty else { continue }
      func ids(_ store: TasksStore) -> [Identifier] {
        let items = store.list(TaskList.firstListID)?.items
        return chosen.compactMap { items?[$0].id }
      }
      _ = try? store.move(ids(store), in: RowScope(place), by: offset)
      let long = LongAction()
      var left = (offset > 0 ? ids(other).reversed() : ids(other))[...]
      while !left.isEmpty {
        let part = Array(left.prefix(3))
        left = left.dropFirst(3)
        _ = try other.move(part, in: RowScope(place), by: offset, partOf: long)
      }
      let order = [store, other].map { $0.list(TaskList.firstListID)?.items.map(\.text) ?? [] }
      #expect(order[0] == order[1], "round \(round): \(chosen) by \(offset), \(random.comment)")
      // Rows that stand at the edge already are not moved, and there is nothing of it to be undone.
      guard order[1] != texts else { continue }
      let undo = LongAction()
      while case .done = try other.undo(showing: RowScope(place), partOf: undo) {}
      #expect(other.list(TaskList.firstListID)?.items.map(\.text) == texts, "\(random.comment)")
    }
  }
}
