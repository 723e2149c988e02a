import Foundation
import Testing

@testable import LiveStore

private final class Price: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var amount = Decimal(5)
  @Persisted var rebate: Decimal?
  @Persisted var parts: [Decimal]
  @Persisted var next: Price?
}

private final class PriceList: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var prices: List<Price>
}

private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

@Suite("Decimal numbers")
struct DecimalTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Price.self], keeping: file)
  }

  /// Numbers in different forms, some of them equal.
  private static let texts = [
    "0", "-0", "0.00", "1", "1.0", "+01", "9", "10", "1e1", "100E-1", "-9", "-10", "-9.5", "-9.50", "0.5",
    ".5",
    "-.5", "0.05", "123456789012345678901234567890.12345678", "123456789012345678901234567890.12345679",
    "-123456789012345678901234567890.12345678", "1e120", "-1e120", "1e-120", "-1e-120", "0.1", "0.3",
  ]

  @Test("The keys of numbers sort as the numbers do, and are read as the same numbers")
  func keys() {
    for left in Self.texts {
      let key = DecimalKey.key(of: .text(left))
      #expect(Decimal(sqliteValue: key) == decimal(left), "\(left)")
      #expect(Decimal(sqliteValue: decimal(left).sqliteValue) == decimal(left), "\(left)")
      for right in Self.texts {
        guard case .blob(let a) = key, case .blob(let b) = DecimalKey.key(of: .text(right)) else {
          Issue.record("\(left) \(right)")
          continue
        }
        #expect(a.lexicographicallyPrecedes(b) == (decimal(left) < decimal(right)), "\(left) \(right)")
        #expect((a == b) == (decimal(left) == decimal(right)), "\(left) \(right)")
      }
    }
    for text in [
      "", "-", ".", "1e", "1x", " 1", "1 ", "0x1", "inf", "nan", "1e999", "1e-999", "--1", "1.2.3",
    ] {
      #expect(DecimalKey.key(of: .text(text)) == .null && Decimal(sqliteValue: .text(text)) == nil, "\(text)")
    }
    #expect(decimal("12.50").sqliteValue == .text("12.5") && Decimal.nan.sqliteValue == .null)
    #expect(decimal("-1200").sqliteValue == .text("-1200") && decimal("0.0010").sqliteValue == .text("0.001"))
  }

  @Test("Random numbers keep every digit, and sort as they do")
  func randomKeys() {
    withSeededGenerator { random in
      func number() -> Decimal {
        Decimal(
          sign: Bool.random(using: &random) ? .plus : .minus,
          exponent: Int.random(in: -40...40, using: &random),
          significand: Decimal(
            UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0...60, using: &random), using: &random)))
      }
      for _ in 0..<2_000 {
        let (left, right) = (number(), number())
        expectInLoop(Decimal(sqliteValue: left.sqliteValue) == left, "\(left)")
        guard case .blob(let a) = DecimalKey.key(of: left.sqliteValue),
          case .blob(let b) = DecimalKey.key(of: right.sqliteValue)
        else {
          Issue.record("\(left) \(right)")
          continue
        }
        expectInLoop(a.lexicographicallyPrecedes(b) == (left < right), "\(left) \(right)")
      }
    }
  }

  @Test("Numbers are stored, sorted, compared and observed as in a model, in whatever form others write them")
  func random() throws {
    let prices = store.objects(Price.self)
    try store.write {
      for id in 0..<8 {
        let price = try store.create(Price.self, value: ["id": id])
        price.next = store.object(ofType: Price.self, forPrimaryKey: id - 1)
      }
    }
    var model = [(amount: Decimal, rebate: Decimal?)](repeating: (5, nil), count: 8)
    let sorted = try prices.filter(#Predicate { $0.amount > -10 })
      .sorted(by: [SortProperty(\.amount, ascending: false), SortProperty(\.rebate)])
    let greatest = prices.liveMax(of: \.amount)
    let rebates = prices.liveCount(by: \.rebate)
    let foreign = TestDatabase(path: file.path)
    // Another form of the same number is the same value.
    func contents() -> [String: String] {
      let rows = foreign.rows("SELECT CAST(id AS TEXT), amount, rebate FROM Price")
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          let numbers = row[1...].map { Decimal(sqliteValue: $0).map { "\($0)" } ?? "" }
          return (row[0].textReading ?? "", numbers.joined(separator: "|"))
        })
    }
    func keys() -> [String] { sorted.map { "\($0.id)" } }
    let mirror = CollectionMirror("sorted", keys: keys, contents: contents) { mirror in
      sorted.observe(keyPaths: ["amount", "rebate"]) { [unowned mirror] in mirror.receive($0) }
    }
    try store.refresh()
    let other = try TestStore(file.path, types: [Price.self])
    try withSeededGenerator { random in
      func text() -> String { Self.texts.randomElement(using: &random)! }
      for _ in 0..<randomSteps(usually: 300) {
        let id = Int.random(in: 0..<8, using: &random)
        let written = text()
        let isRebate = Bool.random(using: &random)
        let value: String? = isRebate && Bool.random(using: &random) ? nil : written
        if isRebate { model[id].rebate = value.map(decimal) } else { model[id].amount = decimal(written) }
        switch Int.random(in: 0...2, using: &random) {
        case 0:
          foreign.rows(
            "UPDATE Price SET \(isRebate ? "rebate" : "amount") = ? WHERE id = ?",
            [value.map { .text($0) } ?? .null, .integer(Int64(id))])
        case let writer:
          let writer = writer == 1 ? store : other.store
          try writer.refresh()
          try writer.write {
            let price = writer.objects(Price.self)[id]
            if isRebate { price.rebate = value.map(decimal) } else { price.amount = decimal(written) }
          }
        }
        try store.refresh()
        expectInLoop(
          prices.map(\.amount) == model.map(\.amount) && prices.map(\.rebate) == model.map(\.rebate),
          "\(prices.map(\.amount))")
        let expected = model.indices.filter { model[$0].amount > -10 }.sorted { left, right in
          if model[left].amount != model[right].amount { return model[left].amount > model[right].amount }
          switch (model[left].rebate, model[right].rebate) {
          case (nil, nil): return left < right
          case (nil, _): return true
          case (_, nil): return false
          case (let a?, let b?): return a == b ? left < right : a < b
          }
        }
        expectInLoop(sorted.map(\.id) == expected, "\(sorted.map(\.id)) \(expected)")
        mirror.check("after \(written)")
        expectInLoop(greatest.value == model.map(\.amount).max())
        expectInLoop(rebates.value == Dictionary(grouping: model, by: \.rebate).mapValues(\.count))
        expectInLoop(
          prices.min(of: \.amount) == model.map(\.amount).min()
            && prices.max(of: \.rebate) == model.compactMap(\.rebate).max())

        let (low, high) = (decimal(text()), decimal(text()))
        func expectFound(
          _ predicate: Predicate<Price>, _ line: Int = #line,
          _ isFound: ((amount: Decimal, rebate: Decimal?)) -> Bool
        ) throws {
          let found = try prices.filter(predicate).map(\.id)
          expectInLoop(found == model.indices.filter { isFound(model[$0]) }, "line \(line): \(found) \(low)")
        }
        try expectFound(#Predicate { $0.amount == low }) { $0.amount == low }
        try expectFound(#Predicate { $0.amount != low && !($0.amount < high) }) {
          $0.amount != low && !($0.amount < high)
        }
        try expectFound(#Predicate { $0.rebate == low || $0.rebate == nil }) {
          $0.rebate == low || $0.rebate == nil
        }
        try expectFound(#Predicate { $0.rebate != low }) { $0.rebate != low }
        try expectFound(#Predicate { ($0.rebate ?? 0) <= $0.amount }) { ($0.rebate ?? 0) <= $0.amount }
        let both = [low, high]
        try expectFound(#Predicate { both.contains($0.amount) }) { both.contains($0.amount) }
        if low <= high {
          try expectFound(#Predicate { (low...high).contains($0.amount) }) {
            (low...high).contains($0.amount)
          }
        }
        let distinct = prices.distinct(by: [\.amount]).map(\.amount)
        expectInLoop(
          distinct.count == Set(model.map(\.amount)).count && Set(distinct) == Set(model.map(\.amount)))
        let sections = prices.sectioned(by: \.amount)
        expectInLoop(
          sections.map(\.key) == Set(model.map(\.amount)).sorted()
            && sections.allSatisfy { section in section.allSatisfy { $0.amount == section.key } })
        let byNext = prices.sorted(by: \.next?.amount).map(\.id)
        let next = [nil] + model.dropLast().map { Optional($0.amount) }
        expectInLoop(
          byNext
            == (0..<8).sorted { left, right in
              guard let a = next[left] else { return next[right] != nil }
              guard let b = next[right] else { return false }
              return a == b ? left < right : a < b
            })
      }
    }
  }

  @Test("L3: a number that another program writes in another form is a change for nobody who observes it")
  func otherForm() throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Price.self, PriceList.self], keeping: file)
    let (price, follower, list) = try test.store.write {
      let price = try test.store.create(Price.self, value: ["id": 1, "amount": "12.5", "rebate": "2"])
      let follower = try test.store.create(Price.self, value: ["id": 2])
      follower.next = price
      let list = try test.store.create(PriceList.self, value: ["id": 1])
      list.prices.append(price)
      return (price, follower, list)
    }
    var told: [String] = []
    func note<T>(_ who: String, _ change: ObjectChange<T>) {
      guard case .change(_, let properties) = change else { return told.append("\(who) \(change)") }
      told += properties.map { "\(who).\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
    }
    let tokens = [
      price.observe { note("price", $0) },
      price.observe(keyPaths: ["amount"]) { note("amount", $0) },
      follower.observe(keyPaths: ["next.amount"]) { note("follower", $0) },
      list.observe(keyPaths: ["prices.amount"]) { note("list", $0) },
    ]
    let all = test.observe(test.store.objects(Price.self))
    let listed = test.observe(list.prices)
    let lists = test.observe(test.store.objects(PriceList.self))
    let sorted = test.observe(test.store.objects(Price.self).sorted(by: \.amount))
    let raw = try test.store.select(sql: "SELECT amount FROM Price WHERE id = 1")
    #expect(raw.map { $0.values[0] } == [.text("12.5")])
    func write(_ change: String) throws {
      told = []
      for observation in [all, listed, lists, sorted] { observation.clear() }
      sqlite3(file.path, "UPDATE Price SET \(change) WHERE id = 1")
      try test.store.refresh()
    }
    try write("amount = '12.50', rebate = '+2.0'")
    #expect(told == [])
    #expect([all, listed, lists, sorted].allSatisfy { $0.changes.isEmpty })
    #expect(price.amount == decimal("12.5") && raw.map { $0.values[0] } == [.text("12.50")])
    try write("amount = '012.5', rebate = '2.10'")
    #expect(told == ["price.rebate 2 2.1"])
    #expect([all, listed, lists, sorted].map(\.change?.modifications) == [[0, 1], [0], [0], [0, 1]])
    try write("amount = '13', rebate = '2.1'")
    #expect(
      told.map { String($0.prefix(8)) } == ["price.am", "amount.a", "follower", "list.pri"], "\(told)")
    // The own write of the same number writes nothing.
    try test.store.write { price.amount = decimal("13.0") }
    #expect(sqlite3(file.path, "SELECT amount FROM Price WHERE id = 1") == "13\n")
    for token in tokens { token.invalidate() }
  }

  @Test("What is no number reads as the default, and is neither less nor greater than any")
  func foreign() throws {
    try store.write { try store.create(Price.self, value: ["id": 1]) }
    sqlite3(file.path, "UPDATE Price SET amount = 'much', rebate = 2.50")
    try store.refresh()
    let price = try #require(store.objects(Price.self).first)
    #expect(price.amount == 5 && price.rebate == decimal("2.5"))
    #expect(try store.objects(Price.self).filter(#Predicate { $0.amount < 9 || $0.amount >= 9 }).isEmpty)
  }

  @Test("Untyped numbers and texts become decimal numbers with the same digits")
  func untyped() throws {
    try store.write {
      try store.create(
        Price.self, value: ["id": 1, "amount": 0.1, "rebate": "12.50", "parts": [1, 0.3] as [Any]])
      try store.create(Price.self, value: ["id": 2, "amount": 7])
      #expect(throws: StoreError.self) { try store.create(Price.self, value: ["id": 3, "amount": "x"]) }
    }
    let price = try #require(store.objects(Price.self).first)
    #expect(price.amount == decimal("0.1") && price.rebate == decimal("12.5"))
    #expect(price.parts == [1, decimal("0.3")] && store.objects(Price.self).last?.amount == 7)
    #expect(store.objects(Price.self).values(of: \.amount).reduce(0, +) == decimal("7.1"))
    #expect(
      sqlite3(file.path, "SELECT amount, rebate, parts FROM Price WHERE id = 1")
        == "0.1|12.5|[\"1\",\"0.3\"]\n")
  }
}
