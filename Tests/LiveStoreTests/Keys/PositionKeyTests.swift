import LiveStoreFixtures
import Testing

@testable import LiveStore

/// Whether `left` is before `right` as SQLite's BINARY collation has it. (Swift's `<` of strings is another
/// order.)
private func isBefore(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}

private func isAscending(_ keys: [String]) -> Bool {
  zip(keys, keys.dropFirst()).allSatisfy { isBefore($0, $1) }
}

@Suite("Position keys")
struct PositionKeyTests {
  @Test("The first key is one character, and so are its first neighbours")
  func firstKeys() {
    #expect(PositionKey.between(nil, nil) == "V")
    #expect(PositionKey.between("V", nil) == "W")
    #expect(PositionKey.between(nil, "V") == "U")
    #expect(PositionKey.between("V", "W") == "VV")
    #expect(PositionKey.between("V", "VV") == "VU")
    #expect(PositionKey.between("VV", "W") == "VW")
  }

  @Test("SQL makes the same key at the end of a list, and a later one after whatever text is there")
  func sql() throws {
    let connection = try Connection(path: ":memory:", create: true)
    let statement = try Statement(connection, PositionKey.sqlAfterLast("SELECT ? AS last"))
    func after(_ last: String?) throws -> String {
      try #require(try statement.first([last.map { .text($0) } ?? .null]) { $0.text(0) })
    }
    var last: String?
    for _ in 0..<5000 {
      let next = try after(last)
      expectInLoop(next == PositionKey.between(last, nil), "\(last ?? "") \(next)")
      last = next
    }
    for text in ["V", "o", "ozzz", "p0", "pz", "pzz", "qzzA", "xzzzzzzzzz", "VVVV", "V5", "VÄ"] {
      #expect(try after(text) == PositionKey.between(text, nil))
    }
    for text in [
      "9zz", "Az", "B", "U", "yzzzzzzzzzz", "zz", "é", "p", "qz", "0", "\u{1}", "A-", "_", "q1", "p-", "aé",
    ] {
      #expect(try isBefore(text, after(text)), "\(text)")
    }
  }

  @Test("Elements that another program appends to a list have short positions")
  func foreign() throws {
    let file = TestFile()
    let test = try file.open()
    try test.store.write {
      test.store.add(Person(id: 1))
      test.store.add(Dog("Rex"))
    }
    sqlite3(
      file.path,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO Person_dogs (owner, target) SELECT 1, id FROM n, Dog
      """)
    #expect(sqlite3(file.path, "SELECT max(length(position)) FROM Person_dogs") == "3\n")
    #expect(sqlite3(file.path, "SELECT count(DISTINCT position) FROM Person_dogs") == "3000\n")
    #expect(
      sqlite3(file.path, "SELECT entry FROM Person_dogs ORDER BY position LIMIT 3 OFFSET 2997")
        == "2998\n2999\n3000\n")
  }

  @Test("Appending grows keys with the logarithm of the count, at the end, at the beginning and in a gap")
  func runs() {
    let count = 20_000
    var last = PositionKey.between(nil, nil)
    for _ in 0..<count {
      let next = PositionKey.between(last, nil)
      expectInLoop(isBefore(last, next), "\(last) \(next)")
      last = next
    }
    #expect(last.utf8.count <= 4)

    var first = PositionKey.between(nil, nil)
    for _ in 0..<count {
      let next = PositionKey.between(nil, first)
      expectInLoop(isBefore(next, first), "\(next) \(first)")
      first = next
    }
    #expect(first.utf8.count <= 4)

    let (lower, upper) = ("V", "W")
    last = lower
    for _ in 0..<count {
      let next = PositionKey.between(last, upper)
      expectInLoop(isBefore(last, next) && isBefore(next, upper), "\(last) \(next) \(upper)")
      last = next
    }
    #expect(last.utf8.count <= 5)
    first = upper
    for _ in 0..<count {
      let next = PositionKey.between(lower, first)
      expectInLoop(isBefore(lower, next) && isBefore(next, first), "\(lower) \(next) \(first)")
      first = next
    }
    #expect(first.utf8.count <= 5)
  }

  @Test("Inserting between the two that were inserted last grows keys by a character at most")
  func worstCase() {
    var (lower, upper) = ("V", "W")
    for step in 0..<300 {
      let key = PositionKey.between(lower, upper)
      expectInLoop(isBefore(lower, key) && isBefore(key, upper), "\(lower) \(key) \(upper)")
      expectInLoop(key.utf8.count <= step + 2, key)
      if step % 2 == 0 { lower = key } else { upper = key }
    }
  }

  @Test("Keys at the turns of the number of digits are in order")
  func digitTurns() {
    var keys: [String] = []
    var key = PositionKey.between(nil, nil)
    for _ in 0..<5_000 {
      keys.append(key)
      key = PositionKey.between(key, nil)
    }
    key = keys[0]
    var before: [String] = []
    for _ in 0..<5_000 {
      key = PositionKey.between(nil, key)
      before.append(key)
    }
    keys = before.reversed() + keys
    #expect(isAscending(keys))
    for (lower, upper) in zip(keys, keys.dropFirst()) {
      let middle = PositionKey.between(lower, upper)
      expectInLoop(isBefore(lower, middle) && isBefore(middle, upper), "\(lower) \(middle) \(upper)")
    }
  }

  @Test("The greatest and the least number still have neighbours")
  func limits() {
    let greatest = "y" + String(repeating: "z", count: 10)
    let behind = PositionKey.between(greatest, nil)
    #expect(isBefore(greatest, behind))
    #expect(isBefore(behind, PositionKey.between(behind, nil)))
    let least = "1" + String(repeating: "0", count: 10)
    let before = PositionKey.between(nil, least)
    #expect(isBefore(before, least))
    #expect(isBefore(PositionKey.between(nil, before), before))
    #expect(isBefore(least, PositionKey.between(least, nil)))
  }

  @Test("Many keys at once are ascending, between their neighbours, and short")
  func bulk() {
    for (lower, upper) in [
      (nil, nil), ("V", nil), (nil, "V"), ("V", "W"), ("V", "VV"), ("é", "ê"), ("zz", nil),
    ]
      as [(String?, String?)]
    {
      for count in [0, 1, 2, 1_000] {
        let keys = PositionKey.keys(count, between: lower, and: upper)
        #expect(keys.count == count)
        #expect(isAscending([lower].compactMap { $0 } + keys + [upper].compactMap { $0 }))
        #expect(keys.allSatisfy { $0.utf8.count <= 6 })
      }
    }
  }

  @Test("10,000 random insertions and moves keep the order of the list")
  func randomList() {
    withSeededGenerator { generator in
      var keys: [String] = []
      for _ in 0..<10_000 {
        if !keys.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
          keys.remove(at: Int.random(in: 0..<keys.count, using: &generator))
        }
        let index = Int.random(in: 0...keys.count, using: &generator)
        let lower = index > 0 ? keys[index - 1] : nil
        let upper = index < keys.count ? keys[index] : nil
        keys.insert(PositionKey.between(lower, upper), at: index)
      }
      #expect(isAscending(keys))
      let longest = keys.map(\.utf8.count).max()!
      let mean = Double(keys.reduce(0) { $0 + $1.utf8.count }) / Double(keys.count)
      #expect(longest <= 40)
      #expect(mean <= 16)
    }
  }

  @Test("Between any two foreign texts there is a key, if there is any text between them")
  func foreignTexts() {
    withSeededGenerator { generator in
      let palette = [
        "0", "1", "9", "A", "B", "V", "o", "p", "z", " ", "!", "\u{1}", "\u{2}", "/", "~", "é", "ê", "😀",
      ]
      for _ in 0..<20_000 {
        func text() -> String? {
          if Int.random(in: 0..<8, using: &generator) == 0 { return nil }
          return (0..<Int.random(in: 0...4, using: &generator))
            .map { _ in palette.randomElement(using: &generator)! }.joined()
        }
        var (lower, upper) = (text(), text())
        if Bool.random(using: &generator), let prefix = lower { upper = prefix + (upper ?? "") }
        if let a = lower, let b = upper, isBefore(b, a) { (lower, upper) = (upper, lower) }
        for _ in 0..<6 {
          let key = PositionKey.between(lower, upper)
          let description =
            "\(String(reflecting: lower)) \(String(reflecting: key)) \(String(reflecting: upper))"
          if thereIsTextBetween(lower, upper) {
            expectInLoop(lower.map { isBefore($0, key) } ?? true, description)
            expectInLoop(upper.map { isBefore(key, $0) } ?? true, description)
          } else {
            expectInLoop(key.utf8.elementsEqual((lower ?? upper!).utf8), description)
          }
          if Bool.random(using: &generator) { lower = key } else { upper = key }
        }
      }
    }
  }

  @Test("Appending behind a foreign text grows keys with the logarithm too")
  func behindForeignText() {
    for foreign in ["é", "buy milk", "1", "zebra", "😀", "~", "0", " "] {
      var last = foreign
      for _ in 0..<1_000 {
        let next = PositionKey.between(last, nil)
        expectInLoop(isBefore(last, next), "\(last) \(next)")
        last = next
      }
      #expect(last.utf8.count <= foreign.utf8.count + 4)
    }
  }

  @Test("Equal or reversed neighbours give the lower one's key")
  func equalNeighbours() {
    #expect(PositionKey.between("V", "V") == "V")
    #expect(PositionKey.between("", "") == "")
    #expect(PositionKey.between("W", "V") == "W")
    #expect(PositionKey.between("é", "é") == "é")
    #expect(PositionKey.between("V", "V\u{1}") == "V")
    #expect(PositionKey.between(nil, "\u{1}") == "\u{1}")
  }

  /// Whether a text that is not empty, without U+0000, is between the two.
  private func thereIsTextBetween(_ lower: String?, _ upper: String?) -> Bool {
    guard let upper else { return true }
    guard isBefore(lower ?? "", upper) else { return false }
    guard upper.utf8.starts(with: (lower ?? "").utf8) else { return true }
    return [1].lexicographicallyPrecedes(upper.utf8.dropFirst((lower ?? "").utf8.count))
  }
}
