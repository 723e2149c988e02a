import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Triggers of other programs that take away what is being written")
struct RemovingTriggerTests {
  private let owner: DogOwner

  init() throws { owner = try DogOwner() }

  private static let removals = [
    "DELETE FROM Dog WHERE id = NEW.id", "DELETE FROM Dog", "DELETE FROM Person_dogs", "DELETE FROM Person",
    "UPDATE Dog SET id = '0' || id WHERE id = NEW.id",
  ]

  /// Uses of an object and of a list, each of which some of the triggers leave without what it names.
  private static let uses: [@Sendable (Person, Dog) -> Void] = [
    { _, dog in _ = dog.name },
    { _, dog in dog.name = "newer" },
    { owner, _ in _ = owner.dogs[3] },
    { owner, dog in owner.dogs.insert(dog, at: 4) },
    { owner, _ in owner.dogs.move(from: 0, to: 3) },
    { owner, dog in owner.dogs.moveToEnd(dog) },
    { owner, dog in owner.dogs.move(dog, after: nil) },
    { owner, _ in owner.dogs.remove(at: 3) },
    { owner, _ in owner.dogs.removeSubrange(2..<4) },
    { owner, dog in owner.dogs[3] = dog },
    { owner, _ in owner.name = "other" },
  ]

  private func rows() -> String {
    sqlite3(owner.file.path, "SELECT * FROM Dog; SELECT * FROM Person; SELECT owner, target FROM Person_dogs")
  }

  /// Changes a dog, whose trigger fires, and goes on with a use; returns whether that failed.
  private func fails(_ removal: String, _ use: Int) throws -> Bool {
    let before = rows()
    sqlite3(owner.file.path, "CREATE TRIGGER tidy AFTER UPDATE OF name ON Dog BEGIN \(removal); END")
    do {
      try owner.test.store.write {
        owner.dogs[0].name = "new"
        Self.uses[use](owner.person, owner.dogs[0])
      }
      return false
    } catch let error as StoreError {
      let sentences = [
        "The trigger “tidy” on Dog, which another program has added, takes away or moves",
        "has been deleted, or the write that made it was taken back; it can be neither linked to nor added.",
      ]
      #expect(sentences.contains { error.description.contains($0) }, "\(error)")
    }
    sqlite3(owner.file.path, "DROP TRIGGER tidy")
    #expect(rows() == before)
    try owner.test.store.write { owner.dogs[0].name = "last" }
    #expect(sqlite3(owner.file.path, "SELECT count(*) FROM Dog WHERE name = 'last'") == "1\n")
    return true
  }

  @Test("A write that goes on with what is gone fails with a sentence, and leaves the rows as they were")
  func removal() throws {
    var failures: [(removal: String, use: Int)] = []
    for removal in Self.removals {
      for use in Self.uses.indices where try RemovingTriggerTests().fails(removal, use) {
        failures.append((removal, use))
      }
    }
    #expect(Set(failures.map(\.removal)) == Set(Self.removals))
    #expect(Set(failures.map(\.use)) == Set(Self.uses.indices))
  }
}
