import Dispatch
import Glibc
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
      "CREATE OR REPLACE FUNCTION livestore.pause_of_announcements() RETURNS bigint LANGUAGE sql RETURN "
        + "\(milliseconds)::bigint")
    #expect(output == "CREATE FUNCTION")
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

  @Test("A push soon after another is left to the one that announced that, or to the next")
  func leaving() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    let (laptop, tablet, phone, desk) = try machines(server)
    let first = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    #expect(try tablet.waitForNotice() && laptop.announcementTime != nil)
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(desk.announcementTime == nil)
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "1")
    #expect(try !phone.receiveNotices())

    // The first has gone meanwhile.
    _ = try server.psql("UPDATE livestore.announcing SET next = '-infinity'")
    _ = try tablet.pull(after: 0) { _ in }
    _ = try tablet.push([task("a", ["x": 2], at: 2)], known: first)
    #expect(try phone.waitForNotice() && laptop.waitForNotice())
    #expect(tablet.announcementTime != nil)
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "0")
    // The machine whose push was announced by another is not woken by it.
    #expect(try !desk.receiveNotices() && !tablet.receiveNotices())
  }

  @Test("No role keeps others from leaving pushes to the announcer by a lock that any may have")
  func advisoryLock() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    let (laptop, tablet, _, desk) = try machines(server)
    let eve = try server.connection(as: "eve")
    // The lock that earlier versions had.
    try eve.execute("SELECT pg_advisory_lock(7310575213299065195)")
    _ = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try tablet.waitForNotice() && laptop.announcementTime != nil)
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "1")
    for lock in ["BEGIN; LOCK TABLE livestore.unannounced", "SELECT livestore.locks_unannounced(true)"] {
      #expect(try server.psql(lock, as: "eve").contains("permission denied"))
    }
  }

  @Test("A push that comes while another connection becomes the announcer is left to that")
  func becoming() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    let (machine, tablet, phone, _) = try machines(server)
    nonisolated(unsafe) let laptop = machine
    _ = try phone.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    _ = try server.psql("UPDATE livestore.announcing SET announcer = NULL")
    let member = try server.connection(as: "ben")
    let space = try server.psql("SELECT space FROM livestore.member WHERE role = 'ben'")
    try member.execute("BEGIN; SELECT livestore.announce(\(space), false)")
    let failure = Mutex<String?>(nil)
    let group = DispatchGroup()
    DispatchQueue(label: "laptop").async(group: group) {
      do {
        _ = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
    }
    try member.execute("COMMIT")
    group.wait()
    #expect(failure.withLock { $0 } == nil && laptop.announcementTime == nil)
    #expect(try server.psql("SELECT count(*) FROM livestore.unannounced") == "1")
    #expect(try !tablet.receiveNotices())
  }

  @Test("A connection that ends announces what was left to it")
  func ending() throws {
    let server = try TestDatabase()
    try setPause(60_000, server)
    var (laptop, tablet, phone, desk): (ServerConnection?, _, _, _) = try machines(server)
    _ = try laptop?.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try tablet.waitForNotice())
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try !phone.receiveNotices())
    laptop = nil
    #expect(try phone.waitForNotice())
  }

  @Test("Nobody keeps others from announcing, nor does a clock that was set back", arguments: [true, false])
  func obstacles(isLocked: Bool) throws {
    let server = try TestDatabase()
    let (laptop, tablet, phone, desk) = try machines(server)
    var known = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    #expect(try tablet.waitForNotice())
    known = try tablet.pull(after: 0) { _ in }
    let member = try server.connection(as: "ben")
    if isLocked {
      let space = try server.psql("SELECT space FROM livestore.member WHERE role = 'ben'")
      _ = try server.psql("UPDATE livestore.announcing SET counted = '-infinity'")
      try member.execute("BEGIN; SELECT livestore.announce(\(space), false)")
      _ = try server.psql("SELECT livestore.announce(\(space), false)", as: "eve")
    } else {
      _ = try server.psql(
        "UPDATE livestore.announcing SET next = now() + '1 day', counted = now() + '1 day'")
    }
    for stamp: Int64 in 2...4 {
      known = try laptop.push([task("a", ["x": 1], at: stamp)], known: known).version
      #expect(try tablet.waitForNotice())
      known = try tablet.pull(after: 0) { _ in }
    }
    _ = try desk.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try phone.waitForNotice())
    if isLocked { try member.execute("ROLLBACK") }
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
          // Who has promised an announcement stays until all have got theirs.
          while done.load(ordering: .sequentiallyConsistent) < spaces {
            guard ContinuousClock.now < end else { throw TimedOut(known: machines.map(\.known.number)) }
            for index in machines.indices {
              let machine = machines[index].connection
              if pushed < pushes, Int.random(in: 0..<3) == 0 {
                pushed += 1
                _ = try machine.push([task("\(pushed)", ["x": 1], at: 1)], known: machines[index].known)
              }
              try machine.announceIfDue()
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
