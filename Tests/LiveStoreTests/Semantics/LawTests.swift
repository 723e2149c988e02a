import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("The law")
struct LawTests {
  private let file = TestFile()

  /// Changes that several routes are to report alike.
  private static func edit(_ test: TestStore, _ part: Int) {
    switch part {
    case 0:
      test.store.delete(test.person(2))
      test.person(5).age = 1
      test.store.add(Person(id: 11, age: 45))
    case 1:
      test.person(7).name = "x"
      test.person(3).age = 95
      test.store.delete(test.person(11))
    default:
      test.store.add(Person(id: 11, age: 46))
      test.person(3).friend = test.person(8)
      test.store.add(Person(id: 2, name: "p2", age: 20))
    }
  }

  @Test(
    "L1: the same two states, the same change set, whoever wrote, in how many transactions, and with a gap in the log"
  )
  func functionOfTwoStates() throws {
    var told: [String: [ChangeSet?]] = [:]
    for way in ["one", "three", "three, looked at", "local", "gap"] {
      let file = TestFile()
      try file.addPeople(1...10)
      let test = try file.observer()
      let observations = [
        test.observe(test.people), test.observe(test.people.sorted(by: \.age)),
        test.observe(try test.people.filter(#Predicate { $0.age > 50 })),
      ]
      let writer = way == "local" ? test : try file.open()
      if way == "one" || way == "local" {
        try writer.write { _ in for part in 0..<3 { Self.edit(writer, part) } }
      } else {
        for part in 0..<3 {
          try writer.write { _ in Self.edit(writer, part) }
          if way == "three, looked at", part == 1 { test.awaitPending() }
        }
      }
      if way == "gap" {
        sqlite3(file.path, "delete from _livestore_log where seq < (select max(seq) from _livestore_log)")
      }
      try test.store.refresh()
      told[way] = observations.map(\.change)
    }
    let expected = try #require(told["one"])
    #expect(expected.allSatisfy { $0 != nil })
    for (way, changes) in told { #expect(changes == expected, "\(way)") }
  }

  @Test("L2: a row that INSERT OR REPLACE puts in its place is the same row")
  func replaced() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(
      file.path,
      """
      begin;
      create temp table copy as select * from Person;
      insert or replace into Person select * from copy;
      insert or replace into Person (id, name, age) values (2, 'other', 20);
      commit;
      """)
    #expect(test.turns { !people.changes.isEmpty })
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(mod: [1])])
  }

  @Test("L13: a foreign program is seen commit by commit, without a turn of any other instance")
  func promptly() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    for id in 4...8 {
      sqlite3(file.path, "insert into Person (id) values (\(id))")
      #expect(test.turn())
      #expect(test.turns { people.rows.count == id })
    }
    #expect(people.changes.count == 5)
  }

  @Test("L14: a store that can no longer be read tells each callback so, once, with the cause")
  func unreadable() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    let dogs = test.observe(test.store.objects(Dog.self))
    sqlite3(file.path, "drop table Person_dogs; drop table Person; insert into Dog (name) values ('Rex')")
    #expect(test.turns { people.events.count == 2 && dogs.events.count == 2 })
    for observation in [people, dogs] {
      guard case .error(let error)? = observation.events.last else {
        Issue.record("\(observation.events)")
        continue
      }
      #expect(error.description.contains("Person"))
    }
    sqlite3(file.path, "insert into Dog (name) values ('Max')")
    test.turn(milliseconds: 0)
    _ = try? test.store.refresh()
    #expect(people.events.count == 2 && dogs.events.count == 2)
  }

  @Test("L15: what a delivery costs does not grow with the size of the collection")
  func cost() throws {
    /// Operations of SQLite's virtual machine for one row modified, moved, inserted and deleted.
    func operations(_ size: Int) throws -> Int {
      let file = TestFile()
      try file.addPeople(1...10)
      sqlite3(
        file.path,
        """
        with recursive n(i) as (values (11) union all select i + 1 from n where i < \(size))
        insert into Person (id, age) select i, i * 10 from n
        """)
      let test = try file.observer()
      let observations = [
        test.observe(test.people.sorted(by: \.age)),
        test.observe(try test.people.filter(#Predicate { $0.age > 50 })),
      ]
      let writer = try file.open()
      let counter = OperationCounter(test.store)
      try writer.write { store in
        writer.person(5).age = 75
        writer.person(6).name = "x"
        store.add(Person(id: 0, age: 55))
        store.delete(writer.person(8))
      }
      #expect(test.turns { observations.allSatisfy { !$0.changes.isEmpty } })
      return counter.count
    }
    let small = try operations(20)
    let large = try operations(4_000)
    #expect(large < small * 3 / 2 + 50, "\(small) operations for 20 rows, \(large) for 4,000")
  }

  @Test("L15: nor with the length of the change log, also when it was analysed while it was short")
  func analysedLog() throws {
    /// Operations of SQLite's virtual machine for one row modified, after so many other transactions.
    func operations(_ transactions: Int) throws -> Int {
      let file = TestFile()
      try file.addPeople(1...10)
      sqlite3(file.path, "analyze")
      let writer = try file.open()
      for round in 0..<transactions { try writer.write { _ in writer.person(3).age = round } }
      let test = try file.observer()
      let observation = test.observe(test.people)
      let counter = OperationCounter(test.store)
      try writer.write { _ in writer.person(5).name = "x" }
      #expect(test.turns { !observation.changes.isEmpty })
      return counter.count
    }
    let short = try operations(2)
    let long = try operations(1_000)
    #expect(long < short * 3 / 2 + 50, "\(short) operations after 2 transactions, \(long) after 1,000")
  }
}
