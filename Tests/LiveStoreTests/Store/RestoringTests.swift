import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// Classes whose rules forbid most ways from one state of a file to another.
private enum Depot {
  static let types: [Object.Type] = [Crate.self, Label.self, Shelf.self, Note.self]

  final class Crate: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var code: String?
    @Persisted var label: Label?
    @Persisted var labels: List<Label>
    @Persisted var below: Crate?

    override class var rules: [ObjectRule] {
      [
        .unique(\Crate.code), .embeds(\Crate.label), .embeds(\Crate.labels),
        .references(\Crate.below, onDelete: .deny),
      ]
    }
  }

  final class Label: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
  }

  final class Shelf: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var crates: List<Crate>
    @Persisted var main: Shelf?

    override class var rules: [ObjectRule] {
      [.owns(\Shelf.crates), .references(\Shelf.main, onDelete: .cascade), .searchable(\Shelf.name)]
    }
  }

  /// A class that is left as it is.
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var shelf: Shelf?
  }
}

@Suite("A file that goes back to a copy")
struct RestoringTests {
  private let folder = TemporaryFolder()
  private var path: String { folder("test.db") }
  private var copy: String { folder("copy.db") }

  private func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { !$0.contains("-") || $0.contains("before-") && !$0.contains(".partial") }.sorted()
  }

  /// The rows of tables, as other programs find them.
  private func content(_ path: String, _ tables: [String]) -> [String] {
    tables.map { sqlite3(path, "SELECT * FROM \($0) ORDER BY 1") }
  }

  private static let peopleTables = ["Person", "Dog", "Person_dogs"]

  private func configuration(_ version: Int = 1) -> Store.Configuration {
    Store.Configuration(path: path, schemaVersion: version, objectTypes: [Person.self, Dog.self])
  }

  @Test(
    "Whatever has been written since, the file has what the copy has, and observers are told the difference")
  func random() throws {
    try withSeededGenerator { generator in
      for _ in 0..<cases(60, sample: 15) { try RestoringTests().goBackAtRandom(&generator) }
    }
  }

  private func goBackAtRandom(_ generator: inout SeededGenerator) throws {
    let (test, other) = (try TestStore(configuration()), try TestStore(configuration()))
    var writer = RandomWriter(seed: .random(in: 0 ... .max, using: &generator))
    for _ in 0..<writer.int(1..<40) { try test.write { writer.change($0) } }
    try Store.backUp(configuration(), to: copy)
    let saved = content(copy, Self.peopleTables)
    let observations = [test, other].map { $0.observe($0.people) }
    for test in [test, other] { test.turn(milliseconds: 0) }
    for _ in 0..<writer.int(0..<40) { try test.write { writer.change($0) } }
    let before = content(path, Self.peopleTables)
    let former = try test.store.restore(from: copy)
    #expect(content(path, Self.peopleTables) == saved)
    #expect((former == nil) == (before == saved))
    #expect(files() == ["copy.db", "test.db"] + (former == nil ? [] : ["test.db.before-restore"]))
    if let former { #expect(content(former, Self.peopleTables) == before) }
    for (test, people) in zip([test, other], observations) {
      try test.store.refresh()
      #expect(people.rows == test.people.map { "\($0.id)" })
      try test.store.refresh()
    }
    #expect(try test.store.restore(from: copy) == nil)
    // A write that is undone by the next leaves nothing of the way.
    if let former {
      #expect(try test.store.restore(from: former) == path + ".before-restore.2")
      #expect(content(path, Self.peopleTables) == before)
    }
    #expect(sqlite3(path, "PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
  }

  @Test("Only what differs is told")
  func difference() throws {
    let test = try TestStore(configuration())
    try test.write { for id in 1...50 { $0.add(Person(id: id, name: "p\(id)", age: id)) } }
    try Store.backUp(configuration(), to: copy)
    try test.write {
      $0.delete(test.person(3))
      test.person(10).name = "other"
      $0.add(Person(id: 60))
    }
    let people = test.observe(test.people)
    #expect(try test.store.restore(from: copy) != nil)
    try test.store.refresh()
    #expect(people.changes.count == 1)
    let change = people.changes.first
    #expect(change?.deletions == [49] && change?.insertions == [2] && change?.modifications == [8])
  }

  /// Makes a file at random, of few objects, so that two files have many in common.
  private func fill(_ store: Store, _ generator: inout SeededGenerator) throws {
    func any(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    for _ in 0..<any(1..<30) {
      do {
        try store.write {
          switch any(0..<8) {
          case 0, 1:
            let crate = Depot.Crate()
            (crate.id, crate.code) = (any(0..<8), "c\(any(0..<6))")
            store.add(crate)
          case 2:
            let shelf = Depot.Shelf()
            shelf.name = "s\(any(0..<4))"
            store.add(shelf)
          case 3:
            let crates = Array(store.objects(Depot.Crate.self))
            guard let crate = crates.randomElement(using: &generator) else { return }
            let label = Depot.Label()
            (label.id, label.text) = (any(0..<8), "t\(any(0..<3))")
            guard store.object(ofType: Depot.Label.self, forPrimaryKey: label.id) == nil else { return }
            if any(0..<2) == 0 { crate.label = label } else { crate.labels.append(label) }
          case 4:
            let crates = Array(store.objects(Depot.Crate.self))
            crates.randomElement(using: &generator)?.below = crates.randomElement(using: &generator)
          case 5:
            let shelves = Array(store.objects(Depot.Shelf.self))
            guard let crate = store.objects(Depot.Crate.self).first(where: { _ in any(0..<3) == 0 }) else {
              return
            }
            shelves.randomElement(using: &generator)?.crates.insert(crate, at: 0)
          case 6:
            let shelves = Array(store.objects(Depot.Shelf.self))
            shelves.randomElement(using: &generator)?.main = shelves.randomElement(using: &generator)
          default:
            let crates = Array(store.objects(Depot.Crate.self))
            if let crate = crates.randomElement(using: &generator) { store.delete(crate) }
          }
        }
      } catch let error as StoreError where error.isConstraint {
        // The rules forbid it.
      }
    }
  }

  @Test("From any state to any other, whatever the rules of the classes forbid on the way")
  func rules() throws {
    try withSeededGenerator { generator in
      for _ in 0..<cases(300, sample: 60) { try RestoringTests().goToAnotherState(&generator) }
    }
  }

  private func goToAnotherState(_ generator: inout SeededGenerator) throws {
    let test = try TestStore(path, types: Depot.types)
    let other = try TestStore(folder("other.db"), types: Depot.types)
    try fill(test.store, &generator)
    try fill(other.store, &generator)
    try Store.backUp(other.store.configuration, to: copy)
    let note = Depot.Note()
    try test.write {
      note.shelf = $0.objects(Depot.Shelf.self).first
      $0.add(note)
    }
    try test.store.restore(from: copy, leaving: [Depot.Note.self])
    try test.store.refresh()
    let tables = ["Crate", "Crate_labels", "Label", "Shelf", "Shelf_crates"]
    #expect(content(path, tables) == content(copy, tables))
    // The object that stays leads to what is there.
    #expect(test.store.objects(Depot.Note.self).count == 1)
    #expect(sqlite3(path, "PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
    #expect(
      Set(try test.store.search(Depot.Shelf.self, for: "s1").map(\.object.name))
        == Set(test.store.objects(Depot.Shelf.self).map(\.name)).intersection(["s1"]))
  }

  @Test("The columns of other programs come back with the rows, their tables stay")
  func others() throws {
    let test = try TestStore(configuration())
    try test.write { for id in 1...3 { $0.add(Person(id: id)) } }
    sqlite3(
      path, "ALTER TABLE Person ADD COLUMN shoe INTEGER; UPDATE Person SET shoe = 40 + id; CREATE TABLE x(a)")
    try Store.backUp(configuration(), to: copy)
    sqlite3(path, "UPDATE Person SET shoe = 0; DELETE FROM Person WHERE id = 2; INSERT INTO x VALUES (7)")
    #expect(try test.store.restore(from: copy) != nil)
    #expect(sqlite3(path, "SELECT id, shoe FROM Person; SELECT a FROM x") == "1|41\n2|42\n3|43\n7\n")
  }

  @Test("A copy of an older version is brought up to date, and stays as it is")
  func older() throws {
    var old = Store.Configuration(path: copy, objectTypes: MigrationOne.types)
    let before = try TestStore(old)
    try before.write {
      let pet = MigrationOne.Pet()
      (pet.id, pet.name) = (1, "Rex")
      $0.add(pet)
    }
    before.store.close()
    let bytes = try Data(contentsOf: URL(filePath: copy))
    old = Store.Configuration(path: path, schemaVersion: 2, objectTypes: MigrationTwo.types)
    old.migration = { _, _ in }
    let test = try TestStore(old)
    #expect(try test.store.restore(from: copy) == path + ".before-restore")
    #expect(sqlite3(path, "SELECT count(*) FROM Pet") == "1\n")
    #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
    #expect(try test.store.restore(from: copy) == nil)
  }

  @Test("What is no copy of such a file is refused in a sentence, and changes nothing")
  func refused() throws {
    let test = try TestStore(configuration())
    try test.write { for id in 1...500 { $0.add(Person(id: id, name: "p\(id)")) } }
    let before = content(path, Self.peopleTables)
    func expect(_ code: StoreError.Code, _ sentence: String, _ location: SourceLocation = #_sourceLocation) {
      do {
        try test.store.restore(from: copy)
        Issue.record("it was restored", sourceLocation: location)
      } catch {
        #expect(
          error.code == code && error.description.contains(sentence), "\(error)", sourceLocation: location)
      }
      #expect(content(path, Self.peopleTables) == before, sourceLocation: location)
      #expect(
        !files().contains { $0.contains("restore") || $0.contains("partial") }, sourceLocation: location)
    }
    expect(.fileAccess, "“\(copy)” cannot be read: No such file or directory.")
    try Data().write(to: URL(filePath: copy))
    expect(.schema, "“\(copy)” holds no store")
    try Data("Buy milk\n".utf8).write(to: URL(filePath: copy))
    expect(.notADatabase, "not an SQLite database")
    unlink(copy)
    sqlite3(copy, "CREATE TABLE t(a); PRAGMA application_id = 7")
    expect(.otherApplication, "another application")
    unlink(copy)
    try Store.backUp(configuration(), to: copy)
    sqlite3(copy, "PRAGMA user_version = 9")
    expect(.newerVersion, "newer version")
    sqlite3(copy, "PRAGMA user_version = 1")
    let size = try #require(FileManager.default.attributesOfItem(atPath: copy)[.size] as? UInt64)
    try overwrite(copy, at: Int(size) - 4096, with: [UInt8](repeating: 0x77, count: 4096))
    expect(.damaged, "“\(copy)” is damaged")
    // The store is as usable as before.
    try test.write { $0.add(Person(id: 501)) }
    #expect(sqlite3(path, "SELECT count(*) FROM Person") == "501\n")
  }

  @Test("Where another program's unique index forbids the way, nothing has been changed")
  func foreignIndex() throws {
    let test = try TestStore(configuration())
    try test.write { for id in 1...2 { $0.add(Person(id: id, name: "p\(id)")) } }
    try Store.backUp(configuration(), to: copy)
    try test.write { _ in (test.person(1).name, test.person(2).name) = ("p2", "p1") }
    sqlite3(path, "CREATE UNIQUE INDEX names ON Person (name)")
    let before = content(path, Self.peopleTables)
    #expect(throws: StoreError.self) { try test.store.restore(from: copy) }
    #expect(content(path, Self.peopleTables) == before)
    #expect(files() == ["copy.db", "test.db"])
    try test.write { $0.add(Person(id: 3, name: "p3")) }
  }

  @Test("A store in memory goes back to a copy of itself")
  func inMemory() throws {
    let test = try TestStore(memory: "restored")
    try test.write { $0.add(Person(id: 1, name: "one")) }
    try Store.backUp(test.store.configuration, to: copy)
    try test.write { $0.delete(test.person(1)) }
    #expect(try test.store.restore(from: copy) == nil)
    try test.store.refresh()
    #expect(test.person(1).name == "one")
  }
}
