import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// SQLite reports a change of a row as a success that a trigger has skipped with `RAISE(IGNORE)`.
@Suite("Triggers of other programs that keep what is being written as it was")
struct SkippingTriggerTests {
  private let owner: DogOwner

  init() throws { owner = try DogOwner() }

  private static let uses: [(trigger: String, write: @Sendable (Store, Person, Dog) throws -> Void)] = [
    ("UPDATE ON Dog", { _, _, dog in dog.name = "new" }),
    ("DELETE ON Dog", { store, _, dog in store.delete(dog) }),
    ("INSERT ON Dog", { store, _, _ in store.add(Dog("new")) }),
    ("UPDATE ON Person", { store, _, _ in store.add(Person(id: 1, name: "other"), update: .modified) }),
    ("UPDATE ON Dog", { store, _, _ in store.objects(Dog.self).update(.set(\.name, to: "new")) }),
    (
      "UPDATE OF name ON Dog WHEN OLD.name = 'd2'",
      { store, _, _ in store.objects(Dog.self).update(.set(\.name, to: "new")) }
    ),
    ("DELETE ON Dog", { store, _, _ in store.objects(Dog.self).deleteAll() }),
    (
      "DELETE ON Dog WHEN OLD.name = 'd1'",
      { store, _, _ in store.objects(Dog.self).sorted(by: \.name).limit(2).deleteAll() }
    ),
    ("DELETE ON Dog", { store, _, _ in store.deleteAll() }),
    ("DELETE ON Person_dogs", { store, _, _ in store.deleteAll() }),
    ("INSERT ON Person_dogs", { _, owner, dog in owner.dogs.append(dog) }),
    ("INSERT ON Person_dogs", { _, owner, _ in owner.dogs.append(Dog("new")) }),
    ("UPDATE ON Person_dogs", { _, owner, _ in owner.dogs.move(from: 0, to: 3) }),
    ("UPDATE ON Person_dogs", { _, owner, dog in owner.dogs.moveToEnd(dog) }),
    ("UPDATE ON Person_dogs", { _, owner, dog in owner.dogs.move(dog, after: owner.dogs[2]) }),
    ("UPDATE ON Person_dogs", { _, owner, dog in owner.dogs[3] = dog }),
    ("UPDATE ON Person_dogs", { _, owner, _ in owner.dogs.swapAt(0, 3) }),
    ("DELETE ON Person_dogs", { _, owner, _ in _ = owner.dogs.remove(at: 0) }),
    ("DELETE ON Person_dogs", { _, owner, dog in _ = owner.dogs.remove(dog) }),
    ("DELETE ON Person_dogs", { _, owner, _ in owner.dogs.removeSubrange(1..<3) }),
    ("DELETE ON Person_dogs", { _, owner, _ in owner.dogs.removeAll() }),
  ]

  private func rows() -> String {
    sqlite3(owner.file.path, "SELECT * FROM Dog; SELECT * FROM Person; SELECT * FROM Person_dogs")
  }

  @Test("A write of a row that one of them skips fails with its name, and leaves everything as it was")
  func skipped() throws {
    for (trigger, write) in Self.uses {
      for isObserved in [false, true] {
        let tests = try SkippingTriggerTests()
        try tests.expectFailure(trigger, isObserved: isObserved, write)
      }
    }
  }

  private func expectFailure(
    _ trigger: String, isObserved: Bool, _ write: @Sendable (Store, Person, Dog) throws -> Void
  ) throws {
    let observation = isObserved ? owner.test.observe(owner.test.store.objects(Dog.self)) : nil
    try owner.test.store.refresh()
    let before = rows()
    let table = trigger.split(separator: " ").drop { $0 != "ON" }.dropFirst().first ?? ""
    sqlite3(owner.file.path, "CREATE TRIGGER keeping BEFORE \(trigger) BEGIN SELECT RAISE ( ignore ); END")
    do {
      try owner.test.store.write { try write(owner.test.store, owner.person, owner.dogs[0]) }
      Issue.record("\(trigger) was not noticed")
    } catch let error as StoreError {
      #expect(
        error.description.hasPrefix(
          "The trigger “keeping” on \(table), which another program has added, keeps what is being written "
            + "from being changed; nothing was written."), "\(error)")
      #expect(rows() == before, "\(trigger)")
    }
    sqlite3(owner.file.path, "DROP TRIGGER keeping")
    try owner.test.store.write { owner.dogs[0].name = "last" }
    #expect(sqlite3(owner.file.path, "SELECT count(*) FROM Dog WHERE name = 'last'") == "1\n")
    withExtendedLifetime(observation) {}
  }

  @Test("Those that skip other rows, or rows that a write takes along, keep nobody from writing")
  func others() throws {
    sqlite3(
      owner.file.path,
      """
      CREATE TRIGGER keeping BEFORE UPDATE ON Dog WHEN OLD.name = 'd3' BEGIN SELECT RAISE(IGNORE); END;
      CREATE TRIGGER going BEFORE DELETE ON Dog WHEN OLD.name = 'd3' BEGIN SELECT RAISE(IGNORE); END
      """)
    try owner.test.store.write {
      owner.dogs[0].name = "new"
      owner.test.store.delete(owner.dogs[1])
      owner.test.store.delete(owner.dogs[1])
      owner.person.dogs.move(from: 0, to: 2)
      try owner.test.store.objects(Dog.self).filter(#Predicate { $0.name != "d3" }).deleteAll()
    }
    #expect(sqlite3(owner.file.path, "SELECT name FROM Dog") == "d3\n")
  }
}
