import FoundationEssentials
import LiveStoreFixtures
import Observation
import Synchronization
import Testing

@testable import LiveStore

/// How often what a closure read was told to change.
private final class Reader: Sendable {
  private let count = Atomic(0)

  var told: Int { count.load(ordering: .sequentiallyConsistent) }

  /// Reads, and is told once of a change.
  init(_ read: () -> Void) {
    withObservationTracking(read) { [count = Counter(self)] in count.reader?.add() }
  }

  private func add() { count.add(1, ordering: .sequentiallyConsistent) }

  private struct Counter: Sendable {
    weak let reader: Reader?
    init(_ reader: Reader) { self.reader = reader }
  }
}

@Suite("Swift's Observation")
struct SwiftObservationTests {
  private let file = TestFile()

  @Test("An assignment is told before the value changes, and only to those who read the property")
  func assignment() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(1)
    let name = Reader { _ = person.name }
    let age = Reader { _ = person.age }
    let other = Reader { _ = test.person(2).name }
    let seen = Mutex<[String]>([])
    nonisolated(unsafe) let observed = person
    // Called on this thread, from the assignment.
    withObservationTracking {
      _ = observed.name
    } onChange: {
      seen.withLock { $0.append(observed.name) }
    }
    try test.write { _ in
      person.name = "x"
      #expect(name.told == 1 && age.told == 0 && other.told == 0)
      person.name = "y"
    }
    #expect(seen.withLock { $0 } == ["p1"])
    #expect(name.told == 1 && age.told == 0 && other.told == 0)
  }

  @Test("L3: assigning the value that is there is told to nobody")
  func sameValue() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(1)
    let name = Reader { _ = person.name }
    try test.write { _ in person.name = "p1" }
    #expect(name.told == 0)
  }

  @Test(
    "What arrives is told for the properties whose values differ", arguments: ["turn", "refresh", "write"])
  func arrival(way: String) throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(1)
    let name = Reader { _ = person.name }
    let age = Reader { _ = person.age }
    let mood = Reader { _ = person.mood }
    sqlite3(file.path, "update Person set name = 'x', age = age, mood = 'eager' where id = 1")
    #expect(name.told == 0)
    switch way {
    case "turn": #expect(test.turns { person.name == "x" })
    case "refresh": #expect(try test.store.refresh())
    default: try test.write { _ in #expect(name.told == 1) }
    }
    #expect(name.told == 1 && age.told == 0 && mood.told == 1)
    #expect(person.name == "x")
  }

  @Test("An arrival is told while the store shows the old version, and nothing can be begun then")
  func beforeArrival() throws {
    try file.addPeople(1...1)
    let test = try file.open()
    nonisolated(unsafe) let store = test.store
    // Called on this thread, from the refresh.
    nonisolated(unsafe) let person = test.person(1)
    let seen = Mutex<[String]>([])
    withObservationTracking {
      _ = person.name
    } onChange: {
      let refreshed = (try? store.refresh()) ?? true
      seen.withLock { $0.append("\(person.name) \(refreshed)") }
    }
    sqlite3(file.path, "update Person set name = 'x'")
    try test.store.refresh()
    #expect(seen.withLock { $0 } == ["p1 false"])
    #expect(person.name == "x")
  }

  @Test("A cancelled write is told of again, because the value goes back")
  func cancelled() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(1)
    try test.store.beginWrite()
    person.name = "x"
    person.age = 11
    person.age = 10
    let name = Reader { _ = person.name }
    let age = Reader { _ = person.age }
    let people = test.people
    test.store.add(Person(id: 4))
    let count = Reader { _ = people.count }
    let members = Reader { for person in people { _ = person.id } }
    test.store.cancelWrite()
    #expect(name.told == 1 && age.told == 0 && count.told == 1 && members.told == 1)
    #expect(person.name == "p1" && people.count == 3)
  }

  @Test("Whoever reads an object or a collection in passing is told after it is gone")
  func inPassing() throws {
    try file.addOwner(of: ["Rex"])
    let test = try file.open()
    let name = Reader { _ = test.people[0].dogs[0].name }
    let count = Reader { _ = test.people.count }
    let dogs = Reader { _ = test.person(1).dogs.count }
    sqlite3(file.path, "update Dog set name = 'Max'; insert into Person (id) values (2)")
    try test.store.refresh()
    #expect(name.told == 1 && count.told == 1 && dogs.told == 0)
    try test.write { _ in test.person(1).dogs.removeAll() }
    #expect(dogs.told == 1)
  }

  @Test("Nothing is kept of reads that nobody tracks, nor of those that were told")
  func memory() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    for person in test.people { _ = (person.name, person.isInvalidated) }
    #expect(test.store.observation.isEmpty)
    let reader = Reader { for person in test.people { _ = person.name } }
    #expect(test.store.observation.rows.count == 3 && test.store.observation.collections.count == 1)
    try test.write { store in
      for person in test.people { person.name += "x" }
      store.add(Person(id: 4))
    }
    #expect(reader.told == 1)
    #expect(test.store.observation.isEmpty)
  }

  @Test(
    "A number about a collection, and rows of SQL, are told of the values that they are made of, and no others",
    arguments: ["own", "foreign", "cancelled"])
  func numbers(way: String) throws {
    try file.addPeople(1...3)
    let test = try file.open()
    try test.write { store in
      test.person(1).friend = test.person(2)
      test.person(1).dogs.append(Dog("Rex"))
    }
    let people = test.people
    let (sum, mean) = (people.liveSum(of: \.age), people.liveAverage(of: \.age))
    let (least, greatest) = (people.liveMin(of: \.age), people.liveMax(of: \.age))
    let (byName, count) = (people.liveSum(of: \.age, by: \.name), people.liveCount())
    let rows = try test.store.select(sql: "SELECT id, age FROM Person WHERE age > ?", 0)
    let reads: [() -> Void] = [
      { _ = people.sum(of: \.age) }, { _ = people.average(of: \.age) },
      { _ = people.min(of: \.age) }, { _ = people.max(of: \.age) },
      { _ = people.sum(of: \.friend?.age) }, { _ = people.sorted(by: \.name).limit(3).sum(of: \.age) },
      { _ = sum.value }, { _ = mean.value }, { _ = least.value }, { _ = greatest.value },
      { _ = byName.value }, { _ = rows.count }, { _ = test.person(1).dogs.liveCount().value },
      { _ = count.value },
    ]
    func told(_ sql: String) throws -> [Int] {
      let readers = reads.map { Reader($0) }
      var late: [Reader] = []
      switch way {
      case "own": try test.write { try $0.execute(sql: sql) }
      case "cancelled":
        try test.store.beginWrite()
        try test.store.execute(sql: sql)
        late = reads.map { Reader($0) }
        test.store.cancelWrite()
        #expect(late.map(\.told) == readers.map(\.told))
      default:
        sqlite3(file.path, sql)
        try test.store.refresh()
      }
      return readers.map(\.told)
    }
    let all = Array(repeating: 1, count: 12)
    #expect(try told("UPDATE Person SET weight = weight + 1") == Array(repeating: 0, count: 14))
    // Every age, and so every number that is made of ages.
    #expect(try told("UPDATE Person SET age = age + 5") == all + [0, 0])
    #expect(try told("DELETE FROM Person_dogs").suffix(2) == [1, 0])
    #expect(try told("DELETE FROM Person WHERE id = 2").suffix(1) == [1])
  }

  @Test("A number, and rows of SQL, that are the same in the version delivered are told to nobody")
  func sameNumber() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let (sum, greatest) = (test.people.liveSum(of: \.age), test.people.liveMax(of: \.age))
    let old = try test.store.select(sql: "SELECT id FROM Person WHERE age > 25")
    let readers = [
      Reader { _ = sum.value }, Reader { _ = greatest.value }, Reader { _ = old.map { $0["id"] } },
    ]
    sqlite3(
      file.path, "update Person set age = age + 1 where id = 1; update Person set age = 19 where id = 2")
    try test.store.refresh()
    #expect(readers.map(\.told) == [0, 0, 0])
    sqlite3(file.path, "update Person set age = 40 where id = 1")
    try test.store.refresh()
    #expect(readers.map(\.told) == [1, 1, 1])
  }

  @Test("Sections by a computed key are told of an element that changes its section, and not its place")
  func sections() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let byInitial = test.people.sectioned { $0.name.first }
    #expect(byInitial.count == 1)
    let own = Reader { _ = byInitial.count }
    try test.write { _ in test.person(1).name = "x" }
    #expect(own.told == 1 && byInitial.count == 2)
    try test.store.beginWrite()
    test.person(1).name = "p"
    let cancelled = Reader { _ = byInitial.count }
    test.store.cancelWrite()
    #expect(cancelled.told == 1 && byInitial.count == 2)
    let foreign = Reader { _ = byInitial.count }
    sqlite3(file.path, "insert into Dog (id, name) values ('a', 'Rex')")
    try test.store.refresh()
    #expect(foreign.told == 0)
    sqlite3(file.path, "update Person set name = 'y' where id = 2")
    try test.store.refresh()
    #expect(foreign.told == 1 && byInitial.count == 3)
  }

  @Test("Of reads whose readers have been told of something else, no more is kept than of the others")
  func memoryOfOthers() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(1)
    var most = 0
    for round in 1...2_000 {
      let reader = Reader {
        _ = (person.name, test.people.count, test.people.sum(of: \.weight))
        _ = try? test.people.filter(#Predicate { $0.age > round }).count
        _ = test.store.object(ofType: Person.self, forPrimaryKey: 2)?.age
      }
      try test.write { _ in person.name = "\(round)" }
      expectInLoop(reader.told == 1)
      most = max(most, test.store.observation.count)
    }
    #expect(most <= 300)
    // The last reader of all has been told, so that nothing is tracked any more.
    test.turn(milliseconds: 0)
    #expect(test.store.observation.isEmpty && !test.store.coordinator.isTracked)
    let reader = Reader { _ = test.person(2).age }
    #expect(test.store.coordinator.isTracked)
    sqlite3(file.path, "update Person set age = 7")
    #expect(test.turns { reader.told == 1 })
  }

  @Test("Every reader of very many rows and collections is told, however many others have gone")
  func manyReaders() throws {
    try file.addPeople(1...400)
    let test = try file.open()
    let people = test.people.map { $0 }
    let readers = people.map { person in Reader { _ = (person.age, person.dogs.count) } }
    for _ in 1...3 {
      let others = people.map { person in Reader { _ = (person.name, person.dogs.first) } }
      try test.write { _ in for person in people { person.name += "x" } }
      #expect(others.allSatisfy { $0.told == 1 })
      test.turn(milliseconds: 0)
    }
    #expect(readers.allSatisfy { $0.told == 0 })
    try test.write { _ in
      for person in people.prefix(200) { person.age = 0 }
      for person in people.suffix(200) { person.dogs.append(Dog("Rex")) }
    }
    #expect(readers.allSatisfy { $0.told == 1 })
  }

  @Test("A deletion is told to whoever read the object", arguments: [true, false])
  func deletion(isForeign: Bool) throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(1)
    try test.write { _ in test.person(2).friend = person }
    let friend = Reader { _ = test.person(2).friend }
    let kept = test.person(2)
    let name = Reader { _ = person.name }
    let invalidated = Reader { _ = person.isInvalidated }
    let otherInvalidated = Reader { _ = kept.isInvalidated }
    if isForeign {
      sqlite3(file.path, "pragma foreign_keys = on; delete from Person where id = 1")
      try test.store.refresh()
    } else {
      try test.write { $0.delete(person) }
    }
    #expect(name.told == 1 && invalidated.told == 1 && otherInvalidated.told == 0)
    #expect(friend.told == 1)
    #expect(kept.friend == nil)
  }

  @Test("L2: a row that is deleted and made again is told of for the values that differ")
  func replaced() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let person = test.person(2)
    let name = Reader { _ = person.name }
    let age = Reader { _ = person.age }
    let invalidated = Reader { _ = person.isInvalidated }
    sqlite3(
      file.path,
      "delete from Person where id = 2; insert into Person (id, name, age) values (2, 'other', 20)")
    try test.store.refresh()
    #expect(name.told == 1 && age.told == 0 && invalidated.told == 0)
  }

  @Test("A cascade is told after the statement: nothing of SQLite's is disturbed by what a reader does")
  func cascade() throws {
    try file.addOwner(of: ["Rex", "Max"])
    let test = try file.open()
    nonisolated(unsafe) let dogs = test.person(1).dogs
    // Called on this thread, from the deletion.
    let seen = Mutex<[Int]>([])
    _ = dogs[1]
    withObservationTracking {
      _ = dogs.count
    } onChange: {
      seen.withLock { $0.append(dogs.count) }
    }
    try test.write { $0.delete(dogs[0]) }
    #expect(seen.withLock { $0 } == [1])
  }

  @Test("Whoever iterates is told when membership or order changes, and not when other values do")
  func collections() throws {
    try file.addPeople(1...5)
    let test = try file.open()
    let other = try file.open()
    let people = test.people.sorted(by: \.age)
    let adults = try test.people.filter(#Predicate { $0.age > 30 })
    let dogs = test.store.objects(Dog.self)
    func readOrders() {
      for collection in [people, adults] { _ = collection.index(of: collection[0]) }
    }
    readOrders()
    func readers() -> [Reader] {
      [
        Reader { for person in people { _ = person.id } }, Reader { _ = adults.first },
        Reader { _ = dogs.count },
      ]
    }
    func told(_ change: (TestStore) -> Void) throws -> [Int] {
      let local = readers()
      try test.write { _ in change(test) }
      let byLocal = local.map(\.told)
      try test.write { store in
        // Back to where it was.
        store.delete(store.objects(Person.self))
        store.delete(store.objects(Dog.self))
        for id in 1...5 { store.add(Person(id: id, name: "p\(id)", age: id * 10)) }
      }
      readOrders()
      let foreign = readers()
      try other.store.refresh()
      try other.write { _ in change(other) }
      try test.store.refresh()
      #expect(foreign.map(\.told) == byLocal)
      try test.write { store in
        store.delete(store.objects(Person.self))
        store.delete(store.objects(Dog.self))
        for id in 1...5 { store.add(Person(id: id, name: "p\(id)", age: id * 10)) }
      }
      try other.store.refresh()
      readOrders()
      return byLocal
    }
    #expect(try told { $0.person(3).name = "x" } == [0, 0, 0])
    #expect(try told { $0.person(1).age = 25 } == [1, 0, 0])
    #expect(try told { $0.person(1).age = 31 } == [1, 1, 0])
    #expect(try told { $0.store.delete($0.person(5)) } == [1, 1, 0])
    #expect(try told { $0.store.add(Dog("Rex")) } == [0, 0, 1])
  }

  @Test("A list is told of each way to change it, and other lists are not")
  func lists() throws {
    try file.addOwner(of: ["Rex", "Max", "Bo"])
    let test = try file.open()
    try test.write { $0.add(Person(id: 2)) }
    let dogs = test.person(1).dogs
    let others = test.person(2).dogs
    _ = (dogs.index(of: dogs[0]), others.index(of: dogs[0]))
    let changes: [(String, () -> Void)] = [
      ("append", { dogs.append(Dog("Kim")) }), ("insert", { dogs.insert(Dog("Lou"), at: 0) }),
      ("move", { dogs.move(from: 0, to: 2) }), ("remove", { dogs.remove(at: 1) }),
      ("set", { dogs[0] = Dog("Sam") }), ("removeAll", { dogs.removeAll() }),
    ]
    for (name, change) in changes {
      let reader = Reader { for dog in dogs { _ = dog.name } }
      let other = Reader { _ = others.map(\.id) }
      try test.write { _ in change() }
      #expect(reader.told == 1 && other.told == 0, "\(name)")
    }
  }

  @Test("An object that belongs to no store is told of too, and once more when it is added")
  func unmanaged() throws {
    let test = try file.open()
    let person = Person(id: 1, name: "a")
    let name = Reader { _ = person.name }
    let age = Reader { _ = person.age }
    person.name = "b"
    #expect(name.told == 1 && age.told == 0)
    let again = Reader { _ = person.name }
    try test.write { $0.add(person) }
    #expect(again.told == 1)
    let managed = Reader { _ = person.name }
    try test.write { _ in person.name = "c" }
    #expect(managed.told == 1)
  }

  @Test("In a random sequence of writes every reader is told exactly when what it read has changed")
  func random() throws {
    for seed in UInt64(1)...8 {
      var random = SeededGenerator(seed: seed)
      let file = TestFile()
      try file.addPeople(1...8)
      let test = try file.open()
      let other = try file.open()
      let sorted = test.people.sorted(by: \.age)
      _ = sorted.index(of: sorted[0])
      for step in 0..<30 {
        let people = Array(test.people)
        let names = people.map { person in Reader { _ = person.name } }
        let ages = people.map { person in Reader { _ = person.age } }
        let order = Reader { for person in sorted { _ = person.id } }
        let before = (people.map(\.name), people.map(\.age), sorted.map(\.id))
        let isLocal = Bool.random(using: &random)
        let writer = isLocal ? test : other
        try writer.write { store in
          let all = Array(store.objects(Person.self))
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let person = all.randomElement(using: &random), !person.isInvalidated else { continue }
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where all.count > 5: store.delete(person)
            case 1:
              let id = Int.random(in: 100...999, using: &random)
              if store.object(ofType: Person.self, forPrimaryKey: id) == nil {
                store.add(Person(id: id, name: "new", age: id))
              }
            case 2...5: person.name = "n\(Int.random(in: 0...2, using: &random))"
            default: person.age = Int.random(in: 0...5, using: &random)
            }
          }
        }
        try test.store.refresh()
        for (index, person) in people.enumerated() {
          let isGone = person.isInvalidated
          let nameChanged = isGone || person.name != before.0[index]
          let ageChanged = isGone || person.age != before.1[index]
          let label = "seed \(seed), step \(step), person \(index)"
          // A local write may go back to a value that it changed before.
          if nameChanged || !isLocal { #expect(names[index].told == (nameChanged ? 1 : 0), "\(label)") }
          if ageChanged || !isLocal { #expect(ages[index].told == (ageChanged ? 1 : 0), "\(label)") }
        }
        if sorted.map(\.id) != before.2 { #expect(order.told == 1, "seed \(seed), step \(step)") }
        try other.store.refresh()
      }
    }
  }
}
