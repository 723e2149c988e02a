import Glibc
import Testing

@testable import LiveStore

/// The simplest set with ranks: a sorted array.
private struct Model {
  var keys: [[UInt8]] = []

  func lowerBound(_ key: [UInt8]) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(keys[middle], key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func rank(_ key: [UInt8]) -> Int? {
    let rank = lowerBound(key)
    return rank < keys.count && keys[rank] == key ? rank : nil
  }

  mutating func insert(_ key: [UInt8]) -> Int? {
    let rank = lowerBound(key)
    if rank < keys.count, keys[rank] == key { return nil }
    keys.insert(key, at: rank)
    return rank
  }

  mutating func remove(_ key: [UInt8]) -> Int? {
    guard let rank = rank(key) else { return nil }
    keys.remove(at: rank)
    return rank
  }

  private func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    compareRankBytes(left, right) < 0
  }
}

private func compareRankBytes(_ left: [UInt8], _ right: [UInt8]) -> Int {
  let order = Int(memcmp(left, right, min(left.count, right.count)))
  return order == 0 ? left.count - right.count : order
}

/// Where the keys of a test come from.
private enum KeySource: String, CaseIterable, CustomTestStringConvertible {
  case short = "short keys of few letters, often the same"
  case fixed = "22 random bytes"
  case prefixed = "a long common beginning"
  case nested = "keys that are beginnings of others"
  case large = "keys that fill a quarter of a leaf"
  case mixed = "keys from 0 to 5,000 bytes"

  var testDescription: String { rawValue }

  func key(_ generator: inout SeededGenerator) -> [UInt8] {
    func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
      bytes.removeLast(bytes.count - count)
      return bytes
    }
    switch self {
    case .short:
      return (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator)!
      }
    case .fixed: return random(22, &generator)
    case .prefixed:
      let beginning = [UInt8](repeating: 0x55, count: Int.random(in: 0..<4, using: &generator) * 20)
      return beginning + random(4, &generator)
    case .nested: return [UInt8](repeating: 0, count: Int.random(in: 0...400, using: &generator))
    case .large:
      return random(3, &generator)
        + [UInt8](repeating: 1, count: Int.random(in: 340...363, using: &generator))
    case .mixed:
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return random(2, &generator) + [UInt8](repeating: 7, count: 5_000)
      case 1:
        return random(2, &generator)
          + [UInt8](repeating: 7, count: Int.random(in: 300...1_600, using: &generator))
      case 2: return [UInt8](repeating: 7, count: Int.random(in: 0...2_000, using: &generator))
      default: return random(Int.random(in: 0...40, using: &generator), &generator)
      }
    }
  }
}

@Suite("Rank tree")
struct RankTreeTests {
  @Test("Random insertions and removals agree with a sorted array", arguments: KeySource.allCases)
  fileprivate func random(source: KeySource) {
    withSeededGenerator { generator in
      var tree = RankTree()
      var model = Model()
      // Growing, shrinking, growing again.
      for (steps, removals) in [(1_500, 2), (1_500, 8), (800, 5)] {
        for step in 0..<steps {
          if Int.random(in: 0..<10, using: &generator) < removals {
            let known = model.keys.randomElement(using: &generator)
            let key = step % 8 == 0 ? source.key(&generator) : known ?? []
            expectInLoop(remove(key, from: &tree) == model.remove(key))
          } else {
            let key = source.key(&generator)
            expectInLoop(insert(key, into: &tree) == model.insert(key))
          }
          let key = source.key(&generator)
          expectInLoop(key.withUnsafeBytes { tree.lowerBound(of: $0) } == model.lowerBound(key))
          expectInLoop(key.withUnsafeBytes { tree.rank(of: $0) } == model.rank(key))
          expectInLoop(tree.count == model.keys.count)
          if step % 200 == 0 { tree._checkInvariants() }
        }
        check(tree, model)
      }
    }
  }

  @Test("Old versions stay as they were while new ones change", arguments: KeySource.allCases)
  fileprivate func sharing(source: KeySource) {
    withSeededGenerator { generator in
      var versions: [(tree: RankTree, model: Model)] = [(RankTree(), Model())]
      for step in 0..<1_000 {
        // Mostly from the newest version, at times from an old one, so that versions branch.
        let base = step % 50 == 0 ? versions.randomElement(using: &generator)! : versions.last!
        var (tree, model) = base
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          if Int.random(in: 0..<3, using: &generator) == 0,
            let key = model.keys.randomElement(using: &generator)
          {
            expectInLoop(remove(key, from: &tree) == model.remove(key))
          } else {
            let key = source.key(&generator)
            expectInLoop(insert(key, into: &tree) == model.insert(key))
          }
        }
        versions.append((tree, model))
        if versions.count > 40 { versions.remove(at: Int.random(in: 0..<40, using: &generator)) }
      }
      for (tree, model) in versions { check(tree, model) }
    }
  }

  @Test(
    "Up to 5 keys, short ones and ones that have a leaf alone, inserted in every order and removed"
  )
  func exhaustive() {
    let keys: [[UInt8]] = [
      [], [1], [1] + [UInt8](repeating: 2, count: 5_000), [2] + [UInt8](repeating: 1, count: 360),
      [2] + [UInt8](repeating: 1, count: 2_000),
    ]
    for insertions in permutations(keys.count) {
      for count in 0...keys.count {
        var tree = RankTree()
        var model = Model()
        for index in insertions.prefix(count) {
          expectInLoop(insert(keys[index], into: &tree) == model.insert(keys[index]))
          expectInLoop(insert(keys[index], into: &tree) == nil)
        }
        check(tree, model)
        let full = (tree, model)
        for index in 0..<keys.count {
          expectInLoop(remove(keys[index], from: &tree) == model.remove(keys[index]))
          check(tree, model)
        }
        check(full.0, full.1)
      }
    }
  }

  @Test(
    "Every run of keys can be taken out of a few leaves",
    arguments: [20, 40])
  func runs(count: Int) {
    let keys = (0..<count).map { [UInt8($0)] + [UInt8](repeating: 0, count: 200) }
    var tree = RankTree()
    for key in keys { insert(key, into: &tree) }
    for first in 0..<count {
      for end in first...count {
        var part = tree
        var model = Model(keys: keys)
        for key in keys[first..<end] { expectInLoop(remove(key, from: &part) == model.remove(key)) }
        check(part, model)
      }
    }
    check(tree, Model(keys: keys))
  }

  @Test("Keys inserted in ascending and in descending order fill the leaves, and are drained from either end")
  func ascendingAndDescending() {
    let keys = (0..<2_000).map { number in
      [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 9, count: 200)
    }
    for descending in [false, true] {
      var tree = RankTree()
      for (step, key) in (descending ? keys.reversed() : keys).enumerated() {
        expectInLoop(insert(key, into: &tree) == (descending ? 0 : step))
      }
      check(tree, Model(keys: keys))
      #expect(leafFill(tree) > 0.9)
      for fromEnd in [false, true] {
        var rest = tree
        for (step, key) in (fromEnd ? keys.reversed() : keys).enumerated() {
          expectInLoop(remove(key, from: &rest) == (fromEnd ? keys.count - 1 - step : 0))
          if step % 500 == 0 { rest._checkInvariants() }
        }
        #expect(rest.isEmpty)
        check(rest, Model())
      }
      check(tree, Model(keys: keys))
    }
  }

  @Test("A deep tree keeps its order through random growth and shrinking")
  func deep() {
    withSeededGenerator { generator in
      // Long keys make four levels of 12,000 entries.
      let numbers = Array(0..<12_000).shuffled(using: &generator)
      func key(_ number: Int) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: UInt8(number % 251), count: 300)
      }
      var tree = RankTree()
      for number in numbers { insert(key(number), into: &tree) }
      tree._checkInvariants()
      #expect(tree.root.handle.level == 3)
      let full = tree
      for number in numbers.shuffled(using: &generator).dropFirst(50) { remove(key(number), from: &tree) }
      tree._checkInvariants()
      #expect(tree.count == 50)
      // At worst 50 leaves of one entry, under inner nodes of no less than the minimum of children.
      #expect(tree.root.handle.level <= 2)
      #expect(full.count == numbers.count)
      full._checkInvariants()
      for number in stride(from: 0, to: 12_000, by: 37) {
        expectInLoop(full.rank(of: RankKey(bytes: key(number))) == number)
        expectInLoop(full.entry(at: number).bytes == key(number))
      }
    }
  }

  @Test("A tree built from a sorted stream is that of the insertions", arguments: KeySource.allCases)
  fileprivate func bulk(source: KeySource) {
    withSeededGenerator { generator in
      var builder = RankTree.Builder()
      for count in [0, 1, 2, 3, 10, 60, 61, 62, 200, 1_000, 2_000] {
        var model = Model()
        for _ in 0..<count { _ = model.insert(source.key(&generator)) }
        for key in model.keys { key.withUnsafeBytes { builder.append($0) } }
        #expect(builder.count == model.keys.count)
        var tree = builder.finish()
        #expect(builder.count == 0)
        check(tree, model)
        // It can be changed like any other.
        for _ in 0..<200 {
          let key = source.key(&generator)
          expectInLoop(insert(key, into: &tree) == model.insert(key))
          if let key = model.keys.randomElement(using: &generator) {
            expectInLoop(remove(key, from: &tree) == model.remove(key))
          }
        }
        check(tree, model)
      }
    }
  }

  @Test("A built tree of each of many sizes is balanced")
  func bulkSizes() {
    for count in Array(0...150) + Array(stride(from: 3_000, to: 3_200, by: 17)) {
      var builder = RankTree.Builder()
      let keys = (0..<count).map { [UInt8($0 >> 8), UInt8($0 & 255)] + [UInt8](repeating: 3, count: 350) }
      for key in keys { builder.append(RankKey(bytes: key)) }
      let tree = builder.finish()
      tree._checkInvariants()
      expectInLoop(tree.count == count)
      if count > 0 { expectInLoop(tree.entry(at: count - 1).bytes == keys[count - 1]) }
    }
  }

  @Test("Keys of 22 bytes take at most 40 each in a built tree")
  func memory() {
    var builder = RankTree.Builder()
    for number in 0..<20_000 {
      var writer = RankKeyWriter()
      writer.append(text: "3F2504E0-4F89-11D3-9A0C-0305E82C3301", isKey: true)
      builder.append(
        RankKey(bytes: writer.bytes + withUnsafeBytes(of: UInt32(number).bigEndian) { [UInt8]($0) }))
    }
    let tree = builder.finish()
    #expect(bytes(of: tree.root) <= 40 * tree.count)
  }

  @Test("Iteration and cursors begin at any rank and see the tree as it was")
  func iteration() {
    withSeededGenerator { generator in
      var tree = RankTree()
      var model = Model()
      for _ in 0..<1_500 {
        let key = KeySource.mixed.key(&generator)
        expectInLoop(insert(key, into: &tree) == model.insert(key))
      }
      for first in [0, 1, 17, model.keys.count - 1, model.keys.count] {
        var found: [[UInt8]] = []
        tree.forEachEntry(from: first) { entry in
          found.append([UInt8](entry))
          return found.count < 300
        }
        #expect(found == Array(model.keys[first...].prefix(300)))

        var cursor = tree.cursor(at: first)
        found = []
        while !cursor.isAtEnd {
          expectInLoop(cursor.rank == first + found.count)
          cursor.withEntry { found.append([UInt8]($0)) }
          remove(found.last!, from: &tree)
          cursor.advance()
        }
        #expect(found == Array(model.keys[first...]))
        for key in found { insert(key, into: &tree) }
        check(tree, model)
      }
    }
  }

  @Test("A tree is read on other threads while its copies change")
  func threads() async {
    var tree = RankTree()
    func key(_ number: Int) -> RankKey {
      var writer = RankKeyWriter()
      writer.append(Int64(number))
      return writer.key
    }
    for number in 0..<5_000 { tree.insert(key(number * 2)) }
    let shared = tree
    let ranks = await withTaskGroup(of: Bool.self) { group in
      for offset in 0..<4 {
        group.addTask {
          var own = shared
          for number in 0..<2_000 {
            if own.insert(key(number * 2 + 1)) != number * 2 + 1 { return false }
            if shared.rank(of: key((number + offset) * 2)) != number + offset { return false }
          }
          own._checkInvariants()
          return own.count == 7_000 && shared.count == 5_000
        }
      }
      return await group.allSatisfy { $0 }
    }
    #expect(ranks)
    shared._checkInvariants()
  }

  // MARK: -

  @discardableResult
  private func insert(_ key: [UInt8], into tree: inout RankTree) -> Int? {
    key.withUnsafeBytes { tree.insert($0) }
  }

  @discardableResult
  private func remove(_ key: [UInt8], from tree: inout RankTree) -> Int? {
    key.withUnsafeBytes { tree.remove($0) }
  }

  private func check(_ tree: RankTree, _ model: Model) {
    tree._checkInvariants()
    expectInLoop(tree.count == model.keys.count)
    expectInLoop(tree.isEmpty == model.keys.isEmpty)
    var rank = 0
    tree.forEachEntry { entry in
      let key = model.keys[rank]
      expectInLoop(
        entry.count == key.count && (key.isEmpty || memcmp(entry.baseAddress!, key, key.count) == 0))
      rank += 1
      return true
    }
    expectInLoop(rank == model.keys.count)
    for rank in stride(from: 0, to: model.keys.count, by: max(1, model.keys.count / 50)) {
      expectInLoop(tree.entry(at: rank).bytes == model.keys[rank])
      expectInLoop(tree.rank(of: RankKey(bytes: model.keys[rank])) == rank)
    }
  }

  private func permutations(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return permutations(count - 1).flatMap { shorter in
      (0..<count).map { Array(shorter[..<$0] + [count - 1] + shorter[$0...]) }
    }
  }

  /// The part of the leaves' capacity that is used.
  private func leafFill(_ tree: RankTree) -> Double {
    var used = 0
    var capacity = 0
    forEachNode(tree.root) { node in
      if node.level == 0 {
        used += node.weight(before: node.count)
        capacity += node.capacity
      }
    }
    return Double(used) / Double(capacity)
  }

  /// The memory of the nodes, with the parts that Swift and malloc add.
  private func bytes(of node: RankNode) -> Int {
    var bytes = 0
    forEachNode(node) { node in
      bytes += 64 + MemoryLayout<RankNode.Header>.size + node.capacity
      if node.level > 0 { bytes += RankNode.Handle.innerArrays }
    }
    return bytes
  }

  private func forEachNode(_ reference: RankNode, _ body: (RankNode.Handle) -> Void) {
    let node = reference.handle
    body(node)
    if node.level > 0 {
      for index in 0..<node.count { forEachNode(node.child(index).takeUnretainedValue(), body) }
    }
  }
}
