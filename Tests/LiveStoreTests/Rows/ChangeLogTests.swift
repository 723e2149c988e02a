import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("The change log")
struct ChangeLogTests {
  private let file = TestFile()

  /// The log's rows after a version, as `table key` with the operation's columns, in order.
  private func rows(after version: Int64) -> [String] {
    sqlite3(
      file.path,
      "select \"table\" || ' ' || key || ' ' || columns from _livestore_log where seq > \(version) and "
        + "entries is null "
        + "order by seq"
    ).split(separator: "\n").map(String.init)
  }

  private var newest: Int64 {
    Int64(sqlite3(file.path, "select max(seq) from _livestore_log").dropLast()) ?? -1
  }

  private func touched(_ store: Store, after version: Int64) throws -> Set<RowIdentity>? {
    let connection = try Connection(path: file.path, create: false)
    return try ChangeLog.touched(
      after: version, through: newest, schema: store.schema, on: connection.instance)?.rows
  }

  private func row(_ store: Store, _ type: Object.Type, _ key: SQLiteValue) -> RowIdentity {
    RowIdentity(table: store.schema.table(of: type).index, key: key)
  }

  // MARK: Our own transactions

  @Test("A transaction is one row that names every row it touched, with keys of every kind")
  func packing() throws {
    let test = try TestStore(file.path, types: [Person.self, Dog.self, Keyed.self])
    let store = test.store
    let before = newest
    let dogs = (0..<40).map { Dog("d\($0)") }
    let numbers = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, 1 << 34, .max, .min, .max - 1, .min + 1]
    let texts = [
      "", "a", "ä\u{301}", "emoji 👩‍👩‍👧", String(repeating: "long", count: 5_000), "nul \u{0} inside",
      "'quote\"",
    ]
    try store.write {
      for dog in dogs { store.add(dog) }
      for number in numbers { store.add(Person(id: number)) }
      for text in texts { store.add(Keyed(text)) }
    }
    #expect(newest == before + 1)
    var expected: Set<RowIdentity> = []
    for dog in dogs { expected.insert(row(store, Dog.self, dog.id.sqliteValue)) }
    for number in numbers { expected.insert(row(store, Person.self, .integer(Int64(number)))) }
    for text in texts { expected.insert(row(store, Keyed.self, .text(text))) }
    #expect(try touched(store, after: before) == expected)
  }

  @Test("Random sets of keys come back as they were packed")
  func randomPacking() throws {
    var random = SeededGenerator()
    let test = try TestStore(file.path, types: [Person.self, Dog.self, Keyed.self])
    let store = test.store
    for _ in 0..<30 {
      let before = newest
      var expected: Set<RowIdentity> = []
      try store.write {
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          let shift = UInt64.random(in: 0..<64, using: &random)
          let number = Int64(truncatingIfNeeded: UInt64.random(in: .min ... .max, using: &random) >> shift)
          let text = String(
            String.UnicodeScalarView(
              (0..<Int.random(in: 0..<300, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1..<0x3000, using: &random))
              }))
          if expected.insert(row(store, Person.self, .integer(number))).inserted {
            if let known = store.object(ofType: Person.self, forPrimaryKey: Int(number)) {
              store.delete(known)
            } else {
              store.add(Person(id: Int(number)))
            }
          }
          if expected.insert(row(store, Keyed.self, .text(text))).inserted {
            if let known = store.object(ofType: Keyed.self, forPrimaryKey: text) {
              store.delete(known)
            } else {
              store.add(Keyed(text))
            }
          }
        }
      }
      #expect(try touched(store, after: before) == expected, "TEST_SEED=\(random.seed)")
    }
  }

  @Test("A transaction that touches more rows than are worth naming says that anything may have changed")
  func bulk() throws {
    func open() throws -> TestStore { try TestStore(file.path, types: [Keyed.self]) }
    let observer = try open()
    let rows = observer.observe(observer.store.objects(Keyed.self))
    let test = try open()
    let before = newest
    try test.write { store in
      store.add(Keyed("a"))
      // SQL, since making a hundred thousand objects takes its time; the hook sees the rows all the same.
      store.execute(
        "INSERT INTO Keyed (key, note) SELECT 'k' || value, 'n' FROM (WITH RECURSIVE n(value) AS (VALUES "
          + "(1) UNION ALL "
          + "SELECT value + 1 FROM n WHERE value < \(ChangeLog.packedLimit)) SELECT value FROM n)", [])
    }
    #expect(newest == before + 1)
    #expect(
      sqlite3(file.path, "select entries is null from _livestore_log order by seq desc limit 1") == "1\n")
    #expect(try touched(test.store, after: before) == nil)
    try observer.store.refresh()
    #expect(rows.change == ChangeSet(ins: Array(0...ChangeLog.packedLimit)))
  }

  @Test("Such a transaction can be cancelled: objects show what was, and what was added belongs to no store")
  func cancelledBulk() throws {
    let test = try TestStore(file.path, types: [Keyed.self])
    try test.write { store in for key in ["a", "b"] { store.add(Keyed(key)) } }
    let before = newest
    let a = try #require(test.store.object(ofType: Keyed.self, forPrimaryKey: "a"))
    let c = Keyed("c")
    try test.store.beginWrite()
    a.note = "changed"
    test.store.add(c)
    #expect(!test.store.recorder.isEmpty)
    test.store.execute(
      "WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n WHERE value < ?) "
        + "INSERT INTO Keyed (key, note) SELECT 'k' || value, 'n' FROM n",
      [.integer(Int64(ChangeLog.packedLimit) + 1)])
    a.note = "changed again"
    // A statement forgets on its way too: a few that it has touched last may remain.
    #expect(test.store.recorder.touched.count < 5 && test.store.recorder.hasTouchedMany)
    test.store.cancelWrite()
    #expect(a.note == "" && c.store == nil && newest == before)
    try test.write { $0.add(c) }
    #expect(test.store.objects(Keyed.self).sorted(by: \.key).map(\.key) == ["a", "b", "c"])
  }

  @Test("A transaction that changes nothing, or is cancelled, makes no version")
  func nothing() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let before = newest
    try test.write { _ in }
    try test.write { _ in test.person(1).name = "p1" }
    try test.store.beginWrite()
    test.store.add(Person(id: 9))
    test.store.cancelWrite()
    #expect(newest == before)
  }

  // MARK: Other programs' transactions

  @Test(
    "Triggers log insert, update, delete, REPLACE, UPSERT and changed keys of another program; not what changes nothing"
  )
  func triggers() throws {
    try file.addPeople(1...3)
    // The bits of the columns are in the order of their names.
    let (age, id, name) = (1 << 0, 1 << 4, 1 << 7)
    func logged(_ sql: String) -> [String] {
      let before = newest
      sqlite3(file.path, sql)
      return rows(after: before)
    }
    #expect(logged("insert into Person (id) values (4)") == ["Person 4 -1"])
    #expect(logged("update Person set name = 'x' where id = 4") == ["Person 4 \(name)"])
    #expect(logged("update Person set name = 'y', age = 4 where id = 4") == ["Person 4 \(age | name)"])
    #expect(logged("update Person set name = 'y', age = 4 where id = 4") == [])
    #expect(logged("update Person set name = 'z' where id = 99") == [])
    #expect(logged("update Person set friend = null, nickname = null") == [])
    #expect(logged("insert or replace into Person (id, name) values (4, 'r')") == ["Person 4 -1"])
    #expect(logged("replace into Person (id, name) values (4, 'r')") == ["Person 4 -1"])
    #expect(logged("insert or ignore into Person (id, name) values (4, 'i')") == [])
    #expect(
      logged("insert into Person (id) values (4) on conflict (id) do update set name = 'u'") == [
        "Person 4 \(name)"
      ]
    )
    #expect(logged("insert into Person (id) values (4) on conflict (id) do nothing") == [])
    #expect(Set(logged("update Person set id = 40 where id = 4")) == ["Person 40 \(id)", "Person 4 -1"])
    #expect(logged("begin; savepoint s; delete from Person; rollback to s; release s; commit") == [])
    #expect(logged("begin; delete from Person; rollback") == [])
    #expect(logged("delete from Person where id = 40") == ["Person 40 -1"])
    #expect(logged("delete from Person").sorted() == ["Person 1 -1", "Person 2 -1", "Person 3 -1"])
  }

  @Test("The version is the newest row, and a rolled-back savepoint leaves no hole in the numbers")
  func savepoint() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    let before = newest
    sqlite3(
      file.path,
      """
      begin; savepoint s; update Person set name = 'rolled back'; rollback to s;
      update Person set name = 'x' where id = 2; commit;
      """)
    #expect(newest == before + 1)
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [1])])
  }

  @Test("A foreign program without foreign keys that deletes, renames or replaces is told as what it did")
  func foreignEdits() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(file.path, "update Person set id = 20 where id = 2")
    #expect(test.turns { people.rows == ["1", "3", "20"] })
    #expect(people.changes == [ChangeSet(del: [1], ins: [2])])
    sqlite3(file.path, "update or replace Person set id = 3 where id = 20")
    #expect(test.turns { people.rows == ["1", "3"] })
    #expect(people.changes.last == ChangeSet(del: [2], mod: [1]))
    sqlite3(file.path, "delete from Person")
    #expect(test.turns { people.rows == [] })
  }

  // MARK: Pruning

  private func addLogRows(_ count: Int) {
    sqlite3(
      file.path,
      """
      with recursive n(i) as (values (1) union all select i + 1 from n where i < \(count))
      insert into _livestore_log ("table", key, columns) select 'Nothing', i, 0 from n
      """)
  }

  @Test("The log stays bounded and uses no number twice", arguments: [true, false])
  func pruning(foreign: Bool) throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let before = newest
    addLogRows(3 * Int(LogTable.retained))
    #expect(newest == before + 3 * LogTable.retained)
    for id in 10..<20 {
      let version = newest
      if foreign {
        sqlite3(file.path, "insert into Person (id) values (\(id))")
      } else {
        try test.write { $0.add(Person(id: id)) }
      }
      #expect(newest == version + 1)
    }
    let kept = Int64(sqlite3(file.path, "select count(*) from _livestore_log").dropLast()) ?? 0
    #expect(kept >= LogTable.retained && kept <= LogTable.retained + 1_100)
  }

  @Test(
    "The pruning trigger of an earlier version, which made bulk inserts slow, is replaced when a file is opened"
  )
  func earlierPruning() throws {
    try file.addPeople(1...3)
    let sql = "select sql from sqlite_schema where name = '_livestore_prune'"
    let present = sqlite3(file.path, sql)
    #expect(present == LogTable.pruning.sql + "\n")
    sqlite3(
      file.path,
      """
      drop trigger _livestore_prune;
      CREATE TRIGGER IF NOT EXISTS _livestore_prune AFTER INSERT ON _livestore_log
      WHEN NEW.seq % 1024 = 0 BEGIN
        DELETE FROM _livestore_log WHERE seq <= NEW.seq - 16384;
      END;
      """)
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.isReadOnly = true
    let reader = try TestStore(configuration)
    #expect(reader.people.map(\.id) == [1, 2, 3])
    #expect(sqlite3(file.path, sql) != present)
    let test = try file.open()
    #expect(sqlite3(file.path, sql) == present)
    // Nothing but the trigger is another one.
    let observed = test.observe(test.people)
    sqlite3(file.path, "insert into Person (id) values (4)")
    #expect(test.turns { observed.rows == ["1", "2", "3", "4"] })
  }

  @Test("Our own transactions prune too")
  func ownPruning() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    addLogRows(Int(LogTable.retained))
    for round in 0..<1_100 {
      try test.write { _ in test.person(1).age = 1_000 + round }
    }
    let kept = Int64(sqlite3(file.path, "select count(*) from _livestore_log").dropLast()) ?? 0
    #expect(kept >= LogTable.retained && kept <= LogTable.retained + 1_100)
  }

  @Test("The log is bounded in bytes, too, and an observer that lags further shows every change")
  func bytes() throws {
    let observer = try TestStore(file.path, types: [Keyed.self])
    let rows = observer.observe(observer.store.objects(Keyed.self))
    let writer = try TestStore(file.path, types: [Keyed.self])
    // A transaction names the row by its key, which is a quarter of what is looked at, on average.
    let key = String(repeating: "k", count: LogTable.checkedBytes / 4)
    try writer.write { $0.add(Keyed(key)) }
    let row = try #require(writer.store.object(ofType: Keyed.self, forPrimaryKey: key))
    for round in 1...(8 * LogTable.retainedBytes / LogTable.checkedBytes) {
      try writer.write { _ in row.note = "\(round)" }
    }
    let bytes = Int(sqlite3(file.path, "select sum(length(entries)) from _livestore_log").dropLast()) ?? 0
    #expect(bytes > LogTable.retainedBytes / 2 && bytes < LogTable.retainedBytes + 20 * LogTable.checkedBytes)
    #expect(
      observer.turns { rows.changes.contains { $0.insertions == [0] || $0.modifications == [0] } })
    #expect(observer.store.object(ofType: Keyed.self, forPrimaryKey: key)?.note == row.note)
  }

  @Test("A transaction whose keys are more than the whole log may hold says that anything may have changed")
  func hugeKeys() throws {
    let test = try TestStore(file.path, types: [Keyed.self])
    let text = String(repeating: "k", count: LogTable.retainedBytes / 3)
    try test.write { store in for id in 0..<4 { store.add(Keyed(text + "\(id)")) } }
    #expect(
      sqlite3(file.path, "select entries is null from _livestore_log order by seq desc limit 1") == "1\n")
    #expect(try touched(test.store, after: newest - 1) == nil)
  }

  // MARK: Gaps and damage

  /// The change sets of an observer of several collections when the log was changed by hand before it looked.
  private func changes(damaging sql: String) throws -> [[ChangeSet]] {
    let file = TestFile()
    try file.addPeople(1...10)
    let test = try file.observer()
    let observations = [
      test.observe(test.people), test.observe(test.people.sorted(by: \.age)),
      test.observe(try test.people.filter(#Predicate { $0.age > 50 })),
    ]
    let writer = try file.open()
    for part in 0..<4 {
      try writer.write { store in
        writer.person(part + 2).age = 95 - part
        store.add(Person(id: 20 + part, age: part * 30))
      }
    }
    try writer.write { $0.delete(writer.person(8)) }
    sqlite3(file.path, sql)
    try test.store.refresh()
    for observation in observations { #expect(observation.changes.count <= 1) }
    return observations.map(\.changes)
  }

  @Test(
    "L1: what the log does not tell is found by comparing, with the same change sets",
    arguments: [
      "delete from _livestore_log where seq < (select max(seq) from _livestore_log)",
      "delete from _livestore_log where seq = (select max(seq) - 2 from _livestore_log)",
      "delete from _livestore_log",
      "update _livestore_log set entries = null, \"table\" = null",
      "update _livestore_log set entries = x''",
      "update _livestore_log set entries = randomblob(200)",
      "update _livestore_log set entries = substr(entries, 1, length(entries) - 1)",
      "update _livestore_log set entries = entries || x'ff'",
      "update _livestore_log set entries = x'06506572736F6EFFFFFFFFFFFFFFFFFF01'",
      "update _livestore_log set entries = x'FFFFFFFFFFFFFFFFFF01'",
      "update _livestore_log set entries = 'text'",
      "update _livestore_log set seq = seq + 1000000000",
    ])
  func damaged(_ sql: String) throws {
    let expected = try changes(damaging: "select 1")
    let damaged = try changes(damaging: sql)
    if sql.contains("x''") || sql.contains("seq +") {
      // Rows that a log leaves out cannot be found; it must only do no harm.
      return
    }
    #expect(damaged == expected)
  }

  @Test("A log with foreign tables, keys of another type and nonsense names does no harm")
  func nonsense() throws {
    let test = try TestStore(file.path, types: [Person.self, Dog.self, Keyed.self])
    try test.write { store in
      for id in 1...3 { store.add(Person(id: id)) }
      for key in ["1", "4", "a"] { store.add(Keyed(key)) }
    }
    let people = test.observe(test.people)
    let keyed = test.observe(test.store.objects(Keyed.self).sorted(by: \.key))
    // The following changes are looked at in one step.
    let paused = try PausedWatcher(test.store)
    sqlite3(
      file.path,
      """
      insert into _livestore_log ("table", key, columns) values
        ('Person', 'text', -1), ('Person', null, -1), ('Person', 1.5, -1), ('Person', x'00ff', 0), ('Nobody', 1, 1),
        ('', '', ''), ('Dog', 7, 'x'), ('Person_dogs', 'x', 1), ('_livestore_log', 1, 1), ('Person', 2, 0),
        ('Keyed', null, -1), ('Keyed', 4, -1), ('Keyed', 1.5, -1), ('Keyed', x'00', -1);
      update Person set name = 'x' where id = 3;
      update Keyed set note = 'x' where key <> 'a';
      """)
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(mod: [2])])
    #expect(keyed.changes == [ChangeSet(mod: [0, 1])])
    paused.resume()
  }
}

final class Keyed: Object {
  @Persisted(primaryKey: true) var key: String = ""
  @Persisted var note: String = ""

  convenience init(_ key: String) {
    self.init()
    self.key = key
  }
}
