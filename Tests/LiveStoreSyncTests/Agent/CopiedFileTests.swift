import Foundation
import LiveStore
import PostgreSQLCluster
import Programs
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite(
  "Files that are copied, replaced or written over, and their agents", .enabled(if: TestCluster.isInstalled),
  .serialized)
struct CopiedFileTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("A copied file gets a number of its own, and both go on")
  func copy() throws {
    let (anna, ben) = try people.pair()
    let copy = try Machine(copying: anna, as: "copy", in: people.folder)
    try anna.program.execute("INSERT INTO Note (id) VALUES ('a')")
    try copy.program.execute("INSERT INTO Note (id) VALUES ('c')")
    try people.carry(anna, copy, ben)
    try people.carry(anna, copy, ben)
    for machine in [anna, copy, ben] { #expect(try machine.ids("Note") == ["a", "c", "n"]) }
    #expect(try anna.replica() != copy.replica())
  }

  @Test("A copy that is made while the agent of the original runs gets what that sends, and sends its own")
  func copyBesideAgent() throws {
    let (anna, ben) = try people.pair()
    let agent = try RunningAgent(anna.path)
    try anna.waitForStatus { $0.phase == .inStep }
    let copy = try Machine(copying: anna, as: "copy", in: people.folder)
    try anna.waitUntilSent { try $0.execute("INSERT INTO Note (id) VALUES ('a')") }
    try copy.program.execute("INSERT INTO Note (id) VALUES ('c'); UPDATE Note SET count = 5 WHERE id = 'n'")
    try SyncAgent(path: copy.path).runOnce()
    try anna.program.execute(
      "INSERT INTO Note (id) VALUES ('b'); UPDATE Note SET text = 'Oat' WHERE id = 'n'")
    try anna.waitUntil { try anna.ids("Note") == ["a", "b", "c", "n"] }
    agent.stop()
    try people.carry(anna, copy, ben)
    for machine in [anna, copy, ben] {
      #expect(try machine.ids("Note") == ["a", "b", "c", "n"])
      #expect(try machine.rows("SELECT text, count FROM Note WHERE id = 'n'") == [["Oat", 5]])
    }
  }

  @Test("A file that is replaced by its backup gets everything again that was sent since")
  func backup() throws {
    let (anna, ben) = try people.pair()
    let backup = try Machine(copying: anna, as: "backup", in: people.folder)
    let agent = try RunningAgent(anna.path)
    try anna.waitUntilSent {
      try $0.execute("INSERT INTO Note (id) VALUES ('a'); UPDATE Note SET text = 'Oat' WHERE id = 'n'")
    }
    agent.stop()
    // As if it were the same file: the agent has not entered since.
    try backup.program.execute("ATTACH \(literal(anna.path)) AS o")
    try backup.program.execute(
      "UPDATE _livesync_state SET value = (SELECT s.value FROM o._livesync_state s WHERE s.name = 'token') "
        + "WHERE name = 'token'; DETACH o")
    try people.carry(backup, ben)
    for machine in [backup, ben] {
      #expect(try machine.ids("Note") == ["a", "n"])
      #expect(try machine.rows("SELECT text FROM Note WHERE id = 'n'") == [["Oat"]])
    }
  }

  @Test("An agent ends when its file is replaced, and says so")
  func replacedFile() throws {
    let (anna, _) = try people.pair()
    let agent = try SyncAgent(path: anna.path)
    try agent.runOnce()
    let copy = try Machine(copying: anna, as: "copy", in: people.folder)
    #expect(rename(copy.path, anna.path) == 0)
    let error = #expect(throws: StoreError.self) { try agent.runOnce() }
    #expect(error?.description.contains("was replaced while it was open") == true)
  }

  @Test("An agent that waits ends when its file is replaced, so that the other file can be used")
  func replacedWhileWaiting() throws {
    let (anna, _) = try people.pair()
    let copy = try Machine(copying: anna, as: "copy", in: people.folder)
    try copy.program.execute("UPDATE Note SET text = 'Copy'; PRAGMA wal_checkpoint(TRUNCATE)")
    let agent = try RunningAgent(anna.path)
    try anna.waitUntilSent { try $0.execute("UPDATE Note SET text = 'Oat' WHERE id = 'n'") }
    #expect(rename(copy.path, anna.path) == 0)
    let error = agent.waitForEnd() as? StoreError
    #expect(error?.description.contains("was replaced while it was open") == true)
    agent.stop()
  }

  @Test("An agent whose file is written over sends nothing of what is in it now, ends, and says so")
  func overwrittenFile() throws {
    let (anna, ben) = try people.pair()
    let copy = try Machine(copying: anna, as: "copy", in: people.folder)
    try copy.program.execute("UPDATE Note SET text = 'Old', count = 1; PRAGMA wal_checkpoint(TRUNCATE)")
    let agent = try SyncAgent(path: anna.path)
    for text in ["Rye", "Oat"] {
      try anna.program.execute("UPDATE Note SET text = '\(text)' WHERE id = 'n'")
      try agent.runOnce()
    }
    let sent = try anna.rows("SELECT text, count FROM Note")
    // Into the same file, as cp does it.
    #expect(try Program(["cp", copy.path, anna.path]).run().status == 0)
    try? anna.program.execute("INSERT INTO Note (id) VALUES ('later')")
    let error = #expect(throws: StoreError.self) { try agent.runOnce() }
    #expect(error?.description.contains("was written over by another program") == true)
    try people.carry(ben)
    #expect(try ben.rows("SELECT text, count FROM Note") == sent)
  }

  @Test("In a pause an agent does not write the log over what another program has written over the file")
  func overwrittenFileInPause() throws {
    let (anna, _) = try people.pair()
    let copy = try Machine(copying: anna, as: "copy", in: people.folder)
    try copy.program.execute("UPDATE Note SET text = 'Old'; PRAGMA wal_checkpoint(TRUNCATE)")
    let file = try #require(try JoinedFile(path: anna.path))
    func isCopied() throws -> Bool { try Program(["cmp", copy.path, anna.path]).run().status == 0 }
    // As the agent does before each exchange.
    try file.identity.check()
    try anna.program.execute("UPDATE Note SET text = 'Rye'")
    file.writeLogBack()
    #expect(try WALIndex(anna.program).hasCommits == false && !isCopied())
    try anna.program.execute("UPDATE Note SET text = 'Oat'")
    try file.identity.check()
    #expect(try Program(["cp", copy.path, anna.path]).run().status == 0)
    file.writeLogBack()
    #expect(try isCopied())
  }
}
