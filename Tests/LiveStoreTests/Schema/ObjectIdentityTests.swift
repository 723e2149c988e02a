import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("What an object is")
struct ObjectIdentityTests {
  private let file = TestFile()

  @Test("Objects are equal that show one row of one store, whatever their values")
  func equality() throws {
    try file.addPeople(1...2)
    let test = try file.observer()
    let other = try file.observer()
    let first = test.person(1)
    #expect(first == test.people[0] && first.hashValue == test.people[0].hashValue)
    #expect(first != test.person(2) && first != other.person(1))
    let twin = Person(id: 1)
    #expect(twin != first && twin != Person(id: 1) && twin == twin)
    #expect(Set(test.people) == [test.person(1), test.person(2)] && Set([first, test.people[0]]).count == 1)
    #expect(test.people.firstIndex(of: test.person(2)) == 1)
    try test.write { _ in first.name = "other" }
    #expect(first == test.person(1))
    let added = Person(id: 3)
    try test.write { $0.add(added) }
    #expect(added == test.person(3) && added.hashValue == test.person(3).hashValue)
    try test.write { $0.delete(added) }
    #expect(added == added && added != first)
  }

  @Test("An object describes itself by class and properties, and says when it is deleted")
  func description() throws {
    let test = try file.observer()
    let person = Person(id: 7, name: "Ann \"A\"\n", age: 3)
    #expect(person.description.hasPrefix(#"Person(id: 7, name: "Ann \"A\"\n", age: 3"#))
    try test.write { store in
      person.friend = Person(id: 8)
      store.add(person)
      person.dogs.append(Dog("Rex"))
    }
    let text = person.description
    #expect(
      text.contains("friend: Person 8") && text.contains("dogs: 1 objects") && text.contains("nickname: nil"))
    #expect(text.contains("mood: calm"))
    try test.write { $0.delete(person) }
    #expect(person.description == "Person(deleted)")
  }
}
