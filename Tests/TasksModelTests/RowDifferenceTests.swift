import Testing

@testable import TasksModel

@Suite("Row differences")
struct RowDifferenceTests {
  @Test("A difference leads from the rows before to the rows after, and moves no more than it must name")
  func random() {
    var generator = SeededGenerator()
    let seed = generator.comment
    for _ in 0..<2000 {
      let old = Array(0..<Int.random(in: 0..<8, using: &generator))
      // Rows that are touched may go anywhere; the others keep their order.
      let touched = Set(old.filter { _ in Bool.random(using: &generator) })
      var new = old.filter { !touched.contains($0) }
      let modified = touched.filter { _ in Bool.random(using: &generator) }
      for row in touched.shuffled(using: &generator) where Int.random(in: 0..<4, using: &generator) > 0 {
        new.insert(row, at: Int.random(in: 0...new.count, using: &generator))
      }
      let added = Array(100..<100 + Int.random(in: 0..<3, using: &generator))
      for row in added { new.insert(row, at: Int.random(in: 0...new.count, using: &generator)) }
      let difference = RowDifference(
        of: (touched + added).map { row in
          (
            before: old.firstIndex(of: row), after: new.firstIndex(of: row),
            isModified: modified.contains(row)
          )
        })
      var result = old
      let moved = Dictionary(uniqueKeysWithValues: difference.moves.map { ($0.to, old[$0.from]) })
      for index in difference.deletions.reversed() { result.remove(at: index) }
      for index in difference.insertions { result.insert(moved[index] ?? new[index], at: index) }
      #expect(result == new, Comment(rawValue: seed))
      #expect(difference.moves.allSatisfy { $0.isModified == modified.contains(old[$0.from]) })
      let kept = difference.modifications.map { old[$0] }
      #expect(Set(kept).isSubset(of: modified))
      if old == new { #expect(difference.moves.isEmpty && difference.insertions.isEmpty) }
    }
  }
}
