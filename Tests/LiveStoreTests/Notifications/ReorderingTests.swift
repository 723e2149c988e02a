import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// A class without links: a collection of it that is observed alone follows from the two orders, where all
/// rows that were written to have another place.
private final class Line: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var rank = 0
  @Persisted var second = 0
  @Persisted var text = ""

  var row: LineRow { LineRow(id: id, rank: rank, second: second, text: text) }
}

private struct LineRow: Equatable {
  let id: Int
  let rank: Int
  let second: Int
  let text: String

  /// The values that are observed with some key paths; `nil` stands for all.
  func values(_ keyPaths: [String]?) -> [String] {
    (keyPaths ?? ["rank", "second", "text"]).map {
      switch $0 {
      case "rank": "\(rank)"
      case "second": "\(second)"
      default: text
      }
    }
  }
}

@Suite("Transactions that give very many rows other places, of which one collection is observed")
struct ReorderingTests {
  private let file = TestFile()
  private static let count = 600

  private func fill(_ store: Store) throws {
    try store.write {
      for id in 0..<Self.count {
        let line = Line()
        line.id = id
        line.rank = id
        line.text = "line \(id)"
        store.add(line)
      }
    }
  }

  /// Writes to many rows.
  private func change(_ store: Store, _ random: inout SeededGenerator) {
    func int(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }
    let lines = Array(store.objects(Line.self).sorted(by: \.rank))
    func assign(_ ranks: [Int]) {
      for (line, rank) in zip(lines, ranks) { line.rank = rank }
    }
    switch int(0..<10) {
    case 0: assign(lines.map(\.rank).reversed())
    case 1: assign(lines.map(\.rank).shuffled(using: &random))
    case 2: assign(lines.map(\.rank).dropFirst() + lines.prefix(1).map(\.rank))
    case 3: for line in lines { line.rank += 1 }
    case 4: for line in lines { line.rank = int(0..<3) }
    case 5: for line in lines where int(0..<3) == 0 { line.rank = int(0..<1_000) }
    case 6:
      for line in lines {
        line.text = "changed \(int(0..<2))"
        if int(0..<2) == 0 { line.rank = int(0..<1_000) }
      }
    case 7: for line in lines { line.second = int(0..<4) }
    case 8:
      let next = (lines.map(\.id).max() ?? 0) + 1
      for line in lines {
        if int(0..<4) == 0 { store.delete(line) } else { line.rank = int(0..<1_000) }
      }
      for id in next..<(next + Self.count / 4) {
        let line = Line()
        line.id = id
        line.rank = int(0..<1_000)
        store.add(line)
      }
    default:
      // Other places, and others that were there before: rows of the transaction keep theirs.
      for line in lines { line.rank = 1_000 - line.rank }
      for line in lines { line.rank = 1_000 - line.rank }
    }
  }

  @Test("L1, L3-L6: the observer learns the same as from the rows", arguments: 0..<4)
  func random(kind: Int) throws {
    try withSeededGenerator { random in
      let test = try TestStore(file.path, types: [Line.self], keeping: file)
      let other = try TestStore(file.path, types: [Line.self], keeping: file)
      try fill(test.store)
      let all = test.store.objects(Line.self)
      let lines =
        switch kind {
        case 0: all.sorted(by: \.rank)
        case 1: all.sorted(by: \.rank, ascending: false)
        case 2: all.sorted(by: \.second).sorted(by: \.rank)
        default: all.sorted(by: \.second)
        }
      for keyPaths: [String]? in [nil, ["rank"], ["rank", "second"], ["text"], []] {
        try other.store.refresh()
        var known: [LineRow] = []
        var calls = 0
        var isSame = true
        let token = lines.observe(keyPaths: keyPaths) { change in
          calls += 1
          let new = lines.map(\.row)
          if case .update(_, let changes) = change {
            isSame = isSame && self.isRight(changes, from: known, to: new, keyPaths)
          }
          known = new
        }
        #expect(test.turns { calls == 1 })
        for round in 0..<cases(24, sample: 5) {
          for _ in 0...Int.random(in: 0..<2, using: &random) {
            try other.store.write { change(other.store, &random) }
          }
          if Int.random(in: 0..<5, using: &random) == 0 {
            sqlite3(file.path, "UPDATE Line SET rank = 999 - rank, text = text || 'x'")
          }
          try test.store.refresh()
          let new = lines.map(\.row)
          #expect(isSame, "kind \(kind), \(keyPaths ?? ["all"]), round \(round)")
          #expect(
            new.map(\.id) == known.map(\.id)
              && new.map { $0.values(keyPaths) } == known.map { $0.values(keyPaths) },
            "kind \(kind), \(keyPaths ?? ["all"]), round \(round): not everything was told")
          known = new
        }
        token.invalidate()
        test.store.processNotifications()
      }
    }
  }

  /// Whether a change set leads from one order to another, and says of each row that stays whether an
  /// observed value differs.
  private func isRight(
    _ changes: ChangeSet, from old: [LineRow], to new: [LineRow], _ keyPaths: [String]?
  ) -> Bool {
    func isModified(_ before: Int, _ after: Int) -> Bool {
      old[before].values(keyPaths) != new[after].values(keyPaths)
    }
    let deleted = Set(changes.deletions)
    let inserted = Set(changes.insertions)
    let kept = old.indices.filter { !deleted.contains($0) }
    let places = new.indices.filter { !inserted.contains($0) }
    guard kept.count == places.count else { return false }
    let modified = Set(changes.modifications)
    for (before, after) in zip(kept, places) {
      guard old[before].id == new[after].id, modified.contains(before) == isModified(before, after) else {
        return false
      }
    }
    guard zip(changes.modifications, changes.modificationsInNew).allSatisfy({ old[$0].id == new[$1].id })
    else {
      return false
    }
    // A row that is in both orders is moved, never deleted and inserted.
    let moved = Set(changes.moves.map(\.from))
    let remaining = Set(new.map(\.id))
    guard deleted.allSatisfy({ moved.contains($0) == remaining.contains(old[$0].id) }) else { return false }
    return changes.moves.allSatisfy {
      old[$0.from].id == new[$0.to].id && $0.isModified == isModified($0.from, $0.to)
    }
  }

  @Test("Rows whose places all change are not read")
  func areNotRead() throws {
    let test = try TestStore(file.path, types: [Line.self], keeping: file)
    let other = try TestStore(file.path, types: [Line.self], keeping: file)
    try fill(test.store)
    let lines = test.store.objects(Line.self).sorted(by: \.rank)
    var calls = 0
    let token = lines.observe { _ in calls += 1 }
    defer { token.invalidate() }
    #expect(test.turns { calls == 1 })
    try other.store.write { for line in other.store.objects(Line.self) { line.rank = 1_000 - line.rank } }
    #expect(pendingDelivery(of: test)?.isUnexamined == true)
    try other.store.write { for line in other.store.objects(Line.self) { line.text += "x" } }
    #expect(pendingDelivery(of: test)?.isUnexamined == false)
  }

  /// The delivery that is calculated now.
  private func pendingDelivery(of test: TestStore) -> Delivery? {
    test.store.coordinator.hold()
    defer { test.store.coordinator.resume(look: true) }
    _ = test.store.coordinator.takePending()
    test.store.coordinator.closeBack()
    let input = test.store.coordinator.input()
    guard let back = try? test.store.coordinator.back, let version = try? back.open() else { return nil }
    defer { test.store.coordinator.closeBack() }
    return try? input.calculate(
      old: test.store.front, new: back, newVersion: version)
  }

  @Test("L11: an object that is observed between the calculation and the turn has its old and new value")
  func observedMeanwhile() throws {
    let test = try TestStore(file.path, types: [Line.self], keeping: file)
    let other = try TestStore(file.path, types: [Line.self], keeping: file)
    try fill(test.store)
    let lines = test.store.objects(Line.self).sorted(by: \.rank)
    var calls = 0
    let token = lines.observe { _ in calls += 1 }
    defer { token.invalidate() }
    #expect(test.turns { calls == 1 })
    let line = try #require(test.store.object(ofType: Line.self, forPrimaryKey: 7))
    try other.store.write { for line in other.store.objects(Line.self) { line.rank = 1_000 - line.rank } }
    test.awaitPending()
    var changes: [String] = []
    let observing = line.observe { change in
      guard case .change(_, let properties) = change else { return }
      changes += properties.map { "\($0.name): \($0.oldValue ?? "-") → \($0.newValue ?? "-")" }
    }
    defer { observing.invalidate() }
    #expect(test.turns { !changes.isEmpty })
    #expect(changes == ["rank: 7 → 993"])
    #expect(calls == 2)
  }
}
