import Foundation
import LiveStore
import PostgreSQLCluster
import Synchronization
import Testing

@testable import LiveStoreSync

@Suite("Streams of a joined file", .enabled(if: TestCluster.isInstalled))
struct StreamTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("The status of an agent can be observed from elsewhere: connected, what waits, who else, its end")
  func statuses() async throws {
    let (anna, ben) = try people.pair()
    var statuses = anna.synced.statuses().makeAsyncIterator()
    #expect(await statuses.next()?.phase == .stopped)
    let agent = try RunningAgent(anna.path)
    try await wait(&statuses) {
      $0.phase == .inStep && $0.machines.map(\.role) == ["ben"] && $0.behind == 0 && $0.waiting == 0
    }
    // The status tells of changes that wait while the server cannot take them.
    try ben.cutOff()
    let other = try RunningAgent(ben.path)
    var others = ben.synced.statuses().makeAsyncIterator()
    try await wait(&others) { [.offline, .refused].contains($0.phase) }
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try await wait(&others) { $0.waiting == 1 }
    other.stop()
    try await wait(&others) { $0.phase == .stopped }
    agent.stop()
    try await wait(&statuses) { $0.phase == .stopped }
  }

  @Test("A stream may end while the status changes")
  func ending() async throws {
    let file = SyncedFile(path: try Machine(unjoined: "carl", in: people.folder).path)
    let agentFile = SyncSign.path(of: file.path)
    let hasEnded = Mutex(false)
    let writing = Task.detached {
      while !hasEnded.withLock({ $0 }) { try Data([0]).write(to: URL(fileURLWithPath: agentFile)) }
    }
    // Some have no status: those that have ended are let go of later, and the system limits their number.
    var phases: Set<SyncStatus.Phase?> = []
    for _ in 0..<1000 {
      var statuses = file.statuses().makeAsyncIterator()
      phases.insert(await statuses.next()?.phase)
    }
    #expect(phases.subtracting([nil]) == [.stopped])
    hasEnded.withLock { $0 = true }
    try await writing.value
  }

  @Test("Each conflict comes once, with what was mine, what is now, and who did it")
  func conflicts() async throws {
    let (anna, ben) = try people.pair()
    try ben.program.execute("UPDATE Note SET text = 'Soy milk'")
    try anna.program.execute("UPDATE Note SET count = 7")
    var conflicts = try ben.synced.newConflicts().makeAsyncIterator()
    // Ben's is the earlier change, and is sent the later.
    try anna.program.execute("UPDATE Note SET text = 'Oat milk'")
    try people.carry(anna, ben)
    let overwritten = try #require(try await conflicts.next())
    #expect(overwritten.kind == .overwritten)
    #expect(overwritten.mine == ["text": "Soy milk"])
    #expect(overwritten.theirs == ["text": "Oat milk"])
    #expect(overwritten.author == "anna")
    try ben.program.execute("UPDATE Note SET count = 8")
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna, ben)
    let deleted = try #require(try await conflicts.next())
    #expect(deleted.kind == .deleted && deleted.mine["count"] == 8 && deleted.number > overwritten.number)
    #expect(throws: SyncError.self) {
      try SyncedFile(path: Machine(unjoined: "carl", in: people.folder).path).newConflicts()
    }
  }

  private func wait(
    _ statuses: inout AsyncStream<SyncStatus>.AsyncIterator, until condition: (SyncStatus) -> Bool
  ) async throws {
    while let status = await statuses.next() {
      if condition(status) { return }
    }
    Issue.record("The stream has ended.")
  }
}
