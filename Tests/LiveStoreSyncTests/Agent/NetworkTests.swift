import CLinux
import Foundation
import LiveStore
import PostgreSQLCluster
import Programs
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Agents without a server, and with one again", .enabled(if: TestCluster.isInstalled), .serialized)
struct NetworkTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("Changes that are made while the server cannot be reached are counted at once")
  func waitingWhileOffline() throws {
    let (anna, _) = try people.pair()
    try anna.cutOff()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .offline }
    try anna.program.execute("INSERT INTO Note (id) VALUES ('a'), ('b'), ('c')")
    try anna.waitForStatus { $0.phase == .offline && $0.waiting == 3 }
  }

  @Test("In a pause the agent writes the log back, so that a copy of the file alone has all changes")
  func pause() throws {
    let (anna, _) = try people.pair()
    try anna.cutOff()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .offline }
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('a', 'Milk')")
    let index = try WALIndex(anna.program)
    #expect(index.hasCommits)
    let deadline = ContinuousClock.now + Patience.duration
    while index.hasCommits, ContinuousClock.now < deadline { poll(nil, 0, 20) }
    #expect(try Program(["cp", anna.path, anna.path + "-copy"]).run().status == 0)
    let copy = try Connection(path: anna.path + "-copy", create: false)
    #expect(try copy.rows("SELECT text FROM Note WHERE id = 'a'") == [["Milk"]])
  }

  @Test("What waits is counted before the server has answered, by the agent and by those who ask")
  func waitingWhileConnecting() throws {
    let (anna, _) = try people.pair()
    let listener = LocalListener()
    defer { close(listener.socket) }
    try anna.setAddress("postgresql://anna@127.0.0.1:\(listener.port)/tasks")
    try anna.program.execute("INSERT INTO Note (id) VALUES ('a'), ('b'), ('c')")
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .connecting && $0.waiting == 3 }
    try anna.program.execute("INSERT INTO Note (id) VALUES ('d')")
    #expect(try anna.synced.report()?.status.waiting == 4)
    // The agent ends with the connection.
    shutdown(listener.socket, Int32(SHUT_RDWR))
  }

  @Test("Further attempts to reach the server do not end the time for which it is out of reach")
  func offlineSince() throws {
    let (anna, _) = try people.pair()
    try anna.cutOff()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .offline }
    let since = try #require((try? SyncSign.read(database: anna.path)).map { SyncStatus(text: $0).since })
    try anna.setAddress("postgresql://anna@127.0.0.1:2/other")
    try anna.waitForStatus {
      $0.phase == .offline && $0.reason.hasPrefix("127.0.0.1:2/other cannot") && $0.since == since
    }
  }

  @Test("An agent that cannot reach its server goes on as soon as it is told where that has moved")
  func moved() throws {
    let (anna, ben) = try people.pair()
    try anna.cutOff()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .offline }
    try anna.program.execute("UPDATE Note SET text = 'Bread'")
    try anna.synced.move(to: people.database.url(as: "anna"))
    try anna.waitForStatus { $0.phase == .inStep && $0.waiting == 0 }
    try people.carry(ben)
    #expect(try ben.rows("SELECT text FROM Note") == [["Bread"]])
    // And from one that it reaches.
    try anna.synced.move(to: ServerURL(people.database.url(as: "anna").text + "&application_name=moved"))
    try anna.waitUntilSent { try $0.execute("UPDATE Note SET text = 'Butter'") }
    let names = try people.database.psql(
      "SELECT application_name FROM pg_stat_activity WHERE usename = 'anna'")
    #expect(names.contains("moved"))
  }

  @Test("An agent that waits long for its server tries again as soon as the machine's network changes")
  func network() throws {
    let (anna, _) = try people.pair()
    let network = try BadNetwork(to: people.database.cluster.port)
    defer { network.end() }
    network.change { $0.isCut = true }
    try anna.setAddress("postgresql://anna@127.0.0.1:\(network.port)/\(people.database.name)")
    let networkChange = clinux_eventfd()
    let agent = try RunningAgent(
      SyncAgent(path: anna.path, watchingNetwork: { networkChange }), pause: 3_600_000)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .offline }
    func tellOfChange() {
      var one: UInt64 = 1
      _ = write(networkChange, &one, 8)
    }
    network.change { $0.isCut = false }
    tellOfChange()
    try anna.waitForStatus { $0.phase == .inStep }
    // A connection that leads nowhere any more is noticed in a moment, too.
    network.change { $0.isSilent = true }
    tellOfChange()
    try anna.waitForStatus { $0.phase == .offline && $0.reason.contains("has not answered for 5 seconds") }
    network.change { $0.isSilent = false }
    tellOfChange()
    try anna.waitForStatus { $0.phase == .inStep }
  }

  @Test("An agent that waits long for its server tries again soon after a change on its machine")
  func changeWhileOffline() throws {
    let (anna, _) = try people.pair()
    let network = try BadNetwork(to: people.database.cluster.port)
    defer { network.end() }
    network.change { $0.isCut = true }
    try anna.setAddress("postgresql://anna@127.0.0.1:\(network.port)/\(people.database.name)")
    let agent = try RunningAgent(SyncAgent(path: anna.path), pause: 3_600_000)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .offline }
    network.change { $0.isCut = false }
    try anna.program.execute("UPDATE Note SET text = 'Bread'")
    try anna.waitForStatus { $0.phase == .inStep && $0.waiting == 0 }
  }

  @Test("The kernel tells that an address of the machine has changed", .enabled(if: geteuid() == 0))
  func address() throws {
    let descriptor = clinux_watch_network()
    defer { close(descriptor) }
    try #require(descriptor >= 0)
    func change(_ action: String) throws -> Bool {
      try Program(["ip", "address", action, "127.213.77.1/32", "dev", "lo"], streams: [2: .nothing]).run()
        .status == 0
    }
    // In a container that may not change its network there is nothing to see.
    guard try change("add") else { return }
    defer { _ = try? change("delete") }
    #expect(waitForInput(descriptor))
  }

  @Test("The machines of a space that is deleted say so at once")
  func deletedSpace() throws {
    let (_, ben) = try people.pair()
    let agent = try RunningAgent(ben.path)
    defer { agent.stop() }
    try ben.waitForStatus { $0.phase == .inStep }
    let output = try people.database.psql("DELETE FROM livestore.space", as: "anna")
    #expect(output == "DELETE 1")
    try ben.waitForStatus { $0.phase == .refused && $0.reason.contains("no space “anna/Home”, or you are") }
  }
}
