import CSQLite
import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

private final class Measurement: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var length = 1.0
  @Persisted var weight: Float? = 1
  @Persisted var price = Decimal(1)
}

@Suite("Values that SQLite does not take")
struct UnwritableValueTests {
  /// A store whose connections keep no value of more than 2,000 bytes.
  private func open(_ file: TestFile) throws -> TestStore {
    let test = try file.open()
    for snapshot in [test.store.coordinator.front, try test.store.coordinator.back] {
      sqlite3_limit(snapshot.connection.handle, SQLITE_LIMIT_LENGTH, 2_000)
    }
    return test
  }

  @Test("A value longer than SQLite keeps fails the write with a sentence, and is not stored as none")
  func tooLong() throws {
    let file = TestFile()
    let test = try open(file)
    let person = Person(id: 1)
    person.nickname = "short"
    person.photo = Data([1])
    try test.store.write { test.store.add(person) }
    let long = String(repeating: "x", count: 3_000)
    for change in [
      { person.nickname = long }, { person.photo = Data(long.utf8) }, { person.name = long },
      {
        let other = Person(id: 2)
        other.nickname = long
        test.store.add(other)
      },
    ] {
      let error = #expect(throws: StoreError.self) { try test.store.write { change() } }
      #expect(error?.code == .invalidValue)
      #expect(error?.description.contains("A value of 3,000 bytes is too long to be kept, 2,000") == true)
      #expect(
        person.nickname == "short" && person.photo == Data([1]) && test.store.objects(Person.self).count == 1)
    }
    // Each fits, the row does not.
    let error = #expect(throws: StoreError.self) {
      try test.store.write {
        (person.nickname, person.name) = (String(long.prefix(1_500)), String(long.prefix(1_500)))
      }
    }
    #expect(error?.description.contains("A row is too long to be kept") == true)
    try test.store.write { person.nickname = "y" }
    #expect(sqlite3(file.path, "SELECT nickname FROM Person") == "y\n")
  }

  @Test("NaN, of which SQLite makes NULL, fails the write with the property, unless that is optional")
  func notANumber() throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Measurement.self], keeping: file)
    let measurement = Measurement()
    try test.store.write { test.store.add(measurement) }
    for (name, change) in [
      ("length", { measurement.length = .nan }), ("price", { measurement.price = .nan }),
      (
        "length",
        {
          let other = Measurement()
          (other.id, other.length) = (2, .nan)
          test.store.add(other)
        }
      ),
      ("price", { _ = test.store.objects(Measurement.self).update(.set(\.price, to: .nan)) }),
    ] as [(String, () -> Void)] {
      let error = #expect(throws: StoreError.self) { try test.store.write { change() } }
      #expect(error?.code == .invalidValue)
      #expect(
        error?.description
          == "Measurement.\(name) was assigned a value that a file cannot hold, such as NaN; assign another, "
          + "or make the property optional.")
    }
    try test.store.write { measurement.weight = .nan }
    #expect(measurement.weight == nil && measurement.length == 1 && measurement.price == 1)
  }

  @Test("What SQLite cannot say of a row that a statement changes fails the write, with the cause")
  func unreadableRow() async {
    await #expect(processExitsWith: .success) {
      let file = TestFile()
      let test = try file.open()
      let people = test.observe(test.store.objects(Person.self))
      let person = Person(id: 1)
      person.photo = Data(repeating: 7, count: 20_000_000)
      try test.store.write { test.store.add(person) }
      try test.store.refresh()
      test.store.forgetAllRows()
      // The former row is read into memory, of which there is not enough from here on.
      try test.store.beginWrite()
      sqlite3_hard_heap_limit64(sqlite3_memory_used() + 8_000_000)
      test.store.delete(person)
      let error = #expect(throws: StoreError.self) { try test.store.commitWrite() }
      sqlite3_hard_heap_limit64(0)
      #expect(error?.debugDescription.contains("reading a row before its change") == true)
      #expect(!person.isInvalidated && person.photo?.count == 20_000_000 && people.events.count > 0)
      try test.store.write { test.store.delete(person) }
      #expect(person.isInvalidated)
    }
  }
}
