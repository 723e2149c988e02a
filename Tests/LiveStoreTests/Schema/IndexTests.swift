import FoundationEssentials
import Testing

@testable import LiveStore

/// One class as versions of a program declare it that differ in indexes alone.
private enum Unindexed {
  final class Entry: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String = ""
    @Persisted var rank: Int = 0
  }
}

private enum Indexed {
  final class Entry: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted(indexed: true) var name: String = ""
    @Persisted var rank: Int = 0

    override class var indexes: [[AnyKeyPath]] { [[\Entry.rank, \Entry.name], [\Entry.name]] }
  }
}

private enum Wrong {
  final class Entry: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String = ""
    @Persisted var rank: Int = 0
    @Persisted var entries: List<Entry>

    override class var indexes: [[AnyKeyPath]] { [[\Entry.entries]] }
  }
}

@Suite("Indexes")
struct IndexTests {
  fileprivate let file = TestFile()

  fileprivate func open(_ type: Object.Type) throws -> Store {
    try Store(
      Store.Configuration(path: file.path, objectTypes: [type]),
      scheduler: .fileDescriptor(NotificationSource()))
  }

  fileprivate var indexes: String {
    sqlite3(
      file.path, "select name from sqlite_schema where type = 'index' and sql is not null order by name")
  }

  @Test("Indexes follow their declarations without a higher version, and those of other programs stay")
  func declarations() throws {
    try open(Unindexed.Entry.self).close()
    #expect(indexes == "")
    sqlite3(file.path, "create index theirs on Entry (rank); create index Entry_rank on Entry (rank)")
    let store = try open(Indexed.Entry.self)
    #expect(indexes == "Entry_name\nEntry_rank\nEntry_rank_name\ntheirs\n")
    try store.write {
      let entry = Indexed.Entry()
      entry.name = "n"
      store.add(entry)
    }
    #expect(
      sqlite3(file.path, "explain query plan select * from Entry where name = 'x'").contains("Entry_name"))
    store.close()
    try open(Unindexed.Entry.self).close()
    #expect(indexes == "Entry_rank\ntheirs\n")
    #expect(try open(Indexed.Entry.self).objects(Indexed.Entry.self).map(\.name) == ["n"])
  }

  @Test("A program that observes goes on when another adds and drops indexes")
  func running() throws {
    let store = try open(Indexed.Entry.self)
    try store.write {
      for id in 1...3 {
        let entry = Indexed.Entry()
        entry.id = id
        entry.name = "\(9 - id)"
        store.add(entry)
      }
    }
    let entries = Observation(store.objects(Indexed.Entry.self).sorted(by: \.name))
    try store.refresh()
    let other = try open(Unindexed.Entry.self)
    try other.write { other.objects(Unindexed.Entry.self)[0].name = "0" }
    try store.refresh()
    #expect(entries.rows == ["1", "3", "2"])
    try store.write { store.objects(Indexed.Entry.self)[1].name = "99" }
    try store.refresh()
    #expect(entries.rows == ["1", "3", "2"])
    #expect(entries.changes.count == 2)
  }

  @Test("An index over what is no value of the class is refused with a sentence")
  func wrong() throws {
    let error = #expect(throws: StoreError.self) { try open(Wrong.Entry.self) }
    #expect(error?.code == .schema && error?.description.contains("Entry.indexes") == true)
  }
}

private enum Renamed {
  final class Entry: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var title: String = ""
    @Persisted var rank: Int = 0
  }
}

extension IndexTests {
  @Test(
    "The index of a renamed property goes with its name, also one that an earlier migration has left over a constant"
  )
  func renamed() throws {
    try open(Indexed.Entry.self).close()
    sqlite3(file.path, "create index theirs on Entry (name); create index theirRanks on Entry (rank)")
    var configuration = Store.Configuration(
      path: file.path, schemaVersion: 2, objectTypes: [Renamed.Entry.self])
    configuration.migration = { migration, _ in
      try migration.renameProperty(onType: "Entry", from: "name", to: "title")
    }
    try Store(configuration, scheduler: .fileDescriptor(NotificationSource())).close()
    #expect(indexes == "theirRanks\n")
    sqlite3(file.path, "create index \"Entry_name\" on \"Entry\" (\"name\")")
    sqlite3(
      file.path,
      """
      pragma writable_schema = 1;
      update sqlite_schema set sql = 'CREATE INDEX "Entry_name" ON "Entry" ("name")' where name = 'Entry_name'
      """)
    try Store(configuration, scheduler: .fileDescriptor(NotificationSource())).close()
    #expect(indexes == "theirRanks\n")
  }
}
