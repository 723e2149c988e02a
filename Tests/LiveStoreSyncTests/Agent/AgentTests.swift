import Foundation
import LiveStore
import PostgreSQLCluster
import Programs
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Carrying files over a server", .enabled(if: TestCluster.isInstalled), .serialized)
struct AgentTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("A change on one machine is on the other, and the other way round")
  func exchange() throws {
    let (anna, ben) = try people.pair()
    #expect(try ben.rows("SELECT text FROM Note") == [["Milk"]])
    #expect(try ben.rows("SELECT author, machine <> '' FROM _livesync_author") == [["anna", 1]])
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try people.carry(ben, anna)
    #expect(try anna.rows("SELECT text FROM Note") == [["Oat milk"]])
    #expect(try anna.rows("SELECT author, machine <> '' FROM _livesync_author") == [["ben", 1]])
  }

  @Test("A lost change is told with the person whose change won, not with the one who changed the row last")
  func winner() throws {
    let (anna, ben) = try people.pair()
    try anna.synced.share(with: "cleo", .write)
    let cleo = try people.machine("cleo", as: "cleo")
    try ben.program.execute("UPDATE Note SET text = 'Bread'")
    _ = try ben.file.write { () throws(StoreError) in try ben.file.capture() }
    try anna.setClock(after: ben)
    try anna.program.execute("UPDATE Note SET text = 'Butter'")
    try people.carry(anna, cleo)
    try cleo.program.execute("UPDATE Note SET count = 3")
    try people.carry(cleo, ben)
    #expect(try ben.rows("SELECT text, count FROM Note") == [["Butter", 3]])
    let conflict = try #require(try ben.synced.conflicts().first)
    #expect(conflict.mine["text"] == "Bread" && conflict.author == "anna")
    #expect(try ben.rows("SELECT author FROM _livesync_author ORDER BY number DESC LIMIT 1") == [["cleo"]])
  }

  @Test("A machine that comes is shown by all others at once, and named with its first change")
  func newMachine() throws {
    let (anna, _) = try people.pair()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .inStep && $0.machines.count == 1 }
    let tablet = try people.machine("tablet", as: "ben")
    try anna.waitForStatus { $0.machines.count == 2 }
    try tablet.program.execute("UPDATE Note SET text = 'Bread'")
    try people.carry(tablet)
    try anna.waitForStatus { _ in (try? anna.rows("SELECT text FROM Note")) == [["Bread"]] }
    #expect(try anna.rows("SELECT author, machine <> '' FROM _livesync_author") == [["ben", 1]])
  }

  @Test("A list that does not own its elements is carried")
  func list() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      """
      INSERT INTO Playlist VALUES ('p/1'); INSERT INTO Song (id) VALUES (1), (-2);
      INSERT INTO Playlist_songs (owner, target) VALUES ('p/1', 1), ('p/1', -2), ('p/1', 1)
      """)
    try people.carry(anna, ben)
    try ben.program.execute("DELETE FROM Playlist_songs WHERE entry = 1")
    try people.carry(ben, anna)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT target FROM Playlist_songs ORDER BY position") == [[-2], [1]])
    }
    #expect(try anna.songs() == ben.songs())
  }

  @Test("Two files that both have objects are merged if the person says so, and left alone if not")
  func merging() throws {
    let first = try people.machine("first", as: "anna", "INSERT INTO Note (id) VALUES ('a')")
    let refused = try people.machine(
      "refused", as: "anna", confirm: false, "INSERT INTO Note (id) VALUES ('b')")
    #expect(try !refused.synced.isJoined)
    #expect(try refused.ids("Note") == ["b"])
    let second = try people.machine("second", as: "anna", "INSERT INTO Note (id) VALUES ('b')")
    try people.carry(first, second)
    #expect(try first.ids("Note") == ["a", "b"])
    #expect(try second.ids("Note") == ["a", "b"])
  }

  @Test("What a person who may only read has changed is taken back, and told")
  func refused() throws {
    let (anna, ben) = try people.pair(.read)
    try ben.program.execute(
      "UPDATE Note SET text = 'Beer'; INSERT INTO Note (id, text) VALUES ('b', 'Chips')")
    try people.carry(ben, anna)
    #expect(try ben.rows("SELECT id, text FROM Note") == [["n", "Milk"]])
    #expect(try anna.rows("SELECT id, text FROM Note") == [["n", "Milk"]])
    let conflicts = try ben.synced.conflicts()
    #expect(Set(conflicts.map(\.kind)) == [.refused])
    #expect(Set(conflicts.compactMap { $0.mine["text"] }) == ["Beer", "Chips"])
  }

  @Test("A person who is let change the space while the agent runs loses none of the changes from then on")
  func granted() throws {
    let (anna, ben) = try people.pair(.read)
    let agent = try RunningAgent(ben.path)
    defer { agent.stop() }
    try ben.waitForStatus { $0.phase == .inStep }
    try anna.synced.share(with: "ben", .write)
    try ben.waitUntilSent { try $0.execute("INSERT INTO Note (id, text) VALUES ('b', 'Chips')") }
    try people.carry(anna)
    for machine in [anna, ben] { #expect(try machine.ids("Note") == ["b", "n"]) }
    #expect(try ben.synced.conflicts().isEmpty)
  }

  @Test("An agent that runs finds out that a person may change the space again, though nothing is changed")
  func grantedIdle() throws {
    let (anna, ben) = try people.pair(.read)
    let agent = try RunningAgent(ben.path)
    defer { agent.stop() }
    try ben.waitForStatus { $0.phase == .inStep }
    let right = "SELECT value FROM _livesync_state WHERE name = 'mayOnlyRead'"
    #expect(try ben.rows(right) == [[1]])
    try anna.synced.share(with: "ben", .write)
    try ben.waitUntil { try ben.rows(right) == [[0]] }
    try anna.synced.share(with: "ben", .read)
    try ben.waitUntil { try ben.rows(right) == [[1]] }
  }

  @Test("What a new file begins with goes without a word where the person may only read")
  func newFileOfReader() throws {
    let (anna, _) = try people.pair()
    try anna.synced.share(with: "eve", .read)
    let own = #expect(throws: SyncError.self) {
      try people.machine("own", as: "eve", "INSERT INTO Folder (id, name) VALUES ('e', 'Mine')")
    }
    #expect(own?.code == .readOnly)
    let eve = try people.machine("eve", as: "eve", "INSERT INTO Folder (id, name) VALUES ('first', 'Notes')")
    try people.carry(eve)
    #expect(try eve.ids("Note") == ["n"] && eve.ids("Folder").isEmpty)
    #expect(try eve.synced.conflicts().isEmpty)
  }

  @Test("To take back what was refused, only those rows are fetched, whatever their keys")
  func refusedRows() throws {
    let (anna, ben) = try people.pair(.read)
    try anna.program.execute(
      """
      INSERT INTO Note (id, text)
        VALUES ('a', 'A'), ('b', 'B'), ('c', 'C'), ('it''s \\ "q"' || char(10), 'Q');
      INSERT INTO Folder (id) VALUES ('f');
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'a'), ('f', 'b')
      """)
    try people.carry(anna, ben)
    try ben.program.execute(
      "UPDATE Note SET text = 'Beer' WHERE id > 'i'; DELETE FROM Note WHERE id = 'c'; DELETE FROM Folder; "
        + "INSERT INTO Note (id) VALUES ('new')")
    #expect(try ben.exchange(losingAnswer: false, maySend: false).received == 6)
    #expect(try ben.content() == anna.content())
    #expect(try ben.isAsKnown())
  }

  @Test("A machine that is killed before it fetches everything again, and then away for long, misses nothing")
  func killedBeforeFetching() throws {
    let (anna, ben) = try people.pair()
    // As if the program had got new tables.
    try ben.program.execute("UPDATE _livesync_state SET value = 'fewer' WHERE name = 'layout'")
    let unreachable = SpaceModel()
    unreachable.losesQuestion = true
    #expect(throws: SpaceModel.Lost.self) { try ben.file.exchange(with: unreachable) }
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna)
    try people.letDaysPass()
    try people.carry(anna)
    try people.carry(ben, anna)
    for machine in [anna, ben] { #expect(try machine.ids("Note").isEmpty) }
  }

  @Test("A person who may only read does not join a file that has something of its own")
  func readerWithObjects() throws {
    let (anna, _) = try people.pair(.read)
    let error = #expect(throws: SyncError.self) {
      try people.machine("full", as: "ben", "INSERT INTO Note (id) VALUES ('mine')")
    }
    #expect(error?.code == .readOnly && error?.description.contains("join it with a new file") == true)
    let full = SyncedFile(path: "\(people.folder)/full.db")
    #expect(try !full.isJoined)
    #expect(try anna.synced.machines().count == 2)
    // Nor is a file joined twice.
    let again = #expect(throws: StoreError.self) {
      try anna.synced.join(people.database.url(as: "anna"), space: "Home", classes: SyncedPeople.classes)
    }
    #expect(again?.description.contains("is joined already") == true)
    #expect(try anna.synced.machines().count == 2)
  }

  @Test(
    "What was changed here and deleted elsewhere by a forgotten deletion is deleted, told, and can return")
  func forgottenDeletion() throws {
    let (anna, ben) = try people.pair()
    try ben.program.execute("UPDATE Note SET count = 3; INSERT INTO Note (id) VALUES ('new')")
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna)
    try people.letDaysPass()
    try people.carry(anna)
    #expect(try people.database.psql("SELECT count(*) FROM livestore.object WHERE data IS NULL") == "0")
    try people.carry(ben, anna)
    for machine in [anna, ben] { #expect(try machine.ids("Note") == ["new"]) }
    let conflict = try #require(try ben.synced.conflicts().first)
    #expect(conflict.kind == .deleted && conflict.mine["count"] == 3)
    #expect(try ben.synced.bringBack(conflict: conflict.number))
    try people.carry(ben, anna)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT count FROM Note WHERE id = 'n'") == [[3]])
    }
  }

  @Test("A server that has lost everything gets it again from the machines")
  func restored() throws {
    let (anna, ben) = try people.pair()
    try people.loseEverything()
    try ben.program.execute("INSERT INTO Note (id) VALUES ('b')")
    try people.carry(ben, anna)
    try people.carry(ben, anna)
    for machine in [anna, ben] { #expect(try machine.ids("Note") == ["b", "n"]) }
    let new = try people.machine("new", as: "anna")
    #expect(try new.ids("Note") == ["b", "n"])
  }

  @Test("What was dated by a clock that was an hour ahead is sent with the server's time")
  func leapOfClock() throws {
    let (anna, ben) = try people.pair()
    // As if the clock had been set forward since the agent has connected.
    let file = try #require(try JoinedFile(path: anna.path))
    try file.write { () throws(StoreError) in file.state[integer: .clockOffset] += 3_600_000 }
    try anna.program.execute("UPDATE Note SET text = 'Bread'; INSERT INTO Note (id) VALUES ('a')")
    _ = try file.write { () throws(StoreError) in try file.capture() }
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT text FROM Note WHERE id = 'n'") == [["Bread"]])
    #expect(try ben.ids("Note") == ["a", "n"])
    // Nor does the leap stay: a later change of another machine wins.
    try ben.program.execute("UPDATE Note SET text = 'Butter'")
    try people.carry(ben, anna)
    #expect(try anna.rows("SELECT text FROM Note WHERE id = 'n'") == [["Butter"]])
  }

  @Test("An agent goes on after another program has held the file longer than it waits")
  func heldFile() throws {
    let (anna, ben) = try people.pair()
    let agent = try RunningAgent(ben.path)
    defer { agent.stop() }
    try ben.program.execute("BEGIN IMMEDIATE")
    try anna.program.execute("UPDATE Note SET text = 'Bread'")
    try SyncAgent(path: anna.path).runOnce()
    // The agent says that it cannot go on.
    try ben.waitForStatus { $0.phase == .offline && $0.reason.contains("locked by another program") }
    try ben.program.execute("COMMIT")
    try ben.waitUntil { try ben.rows("SELECT text FROM Note") == [["Bread"]] }
  }

  @Test("A file has one agent, by whichever link it is reached, and tells how it stands there too")
  func linkedFile() throws {
    let (anna, _) = try people.pair()
    let link = "\(people.folder)/link.db"
    #expect(symlink(anna.path, link) == 0)
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .inStep }
    let error = #expect(throws: SyncError.self) { try SyncAgent(path: link) }
    #expect(error?.description.contains("carries “\(link)” already") == true)
    #expect(try SyncedFile(path: link).report()?.status.phase == .inStep)
  }

  @Test(
    "An agent whose file is removed makes it again, so that it stays the only one and tells how it stands")
  func removedFile() throws {
    let (anna, _) = try people.pair()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .inStep }
    #expect(unlink(SyncSign.path(of: anna.path)) == 0)
    try anna.program.execute("UPDATE Note SET text = 'Oat milk'")
    try anna.waitForStatus { $0.phase == .inStep && $0.waiting == 0 }
    #expect(try AgentFile(database: anna.path) == nil)
  }

  @Test("While an agent has much to exchange, its status says what it does and how far it is")
  func progress() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10500) "
        + "INSERT INTO Note (id) SELECT 'x' || i FROM n")
    func statuses(_ machine: Machine) throws -> [String] {
      let agent = try SyncAgent(path: machine.path)
      var seen: [String] = []
      let tell = agent.file.onProgress
      agent.file.onProgress = { progress in
        tell(progress)
        let status = SyncStatus(text: (try? SyncSign.read(database: machine.path)) ?? "")
        seen.append("\(status.phase) \(status.done) of \(status.total)")
      }
      try agent.runOnce()
      return seen
    }
    #expect(try statuses(anna) == ["sending 0 of 10500", "sending 10000 of 10500"])
    let fetching = (1...10).map { "fetching \($0 * 1000) of 0" }
    let writing = (0...10).map { "writing \($0 * 1000) of 10500" }
    #expect(try statuses(ben) == fetching + writing)
  }

  @Test("Work that lost against a deletion is brought back everywhere")
  func broughtBack() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute("DELETE FROM Note")
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try people.carry(anna, ben)
    #expect(try ben.ids("Note").isEmpty)
    let conflict = try #require(try ben.synced.conflicts().first)
    #expect(conflict.author == "anna")
    #expect(try ben.synced.bringBack(conflict: conflict.number))
    try people.carry(ben, anna)
    #expect(try anna.rows("SELECT text FROM Note") == [["Oat milk"]])
    #expect(try ben.synced.conflicts().isEmpty)
  }

  @Test("A change is told as lost to a deletion that was made without knowing it, though the server had it")
  func deletionWithoutKnowledge() throws {
    let (anna, ben) = try people.pair()
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try SyncAgent(path: ben.path).runOnce()
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna, ben)
    #expect(try ben.ids("Note").isEmpty)
    #expect(try ben.synced.conflicts().map(\.mine["text"]) == ["Oat milk"])
    #expect(try anna.synced.conflicts().isEmpty)
  }

  @Test("Leaving a space leaves the objects, and no trace of joining")
  func leaving() throws {
    let (anna, _) = try people.pair()
    try anna.synced.leave()
    #expect(try !anna.synced.isJoined)
    #expect(try anna.ids("Note") == ["n"])
    #expect(try anna.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%livesync%'").isEmpty)
    let store = try anna.store()
    try store.write { store.object(ofType: Note.self, forPrimaryKey: "n")!.text = "Oat milk" }
    store.close()
    #expect(throws: SyncError.self) { try SyncAgent(path: anna.path) }
  }

  @Test("While agents run, a change on one machine reaches the other by itself, and a file has one agent")
  func running() throws {
    let (anna, ben) = try people.pair()
    let agents = try [anna, ben].map { try RunningAgent($0.path) }
    #expect(throws: SyncError.self) { try SyncAgent(path: anna.path) }
    for number in 1...20 {
      let (writer, reader) = number % 2 == 0 ? (anna, ben) : (ben, anna)
      try writer.program.execute("UPDATE Note SET count = \(number)")
      try reader.waitUntil { try reader.rows("SELECT count FROM Note") == [[.integer(Int64(number))]] }
    }
    for agent in agents { agent.stop() }
  }

  @Test("Files converge over a server, with lost answers and restarts", arguments: 0..<cases(10, sample: 3))
  func random(_ round: Int) throws {
    var random = SeededGenerator()
    let machines = try (0..<3).map { number in
      try people.machine(
        "m\(number)", as: "anna", number == 1 ? "" : "INSERT INTO Folder (id) VALUES ('f\(number)')")
    }
    for step in 0..<60 {
      let machine = machines.randomElement(using: &random)!
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        do {
          try machine.exchange(losingAnswer: true)
        } catch is SpaceModel.Lost {}
      case 1, 2: try SyncAgent(path: machine.path).runOnce()
      default: try machine.change(step, &random)
      }
    }
    for _ in 0..<4 {
      for machine in machines { try SyncAgent(path: machine.path).runOnce() }
    }
    let contents = try machines.map { try $0.content() }
    for (machine, content) in zip(machines, contents) where content != contents[0] {
      let (own, first) = (Set(content), Set(contents[0]))
      Issue.record(
        "\(machine.name), \(random.comment): \(own.subtracting(first)) against \(first.subtracting(own))")
    }
  }
}
