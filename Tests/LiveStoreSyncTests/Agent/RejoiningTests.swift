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
    #expect(try machine.synced.join(url, space: "Home", classes: SyncedPeople.classes) == .joined)
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

  @Test("What was changed since and loses is told, and what was deleted elsewhere comes back changed")
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
    #expect(Set(conflicts.map(\.identity.key)) == ["a", "c"])
    #expect(Set(conflicts.map { $0.mine["text"] ?? $0.mine["count"] }) == ["Mine", 3])
    #expect(try ben.ids("Note") == ["a", "b", "c", "d", "n", "own"])
    #expect(try anna.rows("SELECT text FROM Note WHERE id = 'b'") == [["Mine"]])
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
