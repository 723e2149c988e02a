import FoundationEssentials
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

@Suite("Iterating what one changes")
struct IterationTests {
  private let file = TestFile()
  private let test: TestStore

  init() throws {
    test = try file.open()
  }

  private func fill(_ count: Int) throws {
    try test.store.write {
      for id in 0..<count {
        let person = Person(id: id, name: "p", age: id % 2)
        test.store.add(person)
      }
    }
  }

  private var idle: Results<Person> {
    get throws { try test.store.objects(Person.self).filter(#Predicate { !$0.isAdmin }) }
  }

  @Test("A loop that takes each element out of the results sees all", arguments: [5, 100, 3_000])
  func results(_ count: Int) throws {
    try fill(count)
    for isRead in [false, true] {
      let results = try idle
      if isRead { _ = results.index(of: try #require(results.last)) }
      try test.store.write { for person in results { person.isAdmin = true } }
      #expect(results.isEmpty && Array(test.store.objects(Person.self)).filter { $0.isAdmin }.count == count)
      try test.store.write { for person in test.store.objects(Person.self) { person.isAdmin = false } }
    }
  }

  @Test(
    "A loop that begins a write for each element sees all, also what another program changes meanwhile",
    arguments: [10, 300, 1_500])
  func writes(_ count: Int) throws {
    try fill(count)
    let results = try idle
    var seen: [Int] = []
    for person in results {
      if seen.count == 3 {
        sqlite3(file.path, "UPDATE Person SET isAdmin = 1 WHERE id = 5; DELETE FROM Person WHERE id = 7")
      }
      seen.append(person.id)
      if seen.count < 100 { try test.store.write { person.isAdmin = true } }
    }
    #expect(seen == Array(0..<count).filter { $0 != 7 })
  }

  @Test("Lists, linking objects and sections are iterated as they were when the loop began")
  func others() throws {
    try fill(40)
    let people = test.store.objects(Person.self)
    let friend = try #require(people.first)
    let dogs = (0..<30).map { Dog("\($0)") }
    try test.store.write { friend.dogs.append(contentsOf: dogs) }
    var seen: [String] = []
    try test.store.write {
      for dog in friend.dogs {
        seen.append(dog.name)
        friend.dogs.remove(at: 0)
      }
    }
    #expect(seen == dogs.map(\.name) && friend.dogs.isEmpty)
    try test.store.write { friend.dogs.append(contentsOf: dogs) }
    var deleted = 0
    try test.store.write {
      for dog in friend.dogs {
        deleted += 1
        test.store.delete(dog)
        // One that is not its own is gone when its turn comes.
        if deleted == 1 { test.store.delete(dogs[1]) }
      }
    }
    #expect(deleted == 29)
    var sections: [Int] = []
    var elements = 0
    let sectioned = people.sectioned(by: \.age)
    try test.store.write {
      for section in sectioned {
        sections.append(section.key)
        for person in section {
          person.age += 2
          elements += 1
        }
      }
    }
    #expect(sections == [0, 1] && elements == 40 && sectioned.allKeys == [2, 3])
    var any = 0
    let collection = AnyLiveCollection(try idle)
    try test.store.write {
      for person in collection {
        person.isAdmin = true
        any += 1
      }
    }
    #expect(any == 40)
  }

  @Test("The first and the last element are found without counting, also in a collection of any type")
  func ends() throws {
    try fill(2_000)
    let results = test.store.objects(Person.self)
    let collection = AnyLiveCollection(results)
    let counts = Mutex(0)
    test.store.front.connection.setTrace { statement in
      counts.withLock { $0 += statement.sql.contains("count(") ? 1 : 0 }
    }
    defer { test.store.front.connection.setTrace(nil) }
    #expect(results.first?.id == 0 && results.last?.id == 1_999)
    #expect(collection.first?.id == 0 && collection.last?.id == 1_999)
    #expect(counts.withLock { $0 } == 0)
    #expect(collection.count == 2_000 && counts.withLock { $0 } == 1)
  }

  @Test("A loop that ends early has not read the order, and one that reads on reads each element once")
  func early() throws {
    try fill(2_000)
    let results = try idle
    for person in results where person.id == 20 { break }
    #expect(results.ranked.live.tree == nil)
    #expect(results.map(\.id) == Array(0..<2_000))
    var ids: [Int] = []
    for person in results { ids.append(person.id) }
    #expect(ids == Array(0..<2_000))
    let unmanaged = Person(id: 1)
    unmanaged.dogs.append(Dog("a"))
    for _ in unmanaged.dogs { unmanaged.dogs.append(Dog("b")) }
    #expect(unmanaged.dogs.count == 2)
    #expect(Array(results.freeze().map(\.id)) == ids)
  }
}
