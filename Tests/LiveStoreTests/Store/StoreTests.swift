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
}
