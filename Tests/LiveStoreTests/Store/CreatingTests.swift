import Foundation
import Testing

@testable import LiveStore

private typealias Order = Shop.Order
private typealias Customer = Shop.Customer
private typealias Item = Shop.Item

@Suite("Creating objects from values")
struct CreatingTests {
  private let test: TestStore

  init() throws {
    test = try TestStore(
      Store.Configuration(
        inMemory: "\(UUID())", objectTypes: [Order.self, Customer.self, Item.self]))
  }

  private var store: Store { test.store }
  private var orders: Results<Order> { store.objects(Order.self) }

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
    try store.write { try store.create(Order.self, value: ["number": 1]) }
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

  @Test("A text is given no array and no dictionary; the error says which property")
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
}
