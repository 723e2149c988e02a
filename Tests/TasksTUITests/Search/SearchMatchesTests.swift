import LiveStore
import Testing

@testable import TasksTUI

@Suite("Which rows match")
struct SearchMatchesTests {
  /// A row, and whether it matches.
  private struct Item: Equatable {
    var id: Int
    var matches: Bool
  }

  @Test("Any changes of the rows, at any point of the search, leave the matches of the new rows")
  func random() {
    let random = SeededGenerator()
    var generator = random
    for _ in 0..<3000 {
      var number = 0
      func item(_ generator: inout SeededGenerator) -> Item {
        number += 1
        return Item(id: number, matches: Bool.random(using: &generator))
      }
      var items = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in item(&generator) }
      var matches = SearchMatches()
      var shown: [Item] = []
      for _ in 0..<4 {
        for _ in 0..<Int.random(in: 0..<5, using: &generator) where matches.scanned < items.count {
          if matches.scanNext({ items[$0].matches }) { shown.append(items[matches.scanned - 1]) }
        }
        let (changes, new) = change(items, &generator) { item(&$0) }
        let place = matches.scanned
        let old = shown
        let update = matches.apply(changes, count: items.count) { new[$0].matches }
        items = new
        #expect(matches.scanned <= items.count && (place > 0 || matches.scanned >= 0))
        let expected = items.indices.filter { $0 < matches.scanned && items[$0].matches }
        #expect(matches.indices == expected, Comment(rawValue: random.comment))
        // The list's changes lead from the old rows to the new ones.
        shown = old
        let moved = Dictionary(uniqueKeysWithValues: update.moves.map { ($0.to, old[$0.from].id) })
        for index in update.deletions.reversed() { shown.remove(at: index) }
        let now = matches.indices.map { items[$0] }
        for index in update.insertions {
          if let id = moved[index] { #expect(now[index].id == id, Comment(rawValue: random.comment)) }
          shown.insert(now[index], at: index)
        }
        #expect(shown.map(\.id) == now.map(\.id), Comment(rawValue: random.comment))
        shown = now
      }
    }
  }

  /// Some deletions, insertions, moves and modifications, and the rows after them.
  private func change(
    _ items: [Item], _ generator: inout SeededGenerator, _ new: (inout SeededGenerator) -> Item
  ) -> (ChangeSet, [Item]) {
    var changes = ChangeSet()
    var rest: [Item] = []
    var moving: [(from: Int, item: Item, isModified: Bool)] = []
    for (index, item) in items.enumerated() {
      var item = item
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: changes.deletions.append(index)
      case 1:
        let isModified = Bool.random(using: &generator)
        if isModified { item.matches.toggle() }
        changes.deletions.append(index)
        moving.append((index, item, isModified))
      case 2:
        if Bool.random(using: &generator) { item.matches.toggle() }
        changes.modifications.append(index)
        rest.append(item)
      default: rest.append(item)
      }
    }
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      rest.insert(new(&generator), at: Int.random(in: 0...rest.count, using: &generator))
    }
    for (_, item, _) in moving { rest.insert(item, at: Int.random(in: 0...rest.count, using: &generator)) }
    let movingIDs = Set(moving.map(\.item.id))
    let oldIDs = Set(items.map(\.id))
    for (index, item) in rest.enumerated() {
      if movingIDs.contains(item.id) || !oldIDs.contains(item.id) { changes.insertions.append(index) }
    }
    for (from, item, isModified) in moving.sorted(by: { $0.from < $1.from }) {
      let to = rest.firstIndex { $0.id == item.id } ?? 0
      changes.moves.append(ChangeSet.Move(from: from, to: to, isModified: isModified))
    }
    changes.modificationsInNew = changes.modifications.compactMap(changes.newIndex(ofOld:))
    return (changes, rest)
  }
}
