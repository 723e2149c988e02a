import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

@Suite("The note that a file fits the classes")
struct SchemaStampTests {
  private let file = TestFile()

  /// Opens the file; returns whether its tables were compared with the classes.
  private func opens(
    _ types: [Object.Type] = [Person.self, Dog.self], isReadOnly: Bool = false
  ) throws -> Bool {
    let comparisons = Mutex(0)
    var configuration = Store.Configuration(path: file.path, objectTypes: types)
    configuration.isReadOnly = isReadOnly
    configuration.trace = { statement in
      if statement.sql.contains("dflt_value") { comparisons.withLock { $0 += 1 } }
    }
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    #expect(store.objects(Person.self).count == 0)
    return comparisons.withLock { $0 } > 0
  }

  private static let triggers = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"

  @Test("A file is compared with the classes once, and again after every change of its tables")
  func changes() throws {
    #expect(try opens())
    #expect(try !opens())
    #expect(try !opens(isReadOnly: true))
    sqlite3(file.path, "INSERT INTO Person (id, name) VALUES (7, 'seven'); DELETE FROM Person")
    #expect(try !opens())
    let triggers = sqlite3(file.path, Self.triggers)
    for change in [
      "CREATE TABLE own (x)", "CREATE INDEX own_x ON own (x)",
      "CREATE UNIQUE INDEX own_name ON Person (name)",
      "DROP INDEX own_name", "DROP INDEX own_x", "DROP TABLE own", "DROP TRIGGER \"_livestore_Dog_insert\"",
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'trigger'",
      "ALTER TABLE Person ADD COLUMN note TEXT", "DELETE FROM _livestore_meta WHERE name = 'class Dog'",
    ] {
      sqlite3(file.path, change)
      #expect(try opens(), "after \(change)")
      #expect(try !opens(), "once more after \(change)")
    }
    #expect(sqlite3(file.path, Self.triggers) == triggers)
  }

  @Test("Programs with other classes, and copies, each have their own note; those that are outdated go")
  func programs() throws {
    let others: [Object.Type] = [Person.self, Dog.self, Club.Badge.self]
    #expect(try opens())
    #expect(try opens(others))
    // The new table has changed the file.
    #expect(try opens())
    #expect(try !opens() && !opens(others))
    let notes = "SELECT count(*) FROM _livestore_meta WHERE name GLOB 'fits *'"
    #expect(sqlite3(file.path, notes) == "2\n")
    sqlite3(file.path, "CREATE TABLE own (x)")
    #expect(try opens())
    #expect(sqlite3(file.path, notes) == "1\n")
    sqlite3(file.path, "UPDATE _livestore_meta SET value = x'FF' WHERE name GLOB 'fits *'")
    #expect(try opens())
    #expect(try !opens())
  }

  @Test("A file that another program writes, or that may only be read, is opened without the note")
  func unwritable() throws {
    #expect(try opens())
    sqlite3(file.path, "DELETE FROM _livestore_meta WHERE name GLOB 'fits *'")
    let writer = try Connection(path: file.path, create: false)
    try writer.execute("BEGIN IMMEDIATE")
    #expect(try opens())
    #expect(try opens(isReadOnly: true))
    try writer.execute("COMMIT")
    #expect(try opens(isReadOnly: true))
    #expect(try opens())
    #expect(try !opens(isReadOnly: true))
  }

  /// Files that an earlier version of this library has stamped must be compared with what this one makes.
  @Test("Another trigger or table for the same classes comes with another revision")
  func revision() throws {
    let schema = try Schema(Club.types + [Person.self, Dog.self])
    var tables = schema.loggedTables
    // Those of unique indexes are made only for tables that have such an index.
    for index in tables.indices { tables[index].uniqueKeys = [[(tables[index].columns[0], "BINARY")]] }
    var parts = LogTriggers(tables: tables).all.sorted { $0.key < $1.key }.map(\.value)
    parts += LogTable.creation + [LogTable.pruning.sql, FileSchema.creation]
    let digest = String(FNV1a.hash(parts.joined(separator: "\n").utf8), radix: 16)
    #expect(
      "\(SchemaStamp.revision) \(digest)" == "4 2ab4e7435d76feef",
      "Raise SchemaStamp.revision by one, and note it here with the new digest.")
  }
}
