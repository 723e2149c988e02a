import Foundation
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

@Suite("History, size and inspection of a file")
struct HistoryTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    try file.addPeople(1...3)
    test = try file.open()
  }

  @Test("The changes since a version say which properties of which objects were written, and by whom")
  func changes() throws {
    let version = try store.currentVersion()
    #expect(try store.changes(since: version) == [])
    try store.write {
      test.person(1).age = 5
      test.person(1).name = "n"
      store.add(Dog("a"))
    }
    sqlite3(file.path, "UPDATE Person SET weight = 3 WHERE id = 2; DELETE FROM Person WHERE id = 3")
    try store.refresh()
    let dog = try #require(store.objects(Dog.self).first)
    let own = LoggedChange.Writer.store(store.writerID)
    #expect(
      Set(try #require(try store.changes(since: version))) == [
        LoggedChange(table: "Person", key: .integer(1), properties: ["age", "name"], writer: own),
        LoggedChange(table: "Dog", key: dog.id.sqliteValue, properties: nil, writer: own),
        LoggedChange(table: "Person", key: .integer(2), properties: ["weight"], writer: .other),
        LoggedChange(table: "Person", key: .integer(3), properties: nil, writer: .other),
      ])
    // A version can be kept, and frozen stores have one too.
    let kept = try JSONDecoder().decode(StoreVersion.self, from: JSONEncoder().encode(version))
    let frozen = store.freeze()
    try store.write { test.person(1).age = 6 }
    #expect(try frozen.changes(since: kept)?.count == 4 && store.changes(since: kept)?.count == 5)
    try store.beginWrite()
    test.person(1).age = 7
    #expect(throws: StoreError.self) { try store.currentVersion() }
    store.cancelWrite()
  }

  @Test("The properties are named that were written, by programs that declare them in different orders")
  func reordered() throws {
    let file = TestFile()
    func open(_ type: Object.Type) throws -> Store {
      try TestStore(Store.Configuration(path: file.path, objectTypes: [type])).store
    }
    let first = try open(ReorderedOne.Item.self)
    try first.write { try first.create(ReorderedOne.Item.self, value: ["id": 1]) }
    let version = try first.currentVersion()
    try first.write { first.objects(ReorderedOne.Item.self)[0].name = "n" }
    sqlite3(file.path, "UPDATE Item SET age = 1")
    // While the other one is open.
    let second = try open(ReorderedTwo.Item.self)
    try first.refresh()
    try first.write { first.objects(ReorderedOne.Item.self)[0].name = "m" }
    sqlite3(file.path, "UPDATE Item SET age = 2")
    try second.refresh()
    try second.write { second.objects(ReorderedTwo.Item.self)[0].name = "l" }
    // One that does not know the class makes the triggers too.
    let stranger = try open(ReorderedOne.Other.self)
    sqlite3(file.path, "UPDATE Item SET age = 3")
    stranger.close()
    for store in [first, second, try open(ReorderedOne.Item.self)] {
      try store.refresh()
      let properties = try #require(try store.changes(since: version)).map(\.properties)
      #expect(properties == [["name"], ["age"], ["name"], ["age"], ["name"], ["age"]])
    }
  }

  @Test("A log of a program that numbered the properties otherwise is not read")
  func otherNumbers() throws {
    let version = try store.currentVersion()
    store.close()
    sqlite3(
      file.path,
      """
      UPDATE Person SET age = 8;
      DROP TRIGGER _livestore_Person_update;
      CREATE TRIGGER _livestore_Person_update AFTER UPDATE ON "Person" BEGIN
        INSERT INTO _livestore_log ("table", key, columns) VALUES ('Person', NEW.id, 1); END;
      """)
    #expect(try file.open().store.changes(since: version) == nil)
  }

  @Test(
    "A log lacks changes that were made while the triggers were not there",
    arguments: [
      "DROP TABLE Dog", "DROP TABLE Person_dogs",
      "DROP TRIGGER _livestore_Dog_insert; INSERT INTO Dog (name) VALUES ('Rex')",
    ])
  func withoutTriggers(sql: String) throws {
    try store.write { store.add(Dog("a")) }
    let version = try store.currentVersion()
    sqlite3(file.path, sql)
    // Makes what is missing.
    let other = try file.open()
    #expect(try other.store.changes(since: version) == nil)
    let next = try other.store.currentVersion()
    other.store.close()
    #expect(try file.open().store.changes(since: next) == [])
  }

  @Test("Where the log does not reach back, or the file is another one, there is no answer")
  func lost() throws {
    let version = try store.currentVersion()
    sqlite3(
      file.path,
      "UPDATE Person SET age = age + 1; DELETE FROM _livestore_log WHERE seq < (SELECT max(seq) FROM _livestore_log)"
    )
    try store.refresh()
    #expect(try store.changes(since: version) == nil)
    let other = try TestFile().open().store.currentVersion()
    #expect(try store.changes(since: other) == nil)
    let now = try store.currentVersion()
    sqlite3(file.path, "INSERT INTO _livestore_log (origin) VALUES (NULL)")
    try store.refresh()
    #expect(try store.changes(since: now) == nil)
  }

  @Test("A file can be made smaller while stores observe it, and what is written afterwards is told exactly")
  func compacting() throws {
    let seen = test.observe(test.people)
    let other = try file.open()
    let elsewhere = other.observe(other.people)
    try store.write { test.person(1).photo = Data(count: 3_000_000) }
    try store.write { test.person(1).photo = nil }
    try store.checkpoint()
    let before = try store.fileSizes()
    #expect(before.unused > 2_900_000 && before.database > before.unused && before.log > 0)
    try store.compact()
    #expect(try store.refresh() || store.fileSizes().unused < 100_000)
    #expect(try store.fileSizes().database < 500_000)
    try store.write { test.person(2).age = 77 }
    try store.refresh()
    try other.store.refresh()
    #expect(seen.changes.last == ChangeSet(mod: [1]) && elsewhere.rows == ["1", "2", "3"])
    #expect(elsewhere.changes.last == ChangeSet(mod: [1]) && other.person(2).age == 77)
    try store.beginWrite()
    #expect(throws: StoreError.self) { try store.compact() }
    store.cancelWrite()
    #expect(sqlite3(file.path, "PRAGMA integrity_check") == "ok\n")
  }

  @Test("Statements are reported with their times and without values")
  func tracing() throws {
    let box = TracedStatements()
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.trace = { box.add($0) }
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    try store.write { store.add(Person(id: 9, name: "secret")) }
    let statements = box.all
    #expect(statements.contains { $0.sql.hasPrefix("INSERT INTO \"Person\"") && $0.duration >= 0 })
    #expect(statements.contains { $0.sql == "COMMIT" } && !statements.contains { $0.sql.contains("secret") })
  }

  @Test("The schema can be printed, and the plan of a query")
  func inspecting() throws {
    let schema = try store.schemaDescription()
    #expect(schema.contains("CREATE TABLE \"Person\" (\"id\" INTEGER NOT NULL PRIMARY KEY, \"name\" TEXT"))
    #expect(schema.contains("CREATE INDEX \"Person_friend\"") && !schema.contains("_livestore_"))
    let plan = try test.people.filter(#Predicate { $0.id == 3 }).explain()
    #expect(plan.hasPrefix("SELECT") && plan.contains("SEARCH Person USING INTEGER PRIMARY KEY"))
  }

  @Test(
    "The log is written back while no other can commit, and a file compacted while no other writes it back"
  )
  func upkeepWithLocks() throws {
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.busyTimeout = 50
    let impatient = try TestStore(configuration).store
    try store.write { test.person(1).age = 1 }
    try store.beginWrite()
    #expect(try !impatient.checkpoint())
    store.cancelWrite()
    let other = try Connection(path: file.path, create: false)
    _ = try other.firstValue("SELECT count(*) FROM Person")
    try #require(other.take(.checkpoint))
    let error = #expect(throws: StoreError.self) { try impatient.compact() }
    #expect(error?.code == .busy)
    other.release(.checkpoint)
    try impatient.compact()
  }
}

private final class TracedStatements: Sendable {
  private let statements = Mutex<[TracedStatement]>([])

  func add(_ statement: TracedStatement) { statements.withLock { $0.append(statement) } }
  var all: [TracedStatement] { statements.withLock { $0 } }
}
