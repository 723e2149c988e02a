import Dispatch
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// Classes of one name as successive versions of a program declare them.
private enum First {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var text: String = ""
  }
}

private enum Third {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var tag: UUID = UUID()
    @Persisted var made: Date = Date()
    @Persisted var chance: Int = Int.random(in: 1...1_000_000_000)
    @Persisted var mood: Mood = .eager
    @Persisted var picture: Data = Data([1, 2])
    @Persisted var text: String = ""
  }
}

private enum Second {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var stars: Int = 3
    @Persisted var text: String = ""
    @Persisted var author: Author?
    @Persisted var readers: List<Author>
  }

  final class Author: Object {
    @Persisted(primaryKey: true) var id: UUID = UUID()
    @Persisted var name: String = ""
  }
}

@Suite("Opening and preparing files")
struct SchemaFileTests {
  private let file = TestFile()

  private func open(
    _ path: String? = nil, version: Int = 1, types: [Object.Type] = [Person.self, Dog.self],
    application: Int32? = nil
  ) throws(StoreError) -> Store {
    var configuration = Store.Configuration(
      path: path ?? file.path, schemaVersion: version, objectTypes: types)
    if let application { configuration.applicationID = application }
    return try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
  }

  private func bytes(_ path: String) -> Data? {
    // Only while no store of this process has the file open: closing it drops SQLite's locks.
    let descriptor = Glibc.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return data }
      data.append(contentsOf: buffer.prefix(count))
    }
  }

  private func write(_ bytes: [UInt8], to path: String) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  /// Expects the file to be refused with a sentence that names it, and to be as it was.
  private func expectRefusal(
    _ code: StoreError.Code, version: Int = 1, types: [Object.Type] = [Person.self, Dog.self],
    application: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = bytes(file.path)
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try open(version: version, types: types, application: application)
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(
      error?.description.contains(file.path) == true, "\(error?.description ?? "")",
      sourceLocation: sourceLocation)
    #expect(error?.description.hasSuffix(".") == true, sourceLocation: sourceLocation)
    #expect(bytes(file.path) == before, "the file has changed", sourceLocation: sourceLocation)
    for suffix in ["-wal", "-shm", "-live", "-journal"] {
      #expect(access(file.path + suffix, F_OK) != 0, "\(suffix) was left", sourceLocation: sourceLocation)
    }
  }

  // MARK: Refusals

  @Test("A file of another application is refused and left as it was")
  func otherApplication() throws {
    sqlite3(file.path, "pragma application_id = 77; create table Person (id); insert into Person values (1)")
    expectRefusal(.otherApplication)
    sqlite3(file.path, "pragma journal_mode = wal; insert into Person values (2)")
    expectRefusal(.otherApplication)
  }

  @Test("A database without an application's mark that has tables is another's too")
  func unmarked() throws {
    sqlite3(file.path, "create table Person (id); insert into Person values (1)")
    expectRefusal(.otherApplication)
  }

  @Test("A store's own file is refused when the application asks for another mark")
  func ownOther() throws {
    try file.addPeople(1...3)
    #expect(sqlite3(file.path, "pragma application_id") == "\(Store.Configuration.defaultApplicationID)\n")
    unlink(file.path + "-live")
    expectRefusal(.otherApplication, application: 4711)
  }

  @Test("A file of a newer version is refused and left as it was")
  func newerVersion() throws {
    try open(version: 7).close()
    unlink(file.path + "-live")
    expectRefusal(.newerVersion, version: 6)
    try open(version: 7).close()
    try open(version: 8).close()
  }

  @Test("Random bytes and a damaged header are no database", arguments: [2, 99, 100, 512, 4096, 100_000])
  func notADatabase(_ count: Int) throws {
    var random = SeededGenerator()
    write((0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }, to: file.path)
    expectRefusal(.notADatabase)
  }

  @Test("An empty file is a new store")
  func emptyFile() throws {
    write([], to: file.path)
    let store = try open()
    try store.write { store.add(Person(id: 1)) }
    #expect(store.objects(Person.self).count == 1)
  }

  @Test("A folder, and a path in a folder that does not exist, are refused with a sentence")
  func noFile() throws {
    let folder = String(file.path.dropLast("/test.db".count))
    for path in [folder, folder + "/missing/test.db", "/dev/null", ""] {
      let error = #expect(throws: StoreError.self) { try open(path) }
      #expect(error?.code == .fileAccess, "\(path): \(error?.description ?? "")")
      #expect(error?.description.contains("“\(path)”") == true)
    }
    #expect(access(folder + "/missing", F_OK) != 0)
  }

  @Test(
    "A file that may not be read or written is refused", .enabled(if: getuid() != 0, "root may do everything")
  )
  func forbidden() throws {
    try file.addPeople(1...3)
    for mode: mode_t in [0, 0o400, 0o200] {
      chmod(file.path, mode)
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.code == .fileAccess)
    }
    chmod(file.path, 0o600)
    try open().close()
  }

  // MARK: New files

  @Test("A new file and what lies beside it may be read by its owner only, whatever the umask")
  func mode() throws {
    let store = try open()
    try store.write { store.add(Person(id: 1)) }
    for suffix in ["", "-wal", "-shm", "-live"] {
      let status = try #require(fileStatus(file.path + suffix), "\(suffix) is missing")
      #expect(status.permissions == 0o600, "\(suffix): \(String(status.permissions, radix: 8))")
    }
  }

  @Test("A prepared file is opened again without being written")
  func secondOpen() throws {
    try open().close()
    let before = bytes(file.path)
    try open().close()
    #expect(bytes(file.path) == before)
  }

  @Test("Several processes and threads that prepare the same new file at once all get it")
  func together() throws {
    for round in 0..<5 {
      let file = TestFile()
      let peers = try (0..<3).map { try Peer.start([file.path, "\(round * 3 + $0)", "1"]) }
      let path = file.path
      DispatchQueue.concurrentPerform(iterations: 3) { _ in
        recordingErrors {
          let store = try Store(
            Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]),
            scheduler: .fileDescriptor(NotificationSource()))
          #expect(store.objects(Person.self).count >= 0)
          store.close()
        }
      }
      for peer in peers { #expect(peer.waitForEnd() == 0) }
    }
  }

  // MARK: Newer classes

  @Test("A raised version adds the class and the columns that are missing, wherever they stand in the class")
  func migration() throws {
    let old = try open(types: [First.Note.self])
    try old.write {
      for id in 1...3 {
        let note = First.Note()
        note.id = id
        note.text = "n\(id)"
        old.add(note)
      }
    }
    old.close()
    let source = NotificationSource()
    let new = try Store(
      Store.Configuration(
        path: file.path, schemaVersion: 2, objectTypes: [Second.Note.self, Second.Author.self]),
      scheduler: .fileDescriptor(source))
    let notes = new.objects(Second.Note.self)
    #expect(notes.map(\.text) == ["n1", "n2", "n3"])
    #expect(notes.map(\.stars) == [3, 3, 3])
    #expect(sqlite3(file.path, "pragma user_version") == "2\n")

    // The observed values, in the order of the columns that the class has now.
    let byText = Observation(notes.sorted(by: \.text))
    let byStars = Observation(notes.sorted(by: \.stars))
    try new.refresh()
    try new.write {
      notes[0].stars = 9
      let author = Second.Author()
      notes[1].author = author
      notes[2].readers.append(author)
    }
    try new.refresh()
    #expect(byText.change == ChangeSet(mod: [0, 1, 2]))
    #expect(byStars.rows == ["2", "3", "1"])
    sqlite3(file.path, "update Note set stars = 1 where id = 3; update Note set text = 'a' where id = 2")
    try new.refresh()
    #expect(byText.rows == ["2", "1", "3"])
    #expect(byStars.rows == ["3", "2", "1"])
    try new.write {
      notes[0].text = "zz"
      new.delete(notes[1])
    }
    #expect(notes.sorted(by: \.text).map(\.id) == [3, 1])
    try new.refresh()
    #expect(byText.rows == ["3", "1"])
    #expect(byStars.rows == ["3", "1"])
    sqlite3(file.path, "insert into Note (id) values (8); update Note set stars = 0 where id = 8")
    try new.refresh()
    #expect(byStars.rows == ["8", "3", "1"])
    #expect(notes.map(\.text) == ["zz", "n3", ""])
  }

  @Test("A write and its cancel in a file whose columns stand in another order put back what was")
  func migratedCancel() throws {
    let old = try open(types: [First.Note.self])
    try old.write {
      let note = First.Note()
      note.id = 1
      note.text = "n1"
      old.add(note)
    }
    old.close()
    let new = try open(version: 2, types: [Second.Note.self, Second.Author.self])
    let notes = new.objects(Second.Note.self).sorted(by: \.text)
    #expect(notes.count == 1 && notes[0].text == "n1")
    let skipper = Observation(notes)
    let other = Observation(notes)
    try new.refresh()
    try new.write(withoutNotifying: [skipper.token].compactMap { $0 }) {
      notes[0].text = "n2"
      notes[0].stars = 5
    }
    try new.write { notes[0].text = "n1" }
    try new.refresh()
    #expect(skipper.changes == [ChangeSet(mod: [0])])
    #expect(other.changes == [ChangeSet(mod: [0]), ChangeSet(mod: [0])])
    try new.beginWrite()
    notes[0].text = "x"
    new.cancelWrite()
    #expect(notes[0].text == "n1" && notes[0].stars == 5)
  }

  @Test("Columns with defaults that differ from object to object are added too, each with its own")
  func migrationWithComputedDefaults() throws {
    let old = try open(types: [First.Note.self])
    try old.write {
      for id in 1...2 {
        let note = First.Note()
        note.id = id
        old.add(note)
      }
    }
    old.close()
    let new = try open(version: 2, types: [Third.Note.self])
    let notes = new.objects(Third.Note.self)
    #expect(notes.count == 2)
    for note in notes {
      #expect(note.chance > 0 && abs(note.made.timeIntervalSinceNow) < 3600)
      #expect(note.mood == .eager && note.picture == Data([1, 2]))
    }
    #expect(Set(notes.map(\.tag)).count == 2 && Set(notes.map(\.chance)).count == 2)
  }

  @Test("A missing column without a raised version is an error that says what to do; the file is as it was")
  func missingColumn() throws {
    try open(types: [First.Note.self]).close()
    unlink(file.path + "-live")
    let before = bytes(file.path)
    let error = #expect(throws: StoreError.self) {
      try open(types: [Second.Note.self, Second.Author.self])
    }
    #expect(error?.code == .schema)
    #expect(error?.description.contains("Note.stars") == true)
    #expect(error?.description.contains("raise the schema version") == true)
    #expect(bytes(file.path) == before)
    try open(types: [First.Note.self]).close()
  }

  @Test("A class that is missing in the file is added without a raised version")
  func addedClass() throws {
    try open(types: [Dog.self]).close()
    let store = try open(types: [Person.self, Dog.self])
    try store.write { store.add(Person(id: 1)) }
    #expect(store.objects(Person.self).count == 1)
  }

  @Test("A store that knows fewer classes goes on beside one that knows more")
  func fewerClasses() throws {
    let all = try file.observer()
    let some = try TestStore(file.path, types: [Dog.self])
    let dogs = some.observe(some.store.objects(Dog.self))
    try all.write { store in
      store.add(Person(id: 1))
      all.person(1).dogs.append(Dog("Rex"))
    }
    #expect(some.turns { !dogs.changes.isEmpty })
    let people = all.observe(all.people)
    try some.write { $0.delete(some.store.objects(Dog.self)[0]) }
    #expect(all.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [0])])
    #expect(all.person(1).dogs.isEmpty)
    #expect(sqlite3(file.path, "pragma foreign_key_check") == "")
  }

  @Test("A program that knows fewer classes leaves the triggers that others need")
  func fewerClassesTriggers() throws {
    let all = try file.observer()
    try all.write { store in
      store.add(Person(id: 1))
      all.person(1).dogs.append(Dog("Rex"))
    }
    let triggers = sqlite3(file.path, "select sql from sqlite_schema where type = 'trigger' order by name")
    let some = try TestStore(file.path, types: [Dog.self])
    withExtendedLifetime(some) {}
    #expect(
      sqlite3(file.path, "select sql from sqlite_schema where type = 'trigger' order by name") == triggers)
    sqlite3(file.path, "delete from Dog")
    #expect(sqlite3(file.path, "pragma foreign_key_check") == "")
  }

  @Test("Classes that cannot be stored are refused with a sentence")
  func badClasses() throws {
    final class NoKey: Object {
      @Persisted var text: String = ""
    }
    final class TwoKeys: Object {
      @Persisted(primaryKey: true) var a: Int = 0
      @Persisted(primaryKey: true) var b: Int = 0
    }
    for types: [Object.Type] in [
      [NoKey.self], [TwoKeys.self], [Person.self], [First.Note.self, Second.Note.self, Second.Author.self],
    ] {
      let error = #expect(throws: StoreError.self) { try open(types: types) }
      #expect(error?.code == .schema)
      #expect(access(file.path, F_OK) != 0)
    }
  }

  // MARK: In memory

  @Test("Stores in memory with one name share what is in them, which is gone with the last of them")
  func memory() throws {
    func open(_ name: String) throws -> TestStore { try TestStore(memory: name) }
    let name = "a name/with ‘signs’ \(UUID())"
    do {
      let a = try open(name)
      let b = try open(name)
      let other = try open(name + "2")
      let people = b.observe(b.people)
      try a.write { $0.add(Person(id: 1)) }
      #expect(b.turns { people.rows == ["1"] })
      #expect(other.people.isEmpty)
      a.store.close()
      #expect(b.people.count == 1)
      let c = try open(name)
      #expect(c.people.count == 1)
    }
    let again = try open(name)
    #expect(again.people.isEmpty)
  }

  @Test("A store in memory leaves no file behind")
  func memoryFiles() throws {
    let folder: String
    do {
      let test = try TestStore(memory: "left \(UUID())")
      try test.write { $0.add(Person(id: 1)) }
      folder = String(sqlitePath(test.store).dropLast("/store.db".count))
      #expect(access(folder, F_OK) == 0)
    }
    #expect(access(folder, F_OK) != 0)
  }

  private func sqlitePath(_ store: Store) -> String {
    store.unfailing { () throws(StoreError) in
      guard
        case .text(let path)? = try store.front.connection.firstValue("SELECT file FROM pragma_database_list")
      else { return "" }
      return path
    }
  }
}
