import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// The statements and the knowledge that a store has of its tables must not outlive them.
@Suite("Tables that another program changes between two writes")
struct ChangedTableTests {
  private let file = TestFile()

  /// Makes a table anew, with its rows and triggers, from the definitions of its columns.
  private func recreate(
    _ table: String, _ definitions: String, _ columns: String, in file: TestFile? = nil
  ) {
    let database = TestDatabase(path: (file ?? self.file).path)
    let triggers = database.rows(
      "SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND tbl_name = '\(table)' "
        + "AND sql NOT NULL")
    database.rows("PRAGMA legacy_alter_table = ON")
    database.rows("BEGIN IMMEDIATE")
    database.rows("CREATE TABLE new (\(definitions))")
    database.rows("INSERT INTO new (\(columns)) SELECT \(columns) FROM \(table)")
    database.rows("DROP TABLE \(table)")
    database.rows("ALTER TABLE new RENAME TO \(table)")
    for trigger in triggers {
      if case .text(let sql) = trigger[0] { database.rows(sql) }
    }
    database.rows("COMMIT")
  }

  /// Writes of every kind by one store, followed by another that observes.
  private func check() throws {
    let writer = try file.open()
    let reader = try file.open()
    let people = reader.store.objects(Person.self).sorted(by: \.age)
    var called = 0
    var changes = 0
    let token = people.observe { change in
      called += 1
      if case .update(_, let set) = change {
        changes += set.deletions.count + set.insertions.count + set.modifications.count
      }
    }
    #expect(reader.turns { called == 1 })
    let first = writer.store.object(ofType: Person.self, forPrimaryKey: 1)
    for round in 0..<3 {
      let id = 10 + round
      let before = changes
      try writer.store.write {
        writer.store.add(Person(id: id, name: "added", age: id))
        first?.name = "named \(round)"
      }
      #expect(reader.turns { changes == before + 2 }, "round \(round)")
      #expect(reader.store.object(ofType: Person.self, forPrimaryKey: id)?.name == "added")
      #expect(reader.store.object(ofType: Person.self, forPrimaryKey: 1)?.name == "named \(round)")
      try writer.store.write {
        guard let added = writer.store.object(ofType: Person.self, forPrimaryKey: id) else { return }
        writer.store.delete(added)
      }
      #expect(reader.turns { changes == before + 3 }, "round \(round)")
      #expect(reader.store.object(ofType: Person.self, forPrimaryKey: id) == nil)
      // The next round writes into other tables than those for which the statements were prepared.
      if round == 0 {
        recreate(
          "Person",
          "name TEXT NOT NULL DEFAULT '', extra, id INTEGER PRIMARY KEY, age INTEGER NOT NULL DEFAULT 0, "
            + "weight REAL NOT NULL DEFAULT 0, isAdmin INTEGER NOT NULL DEFAULT 0, born TEXT, photo BLOB, "
            + "badge TEXT, "
            + "mood TEXT NOT NULL DEFAULT 'calm', nickname TEXT, friend INTEGER",
          "id, name, age, weight, isAdmin, born, photo, badge, mood, nickname, friend")
      } else if round == 1 {
        // The key is no longer what SQLite numbers the rows with.
        recreate(
          "Person",
          "id INT PRIMARY KEY, age NUMERIC NOT NULL DEFAULT 0, name TEXT NOT NULL DEFAULT '', "
            + "weight REAL NOT NULL DEFAULT 0, isAdmin INTEGER NOT NULL DEFAULT 0, born TEXT, photo BLOB, "
            + "badge TEXT, "
            + "mood TEXT NOT NULL DEFAULT 'calm', nickname TEXT, friend INTEGER",
          "id, name, age, weight, isAdmin, born, photo, badge, mood, nickname, friend")
      }
    }
    token.invalidate()
  }

  @Test("A table made anew, with its columns in another order and another kind of key")
  func recreated() throws {
    let test = try file.open()
    try test.store.write {
      for id in 1...3 { test.store.add(Person(id: id, name: "p\(id)", age: id)) }
    }
    test.store.close()
    try check()
  }

  @Test("Computed columns before those of the class do not shift what is known of a row before its change")
  func computed() throws {
    for kind in ["STORED", "VIRTUAL"] {
      let file = TestFile()
      var test = try TestStore(file.path, types: [ReorderedOne.Item.self], keeping: file)
      try test.store.write {
        for id in 1...3 { try test.store.create(ReorderedOne.Item.self, value: ["id": id, "age": id]) }
      }
      test.store.close()
      sqlite3(
        file.path,
        """
        ALTER TABLE Item RENAME TO Old;
        CREATE TABLE Item (length INT AS (length(name)) \(kind), id INTEGER PRIMARY KEY NOT NULL,
          initial TEXT AS (substr(name, 1, 1)) \(kind), name TEXT NOT NULL DEFAULT '',
          age INTEGER NOT NULL DEFAULT 0);
        INSERT INTO Item (id, name, age) SELECT id, name, age FROM Old;
        DROP TABLE Old
        """)
      test = try TestStore(file.path, types: [ReorderedOne.Item.self], keeping: file)
      let store = test.store
      sqlite3(
        file.path,
        "CREATE TRIGGER theirs AFTER UPDATE OF name ON Item BEGIN "
          + "UPDATE Item SET age = age + 100 WHERE id = NEW.id; END")
      let byAge = store.objects(ReorderedOne.Item.self).sorted(by: \.age)
      var changeSets: [ChangeSet] = []
      var isReady = false
      let token = byAge.observe { change in
        isReady = true
        if case .update(_, let changes) = change { changeSets.append(changes) }
      }
      defer { token.invalidate() }
      #expect(test.turns { isReady })
      let version = try store.currentVersion()
      try store.write {
        store.objects(ReorderedOne.Item.self)[0].name = "new"
        #expect(byAge.map(\.id) == [2, 3, 1])
      }
      #expect(test.turns { !changeSets.isEmpty } && byAge.map(\.id) == [2, 3, 1], "\(kind)")
      let changes = try #require(try store.changes(since: version))
      #expect(changes.map(\.properties) == [["name", "age"]], "\(kind)")
    }
  }

  @Test("In a table WITHOUT ROWID a write says which computed column has to be the last")
  func computedWithoutRowNumbers() throws {
    for kind in ["STORED", "VIRTUAL"] {
      let file = TestFile()
      var test = try file.open()
      try test.store.write { test.store.add(Dog("Rex")) }
      let rex = try #require(test.store.objects(Dog.self).first?.id)
      test.store.close()
      recreate(
        "Dog",
        "length INT AS (length(name)) \(kind), id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) "
          + "WITHOUT ROWID --",
        "id, name", in: file)
      test = try file.open()
      let store = test.store
      func rename() throws {
        try store.write { store.object(ofType: Dog.self, forPrimaryKey: rex)?.name = "Max" }
      }
      if kind == "STORED" {
        sqlite3(
          file.path,
          "ALTER TABLE Dog ADD COLUMN twice AS (length * 2); ALTER TABLE Dog ADD COLUMN remark")
        try rename()
        #expect(sqlite3(file.path, "SELECT name, length FROM Dog") == "Max|3\n")
      } else {
        let error = #expect(throws: StoreError.self) { try rename() }
        #expect(error?.description.contains("column length before others of Dog") == true)
      }
    }
  }

  @Test("A table made anew is opened however its row number and its types are written")
  func writtenOtherwise() throws {
    for definitions in [
      "id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '', age INTEGER NOT NULL DEFAULT 0",
      "id integer not null primary key, name text not null default '', age integer not null default 0",
      "id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, extra ANY) STRICT --",
    ] {
      let file = TestFile()
      var test = try TestStore(file.path, types: [ReorderedOne.Item.self], keeping: file)
      try test.store.write { try test.store.create(ReorderedOne.Item.self, value: ["id": 1, "name": "n"]) }
      test.store.close()
      recreate("Item", definitions, "id, name, age", in: file)
      test = try TestStore(file.path, types: [ReorderedOne.Item.self], keeping: file)
      try test.store.write { test.store.objects(ReorderedOne.Item.self)[0].age = 3 }
      test.store.close()
      let migrated = try TestStore(
        Store.Configuration(path: file.path, schemaVersion: 2, objectTypes: [ReorderedThree.Item.self]))
      #expect(migrated.store.objects(ReorderedThree.Item.self).map(\.age) == [3])
    }
  }

  @Test("A table whose primary key has become that of several columns is refused")
  func keyOfSeveral() throws {
    let test = try TestStore(file.path, types: [ReorderedOne.Item.self], keeping: file)
    test.store.close()
    recreate(
      "Item", "id INTEGER NOT NULL, name TEXT NOT NULL, age INTEGER NOT NULL, PRIMARY KEY (id, name)",
      "id, name, age")
    let error = #expect(throws: StoreError.self) {
      try TestStore(file.path, types: [ReorderedOne.Item.self])
    }
    #expect(error?.description.contains("The primary key of Item is missing") == true, "\(error as Any)")
  }

  @Test(
    "What has the name of a missing table is named, in whatever case that is written",
    arguments: [
      ("CREATE VIEW dog AS SELECT 1 AS id", "a view named dog"),
      ("CREATE TABLE own (x); CREATE INDEX Dog ON own (x)", "an index named Dog"),
      ("CREATE TABLE DOG (id TEXT PRIMARY KEY, name TEXT)", "give it back that name"),
      ("CREATE VIRTUAL TABLE Dog USING fts5(name)", "a table named Dog"),
    ])
  func takenName(sql: String, words: String) throws {
    try file.open().store.close()
    sqlite3(file.path, "DROP TABLE Dog; \(sql)")
    let error = #expect(throws: StoreError.self) { try file.open() }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("A row that an insert replaces by a constraint of another program is told of")
  func replaced() throws {
    let test = try file.open()
    try test.store.write { test.store.add(Dog("Rex")) }
    recreate("Dog", "id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE ON CONFLICT REPLACE", "id, name")
    try test.store.refresh()
    let rex = test.store.objects(Dog.self).first
    try test.store.write { test.store.add(Dog("Rex")) }
    #expect(rex?.isInvalidated == true)
    #expect(test.store.objects(Dog.self).count == 1)
  }
}
