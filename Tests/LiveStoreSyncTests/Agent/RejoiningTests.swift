import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

@Suite("Coming back to a space with the same file", .enabled(if: TestCluster.isInstalled), .serialized)
struct RejoiningTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  /// Anna and Ben share a folder of some notes.
  private func sharing() throws -> (Machine, Machine) {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      """
      INSERT INTO Folder (id, name) VALUES ('f', 'Home'), ('e', 'Empty'); INSERT INTO Root VALUES (0);
      INSERT INTO Root_folders (owner, target) VALUES (0, 'f'), (0, 'e');
      INSERT INTO Note (id, text) VALUES ('a', 'A'), ('b', 'B'), ('c', 'C'), ('d', 'D');
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'a'), ('f', 'b'), ('f', 'c'), ('f', 'd');
      INSERT INTO Playlist VALUES ('p'); INSERT INTO Song (id) VALUES (1), (2);
      INSERT INTO Playlist_songs (owner, target) VALUES ('p', 1), ('p', 2)
      """)
    try people.carry(anna, ben)
    return (anna, ben)
  }

  private func comeBack(_ machine: Machine) throws {
    let url = try people.database.url(as: "ben")
    #expect(try machine.synced.join(url, space: "Home", classes: SyncedPeople.classes) != .declined)
    try machine.restart()
  }

  @Test("What nobody has touched since is as the space has it now, and nothing is told as lost")
  func untouched() throws {
    let (anna, ben) = try sharing()
    try ben.synced.leave()
    try anna.program.execute(
      """
      UPDATE Note SET text = 'Other' WHERE id = 'a'; DELETE FROM Note WHERE id = 'b';
      DELETE FROM Folder_notes WHERE target = 'c'; INSERT INTO Folder_notes (owner, target) VALUES ('e', 'c');
      UPDATE Song SET title = 'Sung'; DELETE FROM Playlist_songs WHERE target = 1;
      INSERT INTO Note (id) VALUES ('new')
      """)
    try people.carry(anna)
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try ben.synced.conflicts().isEmpty)
    #expect(try ben.ids("Note") == ["a", "c", "d", "n", "new"])
    #expect(try ben.rows("SELECT text FROM Note WHERE id = 'a'") == [["Other"]])
    #expect(try ben.content() == anna.content())
    #expect(try anna.synced.conflicts().isEmpty)
    #expect(try ben.isAsKnown())
  }

  @Test("What was changed since and loses is told, also to a deletion, and can be brought back")
  func touched() throws {
    let (anna, ben) = try sharing()
    try ben.synced.leave()
    try anna.program.execute("UPDATE Note SET text = 'Other' WHERE id = 'a'; DELETE FROM Note WHERE id = 'b'")
    try ben.program.execute(
      "UPDATE Note SET text = 'Mine' WHERE id IN ('a', 'b'); INSERT INTO Note (id) VALUES ('own')")
    let store = try ben.store()
    try store.write { store.object(ofType: Note.self, forPrimaryKey: "c")!.count = 3 }
    store.close()
    try people.carry(anna)
    try comeBack(ben)
    try people.carry(ben, anna)
    let conflicts = try ben.synced.conflicts()
    #expect(Set(conflicts.map(\.identity.key)) == ["a", "b", "c"])
    #expect(Set(conflicts.map { $0.mine["text"] ?? $0.mine["count"] }) == ["Mine", 3])
    #expect(try ben.ids("Note") == ["a", "c", "d", "n", "own"])
    #expect(try ben.content() == anna.content())
    let deleted = try #require(conflicts.first { $0.kind == .deleted })
    #expect(try ben.synced.bringBack(conflict: deleted.number))
    try people.carry(ben, anna)
    #expect(try anna.rows("SELECT text FROM Note WHERE id = 'b'") == [["Mine"]])
    #expect(try ben.content() == anna.content())
  }

  @Test("What was only moved within its list does not bring back what was deleted elsewhere")
  func reordered() throws {
    let (anna, ben) = try sharing()
    try ben.synced.leave()
    try ben.program.execute("UPDATE Folder_notes SET position = '0' || position WHERE target IN ('c', 'd')")
    try anna.program.execute("DELETE FROM Folder_notes WHERE target = 'd'; DELETE FROM Note WHERE id = 'd'")
    try people.carry(anna)
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try anna.ids("Note") == ["a", "b", "c", "n"])
    #expect(try ben.content() == anna.content())
    #expect(try ben.synced.conflicts().map(\.identity.key) == ["d"])
  }

  @Test(
    "What was deleted meanwhile and the space still has comes back and is told, once for all that is in it")
  func deleted() throws {
    let (anna, ben) = try sharing()
    try ben.synced.leave()
    try ben.program.execute(
      """
      DELETE FROM Folder_notes WHERE owner = 'f'; DELETE FROM Note;
      DELETE FROM Root_folders WHERE target = 'f'; DELETE FROM Folder WHERE id = 'f';
      INSERT INTO Note (id) VALUES ('own'); DELETE FROM Note WHERE id = 'own'
      """)
    try anna.program.execute("UPDATE Note SET text = 'Other' WHERE id = 'b'")
    try people.carry(anna)
    let before = try anna.content()
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try anna.content() == before && ben.content() == before)
    let conflicts = try ben.synced.conflicts()
    #expect(conflicts.allSatisfy { $0.kind == .kept })
    #expect(Set(conflicts.map(\.identity.key)) == ["f", "n"])
    let folder = try #require(conflicts.first { $0.identity.key == "f" })
    // Others may have put something into it.
    #expect(throws: StoreError.self) { try ben.synced.bringBack(conflict: folder.number) }
    try anna.program.execute("DELETE FROM Folder_notes WHERE owner = 'f'; DELETE FROM Note WHERE id <> 'n'")
    try people.carry(anna, ben)
    #expect(try ben.ids("Folder").contains("f"))
    #expect(try ben.synced.bringBack(conflict: folder.number))
    try people.carry(ben, anna)
    for machine in [anna, ben] {
      #expect(try machine.ids("Note") == ["n"] && machine.ids("Folder") == ["e"])
    }
    #expect(try ben.content() == anna.content())
  }

  @Test("What is made anew in a file that has left, after a deletion that it knew, is there when it is back")
  func madeAnew() throws {
    let (anna, ben) = try sharing()
    try anna.program.execute("DELETE FROM Folder_notes WHERE target = 'd'; DELETE FROM Note WHERE id = 'd'")
    try people.carry(anna, ben)
    try ben.synced.leave()
    try ben.program.execute("INSERT INTO Note (id, text) VALUES ('d', 'Again')")
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try anna.rows("SELECT text FROM Note WHERE id = 'd'") == [["Again"]])
    #expect(try ben.content() == anna.content())
    #expect(try ben.synced.conflicts().isEmpty)
  }

  @Test("Who may only read comes back, is told of what was changed, and can do it again with the right to")
  func reader() throws {
    let (anna, ben) = try sharing()
    try anna.synced.share(with: "ben", .read)
    try people.carry(ben)
    try ben.program.execute("UPDATE Note SET text = 'Unsent' WHERE id = 'd'")
    try ben.synced.leave()
    try ben.program.execute(
      """
      UPDATE Note SET text = 'Mine' WHERE id = 'a'; INSERT INTO Note (id) VALUES ('0');
      INSERT INTO Folder_notes (owner, target, position)
      SELECT owner, '0', position FROM Folder_notes WHERE target = 'c';
      DELETE FROM Folder_notes WHERE target = 'c'; DELETE FROM Note WHERE id = 'c'
      """)
    try anna.program.execute("UPDATE Note SET text = 'Other' WHERE id = 'a'; DELETE FROM Note WHERE id = 'b'")
    try people.carry(anna)
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try ben.content() == anna.content())
    #expect(try anna.ids("Note") == ["a", "c", "d", "n"])
    let conflicts = try ben.synced.conflicts()
    #expect(Set(conflicts.map(\.identity.key)) == ["0", "a", "c", "d"])
    #expect(throws: SyncError.self) { try ben.synced.bringBack(conflict: conflicts[0].number) }
    try anna.synced.share(with: "ben", .write)
    try people.carry(ben)
    for conflict in conflicts { #expect(try ben.synced.bringBack(conflict: conflict.number)) }
    try people.carry(ben, anna)
    #expect(
      try anna.rows("SELECT id, text FROM Note ORDER BY id")
        == [["0", ""], ["a", "Mine"], ["d", "Unsent"], ["n", "Milk"]])
    #expect(try ben.content() == anna.content())
    #expect(try ben.isAsKnown())
  }

  @Test("More unsent changes than the log names are told when the file comes back")
  func manyUnsent() throws {
    let (anna, ben) = try sharing()
    try ben.program.execute(
      """
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1500)
      INSERT INTO Note (id) SELECT 'x' || n FROM n; UPDATE Note SET text = 'Unsent' WHERE id = 'a'
      """)
    try ben.synced.leave()
    try anna.program.execute("UPDATE Note SET text = 'Other' WHERE id = 'a'")
    try people.carry(anna)
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try ben.synced.conflicts().map { $0.mine["text"] } == ["Unsent"])
    #expect(try anna.ids("Note").count == 1505)
    #expect(try ben.content() == anna.content())
  }

  @Test("A change that waited when the file left is told if it loses")
  func waiting() throws {
    let (anna, ben) = try sharing()
    try ben.program.execute("UPDATE Note SET text = 'Unsent' WHERE id = 'a'")
    try ben.synced.leave()
    try comeBack(ben)
    try people.carry(ben, anna)
    #expect(try ben.synced.conflicts().map { $0.mine["text"] } == ["Unsent"])
    #expect(try ben.content() == anna.content())
  }

  @Test("What the space has lost meanwhile is sent to it again")
  func lostByServer() throws {
    let (anna, ben) = try sharing()
    let before = try ben.content()
    try ben.synced.leave()
    try anna.synced.leave()
    _ = try people.database.psql("DELETE FROM livestore.object WHERE type = 'Note'")
    try comeBack(ben)
    #expect(try ben.content() == before)
    let new = try people.machine("new", as: "ben")
    #expect(try new.content() == before)
  }
}
