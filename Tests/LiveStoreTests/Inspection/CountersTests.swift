import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("The counters of a store")
struct CountersTests {
  private let file = TestFile()

  @Test("Deliveries, transactions, calls, observers, rows and orders are counted")
  func counters() throws {
    let test = try file.open()
    let start = test.store.counters()
    #expect(start == Store.Counters())
    try test.write { store in
      for id in 0..<10 { store.add(Person(id: id)) }
    }
    var calls = 0
    let people = test.store.objects(Person.self).sorted(by: \.age)
    let token = people.observe { _ in calls += 1 }
    #expect(test.turns { calls == 1 })
    sqlite3(file.path, "update Person set age = 7 where id < 3")
    #expect(test.turns { calls == 2 })
    let first = people.first
    let counters = test.store.counters()
    #expect(counters.transactions == 1 && counters.calls == 2 && counters.observers == 1)
    #expect(counters.deliveries >= 1 && counters.orders >= 1 && counters.members == 10)
    #expect(counters.rows >= 1 && first != nil)
    token.invalidate()
    #expect(test.store.counters().observers == 0)
    // A transaction that changes nothing has no version.
    try test.write { _ in }
    #expect(test.store.counters().transactions == 1)
  }
}
