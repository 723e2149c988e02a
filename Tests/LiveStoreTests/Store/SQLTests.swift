import Foundation
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

/// One callback of rows of SQL, and a view that takes every change set.
final class SQLObservation {
  private(set) var view: [SQLRow] = []
  private(set) var changes: [ChangeSet] = []
  private(set) var isReady = false
  private(set) var error: StoreError?
  private var token: NotificationToken?

  init(_ results: SQLResults, key: String? = nil) {
    token = results.observe { [unowned self] change in
      switch change {
      case .initial(let rows): (view, isReady) = (Array(rows), true)
      case .update(let rows, let changes):
        self.changes.append(changes)
        #expect(!changes.isEmpty)
        let now = Array(rows)
        var next = view
        next.follow(changes) { now[$0] }
        for (old, new) in zip(changes.modifications, changes.modificationsInNew) {
          #expect(view[old] != now[new])
          if let key { #expect(view[old][key] == now[new][key]) }
        }
        for move in changes.moves { if let key { #expect(view[move.from][key] == now[move.to][key]) } }
        #expect(next == now, "\(changes) does not lead from \(view) to \(now)")
        view = now
      case .error(let error): self.error = error
      }
    }
  }
}

private struct AgeGroup: Codable, Equatable {
  var age: Int
  var people: Int
  var heaviest: Double?
}

@Suite("SQL of the program")
struct SQLTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    try file.addPeople(1...4)
    test = try file.open()
  }

  @Test("A statement is known to read its own tables, whatever another thread prepares at the same time")
  func accessOfOthers() {
    let connection = store.connection
    let mistakes = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      let table = thread == 0 ? "Person" : "Dog"
      for _ in 0..<2_000 {
        let access = try? connection.prepare("SELECT name FROM \(table)", mayWrite: false).access
        if access?.reads != [table: ["name"]] { mistakes.add(1, ordering: .relaxed) }
      }
    }
    #expect(mistakes.load(ordering: .relaxed) == 0)
  }

  private func observe(_ results: SQLResults, key: String? = nil) -> SQLObservation {
    let observation = SQLObservation(results, key: key)
    #expect(test.turns { observation.isReady })
    return observation
  }

  @Test("Rows of a computed column of another program follow the properties from which it is computed")
  func computedColumn() throws {
    let file = TestFile()
    try file.addPeople(1...2)
    sqlite3(file.path, "ALTER TABLE Person ADD COLUMN initial AS (substr(name, 1, 1))")
    let test = try file.open()
    let initials = try test.store.select(sql: "SELECT initial FROM Person ORDER BY id")
    var changes = 0
    let token = initials.observe { _ in changes += 1 }
    defer { token.invalidate() }
    #expect(test.turns { changes == 1 })
    try test.store.write { test.person(1).name = "Xaver" }
    #expect(initials[0]["initial", as: String.self] == "X")
    #expect(test.turns { changes == 2 })
    sqlite3(file.path, "UPDATE Person SET name = 'Zoe' WHERE id = 1")
    #expect(test.turns { changes == 3 } && initials[0]["initial", as: String.self] == "Z")
  }

  @Test("Functions that return a table, such as json_each, may be selected from, observed and used in writes")
  func tableFunctions() throws {
    let file = TestFile()
    let test = try TestStore(file.path, types: [Tagged.self])
    let store = test.store
    try store.write {
      for id in 1...3 {
        let tagged = try store.create(Tagged.self, value: ["id": id])
        tagged.tags = id == 2 ? [] : ["x", "t\(id)"]
      }
    }
    let counts = try store.select(
      sql: "SELECT value, count(*) AS n FROM Tagged, json_each(tags) GROUP BY 1 ORDER BY 1"
    ).keyed(by: "value")
    let seen = SQLObservation(counts, key: "value")
    #expect(test.turns { seen.isReady })
    #expect(counts.map { $0["value"] } == [.text("t1"), .text("t3"), .text("x")])
    sqlite3(file.path, "UPDATE Tagged SET tags = '[\"x\"]' WHERE id = 2")
    try store.refresh()
    #expect(seen.changes == [ChangeSet(mod: [2])] && counts[2]["n"] == .integer(3))
    #expect(
      try store.write {
        try store.execute(sql: "DELETE FROM Tagged WHERE id IN (SELECT value FROM json_each(?))", "[1, 3]")
      } == 2)
    #expect(counts.map { $0["value"] } == [.text("x")])
    for sql in ["UPDATE sqlite_schema SET sql = ''", "INSERT INTO sqlite_schema (sql) VALUES ('')"] {
      #expect(throws: StoreError.self) { try store.write { _ = try store.execute(sql: sql) } }
    }
  }

  @Test("UPDATE OR REPLACE is refused where SQLite would damage the index of a link, and the write goes on")
  func updateOrReplace() throws {
    let refused = #expect(throws: StoreError.self) {
      try store.write { _ = try store.execute(sql: "UPDATE\n or REPLACE Person SET age = 20 WHERE id = 1") }
    }
    #expect(refused?.description.contains("the friend of a row leads to the one that it replaces") == true)
    for words in [
      "UPDATE OR/**/REPLACE", "UPDATE/* ' */OR -- '\nREPLACE",
      "WITH n(\"--\") AS (VALUES (1)) UPDATE OR REPLACE",
    ] {
      #expect(throws: StoreError.self, "\(words)") {
        try store.write { _ = try store.execute(sql: "\(words) Person SET age = 20 WHERE id = 1") }
      }
    }
    try store.write {
      try store.execute(sql: "UPDATE Person SET name = 'update or replace' WHERE id = 1")
      try store.execute(sql: "UPDATE OR REPLACE Dog SET name = 'd'")
    }
    #expect(test.person(1).name == "update or replace" && test.person(1).age == 10)
    #expect(sqlite3(file.path, "PRAGMA integrity_check") == "ok\n")
  }

  @Test("Rows are read by name and type, as structs, single values and live objects")
  func reading() throws {
    let rows = try store.select(sql: "SELECT id, name, born FROM Person WHERE age > ? ORDER BY id DESC", 15)
    #expect(rows.map { $0["id"] } == [.integer(4), .integer(3), .integer(2)])
    #expect(rows[0]["name", as: String.self] == "p4" && rows[0]["born", as: Date.self] == nil)
    #expect(rows.columns == ["id", "name", "born"] && rows.objects(Person.self).map(\.age) == [40, 30, 20])
    #expect(try store.select(sql: "SELECT count(*) FROM Person").decoded(as: Int.self) == [4])
    let groups = try store.select(
      sql:
        "SELECT age / 20 AS age, count(*) AS people, max(nullif(weight, 0)) AS heaviest FROM Person GROUP BY 1"
    )
    #expect(
      try groups.decoded(as: AgeGroup.self)
        == [AgeGroup(age: 0, people: 1), AgeGroup(age: 1, people: 2), AgeGroup(age: 2, people: 1)])
    #expect(
      try store.select(sql: "SELECT '[1,2]' AS list").decoded(as: [String: [Int]].self) == [["list": [1, 2]]])
    let mismatch = #expect(throws: StoreError.self) {
      try store.select(sql: "SELECT NULL AS age, 1 AS people").decoded(as: AgeGroup.self)
    }
    #expect(mismatch?.description == "The column “age” has NULL, which is no Int.")
    #expect(throws: StoreError.self) { try store.select(sql: "SELECT 1 AS age").decoded(as: AgeGroup.self) }
  }

  @Test("Rows follow the store, its open write, and no more when that is cancelled")
  func live() throws {
    let sum = try store.select(sql: "SELECT sum(age) FROM Person")
    func value() throws -> Int? { try sum.decoded(as: Int?.self).first ?? nil }
    #expect(try value() == 100)
    try store.beginWrite()
    test.person(1).age = 11
    #expect(try value() == 101)
    try store.commitWrite()
    #expect(try value() == 101)
    try store.beginWrite()
    try store.execute(sql: "DELETE FROM Person")
    #expect(try value() == nil)
    store.cancelWrite()
    #expect(try value() == 101)
    sqlite3(file.path, "UPDATE Person SET age = 0 WHERE id = 4")
    try store.refresh()
    #expect(try value() == 61)
    let frozen = try store.freeze().select(sql: "SELECT sum(age) FROM Person")
    try store.write { test.person(1).age = 0 }
    #expect(try frozen.decoded(as: Int.self) == [61])
    #expect(try value() == 50)
  }

  @Test("Changes are told by key, and only those of columns that the statement reads")
  func observing() throws {
    let names = observe(try store.select(sql: "SELECT id, name FROM Person ORDER BY name"), key: "id")
    let counts = observe(try store.select(sql: "SELECT count(*) FROM Person"))
    let ages = observe(
      try store.select(sql: "SELECT age, count(*) AS n FROM Person GROUP BY age").keyed(by: "age"), key: "age"
    )
    try store.write { test.person(1).age = 20 }
    try store.refresh()
    #expect(names.changes.isEmpty && counts.changes.isEmpty)
    #expect(ages.changes == [ChangeSet(del: [0], mod: [1], modInNew: [0])])
    sqlite3(file.path, "UPDATE Person SET name = 'z' WHERE id = 1")
    try store.refresh()
    #expect(names.changes.last?.moves == [ChangeSet.Move(from: 0, to: 3, isModified: true)])
    #expect(ages.changes.count == 1 && counts.changes.isEmpty)
    sqlite3(file.path, "DELETE FROM Person WHERE id = 2")
    #expect(test.turns { counts.changes == [ChangeSet(mod: [0])] || counts.changes.count == 1 })
    #expect(names.view.map { $0["id"] } == [.integer(3), .integer(4), .integer(1)])
  }

  @Test("Rows of joins with lists, of views and of recursive statements are observed by what they read")
  func joins() throws {
    sqlite3(file.path, "CREATE VIEW adults AS SELECT id FROM Person WHERE age >= 30")
    let dogs = observe(
      try store.select(
        sql: """
          SELECT d.id, p.name AS owner, d.name FROM Person AS p JOIN Person_dogs AS e ON e.owner = p.id
          JOIN Dog AS d ON d.id = e.target ORDER BY p.id, e.position
          """), key: "id")
    let adults = observe(try store.select(sql: "SELECT id FROM adults"))
    let chain = try store.select(
      sql: """
        WITH RECURSIVE chain(id) AS (SELECT 1 UNION SELECT friend FROM Person, chain WHERE Person.id = chain.id
        AND friend IS NOT NULL) SELECT id FROM chain
        """)
    try store.write {
      test.person(1).dogs.append(contentsOf: [Dog("a"), Dog("b")])
      test.person(1).friend = test.person(3)
    }
    try store.refresh()
    #expect(dogs.view.map { $0["name"] } == [.text("a"), .text("b")])
    #expect(try chain.decoded(as: Int.self) == [1, 3])
    try store.write { test.person(1).dogs.move(from: 0, to: 1) }
    sqlite3(file.path, "UPDATE Person SET name = 'n', age = 31 WHERE id = 1")
    try store.refresh()
    #expect(dogs.view.map { $0["name"] } == [.text("b"), .text("a")] && dogs.view[0]["owner"] == .text("n"))
    #expect(adults.view.map { $0["id"] } == [.integer(1), .integer(3), .integer(4)])
  }

  @Test(
    "What SQL writes is seen by objects, lists, results and their observers, and taken back with the write")
  func writing() throws {
    let (seen, dogs) = (test.observe(test.people), test.observe(test.person(1).dogs))
    let person = test.person(2)
    try store.write {
      #expect(try store.execute(sql: "UPDATE Person SET age = age + ? WHERE id <= ?", 5, 2) == 2)
      #expect(person.age == 25)
      try store.execute(sql: "INSERT OR REPLACE INTO Person (id, name) VALUES (3, 'new'), (9, 'nine')")
      try store.execute(sql: "INSERT INTO Dog (id, name) VALUES ('d1', 'x'), ('d2', 'y')")
      try store.execute(sql: "INSERT INTO Person_dogs (owner, target) VALUES (1, 'd1'), (1, 'd2')")
      #expect(test.dogNames == ["x", "y"])
      try store.execute(sql: "DELETE FROM Person WHERE id = 4")
      #expect(
        test.people.map(\.id) == [1, 2, 3, 9] && test.people.map(\.name) == ["p1", "p2", "new", "nine"])
    }
    try store.refresh()
    #expect(
      seen.change == ChangeSet(del: [3], ins: [3], mod: [0, 1, 2]) && dogs.change == ChangeSet(ins: [0, 1]))
    try store.beginWrite()
    try store.execute(sql: "DELETE FROM Person WHERE id > ?", 1)
    #expect(person.isInvalidated)
    store.cancelWrite()
    #expect(!person.isInvalidated && person.age == 25 && test.people.count == 4)
  }

  @Test("SQL that may not be run, or is refused, is an error, after which the write may go on")
  func refused() throws {
    for sql in [
      "DELETE FROM Person", "BEGIN", "ATTACH 'x' AS y", "PRAGMA user_version = 3", "SELECT 1; SELECT 2",
      "SELECT nothing FROM Person", "CREATE TABLE t (a)", "SELECT 1 WHERE ?", "VACUUM",
      "VACUUM INTO '\(file.path)-copy'", "", " ;", "-- nothing",
    ] {
      let error = #expect(throws: StoreError.self) { try store.select(sql: sql) }
      #expect(error?.code == .misuse, "\(sql): \(error?.description ?? "")")
    }
    #expect(store.failure == nil && !FileManager.default.fileExists(atPath: file.path + "-copy"))
    try store.write {
      for sql in ["VACUUM", "VACUUM INTO '\(file.path)-copy'", "", ";", "-- nothing", "/* nothing */"] {
        let error = #expect(throws: StoreError.self) { try store.execute(sql: sql) }
        #expect(error?.code == .misuse, "\(sql): \(error?.description ?? "")")
      }
      for sql in [
        "COMMIT", "DROP TABLE Person", "DELETE FROM _livestore_log", "UPDATE Person SET id = 1",
        "INSERT INTO Person_dogs (owner, target) VALUES (1, 'nothing')", "PRAGMA foreign_keys = OFF",
      ] {
        #expect(throws: StoreError.self, "\(sql)") { try store.execute(sql: sql) }
      }
      test.person(1).age = 99
    }
    #expect(test.people.map(\.id) == [1, 2, 3, 4] && test.person(1).age == 99)
    #expect(throws: StoreError.self) {
      try store.write { try store.execute(sql: "INSERT OR ROLLBACK INTO Person (id) VALUES (1)") }
    }
    let person = test.person(1)
    #expect(throws: StoreError.self) {
      try store.write {
        _ = try? store.execute(sql: "INSERT OR ROLLBACK INTO Person (id) VALUES (1)")
        person.age = 5
      }
    }
    #expect(test.person(1).age == 99)
    try store.write { test.person(1).age = 3 }
  }

  @Test("A statement that is refused has changed nothing, even with OR FAIL or where a trigger fails")
  func refusedHalfway() throws {
    let seen = test.observe(test.people)
    let person = test.person(1)
    try store.write {
      for sql in [
        "UPDATE OR FAIL Person SET age = 7, id = iif(id = 3, 1, id)",
        "insert or fail into Person (id, name) VALUES (8, 'eight'), (1, 'one')",
      ] {
        #expect(throws: StoreError.self) { try store.execute(sql: sql) }
        #expect(person.age == 10 && test.people.map(\.id) == [1, 2, 3, 4])
      }
      let count = try store.execute(sql: "UPDATE OR FAIL Person SET age = 11 WHERE id = 1")
      #expect(count == 1)
    }
    try store.refresh()
    #expect(seen.change == ChangeSet(mod: [0]) && test.people.map(\.age) == [11, 20, 30, 40])
    sqlite3(
      file.path,
      """
      CREATE TRIGGER theirs BEFORE UPDATE ON Person WHEN OLD.id = 3
      BEGIN SELECT RAISE(FAIL, 'no third'); END
      """)
    try store.refresh()
    try store.write {
      #expect(throws: StoreError.self) { try store.execute(sql: "UPDATE Person SET age = 0") }
      #expect(person.age == 11)
    }
    #expect(sqlite3(file.path, "SELECT sum(age) FROM Person") == "101\n")
  }

  @Test("A stream and another queue get the same changes")
  func elsewhere() async throws {
    let source = NotificationSource()
    let store = try Store(
      Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(source))
    let (stream, continuation) = AsyncStream.makeStream(of: [Int].self)
    let token = try store.select(sql: "SELECT id FROM Person").observe(on: .queue(.global())) { change in
      if case .initial(let rows) = change { continuation.yield(rows.compactMap { $0["id", as: Int.self] }) }
      if case .update(let rows, _) = change { continuation.yield(rows.compactMap { $0["id", as: Int.self] }) }
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == [1, 2, 3, 4])
    sqlite3(file.path, "DELETE FROM Person WHERE id = 2")
    #expect(await iterator.next() == [1, 3, 4])
    token.invalidate()
  }
}

extension SQLTests {
  @Test("Random writes of objects, SQL and other programs reach every statement as it selects")
  func random() throws {
    try withSeededGenerator { random in
      let statements = [
        ("SELECT id, name, age FROM Person ORDER BY age, id", "id"),
        ("SELECT name FROM Person ORDER BY name", nil),
        ("SELECT age % 7 AS g, count(*) AS n, sum(weight) AS w FROM Person GROUP BY 1", nil),
        (
          "SELECT p.id, f.name AS friend FROM Person p LEFT JOIN Person f ON f.id = p.friend ORDER BY f.age, p.id",
          nil
        ),
        ("SELECT count(*) FROM Person_dogs", nil),
      ]
      let results = try statements.map { try store.select(sql: $0.0) }
      let views = zip(results, statements).map { observe($0, key: $1.1) }
      for step in 0..<randomSteps(usually: 150) {
        let id = Int.random(in: 1...12, using: &random)
        let value = Int.random(in: 0...30, using: &random)
        let sql = [
          "INSERT OR REPLACE INTO Person (id, name, age) VALUES (\(id), 'n\(value % 4)', \(value))",
          "UPDATE Person SET age = \(value), weight = \(value) WHERE id = \(id)",
          "UPDATE Person SET friend = (SELECT id FROM Person WHERE id > \(id) LIMIT 1) WHERE id % 3 = 1",
          "DELETE FROM Person WHERE id = \(id)",
          "UPDATE Person SET name = 'm\(value % 3)' WHERE age < \(value)",
          "INSERT INTO Dog (id, name) VALUES ('d\(step)', 'd')",
          "INSERT INTO Person_dogs (owner, target) SELECT p.id, d.id FROM Person p, Dog d LIMIT \(value % 4)",
        ].randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: sqlite3(file.path, sql)
        case 1:
          try store.beginWrite()
          try store.execute(sql: sql)
          let inWrite = try store.select(sql: statements[0].0)
          try #require(Array(inWrite) == Array(results[0]))
          store.cancelWrite()
        case 2:
          try store.write {
            if let person = store.object(ofType: Person.self, forPrimaryKey: id) {
              person.age = value
              person.dogs.append(Dog("o"))
            } else {
              store.add(Person(id: id, name: "o", age: value))
            }
          }
        default: try store.write { try store.execute(sql: sql) }
        }
        if Bool.random(using: &random) { try store.refresh() }
        for (result, statement) in zip(results, statements) {
          try #require(Array(result) == Array(try store.select(sql: statement.0)), "\(statement)")
        }
      }
      try store.refresh()
      for (result, view) in zip(results, views) { try #require(view.view == Array(result)) }
    }
  }
}

private final class Tagged: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tags: [String] = []
}
