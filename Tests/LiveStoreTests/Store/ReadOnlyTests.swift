import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// Classes as the program has them that writes the file.
private enum Written {
  static let types: [Object.Type] = [Keeper.self, Cat.self]

  final class Keeper: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var favourite: Cat?
    @Persisted var cats: List<Cat>
  }

  final class Cat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var friend: Cat?
  }
}

/// The same classes with rules, as a newer program has them that reads it.
private enum Ruled {
  static let types: [Object.Type] = [Keeper.self, Cat.self]

  final class Keeper: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var favourite: Cat?
    @Persisted var cats: List<Cat>

    override class var rules: [ObjectRule] { [.embeds(\Keeper.favourite), .owns(\Keeper.cats)] }
  }

  final class Cat: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var friend: Cat?

    override class var rules: [ObjectRule] {
      [
        .unique(\Cat.name), .index(\Cat.age), .check("age >= 0", "no age is negative"),
        .references(\Cat.friend, onDelete: .cascade), .searchable(\Cat.name),
      ]
    }
  }
}

@Suite("Read-only stores")
struct ReadOnlyTests {
  private let file = TestFile()

  private func open(
    version: Int = 1, types: [Object.Type] = [Person.self, Dog.self], path: String? = nil
  ) throws -> TestStore {
    var configuration = Store.Configuration(
      path: path ?? file.path, schemaVersion: version, objectTypes: types)
    configuration.isReadOnly = true
    return try TestStore(configuration)
  }

  @Test(
    "R172 (differs, L13): a read-only store is observed and refreshed, since other programs write the file")
  func observing() throws {
    try file.addPeople(1...3)
    let reader = try open()
    let people = reader.observe(reader.people)
    let writer = try file.observer()
    try writer.write { _ in writer.person(2).name = "changed" }
    #expect(reader.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [1])])
    sqlite3(file.path, "delete from Person where id = 1")
    while reader.people.count == 3 { try reader.store.refresh() }
    #expect(people.rows == ["2", "3"])
    #expect(reader.person(2).name == "changed")
  }

  @Test("Writing is refused with a sentence, and changes nothing")
  func writing() throws {
    try file.addPeople(1...3)
    let reader = try open()
    let error = #expect(throws: StoreError.self) { try reader.write { $0.add(Person(id: 9)) } }
    #expect(error?.code == .misuse && error?.description.contains("read-only") == true)
    #expect(!reader.store.isInWriteTransaction && reader.people.count == 3)
  }

  @Test("Changing an object of a read-only store stops the program with a sentence")
  func changing() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        try file.addPeople([1])
        var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
        configuration.isReadOnly = true
        let reader = try TestStore(configuration)
        reader.person(1).name = "x"
      }, says: "can be changed in a write transaction only; use store.write { }.")
  }

  @Test("It never makes, prepares or migrates a file, and says what to do")
  func neverMakes() throws {
    func refuses(
      _ code: StoreError.Code, _ word: String, version: Int = 1,
      types: [Object.Type] = [Person.self, Dog.self],
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        try open(version: version, types: types)
      }
      #expect(error?.code == code, "\(error?.description ?? "")", sourceLocation: sourceLocation)
      #expect(
        error?.description.contains(word) == true, "\(error?.description ?? "")",
        sourceLocation: sourceLocation)
    }
    refuses(.fileAccess, "read-only")
    #expect(access(file.path, F_OK) != 0)
    close(Glibc.open(file.path, O_CREAT | O_RDWR, 0o600))
    refuses(.schema, "no store")
    unlink(file.path)
    try file.addPeople(1...2)
    refuses(.schema, "migrated", version: 2)
    refuses(.schema, "Named", types: [MigrationOther.Named.self])
    refuses(.schema, "raise the schema version", types: [MigrationOther.Person.self])
    #expect(sqlite3(file.path, "pragma user_version") == "1\n")
    try open().store.close()
    let folder = String(file.path.dropLast("/test.db".count))
    #expect(throws: StoreError.self) { try open(path: folder) }
  }

  @Test("A file without the rules of the classes is read and followed, also when their writer comes and goes")
  func rules() throws {
    let writer = try TestStore(file.path, types: Written.types, keeping: file)
    try writer.write { store in
      let keeper = Written.Keeper()
      store.add(keeper)
      for id in 1...2 {
        let cat = Written.Cat()
        (cat.id, cat.name, cat.age) = (id, "Tom", -1)
        keeper.cats.append(cat)
      }
      keeper.favourite = keeper.cats[0]
    }
    let reader = try open(types: Ruled.types)
    let cats = reader.store.objects(Ruled.Cat.self)
    let seen = reader.observe(cats)
    try reader.store.refresh()
    #expect(cats.map(\.name) == ["Tom", "Tom"] && reader.store.objects(Ruled.Keeper.self)[0].cats.count == 2)
    #expect(try reader.store.search(Ruled.Cat.self, for: "Tom").count == 2)
    try writer.write { store in store.object(ofType: Written.Cat.self, forPrimaryKey: 2)?.name = "Kitty" }
    #expect(reader.turns { seen.changes == [ChangeSet(mod: [1])] })
    sqlite3(file.path, "DELETE FROM Keeper")
    #expect(reader.turns { reader.store.objects(Ruled.Keeper.self).isEmpty })
    #expect(cats.map(\.name) == ["Tom", "Kitty"] && reader.store.failure == nil)
    // Without the triggers that log, changes would not be noticed.
    sqlite3(file.path, #"DROP TRIGGER "_livestore_Cat_delete""#)
    #expect(throws: StoreError.self) { try reader.store.refresh() }
    #expect(throws: StoreError.self) { try open(types: Ruled.types) }
  }

  @Test("Several are open at once, in a process that writes too")
  func several() throws {
    try file.addPeople(1...3)
    let readers = try (0..<3).map { _ in try open() }
    let writer = try file.observer()
    let observations = readers.map { $0.observe($0.people) }
    for _ in 0..<200 { try writer.write { _ in writer.person(1).age += 1 } }
    for (reader, observation) in zip(readers, observations) {
      #expect(reader.turns { reader.person(1).age == 210 })
      #expect(observation.changes.allSatisfy { $0 == ChangeSet(mod: [0]) })
    }
  }

  @Test(
    "A file in a folder that may not be written is read while another program has it open, and otherwise refused",
    .enabled(if: getuid() != 0, "root may do everything"))
  func folder() throws {
    try file.addPeople(1...3)
    let folder = String(file.path.dropLast("/test.db".count))
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(error?.code == .fileAccess && error?.description.contains("-shm") == true)
    chmod(folder, 0o700)
    let writer = try file.observer()
    chmod(folder, 0o500)
    #expect(try open().people.count == 3)
    withExtendedLifetime(writer) {}
  }
}
