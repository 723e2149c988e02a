import Testing

@testable import LiveStore

/// Two versions of a collection of rows named by numbers, and what was touched between them.
private struct Scenario {
  var old: [Int]
  var new: [Int]
  var touched: Set<Int>
  var keyChanged: Set<Int> = []
  var modified: Set<Int> = []

  var touchedRows: [TouchedRow] {
    touched.sorted().map { row in
      TouchedRow(
        oldRank: old.firstIndex(of: row), newRank: new.firstIndex(of: row),
        keyChanged: keyChanged.contains(row), isModified: modified.contains(row))
    }
  }

  func changes() -> ChangeSet { ChangeSetBuilder(touchedRows).build() }

  /// The change set by trying every choice of rows that keep their place; `nil` if none leaves the untouched
  /// alone.
  func changesByTryingAll() -> ChangeSet? {
    let kept = old.filter { new.contains($0) }
    let free = kept.filter { touched.contains($0) }
    var best: (count: Int, unchanged: Int, rows: [Int])?
    for subset in 0..<(1 << free.count) {
      let staying = free.indices.filter { subset & (1 << $0) != 0 }.map { free[$0] }
      let still = kept.filter { !touched.contains($0) || staying.contains($0) }
      guard new.filter({ still.contains($0) }) == still else { continue }
      let unchanged = staying.filter { !keyChanged.contains($0) }.count
      let positions = staying.map { old.firstIndex(of: $0)! }
      if let (count, known, rows) = best {
        if staying.count < count || staying.count == count && unchanged < known { continue }
        if staying.count == count, unchanged == known, !positions.lexicographicallyPrecedes(rows) { continue }
      }
      best = (staying.count, unchanged, positions)
    }
    guard let best else { return nil }
    let stays = Set(best.rows.map { old[$0] }).union(kept.filter { !touched.contains($0) })
    var changes = ChangeSet()
    for (index, row) in old.enumerated() {
      if !stays.contains(row) {
        changes.deletions.append(index)
        if let target = new.firstIndex(of: row) {
          changes.moves.append(.init(from: index, to: target, isModified: modified.contains(row)))
        }
      } else if modified.contains(row) {
        changes.modifications.append(index)
        changes.modificationsInNew.append(new.firstIndex(of: row)!)
      }
    }
    changes.insertions = new.indices.filter { !stays.contains(new[$0]) }
    return changes
  }

  /// The three steps of L4, word for word.
  func applied(_ changes: ChangeSet) -> [Int] {
    var view = old
    for index in changes.deletions.reversed() { view.remove(at: index) }
    for index in changes.insertions { view.insert(new[index], at: index) }
    for index in changes.modificationsInNew { view[index] = new[index] }
    return view
  }
}

private func permutations(_ count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return permutations(count - 1).flatMap { shorter in
    (0..<count).map { position in
      var longer = shorter
      longer.insert(count - 1, at: position)
      return longer
    }
  }
}

private func subset(_ bits: Int) -> Set<Int> {
  Set((0..<16).filter { bits & (1 << $0) != 0 })
}

@Suite("Change sets")
struct ChangeSetBuilderTests {
  @Test("R18, R19: modifications are indices before the change, modificationsInNew after it")
  func indexSpaces() {
    // [a b c d]: b removed, c edited.
    let changes = Scenario(old: [0, 1, 2, 3], new: [0, 2, 3], touched: [1, 2], modified: [2]).changes()
    #expect(changes == ChangeSet(deletions: [1], modifications: [2], modificationsInNew: [1]))
  }

  @Test("R16, R17: deletions are indices before the change, insertions after it")
  func deletionsAndInsertions() {
    let changes = Scenario(old: [0, 1, 2, 3], new: [5, 0, 3, 6], touched: [1, 2, 5, 6]).changes()
    #expect(changes == ChangeSet(deletions: [1, 2], insertions: [0, 3]))
  }

  @Test("R22, R31, R32: rows that came or went are never modifications")
  func insertedIsNotModified() {
    let changes = Scenario(old: [0, 1], new: [1, 2], touched: [0, 2], modified: [0, 2]).changes()
    #expect(changes == ChangeSet(deletions: [0], insertions: [1]))
  }

  @Test("R24: a row that only shifted appears nowhere")
  func shifted() {
    let changes = Scenario(old: [0, 1, 2], new: [7, 8, 0, 1, 2], touched: [7, 8, 1]).changes()
    #expect(changes == ChangeSet(insertions: [0, 1]))
  }

  @Test("R25, L3: a touched row that is as before makes no change")
  func touchedInVain() {
    #expect(Scenario(old: [0, 1, 2], new: [0, 1, 2], touched: [0, 1, 2]).changes().isEmpty)
    #expect(Scenario(old: [0, 1, 2], new: [0, 1, 2], touched: [1], keyChanged: [1]).changes().isEmpty)
    #expect(ChangeSetBuilder().build().isEmpty)
  }

  @Test("R72: a row that is in neither version makes no change")
  func neverSeen() {
    var builder = ChangeSetBuilder()
    builder.append(TouchedRow(oldRank: nil, newRank: nil, keyChanged: true, isModified: true))
    #expect(builder.build().isEmpty)
  }

  @Test("R26: a deletion and an insertion may carry the same index")
  func replacedInPlace() {
    let changes = Scenario(old: [0, 1, 2], new: [0, 9, 2], touched: [1, 9]).changes()
    #expect(changes == ChangeSet(deletions: [1], insertions: [1]))
  }

  @Test("R50: a row pushed out of a limited collection is a deletion, one pulled in an insertion")
  func limit() {
    let changes = Scenario(old: [0, 1, 2], new: [9, 0, 1], touched: [9, 2]).changes()
    #expect(changes == ChangeSet(deletions: [2], insertions: [0]))
  }

  @Test("L6, R41, R42: a moved row is deletion, insertion and move, and its modification is on the move")
  func moved() {
    let changes = Scenario(
      old: [0, 1, 2, 3], new: [0, 2, 3, 1], touched: [1], keyChanged: [1], modified: [1]
    ).changes()
    #expect(
      changes
        == ChangeSet(deletions: [1], insertions: [3], moves: [.init(from: 1, to: 3, isModified: true)]))
  }

  @Test("L6: one row moved among a million is one move")
  func oneAmongMany() {
    let row = TouchedRow(oldRank: 10, newRank: 900_000, keyChanged: true, isModified: false)
    #expect(
      ChangeSetBuilder([row]).build()
        == ChangeSet(deletions: [10], insertions: [900_000], moves: [.init(from: 10, to: 900_000)]))
  }

  @Test("L6: a row that keeps its index but changes places with untouched rows is moved")
  func sameIndexOtherPlace() {
    // 0 is deleted and 1 goes behind 2, so that it stands at the index it had.
    let changes = Scenario(old: [0, 1, 2], new: [2, 1, 9], touched: [0, 1, 9], keyChanged: [1]).changes()
    #expect(
      changes == ChangeSet(deletions: [0, 1], insertions: [1, 2], moves: [.init(from: 1, to: 1)]))
  }

  @Test(
    "R44: of two rows that changed places the one whose key changed moved, else the later",
    arguments: [
      (Set([1]), ChangeSet(deletions: [1], insertions: [2], moves: [.init(from: 1, to: 2)])),
      (Set([2]), ChangeSet(deletions: [2], insertions: [1], moves: [.init(from: 2, to: 1)])),
      (Set([]), ChangeSet(deletions: [2], insertions: [1], moves: [.init(from: 2, to: 1)])),
    ])
  func ambiguousSwap(keyChanged: Set<Int>, expected: ChangeSet) {
    for touched in [[0, 1, 2], [1, 2]] as [Set<Int>] {
      let scenario = Scenario(old: [0, 1, 2], new: [0, 2, 1], touched: touched, keyChanged: keyChanged)
      #expect(scenario.changes() == expected)
    }
  }

  @Test("R45: fewer moves go before moving only rows whose key changed")
  func smallerDiff() {
    let changes = Scenario(
      old: [1, 2, 3], new: [2, 3, 1], touched: [1, 2, 3], keyChanged: [2], modified: [2]
    ).changes()
    #expect(
      changes
        == ChangeSet(
          deletions: [0], insertions: [2], modifications: [1], modificationsInNew: [0],
          moves: [.init(from: 0, to: 2)]))
  }

  @Test("R46: a shuffle keeps a longest common subsequence, not only a common run")
  func longestCommonSubsequence() {
    let changes = Scenario(
      old: Array(0..<9), new: [6, 7, 8, 0, 1, 3, 4, 2, 5], touched: Set(0..<9), keyChanged: Set(0..<9)
    ).changes()
    #expect(changes.deletions == [2, 6, 7, 8])
    #expect(changes.insertions == [0, 1, 2, 7])
  }

  @Test("R47: a full reversal keeps exactly the first row in place")
  func reversal() {
    let all = Set(0..<5)
    let changes = Scenario(
      old: [0, 1, 2, 3, 4], new: [4, 3, 2, 1, 0], touched: all, keyChanged: all, modified: all
    ).changes()
    #expect(changes.deletions == [1, 2, 3, 4])
    #expect(changes.insertions == [0, 1, 2, 3])
    #expect(changes.modifications == [0])
    #expect(changes.modificationsInNew == [4])
    #expect(changes.moves == (1...4).map { .init(from: $0, to: 4 - $0, isModified: true) })
  }

  @Test("R60: moving one row up is one move, whichever rows lie between")
  func movedUp() {
    let scenario = Scenario(old: [0, 1, 2, 3, 4], new: [4, 0, 1, 2, 3], touched: [4], keyChanged: [4])
    let changes = scenario.changes()
    #expect(changes == ChangeSet(deletions: [4], insertions: [0], moves: [.init(from: 4, to: 0)]))
  }

  @Test("R62: rows that were moved and stand as before make no change")
  func netNothing() {
    let changes = Scenario(
      old: [0, 1, 2, 3], new: [0, 1, 2, 3], touched: [1, 2, 3], keyChanged: [1, 2, 3], modified: [2]
    ).changes()
    #expect(changes == ChangeSet(modifications: [2], modificationsInNew: [2]))
  }

  @Test("L6, R20, R44: every permutation of up to 6 rows with every set of touched rows is least")
  func exhaustive() {
    withSeededGenerator { generator in
      var count = 0
      for size in 0...6 {
        let old = Array(0..<size)
        for new in permutations(size) {
          for bits in 0..<(1 << size) {
            let touched = subset(bits)
            let untouched = new.filter { !touched.contains($0) }
            guard zip(untouched, untouched.dropFirst()).allSatisfy({ $0 < $1 }) else { continue }
            // Every set of changed keys for up to 3 rows, a random one above; of 6 rows a random tenth.
            if size == 6, Int.random(in: 0..<10, using: &generator) > 0 { continue }
            let random = Int.random(in: 0..<(1 << size), using: &generator)
            for choice in size <= 3 ? Array(0..<(1 << size)) : [random] {
              let scenario = Scenario(
                old: old, new: new, touched: touched, keyChanged: subset(choice),
                modified: subset(Int.random(in: 0..<(1 << size), using: &generator)).intersection(touched))
              check(scenario)
              count += 1
            }
          }
        }
      }
      #expect(count > 2_000)
    }
  }

  @Test("L4, L6, R21, R24: random rows deleted, inserted, moved and modified make the least change set")
  func randomSmall() {
    withSeededGenerator { generator in
      for _ in 0..<2_000 { check(randomScenario(rows: 8, &generator)) }
    }
  }

  @Test("L4: large random change sets apply")
  func randomLarge() {
    withSeededGenerator { generator in
      for _ in 0..<20 {
        let scenario = randomScenario(rows: 400, &generator)
        let changes = scenario.changes()
        #expect(scenario.applied(changes) == scenario.new)
        #expect(changes.apply(to: scenario.old, from: scenario.new) == scenario.new)
      }
    }
  }

  @Test("L15: 100,000 rows swapped in pairs, reversed, rotated and shuffled")
  func large() {
    withSeededGenerator { generator in
      let count = 100_000
      let orders: [(String, [Int], Int)] = [
        ("pairs", (0..<count).map { $0 ^ 1 }, count / 2),
        ("reversed", (0..<count).reversed(), count - 1),
        ("rotated", (0..<count).map { ($0 + 1) % count }, 1),
        ("shuffled", (0..<count).shuffled(using: &generator), -1),
      ]
      for (name, newRanks, moves) in orders {
        let rows = newRanks.enumerated().map {
          TouchedRow(oldRank: $0.offset, newRank: $0.element, keyChanged: true, isModified: true)
        }
        let changes = ChangeSetBuilder(rows).build()
        if moves >= 0 { #expect(changes.moves.count == moves, "\(name)") }
        #expect(changes.moves.count + changes.modifications.count == count)
        var new = [Int](repeating: 0, count: count)
        for (row, rank) in newRanks.enumerated() { new[rank] = row }
        #expect(changes.apply(to: Array(0..<count), from: new) == new, "\(name)")
      }
    }
  }

  @Test("A change set that does not fit the collections is not applied")
  func misfit() {
    #expect(ChangeSet(deletions: [2]).apply(to: [0, 1], from: [0]) == nil)
    #expect(ChangeSet(deletions: [0, 0]).apply(to: [0, 1], from: [] as [Int]) == nil)
    #expect(ChangeSet(insertions: [0]).apply(to: [0, 1], from: [0, 1]) == nil)
    #expect(ChangeSet(insertions: [-1]).apply(to: [0], from: [0, 1]) == nil)
    #expect(ChangeSet(modifications: [0]).apply(to: [0], from: [0]) == nil)
    #expect(ChangeSet(modifications: [0], modificationsInNew: [0]).apply(to: [0], from: [5]) == [5])
    #expect(ChangeSet().apply(to: [] as [Int], from: []) == [])
  }

  private func randomScenario(rows: Int, _ generator: inout SeededGenerator) -> Scenario {
    let old = Array(0..<Int.random(in: 0...rows, using: &generator))
    var touched = Set(old.filter { _ in Bool.random(using: &generator) })
    var new = old.filter { !touched.contains($0) }
    for row in touched.sorted() where Int.random(in: 0..<4, using: &generator) > 0 {
      new.insert(row, at: Int.random(in: 0...new.count, using: &generator))
    }
    for row in 0..<Int.random(in: 0...rows / 3, using: &generator) {
      new.insert(10_000 + row, at: Int.random(in: 0...new.count, using: &generator))
      touched.insert(10_000 + row)
    }
    return Scenario(
      old: old, new: new, touched: touched,
      keyChanged: touched.filter { _ in Bool.random(using: &generator) },
      modified: touched.filter { _ in Bool.random(using: &generator) })
  }

  private func check(_ scenario: Scenario) {
    let changes = scenario.changes()
    expectInLoop(changes == scenario.changesByTryingAll(), "\(scenario) made \(changes)")
    expectInLoop(scenario.applied(changes) == scenario.new, "\(scenario) made \(changes)")
    expectInLoop(
      changes.apply(to: scenario.old, from: scenario.new) == scenario.new, "\(scenario) made \(changes)")
  }
}
