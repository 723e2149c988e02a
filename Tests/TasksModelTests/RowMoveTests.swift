import LiveStore
import TestSupport
import Testing

@testable import TasksModel

@Suite("Moves of many rows")
struct RowMoveTests {
  private let fixture: TasksStoreFixture
  private let rows: TaskRows

  init() throws {
    fixture = try TasksStoreFixture(tasks: "")
    try fixture.store.add((0..<12).map { "row \($0)" }, to: fixture.place)
    rows = try #require(fixture.store.rows(of: fixture.place) as? TaskRows)
  }

  private var ids: [Identifier] { rows.items.map(\.id) }

  private func order(after moves: [RowMove], singlyUpTo most: Int) throws -> [Identifier] {
    try fixture.store.store.write { rows.carryOut(moves, singlyUpTo: most) }
    return ids
  }

  private func put(into order: [Identifier], singlyUpTo most: Int) throws {
    let present = ids
    let moves = RowMove.moves(of: present, to: order.compactMap { present.firstIndex(of: $0) })
    #expect(try self.order(after: moves, singlyUpTo: most) == order)
  }

  @Test("Moves that are carried out together lead to the order of those that are carried out one by one")
  func together() throws {
    var random = SeededGenerator()
    let start = ids
    // A row that has been deleted, which others may have to go below.
    let known = start + [Identifier()]
    for round in 0..<100 {
      let moves = (0..<Int.random(in: 1...15, using: &random)).compactMap { _ -> RowMove? in
        let pair = known.shuffled(using: &random)
        return RowMove(id: pair[0], above: Int.random(in: 0...3, using: &random) == 0 ? nil : pair[1])
      }
      let order = try order(after: moves, singlyUpTo: 100)
      try put(into: start, singlyUpTo: 100)
      #expect(try self.order(after: moves, singlyUpTo: 0) == order, "round \(round), \(random.comment)")
      try put(into: start.shuffled(using: &random), singlyUpTo: 0)
      try put(into: start, singlyUpTo: 0)
    }
  }
}
