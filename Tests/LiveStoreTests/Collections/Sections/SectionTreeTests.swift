import Testing

@testable import LiveStore

/// Rows in sections, kept as a person would keep them: in one array.
struct SectionModel {
  struct Row: Equatable {
    var id: Int
    var place: Int
    var section: UInt64
    var value = 0

    var key: RankKey {
      var key = RankKeyWriter()
      key.append(Int64(place))
      key.append(Int64(id))
      return key.key
    }
  }

  var rows: [Row]

  var sorted: [Row] { rows.sorted { ($0.place, $0.id) < ($1.place, $1.id) } }

  /// The numbers of the sections, in the order of their first rows.
  var numbers: [UInt64] {
    var numbers: [UInt64] = []
    for row in sorted where !numbers.contains(row.section) { numbers.append(row.section) }
    return numbers
  }

  var sections: [[Row]] {
    let sorted = sorted
    return numbers.map { number in sorted.filter { $0.section == number } }
  }

  func row(_ id: Int) -> Row? { rows.first { $0.id == id } }

  var tree: SectionTree {
    var builder = RankTree.Builder()
    for row in sorted { builder.append(row.key) }
    let sectionOf = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.section) })
    return SectionTree(builder.finish()) { sectionOf[RankKey(copying: $0)]! }
  }

  /// The changes, row by row.
  func members(to new: SectionModel) -> [MemberChange] {
    let ids = Set(rows.map(\.id)).union(new.rows.map(\.id))
    return ids.compactMap { id in
      let (old, new) = (row(id), new.row(id))
      if old == new { return nil }
      return MemberChange(
        oldKey: old?.key, newKey: new?.key, isModified: old.map { $0.value != new?.value } ?? false)
    }
  }
}

@Suite("The elements of a collection by section")
struct SectionTreeTests {
  private func check(_ tree: SectionTree, _ model: SectionModel, _ comment: @autoclosure () -> String) {
    let sections = model.sections
    let numbers = model.numbers
    expectInLoop(tree.count == numbers.count && tree.elementCount == model.rows.count, comment())
    for (index, number) in numbers.enumerated() {
      expectInLoop(tree.number(at: index) == number, comment())
      expectInLoop(tree.index(of: number) == index, comment())
      expectInLoop(tree.count(of: number) == sections[index].count, comment())
      expectInLoop(tree.first(of: number) == sections[index].first?.key, comment())
      for (row, element) in sections[index].enumerated() {
        expectInLoop(tree.withElement(at: row, of: number) { RankKey(copying: $0) } == element.key, comment())
        expectInLoop(tree.section(of: element.key) == number, comment())
        expectInLoop(tree.row(of: element.key, in: number) == row, comment())
      }
    }
    var all: [UInt64] = []
    tree.forEachSection { all.append($0) }
    expectInLoop(all == numbers, comment())
  }

  @Test("What is not there has no section, no index and no rows")
  func absent() {
    let tree = SectionModel(rows: [.init(id: 1, place: 1, section: 5)]).tree
    let other = SectionModel.Row(id: 2, place: 1, section: 5)
    #expect(tree.section(of: other.key) == nil)
    #expect(tree.row(of: other.key, in: 5) == nil)
    for number: UInt64 in [0, 4, 6, .max - 1] {
      #expect(tree.index(of: number) == nil && tree.count(of: number) == 0 && tree.first(of: number) == nil)
    }
    #expect(SectionTree().count == 0 && SectionTree().index(of: 1) == nil)
  }

  @Test(
    "After any sequence of changes a tree is the one that is built anew, and older versions stay as they were"
  )
  func updating() {
    withSeededGenerator { random in
      for round in 0..<30 {
        var model = SectionModel(rows: [])
        var tree = SectionTree()
        let ids = round < 20 ? 12 : 300
        for step in 0..<40 {
          let old = (model, tree)
          for _ in 0..<Int.random(in: 1...6, using: &random) {
            let id = Int.random(in: 0..<ids, using: &random)
            model.rows.removeAll { $0.id == id }
            if Int.random(in: 0..<4, using: &random) > 0 {
              model.rows.append(
                .init(
                  id: id, place: Int.random(in: 0..<20, using: &random),
                  section: UInt64.random(in: 1...5, using: &random)))
            }
          }
          let members = old.0.members(to: model)
          tree.update(
            removing: members.compactMap(\.oldKey),
            inserting: model.rows.filter { old.0.row($0.id) != $0 }.map { ($0.key, $0.section) })
          check(tree, model, "round \(round), step \(step)")
          check(model.tree, model, "built anew in round \(round), step \(step)")
          check(old.1, old.0, "the version before round \(round), step \(step)")
        }
      }
    }
  }
}
