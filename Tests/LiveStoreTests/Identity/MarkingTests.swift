import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("What a file says of itself, changed while it is open or lost on the way")
struct MarkingTests {
  private let file = TestFile()

  @Test(
    "A store does not write into a file that another program has marked otherwise, until the mark is back",
    arguments: [
      ("user_version", "3"), ("user_version", "0"), ("application_id", "77"), ("application_id", "0"),
    ])
  func marked(pragma: String, value: String) throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    let mark = sqlite3(file.path, "pragma \(pragma)")
    sqlite3(file.path, "pragma \(pragma) = \(value)")
    #expect(test.turns { people.events.count > 1 })
    let error = #expect(throws: StoreError.self) { try test.write { _ in test.person(1).name = "lost" } }
    let code: StoreError.Code =
      pragma == "application_id" ? .otherApplication : value == "3" ? .newerVersion : .schema
    #expect(error?.code == code, "\(error?.description ?? "")")
    #expect(sqlite3(file.path, "select name from Person where id = 1") == "p1\n")
    sqlite3(file.path, "pragma \(pragma) = \(mark)")
    try test.write { _ in test.person(1).name = "saved" }
    #expect(sqlite3(file.path, "select name from Person where id = 1") == "saved\n")
  }

  @Test("A store that has looked at nothing since writes nothing either")
  func unseen() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let paused = try PausedWatcher(test.store)
    sqlite3(file.path, "pragma user_version = 3")
    #expect(throws: StoreError.self) { try test.write { _ in test.person(1).name = "lost" } }
    #expect(sqlite3(file.path, "select name from Person where id = 1") == "p1\n")
    paused.resume()
  }

  @Test("A table that is lost and put back: the store writes again, and observers that come then are told")
  func restoredTable() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(file.path, "pragma legacy_alter_table = on; alter table Dog rename to Away")
    #expect(test.turns { people.events.count > 1 })
    #expect(throws: StoreError.self) { try test.write { _ in test.person(1).name = "lost" } }
    sqlite3(file.path, "pragma legacy_alter_table = on; alter table Away rename to Dog")
    try test.write { _ in test.person(1).name = "saved" }
    let again = test.observe(test.people)
    sqlite3(file.path, "update Person set age = 1 where id = 2")
    #expect(test.turns { !again.changes.isEmpty })
    #expect(again.changes == [ChangeSet(mod: [1])])
    #expect(test.people.map(\.name) == ["saved", "p2", "p3"])
  }

  @Test("A file that was made from a dump is taken as what it is")
  func dumped() throws {
    try file.addOwner(of: ["a", "b"])
    let copy = file.path + ".copy"
    defer { for suffix in ["", "-wal", "-shm", "-live"] { unlink(copy + suffix) } }
    shell("sqlite3 '\(file.path)' .dump | sqlite3 '\(copy)'")
    #expect(sqlite3(copy, "pragma application_id; pragma user_version") == "0\n0\n")
    let test = try TestStore(copy)
    #expect(test.dogNames == ["a", "b"])
    #expect(sqlite3(copy, "pragma user_version") == "1\n")
    #expect(sqlite3(copy, "pragma application_id") == "\(Store.Configuration.defaultApplicationID)\n")
    let dogs = test.observe(test.person(1).dogs)
    sqlite3(copy, "delete from Dog where name = 'a'")
    #expect(test.turns { !dogs.changes.isEmpty })
    #expect(test.dogNames == ["b"])
  }

  @Test("A dump whose tables are not those of this version is refused and left as it was")
  func otherDump() throws {
    try file.addOwner(of: ["a"])
    let copy = file.path + ".copy"
    defer { for suffix in ["", "-wal", "-shm", "-live"] { unlink(copy + suffix) } }
    shell("sqlite3 '\(file.path)' .dump | sed 's/nickname/surname/g' | sqlite3 '\(copy)'")
    let before = sqlite3(copy, ".dump")
    let error = #expect(throws: StoreError.self) { try TestStore(copy) }
    #expect(error?.code == .otherApplication && error?.description.contains("made from a dump") == true)
    #expect(sqlite3(copy, ".dump") == before)
  }
}
