import CSQLite
import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Objects and stores")
struct StoreTests {
  @Test("Every kind of property comes back as it was stored")
  func properties() throws {
    let file = TestFile()
    let test = try file.open()
    let store = test.store
    let person = Person(id: 7, name: "Ann", age: 33)
    person.weight = 61.5
    person.isAdmin = true
    person.born = Date(timeIntervalSince1970: 1_000_000.25)
    person.photo = Data([1, 2, 3])
    person.badge = UUID()
    person.mood = .eager
    person.friend = Person(id: 8, name: "Bea")
    person.dogs.append(Dog("Rex"))
    try store.write { store.add(person) }
    let badge = person.badge

    let other = try file.open().store
    let copy = try #require(other.object(ofType: Person.self, forPrimaryKey: 7))
    #expect(copy.name == "Ann")
    #expect(copy.age == 33)
    #expect(copy.weight == 61.5)
    #expect(copy.isAdmin)
    #expect(copy.born == Date(timeIntervalSince1970: 1_000_000.25))
    #expect(copy.photo == Data([1, 2, 3]))
    #expect(copy.badge == badge)
    #expect(copy.mood == .eager)
    #expect(copy.nickname == nil)
    #expect(copy.friend?.name == "Bea")
    #expect(copy.dogs.count == 1)
    #expect(copy.dogs[0].name == "Rex")
    #expect(other.objects(Person.self).count == 2)
  }

  @Test("A foreign program's write arrives as a change set")
  func foreign() throws {
    let file = TestFile()
    let test = try file.open()
    let store = test.store
    try store.write { for id in 1...5 { store.add(Person(id: id, name: "p\(id)")) } }
    let people = store.objects(Person.self)
    var events: [String] = []
    let token = people.observe { change in
      switch change {
      case .initial(let people): events.append("initial \(people.count)")
      case .update(_, let changes):
        events.append("\(changes.deletions) \(changes.insertions) \(changes.modifications)")
      case .error(let error): events.append("\(error)")
      }
    }
    #expect(test.turns { events.count == 1 })
    sqlite3(file.path, "update Person set name = 'x' where id = 2; delete from Person where id = 4")
    #expect(test.turns { people.count == 4 })
    #expect(events.first == "initial 5")
    #expect(people.map(\.id) == [1, 2, 3, 5])
    #expect(people[1].name == "x")
    token.invalidate()
  }

  @Test("An object is found by a key of the type of its primary key only")
  func keyOfOtherType() async throws {
    let file = TestFile()
    try file.addPeople(1...2)
    let store = try file.open().store
    #expect(try store.select(sql: "SELECT CAST(id AS TEXT) AS id FROM Person").objects(Person.self).isEmpty)
    #expect(try store.select(sql: "SELECT avg(id) AS id FROM Person").objects(Person.self).isEmpty)
    #expect(try store.select(sql: "SELECT id FROM Person").objects(Person.self).count == 2)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        try file.addPeople(1...2)
        _ = try file.open().store.object(ofType: Person.self, forPrimaryKey: "1")
      }, says: "The primary key “id” of Person is no String; pass a key of the type that the property has.")
  }

  @Test("A long value does not stay in memory with the statement that has written it")
  func longValues() throws {
    let file = TestFile()
    try file.addPeople(1...2)
    let test = try file.open()
    let long = Data(count: 3_000_000)
    try test.store.write {
      test.person(1).photo = long
      let person = Person(id: 3)
      person.photo = long
      test.store.add(person)
      try test.store.execute(sql: "UPDATE Person SET photo = ? WHERE id = 2", long)
    }
    #expect(try test.store.firstValue(sql: "SELECT sum(length(photo)) FROM Person") == .integer(9_000_000))
    var (used, highest) = (Int32(0), Int32(0))
    sqlite3_db_status(test.store.connection.handle, SQLITE_DBSTATUS_STMT_USED, &used, &highest, 0)
    #expect(used > 0 && used < 1_000_000)
  }
}
