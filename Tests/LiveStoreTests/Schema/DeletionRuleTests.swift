import Foundation
import Testing

@testable import LiveStore

@Suite("Rules about deletion and checks")
struct DeletionRuleTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }
  private var members: Results<Club.Member> { store.objects(Club.Member.self) }

  init() throws {
    test = try Club.open(file)
    try store.write {
      let (red, blue) = (Club.Team("red"), Club.Team("blue"))
      let first = Club.Member(1, team: red, number: 1)
      first.badge = Club.Badge(10)
      let second = Club.Member(2, team: red, number: 2)
      second.badge = Club.Badge(20)
      let third = Club.Member(3, team: blue)
      let fourth = Club.Member(4)
      fourth.sponsor = third
      store.add([first, second, third, fourth])
      red.guests.append(contentsOf: [Club.Visit(1), Club.Visit(2)])
      blue.guests.append(Club.Visit(3))
      let root = Club.Folder(1)
      let below = Club.Folder(2, in: root)
      store.add([root, below, Club.Folder(3, in: below), Club.Folder(4)])
    }
  }

  private var contents: [[String]] {
    [
      store.objects(Club.Team.self).map(\.name), members.map { "\($0.id)" },
      store.objects(Club.Badge.self).map { "\($0.id)" }, store.objects(Club.Visit.self).map { "\($0.id)" },
    ]
  }

  private static let withoutRed = [["blue"], ["3", "4"], [], ["3"]]

  @Test("With a team go its members, with them the badges they own, and the guests that it owns")
  func cascade() throws {
    let (seen, visits) = (test.observe(members), test.observe(store.objects(Club.Visit.self)))
    let gone = members[0]
    try store.write { store.delete(try #require(store.object(ofType: Club.Team.self, forPrimaryKey: "red"))) }
    #expect(contents == Self.withoutRed && gone.isInvalidated)
    try store.refresh()
    #expect(seen.change == ChangeSet(del: [0, 1]) && visits.change == ChangeSet(del: [0, 1]))
    #expect(sqlite3(file.path, "SELECT count(*) FROM Team_guests; PRAGMA foreign_key_check") == "1\n")
  }

  @Test("A deletion that leads over more objects than SQLite follows is refused with a sentence")
  func tooDeep() throws {
    try store.write {
      var last: Club.Folder?
      for id in 10..<1_200 {
        let folder = last.map { Club.Folder(id, in: $0) } ?? Club.Folder(id)
        store.add(folder)
        last = folder
      }
    }
    let root = try #require(store.object(ofType: Club.Folder.self, forPrimaryKey: 10))
    let refused = #expect(throws: StoreError.self) { try store.write { store.delete(root) } }
    #expect(refused?.description.contains("more than 1,000 objects would go") == true)
    #expect(store.objects(Club.Folder.self).count == 1_194 && !root.isInvalidated)
  }

  @Test("The same goes when the write is cancelled, and comes back")
  func cancelled() throws {
    let before = contents
    let seen = test.observe(members)
    let member = members[0]
    try store.beginWrite()
    #expect(try store.objects(Club.Team.self).filter(#Predicate { $0.name == "red" }).deleteAll() == 1)
    #expect(contents == Self.withoutRed)
    store.cancelWrite()
    #expect(contents == before && member.badge?.id == 10 && !member.isInvalidated)
    try store.refresh()
    #expect(seen.changes.isEmpty)
  }

  @Test("Other programs delete in the same way, with and without foreign keys", arguments: [false, true])
  func foreign(_ hasForeignKeys: Bool) throws {
    let (seen, badges) = (test.observe(members), test.observe(store.objects(Club.Badge.self)))
    sqlite3(
      file.path, "PRAGMA foreign_keys = \(hasForeignKeys ? "ON" : "OFF"); DELETE FROM Team WHERE name = 'red'"
    )
    try store.refresh()
    #expect(contents == Self.withoutRed)
    #expect(seen.change == ChangeSet(del: [0, 1]) && badges.change == ChangeSet(del: [0, 1]))
    #expect(sqlite3(file.path, "SELECT count(*) FROM Team_guests; PRAGMA foreign_key_check") == "1\n")
  }

  @Test("An object that others lead to with .deny is not deleted, and the sentence says which")
  func deny() throws {
    let error = #expect(throws: StoreError.self) { try store.write { store.delete(members[2]) } }
    #expect(
      error?.description
        == "The Member with the primary key 3 cannot be deleted while a Member leads to it (Member.sponsor); "
        + "delete those before.")
    #expect(throws: StoreError.self) { try store.write { _ = members.deleteAll() } }
    #expect(members.count == 4)
    shell("! sqlite3 \(file.path) 'DELETE FROM Member WHERE id = 3' 2> /dev/null")
    shell("! sqlite3 \(file.path) 'PRAGMA foreign_keys = ON; DELETE FROM Member WHERE id = 3' 2> /dev/null")
    try store.write {
      members[3].sponsor = nil
      store.delete(members[2])
    }
    #expect(members.map(\.id) == [1, 2, 4])
    try store.write { store.deleteAll() }
    #expect(store.isEmpty)
  }

  @Test("Whatever deletes objects that others lead to with .deny, the error names that rule")
  func denyAnywhere() throws {
    let sentence =
      "An object cannot be deleted while another leads to it (Member.sponsor); delete that before."
    // The third member goes with its team, and is the sponsor of the fourth.
    let blue = try #require(store.object(ofType: Club.Team.self, forPrimaryKey: "blue"))
    let deletions: [(Store) throws -> Void] = [
      { _ in members.deleteAll() },
      { store in try members.filter(#Predicate { $0.id == 3 }).deleteAll() },
      { store in store.delete(blue) },
      { store in try store.execute(sql: "DELETE FROM Member WHERE id = 3") },
    ]
    for deletion in deletions {
      let error = #expect(throws: StoreError.self) { try store.write { try deletion(store) } }
      #expect(error?.description == sentence)
    }
    try store.write {
      let error = #expect(throws: StoreError.self) { try store.execute(sql: "DELETE FROM Member") }
      #expect(error?.description == sentence)
      let missing = #expect(throws: StoreError.self) {
        try store.execute(sql: "UPDATE Member SET sponsor = 77 WHERE id = 1")
        try store.execute(sql: "INSERT INTO Team_guests (owner, target) VALUES ('none', 1)")
      }
      #expect(missing?.description.contains("cannot be deleted") != true)
      try store.execute(sql: "UPDATE Member SET sponsor = NULL")
    }
    #expect(members.count == 4)
  }

  @Test("Folders go with the one that they are in, at any depth; a program that cannot follow them is told")
  func nested() throws {
    let folders = store.objects(Club.Folder.self)
    let seen = test.observe(folders)
    shell("! sqlite3 \(file.path) 'DELETE FROM Folder WHERE id = 1' 2> /dev/null")
    #expect(folders.count == 4)
    sqlite3(
      file.path, "DELETE FROM Folder WHERE id = 3; PRAGMA foreign_keys = ON; DELETE FROM Folder WHERE id = 1")
    try store.refresh()
    #expect(folders.map(\.id) == [4] && seen.rows == ["4"])
    try store.write {
      store.add(Club.Folder(5, in: folders[0]))
      store.add(Club.Folder(6, in: folders[1]))
      store.delete(folders[0])
    }
    #expect(folders.isEmpty)
  }

  @Test("A value that a check forbids is refused, whoever writes it, with the sentence of the rule")
  func check() throws {
    let error = #expect(throws: StoreError.self) { try store.write { members[0].age = -1 } }
    #expect(
      error?.description
        == "“\(file.path)” refuses what was to be written: the age of a member is not negative.")
    #expect(members[0].age == 20)
    shell("! sqlite3 \(file.path) 'UPDATE Member SET age = -1' 2> /dev/null")
    try store.write { members[0].age = 0 }
  }

  @Test("A program with fewer classes leaves the rules of the others as they are")
  func unknown() throws {
    store.close()
    try TestStore(file.path, types: [Club.Visit.self], keeping: file).store.close()
    sqlite3(file.path, "DELETE FROM Team WHERE name = 'red'")
    let again = try Club.open(file)
    #expect(again.store.objects(Club.Member.self).map(\.id) == [3, 4])
    #expect(again.store.objects(Club.Visit.self).map(\.id) == [3])
  }
}
