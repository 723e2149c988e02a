import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Lists that do not own their elements")
struct ListTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  /// Machines that share playlists “p” and “q”, and songs of which the first are in “p”.
  private func machines(songs: Int = 4, inList count: Int = 3, _ names: String...) throws -> [Machine] {
    let names = names.isEmpty ? ["anna", "ben"] : names
    let machines = try names.map { name in
      try Machine(name, in: folder.path) { program in
        guard name == names[0] else { return }
        try program.execute("INSERT INTO Playlist VALUES ('p'), ('q')")
        for song in 1...songs { try program.execute("INSERT INTO Song (id) VALUES (\(song))") }
        for song in 1...songs where song <= count {
          try program.execute("INSERT INTO Playlist_songs (owner, target) VALUES ('p', \(song))")
        }
      }
    }
    try Machine.settle(machines, in: space)
    return machines
  }

  private func songs(_ machine: Machine, of list: String = "p") throws -> [Int64] {
    try machine.rows("SELECT target FROM Playlist_songs WHERE owner = '\(list)' ORDER BY position, entry")
      .compactMap { if case .integer(let song) = $0[0] { song } else { nil } }
  }

  private func change(_ machine: Machine, _ body: (List<Song>, Store) -> Void) throws {
    let store = try machine.store()
    defer { store.close() }
    try store.write {
      if let list = store.object(ofType: Playlist.self, forPrimaryKey: "p") { body(list.songs, store) }
    }
  }

  @Test("A list reaches other machines in its order, an object in it several times too")
  func whole() throws {
    let pair = try machines()
    #expect(try songs(pair[1]) == [1, 2, 3])
    try change(pair[1]) { list, _ in
      list.append(list[0])
      list.move(from: 2, to: 0)
    }
    try Machine.settle(pair, in: space)
    for machine in pair { #expect(try songs(machine) == [3, 1, 2, 1]) }
    // One of the two goes; which one is the same everywhere.
    try change(pair[0]) { list, _ in list.remove(at: 1) }
    try Machine.settle(pair, in: space)
    for machine in pair { #expect(try songs(machine) == [3, 2, 1]) }
    #expect(try pair[0].songs() == pair[1].songs())
  }

  @Test("What two people add, move and remove in one list while apart is all done")
  func together() throws {
    let pair = try machines(songs: 6)
    try change(pair[0]) { list, store in
      list.insert(store.object(ofType: Song.self, forPrimaryKey: 4)!, at: 1)
      list.remove(at: list.firstIndex { $0.id == 3 }!)
    }
    try change(pair[1]) { list, store in
      list.insert(store.object(ofType: Song.self, forPrimaryKey: 5)!, at: 1)
      list.move(from: 1, to: 0)
      list.append(store.object(ofType: Song.self, forPrimaryKey: 6)!)
    }
    try Machine.settle(pair, in: space)
    #expect(try Set(songs(pair[0])) == [1, 2, 4, 5, 6])
    #expect(try songs(pair[0]).first == 5 && songs(pair[0]).last == 6)
    #expect(try pair[0].songs() == pair[1].songs())
    for machine in pair { #expect(try machine.file.conflicts().isEmpty) }
  }

  @Test("Two people who add the same object add it once")
  func same() throws {
    let pair = try machines()
    for machine in pair {
      try change(machine) { list, store in list.append(store.object(ofType: Song.self, forPrimaryKey: 4)!) }
    }
    try Machine.settle(pair, in: space)
    for machine in pair { #expect(try songs(machine) == [1, 2, 3, 4]) }
  }

  @Test("An element whose object or owner is deleted elsewhere goes, and comes back with it")
  func deletedObjects() throws {
    let pair = try machines()
    try pair[0].program.execute(
      "PRAGMA foreign_keys = ON; DELETE FROM Song WHERE id = 4; DELETE FROM Playlist WHERE id = 'q'")
    try pair[1].program.execute(
      """
      INSERT INTO Playlist_songs (owner, target) VALUES ('p', 4), ('q', 1);
      UPDATE Song SET title = 'mine' WHERE id = 4
      """)
    try Machine.settle(pair, in: space)
    for machine in pair {
      #expect(try songs(machine) == [1, 2, 3])
      #expect(try songs(machine, of: "q").isEmpty)
    }
    let conflict = try #require(try pair[1].file.conflicts().first { $0.identity.type == "Song" })
    _ = try pair[1].file.write { () throws(StoreError) in
      try pair[1].file.bringBack(conflict: conflict.number)
    }
    try pair[0].program.execute("INSERT INTO Playlist VALUES ('q')")
    try Machine.settle(pair, in: space)
    for machine in pair {
      #expect(try songs(machine) == [1, 2, 3, 4])
      #expect(try songs(machine, of: "q") == [1])
    }
  }

  @Test("An entry with the number of one that went with its object is an element of its own")
  func reusedEntry() throws {
    let pair = try machines()
    try pair[0].program.execute("PRAGMA foreign_keys = ON; DELETE FROM Song WHERE id = 4")
    try pair[1].program.execute("INSERT INTO Playlist_songs (owner, target) VALUES ('q', 1), ('q', 4)")
    try Machine.settle(pair, in: space)
    // The element that comes back is the entry before the one that it was, whose number the next one gets.
    try pair[1].program.execute("DELETE FROM Playlist_songs WHERE owner = 'q' AND target = 1")
    try pair[0].program.execute("INSERT INTO Song (id) VALUES (4)")
    try Machine.settle(pair, in: space)
    try pair[1].program.execute("INSERT INTO Playlist_songs (owner, target) VALUES ('q', 4)")
    try Machine.settle(pair, in: space)
    for machine in pair { #expect(try songs(machine, of: "q") == [4, 4]) }
  }

  @Test("Two full files are merged: an element that both have comes once")
  func fullFiles() throws {
    let machines = try ["anna", "ben"].map { name in
      try Machine(name, in: folder.path) { program in
        let own = name == "anna" ? 3 : 4
        try program.execute(
          """
          INSERT INTO Playlist VALUES ('p'); INSERT INTO Song (id) VALUES (1), (2), (\(own));
          INSERT INTO Playlist_songs (owner, target) VALUES ('p', 1), ('p', \(own)), ('p', 2)
          """)
      }
    }
    try Machine.settle(machines, in: space)
    #expect(try Set(songs(machines[0])) == [1, 2, 3, 4] && songs(machines[0]).count == 4)
    #expect(try machines[0].songs() == machines[1].songs())
  }

  @Test("A refused change of a list is taken back, and told")
  func refused() throws {
    let pair = try machines()
    let former = try pair[0].songs()
    try pair[1].program.execute(
      """
      DELETE FROM Playlist_songs WHERE target = 1; UPDATE Playlist_songs SET position = 'z' WHERE target = 2;
      INSERT INTO Playlist_songs (owner, target) VALUES ('p', 4)
      """)
    try pair[1].file.note(maySend: false)
    _ = try pair[1].file.exchange(with: space)
    #expect(try pair[1].songs() == pair[0].songs())
    let conflicts = try pair[1].file.conflicts()
    #expect(conflicts.allSatisfy { $0.kind == .refused } && conflicts.count == 3)
    // Now the person may.
    try pair[1].file.note(maySend: true)
    for conflict in conflicts {
      _ = try pair[1].file.write { () throws(StoreError) in
        try pair[1].file.bringBack(conflict: conflict.number)
      }
    }
    try Machine.settle(pair, in: space)
    #expect(try pair[0].songs() == pair[1].songs() && pair[0].songs() != former)
    #expect(try songs(pair[0]) == [3, 2, 4])
  }

  @Test("A refused element of a list whose objects are gone is not said to be brought back")
  func refusedWithoutObjects() throws {
    let pair = try machines()
    try pair[1].program.execute("INSERT INTO Playlist_songs (owner, target) VALUES ('p', 4)")
    try pair[1].file.note(maySend: false)
    _ = try pair[1].file.exchange(with: space)
    try pair[0].program.execute("DELETE FROM Song WHERE id = 4")
    try Machine.settle(pair, in: space)
    let conflict = try #require(pair[1].file.conflicts().first)
    let error = #expect(throws: StoreError.self) {
      try pair[1].file.write { () throws(StoreError) in
        try pair[1].file.bringBack(conflict: conflict.number)
      }
    }
    #expect(error?.description.hasPrefix("The list, or what was in it, is gone") == true, "\(error as Any)")
    #expect(try pair[1].file.conflicts().map(\.number) == [conflict.number])
  }

  @Test("A file whose list was not carried by an older program sends it")
  func olderProgram() throws {
    let pair = try machines()
    for machine in pair {
      try machine.program.execute(
        """
        DELETE FROM _livesync_entry WHERE list = 'Playlist_songs';
        DELETE FROM _livesync_object
          WHERE type = (SELECT type FROM _livesync_type WHERE name = 'Playlist_songs');
        UPDATE _livesync_state SET value = 'older' WHERE name = 'layout'
        """)
    }
    try pair[1].program.execute("DELETE FROM Playlist_songs")
    _ = try pair[1].file.write { () throws(StoreError) in try pair[1].file.capture() }
    try Machine.settle([pair[0]] + pair, in: space)
    for machine in pair { #expect(try songs(machine) == [1, 2, 3]) }
  }

  @Test("Keys of elements are read as they are written")
  func keys() throws {
    for owner in [SQLiteValue.integer(-3), .text(""), .text("a/b/7"), .text("é")] {
      for target in [SQLiteValue.integer(.max), .text("t1/2")] {
        let element = ListElement(list: "L", owner: owner, target: target, number: 12)
        #expect(try ListElement(#require(element.identity)) == element)
      }
    }
    for key in ["", "1", "1/2", "1/2/", "-1/2/i1i2", "1/9/i1i2", "1/0/i1", "x/2/i1i2", "1/2/ixi2", "1/2/i1q"]
    {
      #expect(ListElement(.init(type: "L", key: .text(key))) == nil, "\(key)")
    }
  }

  // MARK: At random

  @Test(
    "Whatever people do to lists while apart, all machines have the same in the same order",
    arguments: 0..<Machine.histories(40))
  func random(_ round: Int) throws {
    var random = SeededGenerator()
    let comment = Comment(rawValue: random.comment)
    space.random = random
    let machines = try (0..<3).map { try Machine("m\($0)", in: folder.path) }
    for machine in machines { try machine.program.execute("PRAGMA foreign_keys = ON") }
    for _ in 0..<Int.random(in: 20...120, using: &random) {
      let machine = machines.randomElement(using: &random)!
      switch Int.random(in: 0..<12, using: &random) {
      case 0: try machine.restart()
      case 1: try machine.setClock(&random)
      case 2, 3:
        space.losesAnswer = Int.random(in: 0..<4, using: &random) == 0
        do { try machine.exchange(with: space) } catch is SpaceModel.Lost {}
      default: try change(machine, &random)
      }
    }
    space.losesAnswer = false
    for machine in machines { try machine.exchange(with: space) }
    try Machine.settle(machines, in: space)
    let content = try machines[0].content()
    for machine in machines.dropFirst() {
      #expect(try machine.content() == content, comment)
    }
    // Every element is there whose objects are, and no other.
    let rows = try machines[0].songs()
    let (owners, targets) = try (
      Set(machines[0].rows("SELECT id FROM Playlist").map { $0[0] }),
      Set(machines[0].rows("SELECT id FROM Song").map { $0[0] })
    )
    let expected = space.elements(of: "Playlist_songs").filter {
      owners.contains($0.key.owner) && targets.contains($0.key.target)
    }
    #expect(
      rows.map { "\($0)" }.sorted()
        == expected.map { "\([$0.key.owner, $0.key.target, $0.value])" }.sorted(), comment)
    for machine in machines { #expect(try machine.isAsKnown(), comment) }
  }

  private func change(_ machine: Machine, _ random: inout SeededGenerator) throws {
    let playlist = ["p", "q"].randomElement(using: &random)!
    let song = Int.random(in: 1...4, using: &random)
    let entry = "(SELECT entry FROM Playlist_songs ORDER BY entry LIMIT 1 OFFSET \(song - 1))"
    let position = ["V", "W", "Wt", "X"].randomElement(using: &random)!
    let place =
      "WHERE EXISTS (SELECT 1 FROM Playlist WHERE id = '\(playlist)') "
      + "AND EXISTS (SELECT 1 FROM Song WHERE id = \(song))"
    let changes = [
      "INSERT OR IGNORE INTO Playlist VALUES ('\(playlist)')",
      "INSERT OR IGNORE INTO Song (id) VALUES (\(song))",
      "INSERT OR IGNORE INTO Song (id) VALUES (\(song))",
      "INSERT INTO Playlist_songs (owner, target) SELECT '\(playlist)', \(song) \(place)",
      "INSERT INTO Playlist_songs (owner, target) SELECT '\(playlist)', \(song) \(place)",
      "INSERT INTO Playlist_songs (owner, target, position) "
        + "SELECT '\(playlist)', \(song), '\(position)' \(place)",
      "DELETE FROM Playlist_songs WHERE entry = \(entry)",
      "UPDATE Playlist_songs SET position = '\(position)' WHERE entry = \(entry)",
      "UPDATE Playlist_songs SET target = \(song) "
        + "WHERE entry = \(entry) AND \(song) IN (SELECT id FROM Song)",
      "DELETE FROM Song WHERE id = \(song)",
      "DELETE FROM Playlist WHERE id = '\(playlist)'",
      // As a list that is assigned.
      "BEGIN; DELETE FROM Playlist_songs WHERE owner = '\(playlist)'; "
        + "INSERT INTO Playlist_songs (owner, target) SELECT '\(playlist)', id FROM Song "
        + "WHERE '\(playlist)' IN (SELECT id FROM Playlist) ORDER BY id DESC; COMMIT",
    ]
    try machine.program.execute(changes.randomElement(using: &random)!)
  }
}
