import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

/// Deletions are forgotten by the server after 90 days, when all machines that were there have them.
@Suite("After a deletion was forgotten", .enabled(if: TestCluster.isInstalled), .serialized)
struct ForgottenDeletionTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  private func forgetDeletions(_ machines: Machine...) throws {
    for machine in machines { try people.carry(machine) }
    try people.letDaysPass()
    for machine in machines { try people.carry(machine) }
    #expect(try people.database.psql("SELECT count(*) FROM livestore.object WHERE data IS NULL") == "0")
  }

  @Test("Another object of the same key is on all machines, also those that remember the deletion")
  func sameKey() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      """
      INSERT INTO Root VALUES (0); INSERT INTO Folder (id) VALUES ('f');
      INSERT INTO Root_folders (owner, target) VALUES (0, 'f');
      INSERT INTO Playlist VALUES ('p'); INSERT INTO Song (id) VALUES (1);
      INSERT INTO Playlist_songs (owner, target) VALUES ('p', 1)
      """)
    try people.carry(anna, ben)
    // Of two lives.
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna, ben)
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('n', 'Bread')")
    try people.carry(anna, ben)
    try ben.program.execute("DELETE FROM Note; DELETE FROM Playlist_songs")
    try forgetDeletions(ben, anna)

    let new = try people.machine(
      "new", as: "ben",
      """
      INSERT INTO Root VALUES (0); INSERT INTO Folder (id) VALUES ('f');
      INSERT INTO Root_folders (owner, target) VALUES (0, 'f');
      INSERT INTO Note (id, text) VALUES ('n', 'Tea');
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'n');
      INSERT INTO Playlist VALUES ('p'); INSERT INTO Song (id) VALUES (1);
      INSERT INTO Playlist_songs (owner, target) VALUES ('p', 1)
      """)
    try people.carry(new, anna, ben)
    for machine in [anna, ben, new] {
      #expect(try machine.rows("SELECT text FROM Note") == [["Tea"]])
      #expect(try machine.content() == new.content())
      #expect(try machine.isAsKnown() && machine.synced.conflicts().isEmpty)
    }
    // It is changed and deleted as any other.
    try ben.program.execute("UPDATE Note SET text = 'Green tea'")
    try people.carry(ben, anna, new)
    #expect(try anna.rows("SELECT text FROM Note") == [["Green tea"]])
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna, ben, new)
    for machine in [anna, ben, new] { #expect(try machine.ids("Note").isEmpty) }
  }

  @Test("A file that comes back to the space does not bring back what was deleted meanwhile")
  func comingBack() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('a', 'A'), ('b', 'B'), ('c', 'C')")
    try people.carry(anna, ben)
    try ben.synced.leave()
    try anna.program.execute("DELETE FROM Note WHERE id IN ('a', 'b')")
    try ben.program.execute(
      "UPDATE Note SET text = 'Mine' WHERE id = 'b'; INSERT INTO Note (id) VALUES ('own')")
    try forgetDeletions(anna)

    let url = try people.database.url(as: "ben")
    #expect(try ben.synced.join(url, space: "Home", classes: SyncedPeople.classes) != .declined)
    try ben.restart()
    try people.carry(ben, anna)
    // But for what was changed here since.
    for machine in [anna, ben] {
      #expect(try machine.ids("Note") == ["b", "c", "n", "own"])
      #expect(try machine.content() == anna.content())
      #expect(try machine.synced.conflicts().isEmpty)
    }
    #expect(try ben.isAsKnown())
  }
}
