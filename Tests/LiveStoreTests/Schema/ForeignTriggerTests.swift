import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Triggers and unique indexes of other programs")
struct ForeignTriggerTests {
  private let file = TestFile()
  private let test: TestStore

  init() throws {
    test = try file.open()
    try test.store.write {
      for id in 1...4 { test.store.add(Person(id: id, name: "p\(id)", age: id)) }
    }
  }

  private func person(_ id: Int) throws -> Person {
    try #require(test.store.object(ofType: Person.self, forPrimaryKey: id))
  }

  private static let audit = """
    CREATE TABLE audit (what TEXT);
    CREATE TRIGGER audited_update AFTER UPDATE ON Person BEGIN INSERT INTO audit VALUES ('update ' || NEW.id); END;
    CREATE TRIGGER audited_insert AFTER INSERT ON Person BEGIN INSERT INTO audit VALUES ('insert ' || NEW.id); END;
    CREATE TRIGGER audited_delete AFTER DELETE ON Person BEGIN INSERT INTO audit VALUES ('delete ' || OLD.id); END
    """

  @Test(
    "They fire for a store's own writes, from the one after they were added on, and stop when they are removed"
  )
  func audit() throws {
    sqlite3(file.path, Self.audit)
    try test.store.write {
      test.store.add(Person(id: 5))
      try person(1).age = 9
      test.store.delete(try person(2))
    }
    #expect(sqlite3(file.path, "SELECT what FROM audit") == "insert 5\nupdate 1\ndelete 2\n")
    // Our triggers do not log these rows once more: one row for the whole transaction.
    let logged = sqlite3(
      file.path, "SELECT count(*), count(entries) FROM _livestore_log WHERE seq > 2 AND \"table\" IS NULL")
    #expect(logged.hasSuffix("|1\n"), "\(logged)")
    #expect(sqlite3(file.path, "SELECT count(*) FROM _livestore_log WHERE \"table\" = 'Person'") == "0\n")
    sqlite3(
      file.path, "DROP TRIGGER audited_update; DROP TRIGGER audited_insert; DROP TRIGGER audited_delete")
    try test.store.write { try person(1).age = 10 }
    #expect(sqlite3(file.path, "SELECT count(*) FROM audit") == "3\n")
  }

  @Test("A full-text index that triggers keep up follows a store's own writes")
  func fullText() throws {
    sqlite3(
      file.path,
      """
      CREATE VIRTUAL TABLE found USING fts5(name);
      CREATE TRIGGER find_insert AFTER INSERT ON Person BEGIN
        INSERT INTO found (rowid, name) VALUES (NEW.id, NEW.name); END;
      CREATE TRIGGER find_update AFTER UPDATE OF name ON Person BEGIN
        UPDATE found SET name = NEW.name WHERE rowid = NEW.id; END;
      INSERT INTO found (rowid, name) SELECT id, name FROM Person
      """)
    let people = test.observe(test.store.objects(Person.self))
    try test.store.refresh()
    let other = try file.open()
    try other.store.write {
      other.store.add(Person(id: 7, name: "Momo"))
      try #require(other.store.object(ofType: Person.self, forPrimaryKey: 1)).name = "Beppo"
    }
    #expect(
      sqlite3(file.path, "SELECT rowid FROM found WHERE found MATCH 'momo OR beppo' ORDER BY 1") == "1\n7\n")
    try test.store.refresh()
    #expect(people.changes.last == ChangeSet(ins: [4], mod: [0]))
    // The tables of the index itself concern nobody: the write is logged row by row.
    #expect(
      sqlite3(file.path, "SELECT entries IS NULL FROM _livestore_log ORDER BY seq DESC LIMIT 1") == "0\n")
  }

  @Test(
    "What they change in the rows that were written, and in others, is seen by objects, collections and observers"
  )
  func changes() throws {
    sqlite3(
      file.path,
      """
      CREATE TRIGGER older AFTER UPDATE OF name ON Person BEGIN
        UPDATE Person SET age = age + 100 WHERE id = NEW.id;
        UPDATE Person SET nickname = NEW.name WHERE id = 4; END;
      CREATE TRIGGER born AFTER INSERT ON Person BEGIN UPDATE Person SET weight = 3 WHERE id = NEW.id; END
      """)
    let people = test.observe(test.store.objects(Person.self))
    let byAge = test.observe(test.store.objects(Person.self).sorted(by: \.age))
    try test.store.refresh()
    let first = try person(1)
    _ = (first.age, try person(4).nickname)
    let new = Person(id: 9)
    try test.store.write {
      first.name = "new"
      #expect(first.age == 101 && first.name == "new")
      test.store.add(new)
      #expect(new.weight == 3)
    }
    #expect(try person(4).nickname == "new" && first.age == 101 && new.weight == 3)
    try test.store.refresh()
    #expect(people.changes.last == ChangeSet(ins: [4], mod: [0, 3]))
    #expect(byAge.rows == test.store.objects(Person.self).sorted(by: \.age).map { "\($0.id)" })
    sqlite3(file.path, "UPDATE Person SET name = 'other' WHERE id = 2")
    try test.store.refresh()
    #expect(people.changes.last == ChangeSet(mod: [1, 3]))
    #expect(try person(2).age == 102)
  }

  @Test(
    "One that cannot be run, or refuses, fails the write with a sentence that names it, and the data are as they were"
  )
  func failing() throws {
    for (trigger, word) in [
      (
        "UPDATE Person SET age = unknown_function(age) WHERE id = NEW.id",
        "no such function: unknown_function"
      ),
      ("INSERT INTO gone VALUES (NEW.id)", "no such table: main.gone"),
      ("SELECT RAISE(ABORT, 'too young')", "too young"),
      ("INSERT INTO strict_audit VALUES (NULL)", "NOT NULL constraint failed: strict_audit.what"),
    ] {
      sqlite3(
        file.path,
        """
        CREATE TABLE IF NOT EXISTS strict_audit (what TEXT NOT NULL);
        CREATE TRIGGER harmless AFTER UPDATE ON Person BEGIN SELECT 1; END;
        CREATE TRIGGER theirs AFTER UPDATE OF age ON Person BEGIN \(trigger); END
        """)
      let error = #expect(throws: StoreError.self) {
        try test.store.write {
          try person(1).name = "x"
          try person(1).age = 5
        }
      }
      let description = error?.description ?? ""
      #expect(
        description.contains("The trigger “theirs” on Person") && description.contains(word), "\(description)"
      )
      #expect(try person(1).name == "p1" && person(1).age == 1)
      sqlite3(file.path, "DROP TRIGGER theirs; DROP TRIGGER harmless")
    }
    // Of a value in a table of ours it is not known who wrote it.
    sqlite3(
      file.path,
      "CREATE TRIGGER theirs AFTER UPDATE OF name ON Dog BEGIN UPDATE Person SET name = NULL; END")
    let nullError = #expect(throws: StoreError.self) {
      try test.store.write { try test.store.create(Dog.self, value: ["name": "Rex"]).name = "Max" }
    }
    #expect(
      nullError?.description.hasSuffix(
        "The trigger “theirs” on Dog, which another program has added, may have written it.") == true)
    sqlite3(file.path, "DROP TRIGGER theirs; " + Self.audit)
    let error = #expect(throws: StoreError.self) { try test.store.write { test.store.add(Person(id: 1)) } }
    #expect(error?.description.contains("There is a Person with the primary key 1 already") == true)
  }

  @Test("Lists are written while triggers fire, also where a cycle leads back to what is being added")
  func lists() throws {
    sqlite3(file.path, Self.audit)
    sqlite3(
      file.path,
      "CREATE TRIGGER listed AFTER INSERT ON Person_dogs BEGIN INSERT INTO audit VALUES (NEW.target); END")
    let person = Person(id: 6)
    person.friend = person
    person.dogs.append(contentsOf: [Dog("a"), Dog("b")])
    try test.store.write { test.store.add(person) }
    try test.store.write { person.dogs.move(from: 0, to: 1) }
    #expect(person.dogs.map(\.name) == ["b", "a"])
    #expect(sqlite3(file.path, "SELECT count(*) FROM audit WHERE length(what) = 36") == "2\n")
    try test.store.write { test.store.delete(person.dogs[0]) }
    #expect(
      person.dogs.map(\.name) == ["a"] && sqlite3(file.path, "SELECT count(*) FROM Person_dogs") == "1\n")
  }

  @Test(
    "A row that another program replaces through a unique index of its own is seen to go, whichever statement it was"
  )
  func replaced() throws {
    sqlite3(
      file.path,
      """
      CREATE UNIQUE INDEX their_names ON Person (name COLLATE NOCASE);
      CREATE UNIQUE INDEX their_ages ON Person (age, nickname);
      UPDATE Person SET nickname = 'n'
      """)
    let people = test.observe(test.store.objects(Person.self))
    try test.store.refresh()
    // Noticed with the next write of a store.
    try test.store.write { try person(4).weight = 1 }
    try test.store.refresh()
    sqlite3(file.path, "INSERT OR REPLACE INTO Person (id, name, nickname) VALUES (10, 'P1', 'x')")
    try test.store.refresh()
    #expect(people.changes.last == ChangeSet(del: [0], ins: [3]))
    #expect(people.rows == ["2", "3", "4", "10"])
    sqlite3(file.path, "UPDATE OR REPLACE Person SET age = 3 WHERE id = 2")
    try test.store.refresh()
    #expect(people.rows == ["2", "4", "10"])
    sqlite3(
      file.path,
      "INSERT INTO Person (id, name) VALUES (11, 'P4') ON CONFLICT (name COLLATE NOCASE) DO UPDATE SET age "
        + "= 50"
    )
    try test.store.refresh()
    #expect(people.rows == ["2", "4", "10"] && people.changes.last == ChangeSet(mod: [1]))
    sqlite3(file.path, "DROP INDEX their_names; DROP INDEX their_ages")
    test.store.close()
    let again = try file.open()
    #expect(
      sqlite3(
        file.path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%replace' OR name LIKE '%displace'")
        == "0\n")
    sqlite3(file.path, "CREATE UNIQUE INDEX their_names ON Person (name)")
    again.store.close()
    _ = try file.open()
    #expect(sqlite3(file.path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%replace'") == "1\n")
  }
}
