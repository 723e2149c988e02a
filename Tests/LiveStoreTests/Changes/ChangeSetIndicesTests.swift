import Testing

@testable import LiveStore

/// Two orders of rows named by numbers, and which of the rows that are in both have another value.
private struct Orders {
  var old: [Int]
  var new: [Int]
  var modified: Set<Int>

  /// Some rows deleted, inserted, moved and modified.
  init(using generator: inout SeededGenerator) {
    old = Array(0..<Int.random(in: 0..<9, using: &generator))
    let touched = Set(old.filter { _ in Bool.random(using: &generator) })
    new = old.filter { !touched.contains($0) }
    for row in touched.shuffled(using: &generator) where Int.random(in: 0..<4, using: &generator) > 0 {
      new.insert(row, at: Int.random(in: 0...new.count, using: &generator))
    }
    modified = touched.filter { _ in Bool.random(using: &generator) }
    for row in 100..<100 + Int.random(in: 0..<3, using: &generator) {
      new.insert(row, at: Int.random(in: 0...new.count, using: &generator))
      touchedRows.append(row)
    }
    touchedRows += touched.sorted().shuffled(using: &generator)
    modified.formIntersection(new)
  }

  private var touchedRows: [Int] = []

  var changes: ChangeSet {
    ChangeSet(
      of: touchedRows.map { row in
        (old.firstIndex(of: row), new.firstIndex(of: row), modified.contains(row))
      })
  }
}

@Suite("The indices of a change set")
struct ChangeSetIndicesTests {
  @Test("Indices before and after a change belong together")
  func example() {
    // a b c d e f → X a e Y d f : b and c went, e moved up.
    let changes = ChangeSet(
      deletions: [1, 2, 4], insertions: [0, 2, 3], modifications: [5], modificationsInNew: [5],
      moves: [.init(from: 4, to: 2, isModified: true)])
    #expect((0..<6).map(changes.newIndex(ofOld:)) == [1, nil, nil, 4, 2, 5])
    #expect([1, 4, 5].map { changes.oldIndex(ofStaying: changes.stayingCount(beforeNew: $0)) } == [0, 3, 5])
    #expect((0..<6).filter(changes.isModified(old:)) == [4, 5])
    #expect((0..<6).filter(changes.stays(old:)) == [0, 3, 5])
    #expect((0..<6).filter(changes.stays(new:)) == [1, 4, 5])
  }

  @Test("A change set of one row is what it says")
  func oneRow() {
    #expect(ChangeSet.insertion(at: 2).apply(to: [0, 1], from: [0, 1, 9]) == [0, 1, 9])
    #expect(ChangeSet.deletion(at: 0).apply(to: [0, 1], from: [1]) == [1])
    #expect(ChangeSet.modification(at: 1).apply(to: [0, 1], from: [0, 5]) == [0, 5])
    #expect(ChangeSet.move(from: 0, to: 2).apply(to: [0, 1, 2], from: [1, 2, 0]) == [1, 2, 0])
    #expect(ChangeSet.move(from: 1, to: 1).isEmpty)
    #expect(ChangeSet.move(from: 1, to: 1, isModified: true) == .modification(at: 1))
  }

  @Test("Every index leads where the row is, whatever happened to the others")
  func random() {
    withSeededGenerator { generator in
      let comment = Comment(rawValue: generator.comment)
      for _ in 0..<2000 {
        let orders = Orders(using: &generator)
        let (old, new) = (orders.old, orders.new)
        let changes = orders.changes
        #expect(changes.apply(to: old, from: new) == new, comment)
        #expect(
          old.map { new.firstIndex(of: $0) } == old.indices.map { changes.newIndex(ofOld: $0) }, comment)
        let modified = old.filter { changes.isModified(old: $0) }
        #expect(modified == orders.modified.sorted(), comment)
        let staying = old.filter { changes.stays(old: $0) }
        #expect(new.indices.filter { changes.stays(new: $0) }.map { new[$0] } == staying, comment)
        for (number, index) in staying.enumerated() {
          #expect(changes.stayingCount(beforeOld: index) == number, comment)
          #expect(changes.oldIndex(ofStaying: number) == index, comment)
          let after = changes.newIndex(ofStaying: number)
          #expect(new[after] == old[index] && changes.stayingCount(beforeNew: after) == number, comment)
        }
        for index in old.indices {
          #expect(changes.move(ofOld: index) == changes.moves.first { $0.from == index }, comment)
        }
      }
    }
  }

  @Test("A view that shows a header and a footer takes the changes with other indices")
  func furtherRows() {
    withSeededGenerator { generator in
      for _ in 0..<500 {
        let orders = Orders(using: &generator)
        let shown = orders.changes.mapIndices(old: { $0 + 1 }, new: { $0 + 1 })
        let (old, new) = ([-1] + orders.old + [-2], [-1] + orders.new + [-2])
        #expect(shown.apply(to: old, from: new) == new, Comment(rawValue: generator.comment))
        #expect(shown.moves.allSatisfy { old[$0.from] == new[$0.to] }, Comment(rawValue: generator.comment))
      }
    }
  }
}
