import LiveStore
import LiveStoreFixtures
import TasksModel
import Testing

@testable import TasksTUI

@Suite("The marks of rows, without a screen")
struct RowMarksTests {
  @Test("Whatever is marked, inserted and deleted, the marked rows are those that a list of marks has")
  func againstModel() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      var world = MarkedRows()
      for _ in 0..<40 {
        world.step(&random)
        #expect(world.found == world.expected, "\(random.comment)")
        #expect(world.count == world.expected.count, "\(random.comment)")
        guard world.found == world.expected else { return }
      }
    }
  }

  @Test("When the last row has gone nothing is marked")
  func empty() {
    var marks = RowMarks()
    marks.toggle(Identifier("a"))
    marks.beginRange(at: 0)
    marks.keepRange(after: ChangeSet(deletions: [0]), cursor: 0, count: 0) { _ in nil }
    #expect(marks.isEmpty)
  }
}

/// A list with a cursor, and the same marks twice: as the screen keeps them, and by name.
private struct MarkedRows {
  private var rows = (0..<8).map { Identifier("row \($0)") }
  private var cursor = 3
  private var next = 8
  private var marks = RowMarks()

  private var single: Set<Identifier> = []
  private var anchor: Identifier?
  private var insertedByOthers: Set<Identifier> = []
  /// Whether `single` has been marked as all rows.
  private var isOfAll = false

  private var range: ClosedRange<Int>? { marks.range(to: cursor, count: rows.count) }

  var found: Set<Identifier> {
    Set(rows.indices.filter { marks.contains(rows[$0], at: $0, range: range) }.map { rows[$0] })
  }

  var count: Int { marks.count(range: range) { rows.firstIndex(of: $0) } }

  var expected: Set<Identifier> { single.union(inRange) }

  private var inRange: Set<Identifier> {
    guard let start = anchor.flatMap(rows.firstIndex) else { return [] }
    return Set(rows[min(start, cursor)...max(start, cursor)]).subtracting(insertedByOthers)
  }

  mutating func step(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      endAll()
      marks.toggle(rows[cursor])
      single.formSymmetricDifference([rows[cursor]])
    case 1:
      cursor = Int.random(in: rows.indices, using: &random)
    case 2:
      guard anchor == nil else { return }
      endAll()
      marks.beginRange(at: cursor)
      anchor = rows[cursor]
    case 3:
      marks.endRange(range) { rows[$0] }
      isOfAll = false
      single.formUnion(inRange)
      anchor = nil
      insertedByOthers = []
    case 4:
      marks.markAll()
      (isOfAll, single, anchor, insertedByOthers) = (true, Set(rows), nil, [])
    case 5:
      guard anchor == nil else { return }
      let (from, to) = (
        Int.random(in: rows.indices, using: &random), Int.random(in: rows.indices, using: &random)
      )
      rows.insert(rows.remove(at: from), at: to)
      keepRange(
        after: ChangeSet(deletions: [from], insertions: [to], moves: [.init(from: from, to: to)]),
        cursor: cursor)
    case 6:
      let index = Int.random(in: 0...rows.count, using: &random)
      let id = Identifier("row \(next)")
      next += 1
      let ends = [anchor.flatMap(rows.firstIndex), cursor].compactMap { $0 }
      if anchor != nil, ends.min()! < index, index <= ends.max()! { insertedByOthers.insert(id) }
      rows.insert(id, at: index)
      let old = cursor
      if index <= cursor { cursor += 1 }
      keepRange(after: ChangeSet(insertions: [index]), cursor: old)
    default:
      guard rows.count > 2 else { return }
      let index = Int.random(in: rows.indices, using: &random)
      let meant = anchor.flatMap(rows.firstIndex).map { rows[min($0, cursor)...max($0, cursor)] }
      let id = rows.remove(at: index)
      single.remove(id)
      // The row after it takes its part, or the last one, which is not marked by that.
      var ends: [Int] = []
      if anchor == id {
        ends.append(min(index, rows.count - 1))
        anchor = rows[min(index, rows.count - 1)]
      }
      let old = cursor
      if index == cursor { ends.append(min(cursor, rows.count - 1)) }
      if index < cursor || cursor == rows.count { cursor -= 1 }
      if let meant { insertedByOthers.formUnion(ends.map { rows[$0] }.filter { !meant.contains($0) }) }
      keepRange(after: ChangeSet(deletions: [index]), cursor: old)
      let left = rows
      marks.keep(count: left.count, where: left.contains)
    }
  }

  /// Marks of all rows become single ones before others are added.
  private mutating func endAll() {
    guard isOfAll else { return }
    let rows = rows
    marks.endRange(range) { rows[$0] }
    isOfAll = false
  }

  private mutating func keepRange(after changes: ChangeSet, cursor old: Int) {
    let rows = rows
    marks.keepRange(after: changes, cursor: old, count: rows.count) { rows[$0] }
  }
}
