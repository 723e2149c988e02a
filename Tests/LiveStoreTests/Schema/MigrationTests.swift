import FoundationEssentials
import Glibc
import Testing

@testable import LiveStore

@Suite("Migration")
struct MigrationTests {
  private let file = TestFile()

  private func open(
    _ types: [Object.Type], version: Int,
    _ migration: (@Sendable (Migration, Int) throws -> Void)? = nil
  ) throws(StoreError) -> Store {
    var configuration = Store.Configuration(path: file.path, schemaVersion: version, objectTypes: types)
    configuration.migration = migration
    return try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
  }

  private func faults(_ types: [Object.Type], version: Int) throws -> [String] {
    try Store.faults(
      in: Store.Configuration(path: file.path, schemaVersion: version, objectTypes: types))
  }

  /// All that the file holds, as text.
  private func dump() -> String {
    sqlite3(
      file.path,
      "select sql from sqlite_schema order by name; select * from Member; select * from Pet; pragma "
        + "user_version"
    )
  }

  private func expectFailure(
    _ code: StoreError.Code, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation,
    _ open: () throws -> Store
  ) {
    let before = dump()
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try open() }
    #expect(error?.code == code, "\(error?.description ?? "")", sourceLocation: sourceLocation)
    for word in words {
      #expect(
        error?.description.contains(word) == true, "no “\(word)” in: \(error?.description ?? "")",
        sourceLocation: sourceLocation)
    }
    #expect(dump() == before, "the file has changed", sourceLocation: sourceLocation)
  }

  @Test("A migration block carries over what the classes do not say; links, lists and the rest stay")
  func block() throws {
    try file.makeMembers()
    let store = try open(MigrationTwo.types, version: 2, MigrationTwo.migrate)
    let members = store.objects(MigrationTwo.Member.self)
    #expect(members.map(\.fullName) == ["F1 L1 of 1", "F2 L2 of 1", "F3 L3 of 1"])
    #expect(members.map(\.age) == [10, 20, 30])
    #expect(members.map(\.level) == [1.5, 1.5, 1.5])
    #expect(members.map(\.nickname) == ["N1", "none", "N3"])
    #expect(members.map { $0.favourite?.name } == ["pet1", "pet2", "pet3"])
    #expect(members.allSatisfy { $0.animals.map(\.id) == [3, 2, 1, 1] })
    #expect(
      sqlite3(file.path, "pragma user_version; pragma foreign_key_check; pragma integrity_check") == "2\nok\n"
    )
    #expect(
      sqlite3(file.path, "select name from pragma_table_info('Member')")
        == "level\nid\nfullName\nage\nnickname\nfavourite\n")
    #expect(!sqlite3(file.path, "select name from sqlite_schema").contains("Member_pets"))
    // Foreign keys are followed again, here and by other programs.
    try store.write { store.delete(store.objects(MigrationTwo.Pet.self)[0]) }
    #expect(members[0].favourite == nil && members[0].animals.count == 2)
    sqlite3(file.path, "delete from Pet where id = 2")
    try store.refresh()
    #expect(members[1].favourite == nil && members[1].animals.map(\.id) == [3])
    store.close()
    let again = try open(MigrationTwo.types, version: 2) { _, _ in Issue.record("called again") }
    #expect(again.objects(MigrationTwo.Member.self).count == 3)
  }

  @Test("Properties that came and went are migrated without a block; a class that is gone keeps its rows")
  func automatic() throws {
    try file.makeMembers()
    var store = try open(MigrationPlain.types, version: 2)
    let members = store.objects(MigrationPlain.Member.self)
    #expect(members.map(\.lastName) == ["L1", "L2", "L3"])
    #expect(members.map(\.nickname) == ["N1", nil, "N3"])
    #expect(members.allSatisfy { $0.added == "it's \"new\"" })
    #expect(Set(members.map(\.token)).count == 3)
    #expect(!sqlite3(file.path, "select sql from sqlite_schema").contains("firstName"))
    #expect(sqlite3(file.path, "select count(*) from Pet") == "3\n")
    // Nothing that was removed is in the way of whoever writes what is left.
    sqlite3(
      file.path,
      "delete from Pet where id = 3; update Pet set id = 7 where id = 2; delete from Member where id = 2")
    try store.refresh()
    #expect(members.map(\.id) == [1, 3])
    store.close()
    store = try open(MigrationOne.types, version: 3)
    #expect(store.objects(MigrationOne.Pet.self).map(\.name) == ["pet1", "pet2"])
    #expect(store.objects(MigrationOne.Member.self).map(\.firstName) == ["", ""])
  }

  @Test("A block that throws leaves the file as it was, and what it threw is told")
  func failing() throws {
    struct Refusal: Error {}
    try file.makeMembers()
    expectFailure(.migration, ["Refusal", file.path]) {
      try open(MigrationTwo.types, version: 2) { migration, version in
        try MigrationTwo.migrate(migration, version)
        throw Refusal()
      }
    }
    expectFailure(.busy, ["mine"]) {
      try open(MigrationTwo.types, version: 2) { _, _ in throw StoreError(.busy, "mine") }
    }
    let store = try open(MigrationOne.types, version: 1)
    #expect(store.objects(MigrationOne.Member.self).count == 3)
  }

  @Test("What a block cannot do fails with a sentence that names class and property")
  func badBlocks() throws {
    try file.makeMembers()
    func fails(_ words: String..., block: @escaping @Sendable (Migration) throws -> Void) {
      expectFailure(.schema, words) {
        try open(MigrationTwo.types, version: 2) { migration, _ in try block(migration) }
      }
    }
    func each(_ body: @escaping @Sendable (MigrationObject, MigrationObject) throws -> Void)
      -> @Sendable (Migration) throws -> Void
    {
      { migration in
        try migration.enumerateObjects(ofType: "Member") { old, new in
          if let old, let new { try body(old, new) }
        }
      }
    }
    fails("Member.shoeSize", block: each { old, _ in _ = old["shoeSize"] })
    fails("Member.firstName", block: each { _, new in new["firstName"] = "x" })
    fails("Member.age", "ten", block: each { _, new in new["age"] = "ten" })
    fails("Member.age", "nil", block: each { _, new in new["age"] = nil })
    fails("Member.id", "primary key", block: each { _, new in new["id"] = 7 })
    fails("as it was", block: each { old, _ in old["age"] = "7" })
    fails("Member.favourite", block: each { old, new in new["favourite"] = old["pet"] })
    fails("Member.animals", block: each { old, new in new["animals"] = old["pets"] })
    fails("Ghost", block: { try $0.create("Ghost") })
    fails("Pet", "1", block: { try $0.create("Pet", value: ["id": 1]) })
    fails(
      "renamed", "nothing", block: { try $0.renameProperty(onType: "Member", from: "nothing", to: "age") })
    fails(
      "renamed", "stored", block: { try $0.renameProperty(onType: "Member", from: "firstName", to: "level") })
    fails("Ghost", block: { try $0.renameProperty(onType: "Ghost", from: "a", to: "b") })
  }

  @Test("A block may create, delete, link and list")
  func objects() throws {
    try file.makeMembers()
    let store = try open(MigrationTwo.types, version: 2) { migration, _ in
      let rex = try migration.create("Pet", value: ["id": 9, "name": "Rex"])
      let nameless = try migration.create("Pet", value: ["id": 10, "name": Optional<String>.none as Any])
      try migration.enumerateObjects(ofType: "Member") { old, new in
        guard let old, let new else { return }
        #expect((old["pets"] as? [MigrationObject])?.compactMap { $0["id"] as? Int } == [3, 2, 1, 1])
        #expect((old["pet"] as? MigrationObject)?["name"] as? String == "pet\(old["id"] ?? "")")
        #expect(new["level"] as? Double == 1.5 && new["nickname"] as? String != nil)
        new["favourite"] = rex
        new["animals"] = [nameless, rex, rex]
      }
      try migration.enumerateObjects(ofType: "Pet") { old, new in
        #expect(old?["born", as: Date.self] == Date(timeIntervalSince1970: 0))
        if let new { try migration.delete(new) }
        #expect(new?["name"] == nil)
      }
      try migration.enumerateObjects(ofType: "Pet") { old, new in #expect(old != nil && new == nil) }
      let third = try migration.create("Member", value: ["id": 4, "favourite": rex])
      #expect(third["favourite"] is MigrationObject)
      try migration.delete(rex)
    }
    #expect(store.objects(MigrationTwo.Pet.self).map(\.id) == [10])
    let members = store.objects(MigrationTwo.Member.self)
    #expect(members.map(\.id) == [1, 2, 3, 4])
    #expect(members.map { $0.animals.map(\.id) } == [[10], [10], [10], []])
    #expect(members.allSatisfy { $0.favourite == nil })
    #expect(sqlite3(file.path, "pragma foreign_key_check") == "")
  }

  @Test("No link leads to an object that the block has deleted, whatever it does with the link afterwards")
  func danglingLinks() throws {
    try file.makeMembers()
    let store = try open(MigrationTwo.types, version: 2) { migration, _ in
      var pets: [MigrationObject] = []
      try migration.enumerateObjects(ofType: "Pet") { _, new in if let new { pets.append(new) } }
      try migration.delete(pets[0])
      // Copies the key of the deleted one too.
      try migration.renameProperty(onType: "Member", from: "pet", to: "favourite")
      try migration.delete(pets[1])
      try migration.enumerateObjects(ofType: "Member") { old, new in
        new?["age"] = 1
        if old?["id"] as? Int == 3 { new?["favourite"] = pets[1] }
      }
      try migration.create("Member", value: ["id": 4, "favourite": pets[0]])
      try migration.create("Member", value: ["id": 5, "favourite": pets[2]])
    }
    let members = store.objects(MigrationTwo.Member.self)
    #expect(members.map { $0.favourite?.id } == [nil, nil, nil, nil, 3])
    #expect(sqlite3(file.path, "select count(favourite) from Member; pragma foreign_key_check") == "1\n")
    #expect(try faults(MigrationTwo.types, version: 2).isEmpty)
    try store.write { for id in 1...2 { try store.create(MigrationTwo.Pet.self, value: ["id": id]) } }
    #expect(members.map { $0.favourite?.id } == [nil, nil, nil, nil, 3])
  }

  @Test("The links of a table that another program has dropped lead to no new object of its class")
  func droppedTarget() throws {
    try file.makeMembers()
    sqlite3(file.path, "PRAGMA foreign_keys = OFF; DROP TABLE Pet")
    let store = try open(MigrationOne.types, version: 1)
    try store.write { try store.create(MigrationOne.Pet.self, value: ["id": 1]) }
    let members = store.objects(MigrationOne.Member.self)
    #expect(members.allSatisfy { $0.pet == nil && $0.pets.isEmpty })
    #expect(try faults(MigrationOne.types, version: 1).isEmpty)
  }

  @Test("The rows of a class that is gone are deleted when the migration says so, and its table with them")
  func deleteData() throws {
    try file.makeMembers()
    let store = try open(MigrationPlain.types, version: 2) { migration, _ in
      var names: [String] = []
      try migration.enumerateObjects(ofType: "Pet") { old, new in
        #expect(new == nil)
        names.append(old?["name"] as? String ?? "")
      }
      #expect(names == ["pet1", "pet2", "pet3"])
      #expect(try migration.deleteData(forType: "Pet"))
      #expect(try !migration.deleteData(forType: "Ghost"))
    }
    #expect(!sqlite3(file.path, "select name, sql from sqlite_schema").contains("Pet"))
    #expect(store.objects(MigrationPlain.Member.self).count == 3)
    store.close()
    let emptied = try open(MigrationPlain.types, version: 3) { migration, _ in
      try migration.deleteData(forType: "Member")
    }
    #expect(emptied.objects(MigrationPlain.Member.self).isEmpty)
  }

  @Test("Classes changed without a higher version: the error names every difference and says what to do")
  func sameVersion() throws {
    try file.makeMembers()
    expectFailure(
      .schema,
      [
        "Member.level has been added", "Member.firstName has been removed", "Member.age is stored as INTEGER",
        "Member.nickname is no longer optional", "Member.pets has been removed",
        "Member.animals has been added",
        "Pet.name has been made optional", "raise the schema version",
      ]
    ) { try open(MigrationTwo.types, version: 1) }
  }

  @Test("A changed type needs a block, and the error says so")
  func needsBlock() throws {
    try file.makeMembers()
    expectFailure(
      .schema, ["Member.age is stored as INTEGER and was stored as TEXT", "Configuration.migration"]
    ) { try open(MigrationTwo.types, version: 2) }
  }

  @Test("A list that becomes a link, and a value that becomes a list, need a block")
  func listsNeedBlock() throws {
    var store = try open([MigrationListed.Pet.self], version: 1)
    try store.write {
      let pet = try store.create(MigrationListed.Pet.self, value: ["id": 1])
      pet.mother.append(pet)
    }
    store.close()
    func expectRefusal(_ sentence: String, _ open: () throws -> Store) {
      let error = #expect(throws: StoreError.self) { _ = try open() }
      #expect(
        error?.description.contains(sentence) == true
          && error?.description.contains("Configuration.migration") == true, "\(error as Any)")
    }
    expectRefusal("Pet.mother is no list any more") { try open([MigrationIndexed.Pet.self], version: 2) }
    store = try open([MigrationIndexed.Pet.self], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Pet") { old, new in new?["friends"] = "" }
    }
    store.close()
    expectRefusal("Pet.mother is a list now and was none") {
      try open([MigrationListed.Pet.self], version: 3)
    }
  }

  @Test("A link and an indexed value become lists of the same name; a Bool is carried over as it was read")
  func listsInsteadOfIndexes() throws {
    var store = try open([MigrationIndexed.Pet.self], version: 1)
    try store.write {
      let mother = try store.create(MigrationIndexed.Pet.self, value: ["id": 1, "isOld": true])
      try store.create(MigrationIndexed.Pet.self, value: ["id": 2, "isTame": false, "mother": mother])
    }
    store.close()
    store = try open([MigrationListed.Pet.self], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Pet") { old, new in
        new?["tame"] = old?["isTame"]
        new?["old"] = old?["isOld"]
      }
    }
    let pets = store.objects(MigrationListed.Pet.self)
    #expect(pets.map(\.tame) == [true, false] && pets.map(\.old) == [true, nil])
    try store.write { pets[1].mother.append(pets[0]) }
    #expect(pets[1].mother.map(\.id) == [1] && pets[1].friends.isEmpty)
    store.close()
    #expect(
      sqlite3(file.path, "select name from sqlite_schema where type = 'table' and name like 'Pet%'")
        .split(separator: "\n").sorted() == ["Pet", "Pet_friends", "Pet_mother"])
  }

  @Test("A class with the name of an index of another is refused with a sentence")
  func namesOfIndexes() {
    let error = #expect(throws: StoreError.self) {
      try open([NamesOfIndexes.A.self, NamesOfIndexes.A_b.self], version: 1)
    }
    #expect(error?.description.contains("would both be called A_b") == true, "\(error?.description ?? "")")
  }

  @Test("A changed primary key is refused, with what to do instead")
  func primaryKey() throws {
    try file.makeMembers()
    expectFailure(.schema, ["primary key of Member", "lastName", "new class"]) {
      try open([MigrationOther.Member.self], version: 2) { _, _ in }
    }
  }

  @Test("A column, an index and a trigger that another program has added outlive a migration")
  func foreignParts() throws {
    try file.makeMembers()
    sqlite3(
      file.path,
      """
      alter table Member add column remark text default 'none'; update Member set remark = 'r' || id;
      create index mine on Member (remark); create index old on Member (firstName);
      create table audit (id); create trigger theirs after update on Member begin insert into audit values (NEW.id); end;
      create view everybody as select lastName from Member;
      """)
    let store = try open(MigrationPlain.types, version: 2)
    #expect(sqlite3(file.path, "select remark from Member") == "r1\nr2\nr3\n")
    sqlite3(file.path, "update Member set remark = 'x' where id = 3; insert into Member (id) values (8)")
    #expect(sqlite3(file.path, "select id from audit; select remark from Member where id = 8") == "3\nnone\n")
    #expect(sqlite3(file.path, "select count(*) from everybody") == "4\n")
    let names = sqlite3(file.path, "select name from sqlite_schema")
    #expect(names.contains("mine") && !names.contains("old\n"))
    try store.refresh()
    #expect(store.objects(MigrationPlain.Member.self).count == 4)
    store.close()
    // A column of another program is no difference, ever.
    try open(MigrationPlain.types, version: 2).close()
  }

  @Test(
    "Several versions are migrated in one step, and the block is told where from; a new file needs no migration"
  )
  func steps() throws {
    try open([MigrationOther.Named.self], version: 5) { _, _ in Issue.record("a new file is not migrated") }
      .close()
    let store = try open([MigrationOther.Named.self], version: 9) { migration, version in
      #expect(version == 5 && migration.oldVersion == 5)
      try migration.create("Named", value: ["id": 1, "name": "made"])
    }
    #expect(store.objects(MigrationOther.Named.self).map(\.name) == ["made"])
  }
}
