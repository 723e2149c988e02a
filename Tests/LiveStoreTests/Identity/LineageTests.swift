import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// DESIGN, "What a version is": that a number is higher does not make a version the successor of another.
@Suite("Versions of a file that was restored, and of one whose tables were made anew")
struct LineageTests {
  private let file = TestFile()
  private var copy: String { file.path + ".copy" }

  private func newest(_ path: String) -> Int {
    Int(sqlite3(path, "select max(seq) from _livestore_log").trimmed) ?? 0
  }

  /// Restores the copy into the file as SQLite does it, in a transaction.
  private func restore() {
    sqlite3(file.path, ".restore '\(copy)'")
  }

  private func forget() {
    for suffix in ["", "-wal", "-shm", "-live", "-journal"] { unlink(copy + suffix) }
  }

  /// A callback shows the rows that a fresh query finds.
  private func expectEqual(
    _ people: Observation, _ test: TestStore, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      people.rows
        == sqlite3(file.path, "select id from Person order by id").split(separator: "\n").map(String.init),
      sourceLocation: location)
    #expect(
      test.people.map { "\($0.id)|\($0.name)|\($0.age)" }
        == sqlite3(file.path, "select id, name, age from Person order by id").split(separator: "\n").map(
          String.init),
      sourceLocation: location)
  }

  @Test(
    "A copy that went another way is restored with a lower, the same and a higher number: every row is told",
    arguments: [0, 3, 4, 9])
  func restored(steps: Int) throws {
    defer { forget() }
    try file.addPeople(1...5)
    sqlite3(file.path, ".backup '\(copy)'")
    let test = try file.observer()
    let people = test.observe(test.people)
    let object = ObjectObservation(test.person(2))
    try test.write { _ in test.person(1).name = "here" }
    try test.write { _ in test.store.delete(test.person(5)) }
    sqlite3(file.path, "update Person set age = 99 where id = 4; update Person set age = 98 where id = 4")
    try test.store.refresh()
    people.clear()
    // Other rows than those that the file's log names.
    for step in 0..<steps {
      sqlite3(copy, "update Person set name = 'there \(step)' where id = \(2 + step % 2)")
    }
    #expect(newest(copy) - newest(file.path) == steps - 4)
    restore()
    #expect(test.turns { !people.changes.isEmpty })
    expectEqual(people, test)
    #expect(test.people.map(\.name).first == "p1")
    #expect(people.changes.count == 1)
    #expect(people.changes[0].insertions == [4])
    #expect(people.changes[0].modifications == (steps == 0 ? [0, 3] : [0, 1, 2, 3]))
    #expect(object.events.isEmpty == (steps == 0))
    // It goes on as ever, with changes that cost what they change.
    sqlite3(file.path, "update Person set age = 1 where id = 3")
    #expect(test.turns { people.changes.count == 2 })
    try test.write { _ in test.person(2).age = 2 }
    try test.store.refresh()
    #expect(people.changes.dropFirst() == [ChangeSet(mod: [2]), ChangeSet(mod: [1])])
    expectEqual(people, test)
  }

  @Test("A store that writes at the moment when the file has been restored sees it first")
  func writing() throws {
    defer { forget() }
    try file.addPeople(1...3)
    sqlite3(file.path, ".backup '\(copy)'")
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(file.path, "update Person set name = 'here' where id = 1")
    #expect(test.turns { !people.changes.isEmpty })
    sqlite3(copy, "update Person set name = 'there' where id = 2")
    let paused = try PausedWatcher(test.store)
    restore()
    try test.store.beginWrite()
    #expect(test.people.map(\.name) == ["p1", "there", "p3"])
    #expect(people.changes.last == ChangeSet(mod: [0, 1]))
    test.person(3).name = "after"
    try test.store.commitWrite()
    paused.resume()
    try test.store.refresh()
    expectEqual(people, test)
    #expect(people.changes.last == ChangeSet(mod: [2]))
  }

  @Test("A store that had given its snapshot up finds the rows of the restored file")
  func invalidated() throws {
    defer { forget() }
    try file.addPeople(1...3)
    sqlite3(file.path, ".backup '\(copy)'")
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(file.path, "update Person set name = 'here' where id = 1")
    #expect(test.turns { !people.changes.isEmpty })
    test.store.invalidate()
    sqlite3(copy, "update Person set name = 'there' where id = 2; delete from Person where id = 3")
    restore()
    try test.store.refresh()
    #expect(people.changes.last?.deletions == [2])
    #expect([0, 1].allSatisfy { people.changes.last?.modifications.contains($0) == true })
    expectEqual(people, test)
  }

  @Test("Random writes, copies and restores: what is shown is what a fresh query finds", arguments: 0..<6)
  func random(run: Int) throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    defer { forget() }
    try file.addPeople(1...8)
    sqlite3(file.path, ".backup '\(copy)'")
    let test = try file.observer()
    let people = test.observe(test.people)
    for _ in 0..<25 {
      let id = Int.random(in: 1...9, using: &generator)
      let value = Int.random(in: 0...3, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: restore()
      case 1:
        forget()
        sqlite3(file.path, ".backup '\(copy)'")
      case 2, 3:
        sqlite3(copy, "insert or replace into Person (id, name, age) values (\(id), 'there', \(value))")
      case 4: sqlite3(file.path, "delete from Person where id = \(id)")
      case 5:
        sqlite3(file.path, "insert or replace into Person (id, name, age) values (\(id), 'here', \(value))")
      case 6:
        try test.write { store in
          if let person = store.object(ofType: Person.self, forPrimaryKey: id) { person.age = value + 10 }
        }
      default: test.store.invalidate()
      }
      try test.store.refresh()
      expectEqual(people, test)
      #expect(people.rows == test.people.map { "\($0.id)" }, comment)
    }
  }

  @Test(
    "A table that is made anew with other values, its triggers put back, is a change of the rows that differ")
  func rebuilt() throws {
    try file.addPeople(1...4)
    let test = try file.observer()
    let people = test.observe(test.people)
    let person = test.person(2)
    #expect(person.age == 20)
    let triggers = sqlite3(
      file.path,
      "select group_concat(sql, '; ') from sqlite_schema where type in ('trigger', 'index') and tbl_name = "
        + "'Person' and sql not null"
    )
    let creation = sqlite3(file.path, "select sql from sqlite_schema where name = 'Person'").replacing(
      "CREATE TABLE \"Person\"", with: "CREATE TABLE new")
    #expect(creation.contains("CREATE TABLE new"))
    let before = newest(file.path)
    sqlite3(
      file.path,
      """
      pragma legacy_alter_table = on; begin; \(creation); insert into new select * from Person;
      update new set age = age + 1 where id in (2, 3);
      drop table Person; alter table new rename to Person; \(triggers.trimmed); commit
      """)
    #expect(newest(file.path) == before)
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [1, 2])])
    #expect(person.age == 21)
    expectEqual(people, test)
  }
}

extension String {
  fileprivate var trimmed: String { last == "\n" ? String(dropLast()) : self }
}
