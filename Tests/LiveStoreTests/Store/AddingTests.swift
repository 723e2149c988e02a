import FoundationEssentials
import Testing

@testable import LiveStore

private typealias Order = Shop.Order
private typealias Customer = Shop.Customer
private typealias Item = Shop.Item

@Suite("Adding and deleting objects")
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
    // The third moves before the second, which is the least that makes the new order.
    let change = try #require(observed.change)
    #expect(change.deletions == [2] && change.insertions == [1, 2] && change.modifications == [])
    #expect(change.moves == [ChangeSet.Move(from: 2, to: 2, isModified: true)])
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
    var random = SeededGenerator()
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

  // MARK: delete

  @Test("Adding to the list of a deleted object fails the write, with a sentence that names the object")
  func listOfDeleted() throws {
    let order = order(1, items: [Item()])
    try store.write { store.add(order) }
    let changes: [(List<Item>) -> Void] = [
      { $0.append(Item()) }, { $0.insert(Item(), at: 0) }, { $0.append(contentsOf: [Item(), Item()]) },
      { $0.insert(contentsOf: [Item()], at: 0) },
    ]
    for change in changes {
      let error = #expect(throws: StoreError.self) {
        try store.write {
          store.delete(order)
          change(order.items)
        }
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.description.hasPrefix("The Order with the primary key 1 has been deleted, or") == true)
      #expect(order.items.count == 1)
    }
  }

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
