import Foundation
import Testing

@testable import LiveStore

private enum Season: String, PersistableEnum {
  case spring, summer, autumn, winter
}

private struct Note: PersistableJSON, Hashable {
  var text = ""
  var stars = 0
}

/// Encoded as a string without members.
private struct Unit: PersistableJSON, Equatable {
  static let (gram, litre) = (Unit("gram"), Unit("litre"))
  var name = ""

  init() {}
  init(_ name: String) { self.name = name }
  init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

private struct Cents: CustomPersistable, Hashable, Codable, Sendable {
  var count: Int
  static var initialValue: Cents { Cents(count: 0) }
  var persistedValue: Int { count }
  init(count: Int) { self.count = count }
  init?(persistedValue: Int) {
    if persistedValue < 0 { return nil }
    count = persistedValue
  }
}

private final class Dish: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var steps: [String] = ["cook"]
  @Persisted var tags: Set<String>
  @Persisted var grams: [String: Int]
  @Persisted var weights: [Double]
  @Persisted var flags: [Bool]
  @Persisted var dates: Set<Date>
  @Persisted var ids: [UUID]
  @Persisted var seasons: Set<Season>
  @Persisted var notes: [Note]
  @Persisted var units: [Unit]
  @Persisted var prices: [String: Cents]
  @Persisted var pictures: [Data]
  @Persisted var table: [[Int]]
  @Persisted var groups: [String: Set<String>]
  @Persisted var aliases: [String]?

  /// The values, to be compared with those of a model.
  var values: DishValues {
    DishValues(
      steps: steps, tags: tags, grams: grams, weights: weights, flags: flags, dates: dates, ids: ids,
      seasons: seasons, notes: notes, units: units, prices: prices, pictures: pictures, table: table,
      groups: groups, aliases: aliases)
  }
}

private struct DishValues: Equatable {
  var steps = ["cook"]
  var tags: Set<String> = []
  var grams: [String: Int] = [:]
  var weights: [Double] = []
  var flags: [Bool] = []
  var dates: Set<Date> = []
  var ids: [UUID] = []
  var seasons: Set<Season> = []
  var notes: [Note] = []
  var units: [Unit] = []
  var prices: [String: Cents] = [:]
  var pictures: [Data] = []
  var table: [[Int]] = []
  var groups: [String: Set<String>] = [:]
  var aliases: [String]?
}

@Suite("Collections of values")
struct ValueCollectionTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Dish.self], keeping: file)
  }

  private static let words = ["", "a", "b", "ü", "e\u{301}", "\"\\\n\u{1}\u{0}/", "👩‍👩‍👧", "salt"]

  @Test("Arrays, sets and dictionaries are stored, observed and found as in a model, whoever changes them")
  func random() throws {
    let dishes = store.objects(Dish.self)
    try store.write { for id in 0..<6 { try store.create(Dish.self, value: ["id": id]) } }
    var model = [DishValues](repeating: DishValues(), count: 6)
    var told: [(id: Int, properties: Set<String>)] = []
    let tokens = dishes.map { dish in
      let id = dish.id
      return dish.observe { change in
        if case .change(_, let properties) = change { told.append((id, Set(properties.map(\.name)))) }
      }
    }
    let salty = try dishes.filter(#Predicate { $0.tags.contains("salt") }).sorted(by: \.id)
    func contents() -> [String: String] {
      Dictionary(uniqueKeysWithValues: salty.map { ("\($0.id)", "\(text(of: $0.values))") })
    }
    func keys() -> [String] { salty.map { "\($0.id)" } }
    let mirror = CollectionMirror("salty", keys: keys, contents: contents) { mirror in
      salty.observe { [unowned mirror] in mirror.receive($0) }
    }
    try store.refresh()
    let other = try TestStore(file.path, types: [Dish.self])
    let foreign = TestDatabase(path: file.path)
    try withSeededGenerator { random in
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
      func word() -> String { Self.words[number(0...Self.words.count - 1)] }
      for _ in 0..<randomSteps(usually: 300) {
        let id = number(0...5)
        let old = model[id]
        let property = number(0...15)
        let name = Self.change(&model[id], property, word, number)
        switch number(0...2) {
        case 0:
          let column = Self.column(name, of: model[id])
          foreign.rows("UPDATE Dish SET \"\(name)\" = ? WHERE id = ?", [column, .integer(Int64(id))])
        case let writer:
          let writer = writer == 1 ? store : other.store
          try writer.refresh()
          try writer.write {
            Self.assign(model[id], property, to: writer.objects(Dish.self)[id])
          }
        }
        try store.refresh()
        expectInLoop(dishes[id].values == model[id], "\(dishes[id].values) \(model[id])")
        expectInLoop(
          old == model[id]
            ? told.isEmpty : told.count == 1 && told[0].id == id && told[0].properties == [name],
          "\(told) \(name)")
        told = []
        mirror.check("after \(name)")

        let (searched, count) = (word(), number(0...3))
        let (season, exact) = (Season.allCases[number(0...3)], model[number(0...5)])
        func expectFound(
          _ predicate: Predicate<Dish>, _ line: Int = #line, _ isFound: (DishValues) -> Bool
        ) throws {
          let found = try dishes.filter(predicate).map(\.id)
          expectInLoop(found == model.indices.filter { isFound(model[$0]) }, "line \(line): \(found)")
        }
        try expectFound(#Predicate { $0.steps.contains(searched) }) { values in
          values.steps.contains { $0.utf8.elementsEqual(searched.utf8) }
        }
        try expectFound(#Predicate { !$0.tags.contains(searched) && $0.steps.count > count }) { values in
          !values.tags.contains { $0.utf8.elementsEqual(searched.utf8) } && values.steps.count > count
        }
        try expectFound(#Predicate { $0.tags.isEmpty || $0.grams.count == count }) {
          $0.tags.isEmpty || $0.grams.count == count
        }
        try expectFound(#Predicate { $0.grams[searched] == count }) { $0.grams[searched] == count }
        try expectFound(#Predicate { $0.grams[searched] == nil }) { $0.grams[searched] == nil }
        try expectFound(#Predicate { ($0.grams[searched] ?? 0) < count }) {
          ($0.grams[searched] ?? 0) < count
        }
        try expectFound(#Predicate { $0.weights.contains(1.5) || $0.flags.contains(true) }) {
          $0.weights.contains(1.5) || $0.flags.contains(true)
        }
        try expectFound(#Predicate { $0.seasons.contains(season) }) { $0.seasons.contains(season) }
        try expectFound(#Predicate { $0.aliases?.contains(searched) ?? false }) { values in
          values.aliases?.contains { $0.utf8.elementsEqual(searched.utf8) } ?? false
        }
        try expectFound(#Predicate { $0.aliases == nil || $0.aliases?.count == count }) {
          $0.aliases == nil || $0.aliases?.count == count
        }
        let (tags, table, grams) = (exact.tags, exact.table, exact.grams)
        try expectFound(#Predicate { $0.tags == tags && $0.table == table && $0.grams == grams }) {
          $0.tags == tags && $0.table == table && $0.grams == grams
        }
        let row = [count]
        try expectFound(#Predicate { $0.table.contains(row) }) { $0.table.contains(row) }
      }
    }
    for token in tokens { token.invalidate() }
  }

  /// Values in an order that does not depend on the process.
  private func text(of values: DishValues) -> String {
    (0...15).map { "\(Self.column(Self.names[$0], of: values))" }.joined()
  }

  private static let names = [
    "steps", "tags", "grams", "weights", "flags", "dates", "ids", "seasons", "notes", "units", "prices",
    "pictures", "table", "groups", "aliases", "aliases",
  ]

  private static func column(_ name: String, of values: DishValues) -> SQLiteValue {
    let child = Mirror(reflecting: values).children.first { $0.label == name }
    return (child?.value as? any SQLiteValueConvertible)?.sqliteValue ?? .null
  }

  /// Changes one of the values at random, and returns its name.
  private static func change(
    _ values: inout DishValues, _ property: Int, _ word: () -> String,
    _ number: (ClosedRange<Int>) -> Int
  ) -> String {
    func change<Element>(_ array: inout [Element], _ element: Element) {
      switch number(0...3) {
      case 0 where !array.isEmpty: array.remove(at: number(0...array.count - 1))
      case 1 where !array.isEmpty: array[number(0...array.count - 1)] = element
      default: array.insert(element, at: number(0...array.count))
      }
    }
    func change<Element>(_ set: inout Set<Element>, _ element: Element) {
      if set.remove(element) == nil { set.insert(element) }
    }
    switch property {
    case 0: change(&values.steps, word())
    case 1: change(&values.tags, word())
    case 2: values.grams[word()] = number(0...2) == 0 ? nil : number(0...3)
    case 3: change(&values.weights, [0, -0.0, 1.5, -1e300, 1e-7, .infinity, -.infinity][number(0...6)])
    case 4: change(&values.flags, number(0...1) == 0)
    case 5: change(&values.dates, Date(timeIntervalSince1970: Double(number(-2...2)) * 1e8))
    case 6:
      change(&values.ids, UUID(uuid: (UInt8(number(0...255)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    case 7: change(&values.seasons, Season.allCases[number(0...3)])
    case 8: change(&values.notes, Note(text: word(), stars: number(0...1)))
    case 9: change(&values.units, number(0...1) == 0 ? .gram : .litre)
    case 10: values.prices[word()] = number(0...2) == 0 ? nil : Cents(count: number(0...9))
    case 11: change(&values.pictures, Data((0..<number(0...4)).map { _ in UInt8(number(0...255)) }))
    case 12: change(&values.table, (0..<number(0...2)).map { _ in number(0...3) })
    case 13: change(&values.groups[word(), default: []], word())
    case 14: values.aliases = values.aliases == nil ? [] : nil
    default:
      if values.aliases != nil { change(&values.aliases!, word()) }
    }
    return names[property]
  }

  private static func assign(_ values: DishValues, _ property: Int, to dish: Dish) {
    switch property {
    case 0: dish.steps = values.steps
    case 1: dish.tags = values.tags
    case 2: dish.grams = values.grams
    case 3: dish.weights = values.weights
    case 4: dish.flags = values.flags
    case 5: dish.dates = values.dates
    case 6: dish.ids = values.ids
    case 7: dish.seasons = values.seasons
    case 8: dish.notes = values.notes
    case 9: dish.units = values.units
    case 10: dish.prices = values.prices
    case 11: dish.pictures = values.pictures
    case 12: dish.table = values.table
    case 13: dish.groups = values.groups
    default: dish.aliases = values.aliases
    }
  }

  @Test("A collection of values is JSON that SQLite reads, in one form for equal values")
  func form() throws {
    try store.write {
      let dish = Dish()
      dish.steps.append("say \"hi\"\n")
      dish.tags = ["b", "a", "c"]
      dish.grams = ["salt": 2, "flour": 500]
      dish.weights = [1, -0.0, 1e16, .infinity]
      dish.flags = [true, false]
      dish.dates = [Date(timeIntervalSince1970: 1e9), Date(timeIntervalSince1970: 0)]
      dish.seasons = [.winter, .autumn]
      dish.notes = [Note(text: "x", stars: 1)]
      dish.units = [.litre]
      dish.prices = ["de": Cents(count: 99)]
      dish.pictures = [Data([1, 2, 3])]
      dish.table = [[3, 1], []]
      dish.groups = ["x": ["2", "1"]]
      store.add(dish)
    }
    let columns = [
      "steps", "tags", "grams", "weights", "flags", "dates", "seasons", "notes", "units", "prices",
      "pictures", "\"table\"", "groups",
    ].joined(separator: " || char(10) || ")
    #expect(
      sqlite3(file.path, "SELECT \(columns) FROM Dish") == #"""
        ["cook","say \"hi\"\n"]
        ["a","b","c"]
        {"flour":500,"salt":2}
        [1.0,0.0,1e+16,9e999]
        [true,false]
        ["1970-01-01 00:00:00.000","2001-09-09 01:46:40.000"]
        ["autumn","winter"]
        [{"stars":1,"text":"x"}]
        ["litre"]
        {"de":99}
        ["AQID"]
        [[3,1],[]]
        {"x":["1","2"]}

        """#)
  }

  @Test("An element that is assigned again, or put into another order in a set, is no change")
  func unchanged() throws {
    let dish = Dish()
    try store.write {
      dish.tags = ["a", "b", "c"]
      dish.grams = ["a": 1, "b": 2]
      store.add(dish)
    }
    var calls = 0
    let token = dish.observe { _ in calls += 1 }
    try store.refresh()
    try store.write {
      dish.tags = Set(["c", "b", "a"])
      dish.tags.insert("a")
      dish.grams = Dictionary(uniqueKeysWithValues: [("b", 2), ("a", 1)])
      dish.steps[0] = "cook"
    }
    try store.refresh()
    #expect(calls == 0)
    token.invalidate()
  }

  @Test(
    "What another program wrote with spaces reads as its value, what is no such collection as the default")
  func foreign() throws {
    try store.write { try store.create(Dish.self, value: ["id": 1]) }
    sqlite3(
      file.path,
      #"""
      UPDATE Dish SET steps = json('[1,"a"]'), tags = ' [ "b", "a", "a" ] ', grams = '{"a":1,"a":2}',
        weights = '[1,"x', flags = '[0,1]', ids = '["no"]', seasons = '["winter","night"]',
        prices = '{"a":-1}', "table" = '[[1],2]', groups = '[]', notes = '[{"text":"a", "stars":2}]',
        pictures = '["*"]', aliases = 'null'
      """#)
    try store.refresh()
    let dish = try #require(store.objects(Dish.self).first)
    #expect(dish.steps == ["1", "a"] && dish.tags == ["a", "b"] && dish.grams == ["a": 2])
    #expect(dish.weights.isEmpty && dish.flags == [false, true] && dish.ids.isEmpty && dish.seasons.isEmpty)
    #expect(dish.prices.isEmpty && dish.table.isEmpty && dish.groups.isEmpty && dish.pictures.isEmpty)
    #expect(dish.notes == [Note(text: "a", stars: 2)] && dish.aliases == nil)
    let broken = try store.objects(Dish.self)
      .filter(#Predicate { $0.weights.isEmpty && !$0.weights.contains(1) && $0.groups["a"] == nil })
    #expect(broken.count == 1)
    sqlite3(file.path, "UPDATE Dish SET steps = 'no JSON'")
    try store.refresh()
    #expect(dish.steps == ["cook"])
  }

  @Test("What is written down of texts in another form is so: compared by text, read and grouped by value")
  func otherForms() throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Dish.self], keeping: file)
    let store = test.store
    try store.write {
      for id in 1...2 {
        let dish = try store.create(Dish.self, value: ["id": id])
        (dish.tags, dish.table) = (["a", "b"], [[1, 2]])
      }
    }
    sqlite3(file.path, #"UPDATE Dish SET tags = '["b","a"]', "table" = '[ [1, 2] ]' WHERE id = 2"#)
    try store.refresh()
    let (tags, table): (Set, [[Int]]) = (["a", "b"], [[1, 2]])
    let dishes = store.objects(Dish.self)
    let same = try dishes.filter(#Predicate { $0.tags == tags })
    let other = try dishes.filter(#Predicate { $0.table != table })
    let both = try dishes.filter(#Predicate { $0.tags.contains("a") && $0.tags.contains("b") })
    let groups = dishes.liveCount(by: \.tags)
    #expect(dishes.allSatisfy { $0.tags == tags && $0.table == table } && both.count == 2)
    #expect(same.map(\.id) == [1] && other.map(\.id) == [2] && dishes.distinct(by: [\.tags]).count == 2)
    #expect(groups.value == [tags: 2])
    try store.write { for dish in dishes { (dish.tags, dish.table) = (dish.tags, dish.table) } }
    #expect(same.count == 2 && other.isEmpty && dishes.distinct(by: [\.tags]).count == 1)
    #expect(groups.value == [tags: 2])
  }

  @Test("Untyped values are converted element by element, and refused with a sentence where one has no place")
  func untyped() throws {
    try store.write {
      let values: [String: Any] = [
        "id": 3, "steps": ["a", "b"], "tags": ["x", "x"] as [Any], "grams": ["a": 1] as [String: Any],
        "weights": [1, 2.5] as [Any], "seasons": ["winter", Season.autumn] as [Any], "aliases": "[\"z\"]",
        "table": [[1], []] as [Any], "dates": ["2001-02-03"], "prices": ["a": 7] as [String: Any],
        "pictures": ["AQ=="],
      ]
      try store.create(Dish.self, value: values)
    }
    let dish = try #require(store.objects(Dish.self).first)
    #expect(dish.steps == ["a", "b"] && dish.tags == ["x"] && dish.grams == ["a": 1])
    #expect(dish.weights == [1, 2.5] && dish.seasons == [.winter, .autumn] && dish.aliases == ["z"])
    #expect(dish.table == [[1], []] && dish.dates.count == 1 && dish.prices == ["a": Cents(count: 7)])
    #expect(dish.pictures == [Data([1])])
    for (name, value) in [
      ("steps", ["a", 1] as [Any]), ("grams", ["a": "b"]), ("grams", ["a"]), ("seasons", ["night"]),
      ("weights", [Double.nan]), ("tags", "no JSON"), ("prices", ["a": -1]),
    ] as [(String, Any)] {
      let error = #expect(throws: StoreError.self) {
        try store.write { try store.create(Dish.self, value: ["id": 4, name: value]) }
      }
      #expect(error?.description.contains("Dish.\(name)") == true, "\(name)")
    }
  }

  @Test("An element without a form in the file makes the write throw")
  func notANumber() throws {
    let dish = Dish()
    try store.write { store.add(dish) }
    #expect(throws: StoreError.self) { try store.write { dish.weights.append(.nan) } }
    #expect(dish.weights.isEmpty)
  }

  @Test("Objects with collections of values are encoded as Swift encodes them, and can be selected with SQL")
  func encoding() throws {
    try store.write {
      try store.create(Dish.self, value: ["steps": ["a"], "tags": ["t"], "grams": ["g": 1]])
    }
    let dish = try #require(store.objects(Dish.self).first)
    let json = try JSONEncoder().encode(dish.encodable)
    let decoded = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(decoded["steps"] as? [String] == ["a"] && decoded["grams"] as? [String: Int] == ["g": 1])
    let selected = try store.select(sql: "SELECT steps, tags FROM Dish WHERE tags = ?", Set(["t"]))
    let row = try #require(selected.first)
    #expect(row["steps"] == ["a"] && row["tags", as: Set<String>.self] == ["t"])
  }

  @Test("A predicate that SQLite cannot answer says what to do instead")
  func refused() throws {
    let dishes = store.objects(Dish.self)
    for (predicate, words) in [
      (#Predicate<Dish> { $0.steps[0] == "a" }, "an element a property of its own"),
      (#Predicate<Dish> { $0.steps.first == "a" }, "only be counted"),
      (#Predicate<Dish> { $0.steps.contains { $0 == "a" } }, "only lists of objects"),
      (#Predicate<Dish> { $0.steps.starts(with: ["a"]) }, "only a text"),
    ] {
      let error = #expect(throws: QueryError.self) { try dishes.filter(predicate) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  private enum Before {
    final class Dish: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var aliases: String? = "Rice"
    }
  }

  @Test("A migration gives a new collection its default")
  func migration() throws {
    let file = TestFile()
    let old = try TestStore(file.path, types: [Before.Dish.self])
    try old.store.write { try old.store.create(Before.Dish.self, value: ["id": 1]) }
    old.store.close()
    var configuration = Store.Configuration(path: file.path, schemaVersion: 2, objectTypes: [Dish.self])
    configuration.migration = { migration, _ in
      try migration.enumerateObjects(ofType: "Dish") { old, new in
        new?["aliases"] = [old?["aliases"] ?? ""]
      }
    }
    let test = try TestStore(configuration)
    let dish = try #require(test.store.objects(Dish.self).first)
    var values = DishValues()
    values.aliases = ["Rice"]
    #expect(dish.values == values)
    sqlite3(file.path, "INSERT INTO Dish (id) VALUES (2)")
    try test.store.refresh()
    #expect(test.store.objects(Dish.self).last?.values == DishValues())
  }
}
