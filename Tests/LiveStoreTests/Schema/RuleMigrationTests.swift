import FoundationEssentials
import Testing

@testable import LiveStore

/// One class as versions of a program declare it that differ in rules alone.
private enum Unruled {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var owner: Owner?

    convenience init(_ id: Int, _ name: String, age: Int = 0) {
      self.init()
      (self.id, self.name, self.age) = (id, name, age)
    }
  }
}

private enum Unique {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var owner: Owner?

    override class var rules: [ObjectRule] {
      [.unique(\Pet.name), .index(\Pet.age, where: "age > 3"), .owns(\Pet.owner)]
    }
  }
}

private enum Checked {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var owner: Owner?

    override class var rules: [ObjectRule] {
      [
        .check("age >= 0", "no age is negative"), .check("name <> ''", "every pet has a name"),
        .references(\Pet.owner, onDelete: .cascade),
      ]
    }
  }
}

private enum Misspelled {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0

    override class var rules: [ObjectRule] { [.check("age >>> 0", "no age is negative")] }
  }
}

private enum Mutual {
  final class Pet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var young: List<Pet>

    override class var rules: [ObjectRule] { [.owns(\Pet.young)] }
  }
}

@Suite("Migrations of rules")
struct RuleMigrationTests {
  private let file = TestFile()

  private func open(
    _ types: [Object.Type], version: Int = 1, migration: (@Sendable (Migration, Int) throws -> Void)? = nil
  ) throws -> Store {
    var configuration = Store.Configuration(path: file.path, schemaVersion: version, objectTypes: types)
    configuration.migration = migration
    return try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
  }

  private func addPets(_ pets: [Unruled.Pet]) throws {
    let store = try open([Unruled.Pet.self, Unruled.Owner.self])
    try store.write { store.add(pets) }
    store.close()
  }

  private func parts(_ type: String) -> String {
    sqlite3(
      file.path,
      "select name from sqlite_schema where type = '\(type)' and (name glob '*_own_*' or name like '%replace' "
        + "or type = 'index') and sql is not null order by name")
  }

  @Test("Uniqueness, indexes and ownership come and go without a higher version")
  func withoutVersion() throws {
    try addPets([Unruled.Pet(1, "a"), Unruled.Pet(2, "b")])
    #expect(parts("index") == "Pet_owner\n")
    let store = try open([Unique.Pet.self, Unique.Owner.self])
    #expect(parts("index") == "Pet_owner\n_livestore_Pet_age\n_livestore_Pet_name\n")
    #expect(parts("trigger") == "_livestore_Pet_own_owner\n_livestore_Pet_replace\n")
    try store.write { store.objects(Unique.Pet.self)[0].owner = Unique.Owner() }
    try store.write { store.delete(store.objects(Unique.Pet.self)[0]) }
    #expect(store.objects(Unique.Owner.self).isEmpty)
    store.close()
    try open([Unruled.Pet.self, Unruled.Owner.self]).close()
    #expect(parts("index") == "Pet_owner\n" && parts("trigger") == "")
  }

  @Test("A file that breaks a new unique rule says so, and opens after a migration that mends it")
  func duplicates() throws {
    try addPets([Unruled.Pet(1, "a"), Unruled.Pet(2, "a")])
    let error = #expect(throws: StoreError.self) { try open([Unique.Pet.self, Unique.Owner.self]) }
    #expect(
      error?.description
        == "“\(file.path)” holds objects of Pet that break a rule of the table: another Pet has the same name; "
        + "change or delete them in Configuration.migration.")
    let store = try open([Unique.Pet.self, Unique.Owner.self], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Pet") { old, new in
        if old?["id"] as? Int == 2 { new?["name"] = "b" }
      }
    }
    #expect(store.objects(Unique.Pet.self).map(\.name) == ["a", "b"])
  }

  @Test("Checks and the rules of links need a higher version, and a migration may mend what breaks them")
  func checks() throws {
    try addPets([Unruled.Pet(1, "a", age: -3), Unruled.Pet(2, "b")])
    sqlite3(file.path, "ALTER TABLE Pet ADD COLUMN theirs DEFAULT 7; CREATE INDEX theirs ON Pet (theirs)")
    let types: [Object.Type] = [Checked.Pet.self, Checked.Owner.self]
    let outdated = #expect(throws: StoreError.self) { try open(types) }
    #expect(
      outdated?.description.contains(
        "Pet.owner's consequences of a deletion have changed, Pet.rules' checks have changed") == true)
    let broken = #expect(throws: StoreError.self) { try open(types, version: 2) }
    #expect(broken?.description.contains("break a rule of the table: no age is negative") == true)
    #expect(sqlite3(file.path, "select age from Pet where id = 1") == "-3\n")
    var store = try open(types, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Pet") { _, new in new?["age"] = 0 }
    }
    #expect(throws: StoreError.self) { try store.write { store.objects(Checked.Pet.self)[0].name = "" } }
    #expect(sqlite3(file.path, "select theirs from Pet") == "7\n7\n" && parts("index").contains("theirs"))
    try store.write {
      let owner = Checked.Owner()
      store.objects(Checked.Pet.self)[0].owner = owner
      store.delete(owner)
    }
    #expect(store.objects(Checked.Pet.self).map(\.id) == [2])
    store.close()
    // And away again.
    store = try open([Unruled.Pet.self, Unruled.Owner.self], version: 3)
    try store.write { store.objects(Unruled.Pet.self)[0].age = -1 }
    store.close()
  }

  @Test(
    "A condition that SQLite does not understand, and ownership without an end, are refused by a sentence")
  func mistakes() throws {
    let error = #expect(throws: StoreError.self) { try open([Misspelled.Pet.self]) }
    #expect(
      error?.code == .schema
        && error?.description.contains("does not understand a condition in Pet.rules") == true)
    let mutual = #expect(throws: StoreError.self) { try open([Mutual.Pet.self]) }
    #expect(mutual?.description.contains("could own itself") == true)
  }
}
