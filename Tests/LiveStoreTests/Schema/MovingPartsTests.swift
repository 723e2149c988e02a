import TestSupport
import Testing

@testable import LiveStore

private enum Household {
  static let types: [Object.Type] = [Person.self, Address.self, Phone.self]

  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var home: Address?
    @Persisted var work: Address?
    @Persisted var others: List<Address>
    @Persisted var former: List<Address>

    override class var rules: [ObjectRule] {
      [
        .embeds(\Person.home), .embeds(\Person.work), .embeds(\Person.others), .embeds(\Person.former),
      ]
    }

    convenience init(
      home: Address? = nil, work: Address? = nil, others: [Address] = [], former: [Address] = []
    ) {
      self.init()
      (self.home, self.work) = (home, work)
      self.others.append(contentsOf: others)
      self.former.append(contentsOf: former)
    }
  }

  final class Address: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var street = ""
    @Persisted var phones: List<Phone>

    override class var rules: [ObjectRule] { [.embeds(\Address.phones)] }

    convenience init(_ id: Int, _ phones: [Phone] = []) {
      self.init()
      self.id = id
      street = "street \(id)"
      self.phones.append(contentsOf: phones)
    }
  }

  final class Phone: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var number = ""

    convenience init(_ id: Int) {
      self.init()
      self.id = id
      number = "number \(id)"
    }
  }
}

@Suite("Parts that change places in a value")
struct MovingPartsTests {
  private typealias Person = Household.Person
  private typealias Address = Household.Address
  private typealias Phone = Household.Phone

  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }
  private var person: Person { store.objects(Person.self)[0] }

  init() throws {
    test = try TestStore(file.path, types: Household.types, keeping: file)
    try test.store.write { [store = test.store] in
      store.add(
        Person(
          home: Address(1, [Phone(10), Phone(11)]), work: Address(2, [Phone(20)]),
          others: [Address(3), Address(4)], former: [Address(5)]))
    }
  }

  /// The places of the person, each address with its phones.
  private var state: String {
    func text(_ address: Address?) -> String {
      guard let address else { return "-" }
      #expect(address.street == "street \(address.id)")
      let phones = address.phones.map { phone in
        #expect(phone.number == "number \(phone.id)")
        return "\(phone.id)"
      }
      return phones.isEmpty ? "\(address.id)" : "\(address.id)(\(phones.joined(separator: " ")))"
    }
    let person = person
    return [
      text(person.home), text(person.work), person.others.map(text).joined(separator: " "),
      person.former.map(text).joined(separator: " "),
    ].joined(separator: " | ")
  }

  private func expect(_ state: String, _ addresses: [Int], _ phones: [Int] = [10, 11, 20]) throws {
    #expect(self.state == state)
    #expect(store.objects(Address.self).map(\.id) == addresses)
    #expect(store.objects(Phone.self).map(\.id) == phones)
    #expect(sqlite3(file.path, "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok\n")
    try store.refresh()
    #expect(self.state == state)
  }

  private func address(_ id: Int) -> Address? { test.existing(Address.self, id) }

  /// The addresses of a value: those in the store, new ones with the same keys, or dictionaries of keys.
  enum Naming: CaseIterable {
    case stored, new, dictionaries
  }

  /// Writes a value that names addresses of the person.
  private func write(
    _ naming: Naming, home: Int?, work: Int?, others: [Int], former: [Int]
  ) throws {
    try store.write {
      func named(_ id: Int) -> Address {
        guard let stored = address(id) else { return Address(id) }
        return naming == .stored ? stored : Address(id, stored.phones.map { Phone($0.id) })
      }
      if naming == .dictionaries {
        func value(_ id: Int) -> [String: Any] { ["id": id, "street": "street \(id)"] }
        try store.create(
          Person.self,
          value: [
            "id": 0, "home": home.map(value) as Any, "work": work.map(value) as Any,
            "others": others.map(value), "former": former.map(value),
          ], update: .modified)
      } else {
        store.add(
          Person(
            home: home.map(named), work: work.map(named), others: others.map(named),
            former: former.map(named)),
          update: .modified)
      }
    }
  }

  @Test("Two links exchange their parts", arguments: Naming.allCases)
  func links(_ naming: Naming) throws {
    let (seen, parts) = (test.observe(store.objects(Address.self)), test.observe(store.objects(Phone.self)))
    let home = address(1)
    try write(naming, home: 2, work: 1, others: [3, 4], former: [5])
    try expect("2(20) | 1(10 11) | 3 4 | 5", [1, 2, 3, 4, 5])
    #expect(seen.change == nil && parts.change == nil && home?.isInvalidated == false)
    // One goes over, and the other leaves.
    try write(naming, home: 1, work: nil, others: [3, 4], former: [5])
    try expect("1(10 11) | - | 3 4 | 5", [1, 3, 4, 5], [10, 11])
    #expect(seen.change == ChangeSet(del: [1]) && parts.change == ChangeSet(del: [2]))
    try write(naming, home: nil, work: 1, others: [3, 4], former: [5])
    try expect("- | 1(10 11) | 3 4 | 5", [1, 3, 4, 5], [10, 11])
  }

  @Test("A link and a list exchange their parts", arguments: Naming.allCases)
  func linkAndList(_ naming: Naming) throws {
    try write(naming, home: 4, work: 2, others: [3, 1], former: [5])
    try expect("4 | 2(20) | 3 1(10 11) | 5", [1, 2, 3, 4, 5])
    try write(naming, home: nil, work: nil, others: [2, 4, 1, 3], former: [5])
    try expect("- | - | 2(20) 4 1(10 11) 3 | 5", [1, 2, 3, 4, 5])
    try write(naming, home: 1, work: 3, others: [], former: [5])
    try expect("1(10 11) | 3 |  | 5", [1, 3, 5], [10, 11])
  }

  @Test("Two lists exchange their parts, which stand elsewhere in them", arguments: Naming.allCases)
  func lists(_ naming: Naming) throws {
    try write(naming, home: 1, work: 2, others: [5], former: [4, 3])
    try expect("1(10 11) | 2(20) | 5 | 4 3", [1, 2, 3, 4, 5])
    try write(naming, home: 1, work: 2, others: [6, 3, 5, 4], former: [])
    try expect("1(10 11) | 2(20) | 6 3 5 4 | ", [1, 2, 3, 4, 5, 6])
    try write(naming, home: 1, work: 2, others: [3], former: [4, 6])
    try expect("1(10 11) | 2(20) | 3 | 4 6", [1, 2, 3, 4, 6])
  }

  @Test("A part of a part goes to another one, also if the first leaves or the second is new")
  func deeper() throws {
    try store.write {
      store.add(
        Person(
          home: Address(1, [Phone(11)]), work: Address(2, [Phone(20)]), others: [Address(3, [Phone(10)])]),
        update: .modified)
    }
    try expect("1(11) | 2(20) | 3(10) | ", [1, 2, 3])
    try store.write {
      store.add(Person(home: Address(3), work: Address(7, [Phone(20), Phone(11)])), update: .modified)
    }
    try expect("3 | 7(20 11) |  | ", [3, 7], [11, 20])
    try store.write {
      try store.create(
        Person.self,
        value: [
          "id": 0, "work": nil as Any? as Any,
          "home": ["id": 8, "street": "street 8", "phones": [["id": 20]]] as [String: Any],
        ], update: .modified)
    }
    try expect("8(20) | - |  | ", [8], [20])
  }

  @Test("Values that are not named stay, and so do those of a write that is taken back")
  func unnamed() throws {
    try store.write {
      try store.create(
        Person.self, value: ["id": 0, "home": ["id": 3], "others": [["id": 1]] as [Any]], update: .modified)
    }
    try expect("3 | 2(20) | 1(10 11) | 5", [1, 2, 3, 5])
    let home = Address(2, [Phone(20)])
    let draft = Person(home: home, work: address(3))
    try store.beginWrite()
    store.add(draft, update: .modified)
    #expect(draft.home?.id == 2 && store.objects(Address.self).map(\.id) == [2, 3])
    store.cancelWrite()
    try expect("3 | 2(20) | 1(10 11) | 5", [1, 2, 3, 5])
    #expect(draft.home === home && draft.work?.id == 3 && home.phones.map(\.id) == [20])
    try store.write { store.add(draft, update: .modified) }
    try expect("2(20) | 3 |  | ", [2, 3], [20])
  }

  @Test("A value that leaves a part in two places is refused, and says which; nothing is changed")
  func refused() throws {
    func expect(_ places: String, _ write: () throws -> Void) throws {
      let error = #expect(throws: StoreError.self) { try store.write(write) }
      #expect(
        error?.description == "The Address with the primary key 3 would be in \(places), but a part has one "
          + "place; have the value that is written take it out of the other, or name a copy of it.")
      try self.expect("1(10 11) | 2(20) | 3 4 | 5", [1, 2, 3, 4, 5])
    }
    let third = address(3)
    for home in [third, Address(3)] {
      try expect("Person.home and Person.work") {
        store.add(Person(home: home, work: home, others: [Address(4)]), update: .modified)
      }
    }
    try expect("Person.former twice") {
      store.add(Person(former: [Address(3), Address(3)]), update: .modified)
    }
    try expect("Person.home and Person.others") {
      try store.create(Person.self, value: ["id": 0, "home": ["id": 3]], update: .modified)
    }
    try expect("Person.home and Person.others") {
      try store.create(Person.self, value: ["id": 9, "home": ["id": 3]], update: .modified)
    }
    // The triggers are there again.
    #expect(throws: StoreError.self) { try store.write { person.home = third } }
    try store.write { person.home = nil }
    try self.expect("- | 2(20) | 3 4 | 5", [2, 3, 4, 5], [20])
  }

  @Test("Triggers of other programs fire for parts that move")
  func foreignTriggers() throws {
    sqlite3(
      file.path,
      """
      CREATE TABLE seen (what TEXT);
      CREATE TRIGGER moves AFTER UPDATE OF home ON Person BEGIN INSERT INTO seen VALUES (NEW.home); END;
      CREATE TRIGGER entries AFTER INSERT ON Person_others
        BEGIN INSERT INTO seen VALUES ('+' || NEW.target); END;
      CREATE TRIGGER gone AFTER DELETE ON Address BEGIN INSERT INTO seen VALUES ('-' || OLD.id); END;
      """)
    try write(.new, home: 4, work: nil, others: [3, 1], former: [5])
    try expect("4 | - | 3 1(10 11) | 5", [1, 3, 4, 5], [10, 11])
    #expect(sqlite3(file.path, "SELECT what FROM seen ORDER BY what") == "+1\n-2\n4\n")
  }

  @Test("Random values, of which each names any parts in any places, leave what they name")
  func random() throws {
    try withSeededGenerator { random in
      for _ in 0..<randomSteps(usually: 120) {
        var ids = Array(1...8).shuffled(using: &random)
        func take() -> Int? { Bool.random(using: &random) ? ids.popLast() : nil }
        func takeSome() -> [Int] { (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in take() } }
        let (home, work, others, former) = (take(), take(), takeSome(), takeSome())
        let known = Dictionary(
          uniqueKeysWithValues: store.objects(Address.self).map { ($0.id, $0.phones.map(\.id)) })
        let naming = try #require(Naming.allCases.randomElement(using: &random))
        let seen = test.observe(store.objects(Address.self))
        try store.refresh()
        try write(naming, home: home, work: work, others: others, former: former)
        func text(_ id: Int) -> String {
          let phones = known[id] ?? []
          return phones.isEmpty ? "\(id)" : "\(id)(\(phones.map { "\($0)" }.joined(separator: " ")))"
        }
        let all = ([home, work].compactMap(\.self) + others + former).sorted()
        try expect(
          [
            home.map(text) ?? "-", work.map(text) ?? "-", others.map(text).joined(separator: " "),
            former.map(text).joined(separator: " "),
          ].joined(separator: " | "), all, all.flatMap { known[$0] ?? [] }.sorted())
        #expect(seen.rows == all.map { "\($0)" })
      }
    }
  }
}
