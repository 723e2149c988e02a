import Dispatch
import FoundationEssentials
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

private enum One {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = 0
  }
}

private enum Other {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = 0
  }
}

@Suite("Frozen copies, references and snapshots")
struct FrozenTests {
  private let file = TestFile()

  @Test("R170: what is frozen never changes, whatever the store and others do")
  func neverChanges() throws {
    try file.addPeople(1...5)
    try file.open().store.write {}
    let test = try file.open()
    let other = try file.open()
    try test.write { _ in for name in ["Rex", "Max"] { test.person(1).dogs.append(Dog(name)) } }
    let sorted = test.people.sorted(by: \.age, ascending: false)
    _ = sorted.index(of: test.person(1))
    let frozen = (
      store: test.store.freeze(), people: test.people.freeze(), sorted: sorted.freeze(),
      person: test.person(1).freeze(), dogs: test.person(1).dogs.freeze()
    )
    func check() {
      #expect(frozen.people.map(\.name) == ["p1", "p2", "p3", "p4", "p5"])
      #expect(frozen.sorted.map(\.id) == [5, 4, 3, 2, 1])
      #expect(frozen.person.name == "p1" && !frozen.person.isInvalidated)
      #expect(frozen.dogs.map(\.name) == ["Rex", "Max"])
      #expect(frozen.store.objects(Dog.self).count == 2)
      #expect(frozen.sorted.index(of: frozen.person) == 4)
      #expect(
        frozen.person.isFrozen && frozen.people.isFrozen && frozen.dogs.isFrozen && frozen.store.isFrozen)
    }
    check()
    try test.write { store in
      test.person(1).name = "x"
      check()
      store.delete(test.person(2))
    }
    check()
    sqlite3(file.path, "delete from Dog; update Person set age = 7; insert into Person (id) values (9)")
    try test.store.refresh()
    check()
    try other.store.refresh()
    try other.write { $0.delete(other.people) }
    #expect(test.turns { test.people.isEmpty })
    check()
    #expect(try !frozen.store.refresh())
    test.store.close()
    check()
    #expect(frozen.person.thaw() == nil && frozen.store.thaw() == nil)
  }

  @Test(
    "R170: a frozen copy keeps its version when the store releases its own, and the store finds the next",
    arguments: [true, false])
  func invalidated(isChanged: Bool) throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    for _ in 1...2 {
      let before = people.rows
      let frozen = test.people.freeze()
      test.store.invalidate()
      if isChanged { sqlite3(file.path, "delete from Person where id = (select max(id) from Person)") }
      #expect(frozen.map { "\($0.id)" } == before)
      try test.store.refresh()
      #expect(frozen.map { "\($0.id)" } == before)
      #expect(people.rows == test.people.map { "\($0.id)" })
      #expect(people.rows == (isChanged ? before.dropLast() : before))
      // The same version is shared again, and a write does not reach it.
      let again = test.people.freeze()
      try test.write { $0.add(Person(id: 10 + people.rows.count)) }
      test.store.invalidate()
      #expect(again.count == (isChanged ? before.count - 1 : before.count))
      try test.write { $0.delete(test.people.last!) }
      try test.store.refresh()
    }
  }

  @Test("R170: a frozen copy of each version shows that version, in random sequences")
  func random() throws {
    for seed in UInt64(1)...4 {
      var random = SeededGenerator(seed: seed)
      let file = TestFile()
      try file.addPeople(1...6)
      let test = try file.open()
      let other = try file.open()
      let observation = test.observe(test.people)
      var kept: [(people: Results<Person>, rows: [String])] = []
      func rows(_ people: Results<Person>) -> [String] { people.map { "\($0.id) \($0.name) \($0.age)" } }
      for step in 0..<40 {
        switch Int.random(in: 0..<7, using: &random) {
        case 6: test.store.invalidate()
        case 0: kept.append((test.people.freeze(), rows(test.people)))
        case 1 where !kept.isEmpty: kept.remove(at: Int.random(in: kept.indices, using: &random))
        case 2: test.turn(milliseconds: 0)
        case 3: try test.store.refresh()
        default:
          let writer = Bool.random(using: &random) ? test : other
          try writer.write { store in
            if writer === test, Bool.random(using: &random) {
              kept.append((test.people.freeze(), rows(test.people)))
            }
            let id = Int.random(in: 1...8, using: &random)
            if let person = store.object(ofType: Person.self, forPrimaryKey: id) {
              if Bool.random(using: &random) { store.delete(person) } else { person.name = "s\(step)" }
            } else {
              store.add(Person(id: id, name: "n\(step)"))
            }
          }
        }
        for (people, rows) in kept {
          #expect(people.map { "\($0.id) \($0.name) \($0.age)" } == rows, "seed \(seed), step \(step)")
        }
      }
      #expect(observation.isReady)
    }
  }

  @Test("R170: a frozen collection is read by several threads at the same time") @MainActor
  func threads() async throws {
    try file.addPeople(1...200)
    let store = try Store(Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]))
    let people = Frozen(store.objects(Person.self).sorted(by: \.age))
    let expected = (1...200).reduce(0, +)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var sum = 0
          for person in people.value {
            sum += person.id
            if person.dogs.isEmpty, people.value.index(of: person) == nil { sum += 1_000_000 }
          }
          return sum
        }
      }
      for id in 300..<320 { try? store.write { store.add(Person(id: id)) } }
      for await sum in group { #expect(sum == expected) }
    }
    #expect(people.value.count == 200 && store.objects(Person.self).count == 220)
  }

  @Test("Whether a frozen store is empty is read by its own statements, not by those of the live store")
  func isEmpty() throws {
    try file.addPeople(1...1)
    let test = try file.open()
    let live = try test.store.connection.instance.prepare("SELECT 1 FROM \(quoted("Person")) LIMIT 1")
    #expect(try live.step())
    // The live store itself uses this statement.
    #expect(!test.store.isEmpty)
    #expect(try live.step())
    #expect(!test.store.freeze().isEmpty)
    #expect(try !live.step())
  }

  @Test("Frozen results are explained, and iterated from the first element, by several threads at once")
  func explainedByThreads() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    for _ in 1...20 {
      test.store.invalidate()
      let people = Frozen(test.people.sorted(by: \.age))
      let failures = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for round in 0..<50 {
          if (try? people.value.explain().contains("SELECT")) != true { failures.add(1, ordering: .relaxed) }
          let names = (try? people.value.filter(#Predicate { $0.age >= round - 100 }))?.map(\.name)
          if names != ["p1", "p2", "p3"] { failures.add(1, ordering: .relaxed) }
          if people.value.map(\.name) != ["p1", "p2", "p3"] { failures.add(1, ordering: .relaxed) }
          if thread == 0, people.value.index(of: people.value[0]) != 0 { failures.add(1, ordering: .relaxed) }
        }
      }
      #expect(failures.load(ordering: .relaxed) == 0)
    }
  }

  @Test("Freezing again at a version gives the same store; what nobody holds is let go")
  func sharing() throws {
    try file.addPeople(1...2)
    let test = try file.open()
    weak var first: Store?
    do {
      let store = test.store.freeze()
      first = store
      #expect(test.store.freeze() === store && test.people.freeze().store === store)
      try test.write { _ in test.person(1).name = "x" }
      #expect(test.store.freeze() !== store)
      #expect(store.objects(Person.self)[0].thaw()?.name == "x")
      #expect(store.objects(Person.self).thaw()?.count == 2)
    }
    #expect(first == nil)
  }

  @Test("An object is the same one as long as somebody holds it, and is let go afterwards")
  func objectIdentity() throws {
    try file.addPeople(1...2)
    let test = try file.open()
    let person = test.person(1)
    #expect(test.person(1) === person && test.people[0] === person)
    weak var gone: Person?
    do {
      let other = test.person(2)
      gone = other
      _ = other.dogs
    }
    #expect(gone == nil)
    #expect(test.store.rows.count == 1)
  }

  @Test("R170, R112: what is frozen cannot be written to, changed or observed")
  func refused() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try FrozenTests.onFrozen { try $0.beginWrite() }
      }, says: "What is frozen never changes and cannot be written to; use the live one, which thaw() gives.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try FrozenTests.onFrozen { $0.objects(Person.self)[0].name = "x" }
      }, says: "What is frozen never changes and cannot be changed; use the live one, which thaw() gives.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try FrozenTests.onFrozen { _ = $0.objects(Person.self).observe { _ in } }
      }, says: "What is frozen never changes and cannot be observed")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try FrozenTests.onFrozen { _ = $0.objects(Person.self)[0].dogs.observe { _ in } }
      }, says: "What is frozen never changes and cannot be observed")
  }

  private static func onFrozen(_ body: (Store) throws -> Void) throws {
    let file = TestFile()
    try file.addPeople(1...1)
    try body(try file.open().store.freeze())
  }

  @Test("A closed store cannot be read, nor frozen in a write that has changed something")
  func closedOrWriting() async throws {
    try file.addPeople(1...1)
    let test = try file.open()
    let person = test.person(1)
    let people = test.people
    test.store.close()
    #expect(person.isInvalidated && people.isInvalidated)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        try file.addPeople(1...1)
        let test = try file.open()
        let person = test.person(1)
        _ = person.name
        test.store.close()
        _ = person.name
      }, says: "The store has been closed; nothing that came from it can be read any more.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        try file.addPeople(1...1)
        let test = try file.open()
        try test.store.beginWrite()
        test.person(1).name = "x"
        _ = test.store.freeze()
      },
      says:
        "A store cannot be frozen in a write transaction that has changed something; freeze it before or "
        + "after."
    )
  }

  @Test("A reference finds its object, results and list in another store, which catches up")
  func references() throws {
    try file.addOwner(of: ["Rex", "Max"])
    let test = try file.open()
    let other = try TestStore(file.path, types: [Dog.self, Person.self])
    try test.write { store in store.add(Person(id: 2, name: "new", age: 50)) }
    let person = ThreadSafeReference(to: test.person(2))
    let adults = ThreadSafeReference(
      to: try test.people.filter(#Predicate { $0.age >= 0 }).sorted(by: \.age, ascending: false))
    let dogs = ThreadSafeReference(to: test.person(1).dogs)
    #expect(other.store.resolve(person)?.name == "new")
    #expect(other.store.resolve(person)?.store === other.store)
    #expect(other.store.resolve(adults)?.map(\.id) == [2, 1])
    #expect(other.store.resolve(dogs)?.map(\.name) == ["Rex", "Max"])
    try other.write { store in store.delete(store.objects(Person.self)) }
    #expect(other.store.resolve(person) == nil && other.store.resolve(dogs) == nil)
    #expect(other.store.resolve(adults)?.isEmpty == true)
    #expect(test.store.resolve(person)?.name == "new")
  }

  @Test("R171: a snapshot keeps its size and order, and shows deleted elements as invalidated")
  func snapshot() throws {
    try file.addPeople(1...4)
    let test = try file.open()
    let young = try test.people.filter(#Predicate { $0.age < 100 })
    let snapshot = young.snapshot()
    try test.write { store in
      for person in snapshot { person.age = 200 }
      store.delete(test.person(2))
      #expect(young.isEmpty)
    }
    #expect(snapshot.count == 4)
    #expect(snapshot.map(\.isInvalidated) == [false, true, false, false])
    #expect(snapshot[3].age == 200)
  }

  @Test("Any live collection does what the one in it does")
  func anyCollection() throws {
    try file.addOwner(of: ["Rex", "Max"])
    let test = try file.open()
    let collections: [AnyLiveCollection<Dog>] = [
      AnyLiveCollection(test.person(1).dogs), AnyLiveCollection(test.store.objects(Dog.self)),
    ]
    for dogs in collections {
      #expect(dogs.count == 2 && !dogs.isInvalidated && !dogs.isFrozen)
      #expect(dogs.index(of: dogs[1]) == 1 && dogs.first === dogs[0])
      #expect(dogs.sorted(by: \.name).map(\.name) == ["Max", "Rex"])
      #expect(try dogs.filter(#Predicate { $0.name == "Rex" }).count == 1)
      #expect(dogs.freeze().isFrozen && dogs.freeze().count == 2)
      var calls = 0
      let token = dogs.observe { _ in calls += 1 }
      #expect(test.turns { calls == 1 })
      token.invalidate()
    }
  }

  @Test("A reference to an object is not resolved by a store that has another class of the same name")
  func otherClass() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let one = try TestStore(file.path, types: [One.Person.self], keeping: file)
        try one.write { $0.add(One.Person()) }
        let other = try TestStore(file.path, types: [Other.Person.self], keeping: file)
        let person = ThreadSafeReference(to: one.store.objects(One.Person.self)[0])
        _ = other.store.resolve(person)
      }, says: "Person is not among the object types of this store's configuration; add it there.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let one = try TestStore(file.path, types: [One.Person.self], keeping: file)
        let other = try TestStore(file.path, types: [Other.Person.self], keeping: file)
        _ = other.store.resolve(ThreadSafeReference(to: one.store.objects(One.Person.self)))
      }, says: "Person is not among the object types of this store's configuration; add it there.")
  }

  @Test("Sections of a frozen collection are computed before another thread gets them")
  func sectionsOfFrozen() throws {
    try file.addPeople(1...4)
    var calls = 0
    let sections = try file.open().people.freeze().sectioned { person in
      calls += 1
      return person.id % 2
    }
    #expect(calls == 0 && sections.freeze() === sections && calls == 4)
    #expect(Frozen(sections).value.count == 2 && calls == 4)
  }
}
