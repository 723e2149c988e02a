import Testing

@testable import LiveStore

/// Two versions of rows in sections, and what a change set between them has to be.
private struct Scenario {
  let old: SectionModel
  let new: SectionModel

  /// The faults of a change set, found by trying everything.
  func failure(_ changes: SectionedChangeSet) -> String? {
    let oldSections = old.sections
    let newSections = new.sections
    func seen(_ sections: [[SectionModel.Row]]) -> [[[Int]]] {
      sections.map { $0.map { [$0.id, $0.value] } }
    }
    guard changes.apply(to: seen(oldSections), from: seen(newSections)) == seen(newSections) else {
      return "L4: applying"
    }
    guard ascending(changes) else { return "R21: order" }
    let (oldNumbers, newNumbers) = (old.numbers, new.numbers)
    let deleted = Set(changes.sectionsToDelete.map { oldNumbers[$0] })
    let inserted = Set(changes.sectionsToInsert.map { newNumbers[$0] })

    // Sections that begin as before stay; of the others as many as can.
    let kept = oldNumbers.filter { newNumbers.contains($0) }
    let still = kept.filter { number in old.first(number) == new.first(number) }
    let staying = kept.filter { !deleted.contains($0) }
    guard staying == kept.filter({ !inserted.contains($0) }) else {
      return "a section that moved is in one list only"
    }
    guard still.allSatisfy({ staying.contains($0) }) else {
      return "L6: a section moved that began as before"
    }
    guard staying.count == longest(kept, newNumbers, including: still) else {
      return "L6: too many sections moved"
    }

    var listed = SectionedChangeSet()
    for number in staying {
      let oldIndex = oldNumbers.firstIndex(of: number)!
      let newIndex = newNumbers.firstIndex(of: number)!
      if let failure = rowFailure(changes, oldSections[oldIndex], newSections[newIndex], oldIndex, newIndex) {
        return "section \(number): \(failure)"
      }
      listed.deletions += changes.deletions.filter { $0.section == oldIndex }
      listed.insertions += changes.insertions.filter { $0.section == newIndex }
    }
    for section in changes.sectionsToInsert {
      listed.insertions += newSections[section].indices.map { .init(section: section, row: $0) }
    }
    guard listed.deletions.sorted() == changes.deletions else { return "R125: rows of a section that went" }
    guard listed.insertions.sorted() == changes.insertions else { return "R125: rows of a section that came" }
    return moveFailure(changes, listed)
  }

  private func rowFailure(
    _ changes: SectionedChangeSet, _ old: [SectionModel.Row], _ new: [SectionModel.Row], _ oldIndex: Int,
    _ newIndex: Int
  ) -> String? {
    let gone = Set(changes.deletions.filter { $0.section == oldIndex }.map { old[$0.row].id })
    let come = Set(changes.insertions.filter { $0.section == newIndex }.map { new[$0.row].id })
    let kept = old.map(\.id).filter { id in new.contains { $0.id == id } }
    let staying = kept.filter { !gone.contains($0) }
    guard staying == kept.filter({ !come.contains($0) }) else {
      return "a row that moved is in one list only"
    }
    let still = kept.filter { id in
      self.old.row(id) == self.new.row(id)
    }
    guard still.allSatisfy({ staying.contains($0) }) else { return "L6: an untouched row moved" }
    guard staying.count == longest(kept, new.map(\.id), including: still) else {
      return "L6: too many rows moved"
    }
    let modified = staying.filter { self.old.row($0)!.value != self.new.row($0)!.value }
    let told = changes.modifications.filter { $0.section == oldIndex }.map { old[$0.row].id }
    let toldInNew = changes.modificationsInNew.filter { $0.section == newIndex }.map { new[$0.row].id }
    return modified == told && modified == toldInNew ? nil : "L3: modifications"
  }

  private func moveFailure(_ changes: SectionedChangeSet, _ listed: SectionedChangeSet) -> String? {
    let (oldSections, newSections) = (old.sections, new.sections)
    let gone = changes.deletions.map { ($0, oldSections[$0.section][$0.row].id) }
    let come = changes.insertions.map { ($0, newSections[$0.section][$0.row].id) }
    var moves: [SectionedChangeSet.RowMove] = []
    for (from, id) in gone {
      guard let to = come.first(where: { $0.1 == id })?.0 else { continue }
      moves.append(.init(from: from, to: to, isModified: old.row(id)!.value != new.row(id)!.value))
    }
    return moves == changes.moves ? nil : "L6: moves should be \(moves)"
  }

  /// The length of the longest common subsequence that has all of `fixed`.
  private func longest<Element: Hashable>(
    _ old: [Element], _ new: [Element], including fixed: [Element]
  ) -> Int {
    var best = 0
    for subset in 0..<(1 << old.count) {
      let chosen = old.indices.filter { subset & (1 << $0) != 0 }.map { old[$0] }
      guard chosen.count > best, fixed.allSatisfy({ chosen.contains($0) }) else { continue }
      let set = Set(chosen)
      if new.filter({ set.contains($0) }) == chosen { best = chosen.count }
    }
    return best
  }

  private func ascending(_ changes: SectionedChangeSet) -> Bool {
    func ascends<Element: Comparable>(_ array: [Element]) -> Bool {
      zip(array, array.dropFirst()).allSatisfy { $0 < $1 }
    }
    return ascends(changes.sectionsToDelete) && ascends(changes.sectionsToInsert)
      && ascends(changes.deletions)
      && ascends(changes.insertions) && ascends(changes.modifications) && ascends(changes.modificationsInNew)
      && ascends(changes.moves.map(\.from))
  }

  /// The faults of the change set of one section.
  func failure(_ changes: SectionedChangeSet, ofSection number: UInt64) -> String? {
    let old = self.old.rows.filter { $0.section == number }
    let new = self.new.rows.filter { $0.section == number }
    let oldIndex = self.old.numbers.firstIndex(of: number)
    let newIndex = self.new.numbers.firstIndex(of: number)
    guard changes.sectionsToDelete == (newIndex == nil ? oldIndex.map { [$0] } ?? [] : []),
      changes.sectionsToInsert == (oldIndex == nil ? newIndex.map { [$0] } ?? [] : [])
    else { return "R129: sections" }
    guard let oldIndex, let newIndex else {
      let all = newIndex.map { index in
        new.indices.map { SectionedChangeSet.IndexPath(section: index, row: $0) }
      }
      return changes.deletions.isEmpty && changes.insertions == all ?? [] ? nil : "R129: rows"
    }
    guard changes.deletions.allSatisfy({ $0.section == oldIndex }),
      changes.insertions.allSatisfy({ $0.section == newIndex })
    else { return "R128: rows of another section" }
    return rowFailure(
      changes, SectionModel(rows: old).sorted, SectionModel(rows: new).sorted, oldIndex, newIndex)
  }
}

extension SectionModel {
  fileprivate func first(_ number: UInt64) -> RankKey? {
    sorted.first { $0.section == number }?.key
  }
}

@Suite("R124–R127, L1–L6: the change set between two versions of sections")
struct SectionDifferenceTests {
  typealias IndexPath = SectionedChangeSet.IndexPath

  private func check(_ scenario: Scenario, _ old: SectionTree, _ new: SectionTree) {
    let difference = SectionDifference(
      old: old, new: new, members: scenario.old.members(to: scenario.new))
    let changes = difference.changeSet()
    if let failure = scenario.failure(changes) {
      Issue.record("\(failure): \(changes) from \(scenario.old) to \(scenario.new)")
    }
    for number in Set(scenario.old.numbers + scenario.new.numbers + [1]) {
      let changes = difference.changeSet(ofSection: number)
      if let failure = scenario.failure(changes, ofSection: number) {
        Issue.record("\(failure): \(changes) of section \(number) from \(scenario.old) to \(scenario.new)")
      }
    }
  }

  /// All ways to put up to three rows into three sections, in any order.
  private var smallModels: [SectionModel] {
    func orders(_ ids: [Int]) -> [[Int]] {
      var all: [[Int]] = [[]]
      for id in ids { all += orders(ids.filter { $0 != id }).map { [id] + $0 } }
      return all
    }
    return orders([1, 2, 3]).flatMap { order -> [SectionModel] in
      var models = [SectionModel(rows: [])]
      for (place, id) in order.enumerated() {
        models = models.flatMap { model in
          (1...3).map { section in
            SectionModel(rows: model.rows + [.init(id: id, place: place * 10, section: UInt64(section))])
          }
        }
      }
      return models
    }
  }

  @Test("All versions of up to three rows in up to three sections, from each to each")
  func exhaustive() {
    withSeededGenerator { random in
      let models = smallModels.map { ($0, $0.tree) }
      #expect(models.count == 226)
      for (old, oldTree) in models where old.numbers == (0..<old.numbers.count).map({ UInt64($0 + 1) }) {
        // The names of the sections in one of the versions do not matter.
        for (var new, newTree) in models {
          for index in new.rows.indices { new.rows[index].value = Int.random(in: 0...1, using: &random) }
          check(Scenario(old: old, new: new), oldTree, newTree)
        }
      }
    }
  }

  @Test("Random versions of up to a dozen rows, between which a few changed")
  func random() {
    withSeededGenerator { random in
      for _ in 0..<2_000 {
        func row(_ id: Int) -> SectionModel.Row {
          .init(
            id: id, place: Int.random(in: 0..<15, using: &random),
            section: UInt64.random(in: 1...4, using: &random),
            value: Int.random(in: 0...1, using: &random))
        }
        let old = SectionModel(rows: (0..<Int.random(in: 0...9, using: &random)).map { row($0) })
        var new = old
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          let id = Int.random(in: 0..<11, using: &random)
          if let index = new.rows.firstIndex(where: { $0.id == id }) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: new.rows.remove(at: index)
            case 1: new.rows[index].value = 1 - new.rows[index].value
            case 2: new.rows[index].place = Int.random(in: 0..<15, using: &random)
            default: new.rows[index].section = UInt64.random(in: 1...4, using: &random)
            }
          } else {
            new.rows.append(row(id))
          }
        }
        check(Scenario(old: old, new: new), old.tree, new.tree)
      }
    }
  }

  private func changes(
    _ old: [(Int, Int, UInt64)], _ new: [(Int, Int, UInt64)], modified: Set<Int> = []
  ) -> SectionedChangeSet {
    let old = SectionModel(rows: old.map { .init(id: $0.0, place: $0.1, section: $0.2) })
    let new = SectionModel(
      rows: new.map { .init(id: $0.0, place: $0.1, section: $0.2, value: modified.contains($0.0) ? 1 : 0) })
    return SectionDifference(old: old.tree, new: new.tree, members: old.members(to: new)).changeSet()
  }

  @Test(
    "R126: a row that goes to another section is a deletion, an insertion and a move, never a modification")
  func crossing() {
    let changes = changes(
      [(1, 1, 1), (2, 2, 1), (3, 3, 2)], [(1, 1, 1), (2, 2, 2), (3, 3, 2)], modified: [2])
    #expect(
      changes
        == SectionedChangeSet(
          deletions: [IndexPath(section: 0, row: 1)], insertions: [IndexPath(section: 1, row: 0)],
          moves: [.init(from: .init(section: 0, row: 1), to: .init(section: 1, row: 0), isModified: true)]))
  }

  @Test("R126: the deletion is not listed when the old section is gone")
  func crossingFromVanished() {
    let changes = changes([(1, 1, 1), (2, 2, 2)], [(1, 1, 1), (2, 2, 1)])
    #expect(
      changes == SectionedChangeSet(sectionsToDelete: [1], insertions: [IndexPath(section: 0, row: 1)]))
  }

  @Test(
    "R127 (differs, L1, L3): a modified row whose index shifts is a modification, in old and in new index space"
  )
  func shifted() {
    let changes = changes([(1, 1, 1), (2, 2, 1), (3, 3, 2)], [(2, 2, 1), (3, 3, 2)], modified: [2, 3])
    #expect(
      changes
        == SectionedChangeSet(
          deletions: [IndexPath(section: 0, row: 0)],
          modifications: [IndexPath(section: 0, row: 1), IndexPath(section: 1, row: 0)],
          modificationsInNew: [IndexPath(section: 0, row: 0), IndexPath(section: 1, row: 0)]))
  }

  @Test("L6: a row that moves in its section is told as a move, a section that moves as gone and new")
  func moves() {
    let within = changes([(1, 1, 1), (2, 2, 1), (3, 3, 1)], [(1, 9, 1), (2, 2, 1), (3, 3, 1)])
    #expect(
      within
        == SectionedChangeSet(
          deletions: [IndexPath(section: 0, row: 0)], insertions: [IndexPath(section: 0, row: 2)],
          moves: [.init(from: .init(section: 0, row: 0), to: .init(section: 0, row: 2))]))
    let section = changes([(1, 1, 1), (2, 2, 2), (3, 3, 3)], [(1, 9, 1), (2, 2, 2), (3, 3, 3)])
    #expect(
      section
        == SectionedChangeSet(
          sectionsToDelete: [0], sectionsToInsert: [2], insertions: [IndexPath(section: 2, row: 0)]))
  }

  @Test("A change set that does not fit is refused")
  func misfits() {
    let path = IndexPath(section: 1, row: 0)
    for changes in [
      SectionedChangeSet(deletions: [path]), SectionedChangeSet(sectionsToDelete: [1]),
      SectionedChangeSet(sectionsToInsert: [2]), SectionedChangeSet(insertions: [path]),
      SectionedChangeSet(modifications: [path], modificationsInNew: [path]),
    ] {
      #expect(changes.apply(to: [[1]], from: [[1]]) == nil)
    }
  }
}
