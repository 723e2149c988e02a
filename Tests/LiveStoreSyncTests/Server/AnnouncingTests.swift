import Dispatch
import LiveStore
import PostgreSQLCluster
import Synchronization
import TestSupport
import Testing

@testable import LiveStoreSync

/// Announcements on a server of many machines, each of which is of all pushes since the one before.
@Suite("Announcing pushes together", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct AnnouncingTests {
  /// Makes a server announce pushes as one of many machines does.
  private func setPause(_ milliseconds: Int, _ server: TestDatabase) throws {
    let output = try server.psql(
      """
      CREATE OR REPLACE FUNCTION livestore.pause_of_announcements() RETURNS bigint LANGUAGE sql
      RETURN \(milliseconds)::bigint;
      INSERT INTO livestore.pace (pause) VALUES (\(milliseconds))
      """)
    #expect(output == "CREATE FUNCTION\nINSERT 0 1")
    try setLastGathering(secondsAgo: 0, server)
  }

  private func setLastGathering(secondsAgo seconds: Int, _ server: TestDatabase) throws {
    let output = try server.psql(
      """
      DO $$ BEGIN PERFORM setval(
        'livestore.gathered', (extract(epoch FROM clock_timestamp()) * 1000)::bigint - \(seconds * 1000));
      END $$
      """)
    #expect(output == "DO")
  }

  /// A connection that gathers pushes until it is told to end.
  private func gatherer(_ server: TestDatabase) throws -> ServerConnection {
    let connection = try server.connection(as: "postgres")
    try connection.execute("BEGIN; SELECT FROM livestore.turn WHERE step = 1 FOR UPDATE")
    return connection
  }

  /// Machines of one space, and of another one, which listen.
  private func machines(_ server: TestDatabase) throws -> (
    laptop: ServerConnection, tablet: ServerConnection, phone: ServerConnection, desk: ServerConnection
  ) {
    let (laptop, home) = try server.machine("laptop", as: "anna", in: nil)
    let (tablet, _) = try server.machine("tablet", as: "anna", in: home.space)
    let (phone, work) = try server.machine("phone", as: "ben", in: nil)
    let (desk, _) = try server.machine("desk", as: "ben", in: work.space)
    for machine in [laptop, tablet, phone, desk] { try machine.listen() }
    return (laptop, tablet, phone, desk)
  }

  @Test("While a connection gathers pushes, others leave theirs to it, or to the next that gathers")
  func leaving() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    let (laptop, tablet, phone, desk) = try machines(server)
    let gatherer = try gatherer(server)
    let first = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "2")
    #expect(try !tablet.receiveNotices() && !phone.receiveNotices())

    // It goes without having announced anything.
    try gatherer.execute("ROLLBACK")
    try setLastGathering(secondsAgo: 60, server)
    _ = try tablet.pull(after: 0) { _ in }
    _ = try tablet.push([task("a", ["x": 2], at: 2)], known: first)
    #expect(try phone.waitForNotice() && laptop.waitForNotice())
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "0")
    // The machine whose push was announced by another is not woken by it.
    #expect(try !desk.receiveNotices() && !tablet.receiveNotices())
  }

  @Test("Connections gather one pause after the other, also while the ones before have not announced yet")
  func turns() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    try setLastGathering(secondsAgo: 60, server)
    _ = try machines(server)
    let announcing = """
      SET statement_timeout = 200;
      SELECT livestore.announce(space) FROM livestore.member WHERE role = 'anna'
      """
    // Another connection announces what was gathered before: the next one waits for its end, and only one.
    let announcer = try server.connection(as: "postgres")
    try announcer.execute("BEGIN; SELECT livestore.announce_gathered()")
    #expect(try server.psql(announcing, as: "anna").contains("statement timeout"))
    try announcer.execute("ROLLBACK")

    // It gathers at once, since the last one was a pause ago; the next does not before another pause.
    #expect(try server.psql(announcing, as: "anna") == "SET\nt")
    #expect(try server.psql(announcing, as: "anna").contains("statement timeout"))
    try setLastGathering(secondsAgo: 60, server)
    #expect(try server.psql(announcing, as: "anna") == "SET\nt")
  }

  @Test("What a connection keeps for too long is announced by another, and by no more than one in a second")
  func takeover() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    let (laptop, tablet, phone, desk) = try machines(server)
    let gatherer = try gatherer(server)
    let known = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    #expect(try !tablet.receiveNotices())
    try setLastGathering(secondsAgo: 62, server)
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try tablet.waitForNotice() && phone.waitForNotice())
    _ = try tablet.pull(after: 0) { _ in }
    _ = try laptop.push([task("a", ["x": 2], at: 2)], known: known)
    #expect(try !tablet.receiveNotices())
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "1")
    try gatherer.execute("ROLLBACK")
  }

  @Test("No role keeps others from leaving pushes to the announcer by a lock that any may have")
  func locks() throws {
    let server = try TestDatabase()
    for lock in [
      "LOCK TABLE livestore.unannounced", "LOCK TABLE livestore.turn",
      "SELECT FROM livestore.turn FOR UPDATE", "SELECT FROM livestore.pace FOR UPDATE",
      "SELECT setval('livestore.gathered', 1)", "SELECT livestore.take_turn()",
    ] {
      #expect(try server.psql("BEGIN; \(lock)", as: "eve").contains("permission denied"), "\(lock)")
    }
  }

  @Test(
    "Nobody keeps others from announcing, nor does a clock that was set back",
    arguments: ["announce", "announce_gathered", nil])
  func obstacles(held: String?) throws {
    let server = try TestDatabase()
    try setPause(5, server)
    let (laptop, tablet, phone, desk) = try machines(server)
    var known = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    #expect(try tablet.waitForNotice())
    known = try tablet.pull(after: 0) { _ in }
    let member = try server.connection(as: "ben")
    if let held {
      let space = try server.psql("SELECT space FROM livestore.member WHERE role = 'ben'")
      try member.execute("BEGIN; SELECT livestore.\(held)(\(held == "announce" ? space : ""))")
      _ = try server.psql("SELECT livestore.announce(\(space))", as: "eve")
      if held == "announce" {
        _ = try laptop.push([task("c", ["x": 1], at: 1)], known: known)
        try setLastGathering(secondsAgo: 10, server)
        known = try tablet.pull(after: 0) { _ in }
      }
    } else {
      _ = try server.psql("UPDATE livestore.pace SET since = now() + '1 day', counted = now() + '1 day'")
      try setLastGathering(secondsAgo: -86_400, server)
    }
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try phone.waitForNotice())
    if held != nil { try member.execute("ROLLBACK") }
    known = try laptop.push([task("a", ["x": 1], at: 2)], known: known).version
    #expect(try tablet.waitForNotice())
  }

  @Test("No announcement is lost while many machines push at the same time", arguments: [5, 20])
  func manyMachines(pause: Int) throws {
    let server = try TestDatabase()
    try setPause(pause, server)
    let (spaces, pushes) = (4, 30)
    let done = Atomic(0)
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for space in 0..<spaces {
      DispatchQueue(label: "space \(space)").async(group: group) {
        do {
          let id = try server.connection(as: "anna").createSpace(named: "\(space)")
          let (first, _) = try server.machine("\(space) 0", as: "anna", in: id)
          var machines = [(connection: first, known: SpaceVersion())]
          for other in 1..<3 {
            let (machine, _) = try server.machine("\(space) \(other)", as: "anna", in: id)
            machines.append((machine, SpaceVersion()))
          }
          for machine in machines { try machine.connection.listen() }
          var pushed: Int64 = 0
          let end = ContinuousClock.now + Patience.duration
          var isUpToDate = false
          while done.load(ordering: .sequentiallyConsistent) < spaces {
            guard ContinuousClock.now < end else { throw TimedOut(known: machines.map(\.known.number)) }
            for index in machines.indices {
              let machine = machines[index].connection
              if pushed < pushes, Int.random(in: 0..<3) == 0 {
                pushed += 1
                _ = try machine.push([task("\(pushed)", ["x": 1], at: 1)], known: machines[index].known)
              }
              if try machine.receiveNotices() {
                machines[index].known = try machine.pull(after: machines[index].known.number) { _ in }
              }
            }
            if pushed == pushes { waitForInput(first.socket, milliseconds: 2) }
            // The last push is its machine's own, which is not woken by it.
            if !isUpToDate, pushed == pushes, machines.count(where: { $0.known.number == pushes }) >= 2 {
              isUpToDate = true
              done.add(1, ordering: .sequentiallyConsistent)
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
          done.add(spaces, ordering: .sequentiallyConsistent)
        }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
  }

  /// The end of a wait for announcements.
  private struct TimedOut: Error {
    /// The versions up to which the machines of a space have been woken.
    let known: [Int64]
  }
}
