import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

@Suite("Changes that the server refuses", .enabled(if: TestCluster.isInstalled), .serialized)
struct RefusalTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("When the person may change the space again, all of it can be done once more, also what was deleted")
  func restoring() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      """
      INSERT INTO Root VALUES (0); INSERT INTO Folder (id) VALUES ('f'), ('g');
      INSERT INTO Root_folders (owner, target) VALUES (0, 'f'), (0, 'g');
      INSERT INTO Note (id, text) VALUES ('a', 'A'), ('b', 'B'), ('c', 'C'), ('d', 'D');
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'a'), ('f', 'b'), ('f', 'c'), ('f', 'd')
      """)
    try people.carry(anna, ben)
    try anna.synced.share(with: "ben", .read)
    try ben.program.execute(
      """
      UPDATE Note SET text = 'Changed' WHERE id = 'a';
      DELETE FROM Folder_notes WHERE target = 'b'; INSERT INTO Folder_notes (owner, target) VALUES ('g', 'b');
      DELETE FROM Folder_notes WHERE target IN ('c', 'd'); DELETE FROM Note WHERE id IN ('c', 'd')
      """)
    // One of the two is deleted by both.
    try anna.program.execute(
      "DELETE FROM Folder_notes WHERE target = 'd'; DELETE FROM Note WHERE id = 'd'")
    try people.carry(anna, ben)
    #expect(try ben.content() == anna.content())
    try anna.synced.share(with: "ben", .write)
    try people.carry(ben)
    let conflicts = try ben.synced.conflicts()
    #expect(Set(conflicts.map(\.identity.key)) == ["a", "b", "c", "d"])
    for conflict in conflicts { #expect(try ben.synced.bringBack(conflict: conflict.number)) }
    #expect(try ben.synced.conflicts().isEmpty)
    try people.carry(ben, anna)
    for machine in [anna, ben] {
      #expect(
        try machine.rows("SELECT id, text FROM Note WHERE id < 'n'") == [["a", "Changed"], ["b", "B"]])
      #expect(
        try machine.rows("SELECT owner, target FROM Folder_notes ORDER BY target") == [
          ["f", "a"], ["g", "b"],
        ])
      #expect(try machine.content() == anna.content())
    }
  }

  @Test(
    "A list whose deletion was refused is deleted again when nothing is in it: others may have put it there")
  func deletingAgain() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      """
      INSERT INTO Root VALUES (0); INSERT INTO Folder (id) VALUES ('f'); INSERT INTO Note (id) VALUES ('a');
      INSERT INTO Root_folders (owner, target) VALUES (0, 'f');
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'a')
      """)
    try people.carry(anna, ben)
    try anna.synced.share(with: "ben", .read)
    try ben.program.execute(
      """
      DELETE FROM Folder_notes; DELETE FROM Note WHERE id = 'a'; DELETE FROM Root_folders WHERE target = 'f';
      DELETE FROM Folder WHERE id = 'f'
      """)
    try people.carry(ben, anna)
    try anna.synced.share(with: "ben", .write)
    try people.carry(ben)
    let conflicts = try ben.synced.conflicts()
    let folder = try #require(conflicts.first { $0.identity.key == "f" })
    // Others may have put something into it, which would go too.
    #expect(throws: StoreError.self) { try ben.synced.bringBack(conflict: folder.number) }
    let note = try #require(conflicts.first { $0.identity.key == "a" })
    for conflict in [note, folder] { #expect(try ben.synced.bringBack(conflict: conflict.number)) }
    try people.carry(ben, anna)
    #expect(try anna.ids("Note") == ["n"] && anna.ids("Folder") == [])
    #expect(try ben.content() == anna.content())
  }
}
