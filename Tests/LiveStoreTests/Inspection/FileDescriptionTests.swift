import FoundationEssentials
import Glibc
import Testing

@testable import LiveStore

private final class Note: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var weight: Double?
  @Persisted var topic: Topic?
  @Persisted var related: List<Note>

  override class var rules: [ObjectRule] { [.searchable(\Note.text), .index(\Note.weight)] }
}

private final class Topic: Object {
  @Persisted(primaryKey: true) var name = ""
}

@Suite("The description of a file")
struct FileDescriptionTests {
  private let file = TestFile()

  private func makeNotes() throws -> TestStore {
    let test = try TestStore(file.path, types: [Note.self, Topic.self], keeping: file)
    try test.store.write {
      let notes = (0..<3).map { number in
        let note = Note()
        note.id = number
        return note
      }
      for note in notes { test.store.add(note) }
      notes[0].related.append(contentsOf: notes[1...])
    }
    return test
  }

  @Test("Classes with properties, counts and indexes, the tables of others, the log and who has it open")
  func whole() throws {
    let test = try makeNotes()
    sqlite3(file.path, "create table audit (line text)")
    let described = try FileDescription(path: file.path)
    #expect(described.classes.map(\.name) == ["Note", "Topic"])
    #expect(described.classes.map(\.objectCount) == [3, 0])
    let note = described.classes[0]
    #expect(
      note.properties.map { "\($0.name) \($0.kind) \($0.type) \($0.isOptional) \($0.isPrimaryKey)" } == [
        "id value INTEGER false true", "text value TEXT false false", "weight value REAL true false",
        "topic link Topic true false", "related list Note false false",
      ])
    #expect(note.properties.map(\.entryCount) == [nil, nil, nil, nil, 2])
    #expect(note.isSearchable && !described.classes[1].isSearchable)
    #expect(note.indexes.contains { $0.contains("weight") })
    #expect(described.otherTables == ["audit"])
    #expect(described.schemaVersion == 1 && described.sizes.database > 0)
    let log = try #require(described.log)
    #expect(log.newestVersion - log.oldestVersion == Int64(log.changeCount) && log.changeCount > 0)
    #expect(described.processes.map(\.processID) == [getpid()])
    let decoded = String(decoding: try JSONEncoder().encode(described), as: UTF8.self)
    #expect(decoded.contains(#""entryCount":2"#))
    withExtendedLifetime(test) {}
  }

  @Test("Processes that observe are told from those that only have the file open")
  func processes() throws {
    let test = try makeNotes()
    let token = test.store.objects(Note.self).observe { _ in }
    test.turn()
    #expect(try FileDescription(path: file.path).processes.map(\.isObserver) == [true])
    token.invalidate()
    let other = TestFile()
    sqlite3(other.path, "create table t (x)")
    #expect(try FileDescription(path: other.path).processes == [])
    let reader = open(other.path, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    #expect(try FileDescription(path: other.path).processes.map(\.isObserver) == [false])
  }

  @Test("A file of another program has no classes, and one that is none is an error")
  func others() throws {
    sqlite3(file.path, "create table t (x); insert into t values (1)")
    let described = try FileDescription(path: file.path)
    #expect(described.classes == [] && described.otherTables == ["t"] && described.log == nil)
    let text = String(file.path.dropLast(3)) + ".txt"
    try Data("no database at all, but long enough to have a header of a hundred bytes".utf8).write(
      to: URL(filePath: text))
    #expect(throws: StoreError.self) { try FileDescription(path: text) }
    let missing = #expect(throws: StoreError.self) { try FileDescription(path: file.path + "x") }
    #expect(missing?.description.contains("cannot be read: No such file") == true)
    #expect(access(file.path + "x", F_OK) != 0)
  }

  @Test("What a program's classes would change in a file is told, and nothing is changed")
  func pendingMigration() throws {
    try file.makeMembers()
    let before = try Data(contentsOf: URL(filePath: file.path))
    func pending(_ version: Int, _ types: [Object.Type]) throws -> [String] {
      try Store.pendingMigration(
        of: Store.Configuration(path: file.path, schemaVersion: version, objectTypes: types))
    }
    #expect(try pending(1, MigrationOne.types) == [])
    let sentences = try pending(2, MigrationTwo.types)
    #expect(sentences.first == "The file has schema version 1, and the classes have 2.")
    #expect(sentences.contains("Member.fullName has been added."), "\(sentences)")
    #expect(sentences.contains("Member.age is stored as INTEGER and was stored as TEXT."), "\(sentences)")
    #expect(try pending(1, MigrationOne.types + [Topic.self]) == ["Topic is a new class."])
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    #expect(
      try pending(1, [UniqueMembers.Member.self, MigrationOne.Pet.self]) == [
        "Member has a new rule: no two objects have the same lastName and firstName."
      ])
    sqlite3(file.path, "pragma user_version = 9")
    let newer = #expect(throws: StoreError.self) { try pending(2, MigrationTwo.types) }
    #expect(newer?.code == .newerVersion)
  }
}

private enum UniqueMembers {
  final class Member: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var firstName: String = ""
    @Persisted var lastName: String = ""
    @Persisted var age: String = ""
    @Persisted var nickname: String?
    @Persisted var pet: MigrationOne.Pet?
    @Persisted var pets: List<MigrationOne.Pet>

    override class var rules: [ObjectRule] { [.unique(\Member.lastName, \Member.firstName)] }
  }
}
