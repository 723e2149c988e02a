import FoundationEssentials
import LiveStore
import LiveStoreFixtures
import Testing

@testable import TasksModel

@Suite("Sorting once")
struct SortingTests {
  private struct Values: Equatable {
    var text: String
    var date: Date?
    var priority: TaskPriority
    var completed: Bool
  }

  /// The open rows first, sorted, and those that the order does not tell apart as they were.
  private func sorted(_ rows: [Values], by order: RowOrder) -> [Values] {
    func key(_ row: Values) -> (Double, String) {
      switch order {
      case .due: (row.date?.timeIntervalSince1970 ?? .infinity, "")
      case .priority: (["A": 0, "B": 1, "C": 2][row.priority.rawValue] ?? 3, "")
      case .text: (0, row.text.lowercased())
      }
    }
    let open = rows.filter { !$0.completed }.enumerated().sorted { one, other in
      let (first, second) = (key(one.element), key(other.element))
      return (first.0, first.1, one.offset) < (second.0, second.1, other.offset)
    }
    return open.map { $0.element } + rows.filter { $0.completed }
  }

  private func fill(_ fixture: TasksStoreFixture, _ random: inout SeededGenerator) throws {
    let count = Int.random(in: 0...12, using: &random)
    let open = Int.random(in: 0...count, using: &random)
    try fixture.store.store.write {
      for number in 0..<count {
        let task = TaskItem()
        task.text = ["B", "a", "A", "c", "d", "é"].randomElement(using: &random)! + "\(number % 5)"
        task.priority = TaskPriority.allCases.randomElement(using: &random)!
        task.date =
          Bool.random(using: &random)
          ? Date(timeIntervalSince1970: Double(Int.random(in: 0..<5, using: &random))) : nil
        task.completed = number >= open
        fixture.store.store.add(task)
        fixture.store.list(TaskList.firstListID)?.items.append(task)
      }
    }
  }

  private func values(_ fixture: TasksStoreFixture) -> [Values] {
    fixture.tasks.map { Values(text: $0.text, date: $0.date, priority: $0.priority, completed: $0.completed) }
  }

  @Test("In one part or several, it is what a stable sort makes of the open rows, and undo takes it back")
  func random() throws {
    var random = SeededGenerator()
    for _ in 0..<60 {
      let fixture = try TasksStoreFixture()
      try fill(fixture, &random)
      let scope = RowScope(fixture.place)
      let order = try #require(RowOrder.allCases.randomElement(using: &random))
      let (before, ids) = (values(fixture), fixture.tasks.map(\.id))
      let moves = try #require(try fixture.store.moves(sorting: fixture.place, by: order))
      let long = Bool.random(using: &random) ? LongAction() : nil
      var shown = ids
      for part in long == nil ? [moves] : moves.map({ [$0] }) where !part.isEmpty {
        let edit = try fixture.store.sort(part, in: scope, partOf: long)
        let after = fixture.tasks.map(\.id)
        shown.follow(edit.changes) { after[$0] }
        #expect(shown == after, "\(random.comment)")
      }
      #expect(values(fixture) == sorted(before, by: order), "by \(order), \(random.comment)")
      #expect(try fixture.store.moves(sorting: fixture.place, by: order) == [], "\(random.comment)")
      // No others would be fewer.
      let places = fixture.tasks.filter { !$0.completed }.compactMap { ids.firstIndex(of: $0.id) }
      #expect(moves.count == places.count - Self.longestAscent(places), "\(random.comment)")
      guard !moves.isEmpty else { continue }
      _ = try fixture.store.undo(showing: scope)
      #expect(fixture.tasks.map(\.id) == ids, "\(random.comment)")
      _ = try fixture.store.redo(showing: scope)
      #expect(values(fixture) == sorted(before, by: order), "\(random.comment)")
    }
  }

  /// The length of a longest ascending part.
  private static func longestAscent(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, number) in numbers.enumerated() {
      lengths.append(1 + ((0..<index).filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
  }

  @Test("Rows deleted or completed meanwhile are left out; lists are sorted too")
  func meanwhile() throws {
    let fixture = try TasksStoreFixture(tasks: "d c b a")
    let scope = RowScope(fixture.place)
    let moves = try #require(try fixture.store.moves(sorting: fixture.place, by: .text))
    try fixture.store.delete([fixture.id("c")], in: scope)
    try fixture.store.toggleCompleted([fixture.id("a")], in: scope)
    try fixture.store.sort(moves, in: scope)
    #expect(Set(fixture.line.split(separator: " ")) == ["b", "d", "A"] && fixture.line.hasSuffix("A"))
    for name in ["work", "Home", "Zoo"] { try fixture.store.add(name, to: .lists) }
    try fixture.store.sort(
      try #require(try fixture.store.moves(sorting: .lists, by: .text)), in: RowScope(.lists))
    #expect(fixture.store.lists.map(\.text) == ["Home", "My Tasks", "work", "Zoo"])
    #expect(try fixture.store.moves(sorting: .tasks(inList: Identifier("none")), by: .due) == [])
  }
}
