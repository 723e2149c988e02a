import Foundation
import Testing

@testable import LiveStore

private enum Kind: String, PersistableEnum {
  case plain, fancy
}

private final class Order: Object, Decodable {
  @Persisted(primaryKey: true) var number: Int = 0
  @Persisted var title: String = "untitled"
  @Persisted var price: Double = 9.5
  @Persisted var isPaid: Bool = false
  @Persisted var made: Date?
  @Persisted var token: UUID?
  @Persisted var blob: Data?
  @Persisted var kind: Kind? = .plain
  @Persisted var customer: Customer?
  @Persisted var items: List<Item>
}

private final class Customer: Object, Decodable {
  @Persisted(primaryKey: true) var name: String = ""
  @Persisted var city: String = "nowhere"
  @Persisted var favourite: Customer?
}

private final class Item: Object, Decodable {
  @Persisted(primaryKey: true) var id: UUID = UUID()
  @Persisted var text: String = ""

  convenience init(_ number: Int, _ text: String = "") {
    self.init()
    id = Item.id(number)
    self.text = text
  }

  static func id(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
  }
}

extension Kind: Decodable {}

@Suite("Adding and creating objects")
struct AddingTests {
  private let test: TestStore

  init() throws {
    test = try TestStore(
      Store.Configuration(
        inMemory: "\(UUID())", objectTypes: [Order.self, Customer.self, Item.self]))
  }

  private var store: Store { test.store }
  private var orders: Results<Order> { store.objects(Order.self) }

  private func order(_ number: Int, customer: String? = nil, items: [Item] = []) -> Order {
    let order = Order()
    order.number = number
    order.items.append(contentsOf: items)
    if let customer {
      order.customer = Customer()
      order.customer?.name = customer
    }
    return order
  }

  // MARK: add

  @Test("A primary key that is taken fails the transaction, with a sentence that names it")
  func taken() throws {
    try store.write { store.add(order(1)) }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        store.add(order(2))
        store.add(order(1))
        store.add(order(3))
      }
    }
    #expect(
      error?.description.contains("Order with the primary key 1") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("update: .modified") == true)
    #expect(orders.map(\.number) == [1])
  }

  @Test("L3: adding what is there already with an update modifies only what differs, in links and lists too")
  func modified() throws {
    try store.write { store.add(order(1, customer: "a", items: [Item(1), Item(2), Item(3)])) }
    let observed = Observation(orders[0].items)
    let all = Observation(orders)
    let items = Observation(store.objects(Item.self))
    let customers = Observation(store.objects(Customer.self))
    try store.refresh()
    for policy in [Store.UpdatePolicy.modified, .all] {
      try store.write {
        store.add(order(1, customer: "a", items: [Item(1), Item(2), Item(3)]), update: policy)
      }
      try store.refresh()
      for observation in [observed, all, items, customers] { #expect(observation.changes == []) }
    }
    let again = order(1, customer: "a", items: [Item(1), Item(4), Item(3, "new"), Item(2)])
    again.customer?.city = "Rome"
    try store.write { store.add(again, update: .modified) }
    try store.refresh()
    #expect(observed.changes == [ChangeSet(del: [1], ins: [1, 3], mod: [2])])
    #expect(items.changes.count == 1 && items.changes[0].insertions.count == 1)
    #expect(items.changes[0].modifications.count == 1 && items.changes[0].deletions == [])
    #expect(customers.change == ChangeSet(mod: [0]))
    #expect(again.isSameObject(as: orders[0]) && again.store === store)
    #expect(orders[0].items.map(\.id) == [1, 4, 3, 2].map(Item.id))
    #expect(again.items.count == 4 && again.customer?.city == "Rome")
    try store.write { again.title = "through the new one" }
    #expect(orders[0].title == "through the new one")
  }

  @Test(
    "Objects that lead to each other in a circle, and to themselves, are added once",
    arguments: [false, true])
  func cycles(_ updates: Bool) throws {
    let policy: Store.UpdatePolicy = updates ? .modified : .error
    for _ in 0..<(updates ? 2 : 1) {
      let customers = ["a", "b", "c"].map { name in
        let customer = Customer()
        customer.name = name
        return customer
      }
      for index in 0..<3 { customers[index].favourite = customers[(index + 1) % 3] }
      let own = Customer()
      own.name = "own"
      own.favourite = own
      try store.write {
        store.add(customers[1], update: policy)
        store.add(own, update: policy)
      }
    }
    let customers = store.objects(Customer.self)
    #expect(customers.map { $0.favourite?.name } == ["b", "c", "a", "own"])
  }

  @Test("Several objects are added at once, and an object of the store stays as it is")
  func several() throws {
    try store.write {
      store.add([order(1), order(2)])
      let known = orders[0]
      store.add([known, order(3)], update: .modified)
    }
    #expect(orders.map(\.number) == [1, 2, 3])
  }

  @Test("Assigning a list writes what differs, for random lists")
  func assignment() throws {
    var random = SeededRandom.fromEnvironment()
    try store.write { store.add(order(1)) }
    let observed = Observation(orders[0].items)
    try store.refresh()
    for _ in 0..<60 {
      let numbers = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        Int.random(in: 0..<10, using: &random)
      }
      let present = orders[0].items.map(\.id)
      observed.clear()
      var items: [UUID: Item] = [:]
      let list = numbers.map { number -> Item in
        let item = items[Item.id(number)] ?? Item(number)
        items[Item.id(number)] = item
        return item
      }
      try store.write { store.add(order(1, items: list), update: .modified) }
      #expect(orders[0].items.map(\.id) == numbers.map(Item.id))
      try store.refresh()
      let changes = numbers.map(Item.id).difference(from: present)
      #expect(observed.changes.reduce(0) { $0 + $1.deletions.count } == changes.removals.count)
      #expect(observed.changes.reduce(0) { $0 + $1.insertions.count } == changes.insertions.count)
    }
  }

  // MARK: create

  @Test("A JSON document is imported again and again, and only what changed in it is told")
  func json() throws {
    func document(_ city: String, _ items: String) throws -> [[String: Any]] {
      let text = """
        [{"number": 7, "title": "T", "price": 3, "isPaid": true, "made": "2024-02-03 04:05:06.000", "kind": "fancy",
          "token": "00000000-0000-0000-0000-000000000001", "blob": "AQI=",
          "customer": {"name": "c", "city": "\(city)", "favourite": {"name": "d"}}, "items": [\(items)]},
         {"number": 8, "kind": null, "customer": null}]
        """
      return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }
    func take(_ document: [[String: Any]]) throws {
      try store.write {
        for value in document { try store.create(Order.self, value: value, update: .modified) }
      }
      try store.refresh()
    }
    let first = "{\"id\": \"\(Item.id(1))\", \"text\": \"one\"}"
    let second = "{\"id\": \"\(Item.id(2))\"}"
    let all = Observation(orders)
    try store.refresh()
    try take(document("Rome", first))
    let order = orders[0]
    #expect(order.title == "T" && order.price == 3 && order.isPaid && order.kind == .fancy)
    #expect(order.made?.timeIntervalSince1970 == 1_706_933_106 && order.token == Item.id(1))
    #expect(order.blob == Data([1, 2]) && order.items.map(\.text) == ["one"])
    #expect(order.customer?.city == "Rome" && order.customer?.favourite?.name == "d")
    #expect(orders[1].kind == nil && orders[1].title == "untitled" && orders[1].customer == nil)
    let items = Observation(order.items)
    try store.refresh()
    all.clear()
    try take(document("Rome", first))
    #expect(all.changes == [] && items.changes == [])
    try store.write { order.title = "mine" }
    try store.refresh()
    all.clear()
    // A title that the document does not name stays.
    try store.write {
      try store.create(Order.self, value: ["number": 7, "isPaid": false], update: .modified)
    }
    #expect(order.title == "mine" && !order.isPaid && order.items.count == 1)
    try take(document("Paris", "\(second), \(first)"))
    #expect(items.changes.last?.insertions == [0] && items.changes.last?.deletions == [])
    #expect(order.customer?.city == "Paris")
  }

  @Test("Objects, links and arrays of objects are values too, and what is not named has its default")
  func objects() throws {
    try store.write {
      let customer = try store.create(Customer.self, value: ["name": "c"])
      let item = Item(1, "managed")
      store.add(item)
      let order = try store.create(
        Order.self,
        value: [
          "number": 1, "customer": customer, "items": [item, ["text": "nested"], Item(2, "new")] as [Any],
        ])
      #expect(order.items.map(\.text) == ["managed", "nested", "new"])
      #expect(order.customer === customer && order.price == 9.5 && order.kind == .plain)
      try store.create(Order.self)
      try store.create(Item.self, update: .modified)
    }
    #expect(orders.map(\.number) == [0, 1] && store.objects(Item.self).count == 4)
  }

  @Test("Values that do not fit are refused with class, property and value, and nothing is written")
  func mismatches() throws {
    try store.write { store.add(order(1)) }
    let cases: [(value: [String: Any], words: [String])] = [
      (["number": 2, "shoe": 1], ["Order", "“shoe”"]),
      (["number": "two"], ["Order.number", "two", "String", "Int"]),
      (["number": 2.5], ["Order.number", "2.5"]),
      (["number": 1], ["Order", "primary key 1"]),
      (["number": 2, "title": 7], ["Order.title", "7", "it takes String"]),
      (["number": 2, "title": Optional<String>.none as Any], ["Order.title", "nil"]),
      (["number": 2, "price": Double.nan], ["Order.price", "nan"]),
      (["number": 2, "kind": "odd"], ["Order.kind", "odd", "Kind"]),
      (["number": 2, "made": "yesterday"], ["Order.made", "yesterday"]),
      (["number": 2, "token": "x"], ["Order.token", "UUID"]),
      (["number": 2, "blob": "?"], ["Order.blob", "Data"]),
      (["number": 2, "customer": 5], ["Order.customer", "5", "Customer"]),
      (["number": 2, "customer": Item(1)], ["Order.customer", "Customer"]),
      (["number": 2, "customer": ["nam": "x"]], ["Customer", "“nam”"]),
      (["number": 2, "items": ["a": 1]], ["Order.items", "array of Item"]),
      (["number": 2, "items": [["text": "ok"], 5] as [Any]], ["Order.items", "array of Item"]),
      (["number": 2, "items": [["text": "ok"], ["text": []]]], ["Item.text", "String"]),
    ]
    try store.write {
      for (value, words) in cases {
        let error = #expect(throws: StoreError.self) { try store.create(Order.self, value: value) }
        #expect(error?.code == .invalidValue)
        for word in words {
          #expect(error?.description.contains(word) == true, "no “\(word)” in: \(error?.description ?? "")")
        }
      }
      let error = #expect(throws: StoreError.self) {
        try store.create(Order.self, value: ["title": "no key"], update: .modified)
      }
      #expect(error?.description.contains("lack “number”") == true)
    }
    #expect(orders.count == 1 && store.objects(Item.self).isEmpty && store.objects(Customer.self).isEmpty)
  }

  @Test(
    "R120, R121 (differs, L2): a property holds no array and no dictionary; the error says which property")
  func nestedCollections() throws {
    try store.write {
      for value in [["a", "b"], ["a": "b"], [["a"]]] as [Any] {
        let error = #expect(throws: StoreError.self) {
          try store.create(Order.self, value: ["number": 1, "title": value])
        }
        #expect(error?.code == .invalidValue && error?.description.contains("Order.title") == true)
      }
    }
  }

  @Test("Objects are decoded from JSON, with optional properties and lists missing")
  func decoding() throws {
    let text = """
      {"number": 4, "title": "decoded", "price": 1.25, "isPaid": true, "customer": {"name": "c", "city": "x"},
       "items": [{"id": "\(Item.id(1))", "text": "one"}]}
      """
    let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
    #expect(order.number == 4 && order.items.count == 1 && order.made == nil)
    try store.write { store.add(order, update: .modified) }
    #expect(orders[0].customer?.city == "x" && orders[0].items[0].text == "one" && orders[0].kind == nil)
    let small = try JSONDecoder().decode(
      Order.self, from: Data(#"{"number": 5, "title": "", "price": 0, "isPaid": false}"#.utf8))
    #expect(small.items.isEmpty)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Order.self, from: Data("{}".utf8)) }
  }

  // MARK: delete

  @Test("All of some results, and all objects, are deleted and told")
  func deleting() throws {
    try store.write {
      for number in 1...20 {
        store.add(order(number, customer: "c\(number % 2)", items: [Item(number)]), update: .modified)
      }
    }
    #expect(!store.isEmpty)
    let all = Observation(orders)
    let items = Observation(orders[0].items)
    try store.refresh()
    try store.write {
      store.delete(try orders.filter(#Predicate { $0.number > 15 }))
      #expect(orders.count == 15)
      store.delete(orders[1].items.sorted(by: \.text))
      store.delete(Array(store.objects(Customer.self)))
    }
    try store.refresh()
    #expect(all.changes.last?.deletions == Array(15..<20) && all.changes.last?.modifications == Array(0..<15))
    #expect(orders[1].items.isEmpty && orders[0].customer == nil)
    try store.write { store.deleteAll() }
    #expect(store.isEmpty && orders.isEmpty)
    try store.refresh()
    #expect(all.rows == [] && items.rows == [])
    try store.write { store.deleteAll() }
  }

  @Test("Deleting everything is taken back with its transaction")
  func cancelled() throws {
    try store.write { store.add(order(1, customer: "c", items: [Item(1)])) }
    try store.beginWrite()
    store.deleteAll()
    #expect(store.isEmpty)
    store.cancelWrite()
    #expect(orders[0].items.count == 1 && orders[0].customer?.name == "c" && !store.isEmpty)
  }
}
