import Programs
import Testing

@testable import LiveStore

@Suite("What other programs have added to a file that is migrated")
struct MigratedForeignPartsTests {
  private let file = TestFile()

  private func migrate() throws(StoreError) -> Store {
    try Store(
      Store.Configuration(path: file.path, schemaVersion: 2, objectTypes: MigrationPlain.types),
      scheduler: .fileDescriptor(NotificationSource()))
  }

  @Test("A trigger stays that writes the name of its table in another case")
  func triggerInOtherCase() throws {
    try file.makeMembers()
    sqlite3(
      file.path,
      """
      CREATE TABLE audit (id);
      CREATE TRIGGER theirs AFTER INSERT ON mEMBER BEGIN INSERT INTO audit VALUES (NEW.id); END
      """)
    let store = try migrate()
    #expect(try store.schemaDescription().contains("CREATE TRIGGER theirs"))
    sqlite3(file.path, "INSERT INTO Member (id) VALUES (8)")
    #expect(sqlite3(file.path, "SELECT id FROM audit") == "8\n")
  }

  @Test("Computed columns stay, with their indexes, as do the constraints of the other columns")
  func computedColumns() throws {
    try file.makeMembers()
    sqlite3(
      file.path,
      """
      ALTER TABLE Member ADD COLUMN "a, (remark" TEXT COLLATE NOCASE /* a, (comment */ CHECK (id <> ',)');
      ALTER TABLE Member ADD COLUMN length INT GENERATED ALWAYS AS (length(lastName)) VIRTUAL;
      ALTER TABLE Member ADD COLUMN twice AS (length * 2); -- the end
      CREATE INDEX by_length ON Member (length);
      UPDATE Member SET "a, (remark" = 'R' || id
      """)
    let store = try migrate()
    let lengths = "SELECT length, twice FROM Member ORDER BY id"
    #expect(sqlite3(file.path, lengths) == "2|4\n2|4\n2|4\n")
    #expect(sqlite3(file.path, "SELECT id FROM Member WHERE \"a, (remark\" = 'r2'") == "2\n")
    #expect(
      sqlite3(file.path, "EXPLAIN QUERY PLAN SELECT id FROM Member WHERE length = 2").contains("by_length"))
    try store.write { store.objects(MigrationPlain.Member.self)[0].lastName = "longer" }
    #expect(sqlite3(file.path, lengths) == "6|12\n2|4\n2|4\n")
  }

  @Test("A stored computed column in the midst of a table stays")
  func storedColumn() throws {
    func open(_ version: Int) throws(StoreError) -> Store {
      try Store(
        Store.Configuration(
          path: file.path, schemaVersion: version,
          objectTypes: [version == 1 ? ReorderedOne.Item.self : ReorderedThree.Item.self]),
        scheduler: .fileDescriptor(NotificationSource()))
    }
    try open(1).close()
    sqlite3(
      file.path,
      """
      DROP TABLE Item;
      CREATE TABLE Item (id INTEGER PRIMARY KEY NOT NULL, [their length] INT AS (length(name)) STORED,
        name TEXT NOT NULL DEFAULT '', age INTEGER NOT NULL DEFAULT 0, UNIQUE (name, age));
      INSERT INTO Item (id, name) VALUES (1, 'abc')
      """)
    try open(1).close()
    let store = try open(2)
    #expect(store.objects(ReorderedThree.Item.self).map(\.name) == ["abc"])
    #expect(sqlite3(file.path, "SELECT \"their length\" FROM Item") == "3\n")
    #expect(sqlite3(file.path, "SELECT name FROM pragma_index_list('Item')") == "sqlite_autoindex_Item_1\n")
  }

  /// Makes the table of items anew, with some constraints and an item.
  private func makeItems(_ constraints: String) throws {
    func open() throws(StoreError) -> Store {
      try Store(
        Store.Configuration(path: file.path, objectTypes: [ReorderedOne.Item.self]),
        scheduler: .fileDescriptor(NotificationSource()))
    }
    try open().close()
    sqlite3(
      file.path,
      """
      DROP TABLE Item;
      CREATE TABLE Item (id INTEGER NOT NULL, name TEXT NOT NULL DEFAULT '', age INTEGER NOT NULL DEFAULT 0,
        code ANY, maker INTEGER, PRIMARY KEY (id), \(constraints);
      INSERT INTO Item (id, name, code) VALUES (1, 'abc', '007')
      """)
    try open().close()
  }

  private func migrateItems(
    _ migration: @escaping @Sendable (Migration, Int) throws -> Void = { _, _ in }
  ) throws -> Store {
    var configuration = Store.Configuration(
      path: file.path, schemaVersion: 2, objectTypes: [ReorderedFour.Item.self])
    configuration.migration = migration
    return try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
  }

  @Test("Constraints of a table stay, with the new names of columns, and so does what STRICT says")
  func constraints() throws {
    try makeItems(
      """
      UNIQUE (name, age), /* name */ CONSTRAINT "name, age" CHECK (name <> 'name' OR "age" = 0)
        CHECK (code <> name), FOREIGN KEY (maker) REFERENCES makers (name)
      ) STRICT -- the end

      """)
    let store = try migrateItems { migration, _ in
      try migration.renameProperty(onType: "Item", from: "name", to: "title")
    }
    #expect(store.objects(ReorderedFour.Item.self).map(\.title) == ["abc"])
    #expect(sqlite3(file.path, "SELECT typeof(code), code FROM Item") == "text|007\n")
    let refused = [
      "UNIQUE": "2, 'abc', 0, 1, NULL", "name, age": "2, 'name', 1, 1, NULL",
      "CHECK": "2, 'c', 0, 'c', NULL", "cannot store": "2, 'd', 'e', 1, NULL",
      "FOREIGN": "2, 'd', 0, 1, 1",
    ]
    sqlite3(file.path, "CREATE TABLE makers (name INTEGER PRIMARY KEY)")
    for (word, values) in refused {
      let sql =
        "PRAGMA foreign_keys = ON; INSERT INTO Item (id, title, age, code, maker) VALUES (\(values))"
      let message = try Program(["sqlite3", file.path, sql]).run().output
      #expect(message.contains(word), "\(message)")
    }
    try store.write {
      let item = ReorderedFour.Item()
      (item.id, item.title) = (2, "d")
      store.add(item)
    }
    store.close()
    #expect(try migrateItems().objects(ReorderedFour.Item.self).count == 2)
  }

  @Test("A constraint of a removed column, or one that rows break, keeps the file from being migrated")
  func lostConstraints() throws {
    try makeItems("CHECK (age < 10 AND [name] <> ''))")
    let error = #expect(throws: StoreError.self) { try migrateItems() }
    #expect(error?.description.contains("“CHECK (age < 10 AND [name] <> '')”") == true, "\(error as Any)")
    let broken = #expect(throws: StoreError.self) {
      try migrateItems { migration, _ in
        try migration.renameProperty(onType: "Item", from: "name", to: "title")
        try migration.enumerateObjects(ofType: "Item") { $1?["age"] = 10 }
      }
    }
    #expect(
      broken?.description.contains("that break a rule of the table: age < 10") == true, "\(broken as Any)")
    #expect(sqlite3(file.path, "SELECT name FROM Item; PRAGMA user_version") == "abc\n1\n")
  }

  @Test("A column that is computed from a removed one keeps the file from being migrated, with what to do")
  func computedFromRemoved() throws {
    try file.makeMembers()
    sqlite3(file.path, "ALTER TABLE Member ADD COLUMN initial AS (substr(firstName, 1, 1))")
    let error = #expect(throws: StoreError.self) { try migrate() }
    #expect(
      error?.description.contains("“initial”") == true && error?.description.contains("Member") == true
        && error?.code == .schema, "\(error?.description ?? "")")
    #expect(sqlite3(file.path, "SELECT initial FROM Member; PRAGMA user_version") == "F\nF\nF\n1\n")
    sqlite3(file.path, "ALTER TABLE Member DROP COLUMN initial")
    #expect(try migrate().objects(MigrationPlain.Member.self).count == 3)
  }
}
