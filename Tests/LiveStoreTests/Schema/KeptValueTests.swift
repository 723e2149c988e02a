import FoundationEssentials
import LiveStoreFixtures
import Observation
import TestSupport
import Testing

@testable import LiveStore

/// A property keeps the value that it has read: it must never show it after the row has changed.
@Suite("Values that properties keep")
struct KeptValueTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, keeping: file)
  }

  private struct Values: Equatable {
    var name = ""
    var age = 0
    var born: Date?
    var badge: UUID?
    var mood = Mood.calm

    init() {}

    init(_ person: Person) {
      name = person.name
      age = person.age
      born = person.born
      badge = person.badge
      mood = person.mood
    }

    static func random(_ generator: inout SeededGenerator) -> Values {
      var values = Values()
      values.name = "Name \(Int.random(in: 0..<5, using: &generator))"
      values.age = .random(in: 0..<3, using: &generator)
      values.born =
        Bool.random(using: &generator)
        ? nil : Date(timeIntervalSince1970: Double(Int.random(in: 0..<5, using: &generator)))
      values.badge =
        Bool.random(using: &generator)
        ? nil
        : UUID(uuidString: "00000000-0000-4000-8000-00000000000\(Int.random(in: 0..<3, using: &generator))")
      values.mood = Bool.random(using: &generator) ? .calm : .eager
      return values
    }

    func assign(to person: Person) {
      person.name = name
      person.age = age
      person.born = born
      person.badge = badge
      person.mood = mood
    }
  }

  @Test("A property shows the value of its row after any sequence of reads and changes")
  func random() throws {
    try withSeededGenerator { try random(&$0) }
  }

  private func random(_ generator: inout SeededGenerator) throws {
    let other = try TestStore(file.path, keeping: file)
    var model: [Int: Values] = [:]
    try store.write {
      for id in 0..<4 {
        store.add(Person(id: id))
        model[id] = Values()
      }
    }
    let objects = (0..<4).compactMap { store.object(ofType: Person.self, forPrimaryKey: $0) }
    try #require(objects.count == 4)
    let frozen = objects.map { ($0.freeze(), model[$0.id]) }
    for _ in 0..<400 {
      let id = Int.random(in: 0..<4, using: &generator)
      let values = Values.random(&generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        try store.write { values.assign(to: objects[id]) }
        model[id] = values
      case 1:
        try store.beginWrite()
        values.assign(to: objects[id])
        #expect(Values(objects[id]) == values)
        store.cancelWrite()
      case 2:
        try other.store.write {
          guard let person = other.store.object(ofType: Person.self, forPrimaryKey: id) else { return }
          values.assign(to: person)
        }
        #expect(Values(objects[id]) == model[id])
        try store.refresh()
        model[id] = values
      case 3:
        // Another program, and a value that is none of the type.
        sqlite3(file.path, "UPDATE Person SET badge = 'none', age = 7 WHERE id = \(id)")
        try store.refresh()
        model[id]?.age = 7
        model[id]?.badge = nil
        let badge = objects[id].badge
        #expect(badge == nil && objects[id].badge == nil)
      default: break
      }
      for person in objects.shuffled(using: &generator).prefix(2) {
        #expect(Values(person) == model[person.id])
      }
    }
    for (person, values) in frozen { #expect(Values(person) == values) }
  }

  @Test("An object whose adding was cancelled has its own values again, and those of its row when added")
  func addedAgain() throws {
    let person = Person(id: 1, name: "own", age: 3)
    try store.beginWrite()
    store.add(person)
    #expect(person.name == "own" && person.age == 3)
    person.name = "in the row"
    #expect(person.name == "in the row")
    store.cancelWrite()
    #expect(person.name == "own" && person.age == 3)
    person.name = "own again"
    try store.write { store.add(person) }
    #expect(person.name == "own again" && person.age == 3)
  }

  @Test("A tracked read of a value that was read before is invalidated when the value changes")
  func tracked() throws {
    let person = Person(id: 1, name: "before")
    try store.write { store.add(person) }
    #expect(person.name == "before")
    let count = Guarded(0)
    withObservationTracking {
      #expect(person.name == "before")
    } onChange: {
      count.withLock { $0 += 1 }
    }
    try store.write { person.name = "after" }
    #expect(count.withLock { $0 } == 1)
    #expect(person.name == "after")
  }

  @Test("A frozen object, which several threads read, keeps no values")
  func frozenKeepsNothing() throws {
    let person = Person(id: 1, name: "frozen")
    try store.write { store.add(person) }
    #expect(person._row?.isKeepingValues == true)
    let frozen = person.freeze()
    #expect(frozen.name == "frozen")
    #expect(frozen._row?.isKeepingValues == false)
  }
}
