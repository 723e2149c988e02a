import Dispatch
import LiveStore
import PostgreSQLCluster
import Synchronization
import Testing

@testable import LiveStoreSync

/// Which machine it is that enters, and whether the server still has what the machine knows.
@Suite("Entering a space", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct EntranceTests {
  let server: TestDatabase

  init() throws { server = try TestDatabase() }

  @Test("A machine keeps its number by the token of its last entrance, also if an answer was lost")
  func token() throws {
    let (machine, first) = try server.machine("laptop", as: "anna", in: nil)
    let replica = try #require(first.replica)
    #expect(replica > 0 && first.right == .manage && first.name == "Home" && first.continuity == .inStep)
    func enter(_ token: String?) throws -> Entrance {
      try machine.enter(space: first.space, replica: replica, machineName: "laptop", token: token)
    }
    let lost = try enter(first.token)
    #expect(lost.replica == replica && lost.token != first.token)
    // It never got that token, and shows the one before.
    let second = try enter(first.token)
    #expect(second.replica == replica)
    let third = try enter(second.token)
    #expect(third.replica == replica)
    // Whoever shows an older one is a copy.
    #expect(try enter(first.token).isCopy)
    #expect(try enter(nil).isCopy)
    #expect(try enter(third.token).replica == replica)
  }

  @Test("Of a file that was copied the one goes on, the other is told, at the latest when it pushes")
  func copiedFile() throws {
    let (original, entrance) = try server.machine("laptop", as: "anna", in: nil)
    _ = try original.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    let copy = try server.connection(as: "anna")
    let second = try copy.enter(
      space: entrance.space, replica: entrance.replica, machineName: "copy", token: entrance.token)
    #expect(second.replica == entrance.replica)
    _ = try copy.push([task("b", ["x": 1], at: 1)], known: SpaceVersion())
    let error = #expect(throws: SyncError.self) {
      try original.push([task("c", ["x": 1], at: 1)], known: SpaceVersion())
    }
    #expect(error?.code == .identityTaken)
    let again = try original.enter(
      space: entrance.space, replica: entrance.replica, machineName: "laptop", token: entrance.token)
    #expect(again.isCopy)
    let anew = try original.enter(space: entrance.space, replica: nil, machineName: "laptop", token: nil)
    #expect(anew.replica != nil && anew.replica != entrance.replica)
    _ = try original.push([task("c", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try original.machines().map(\.name).sorted() == ["copy", "laptop"])
  }

  @Test("A machine that knows more than a restored server, or another past, is told")
  func restoredServer() throws {
    let backup = server.name + "_backup"
    // A database is copied while nobody is connected to it.
    func makeBackup() throws -> (Entrance, SpaceVersion) {
      let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
      return (entrance, try machine.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version)
    }
    let (entrance, first) = try makeBackup()
    let output = try server.cluster.psql(
      "CREATE DATABASE \(backup) TEMPLATE \(server.name)", in: "postgres")
    try #require(output == "CREATE DATABASE", "\(output)")

    let before = try server.connection(as: "anna")
    func enter(_ connection: ServerConnection, _ known: SpaceVersion) throws -> Entrance {
      try connection.enter(
        space: entrance.space, replica: nil, machineName: "laptop", token: nil, known: known)
    }
    #expect(try enter(before, first).continuity == .inStep)
    let second = try before.push([task("b", ["x": 1], at: 1)], known: first).version
    #expect(try enter(before, second).continuity == .inStep)
    #expect(try enter(before, first).continuity == .inStep)

    let after = try ServerConnection(url: ServerURL(server.cluster.url(backup, as: "anna")))
    #expect(try enter(after, second).continuity == .serverRestored)
    #expect(try enter(after, first).continuity == .inStep)
    // Also when the restored server has as many versions again, which are others.
    let other = try after.push([task("c", ["x": 1], at: 1)], known: first).version
    #expect(other.number == second.number && other.mark != second.mark)
    #expect(try enter(after, second).continuity == .serverRestored)
    #expect(try enter(after, other).continuity == .inStep)
  }

  @Test("Deletions are forgotten after 90 days, and a machine that was away for longer is told")
  func forgottenDeletions() throws {
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    let identity = task("a", [:], at: 1).identity
    let old = HybridClock(milliseconds: machine.serverTime - 91 * 86_400_000, replica: 1)
    let young = HybridClock(milliseconds: machine.serverTime - 89 * 86_400_000, replica: 1)
    let first = try machine.push([task("b", ["x": 1], at: 1)], known: SpaceVersion()).version
    let second = try machine.push(
      [
        SyncedObject(identity, deletion: old),
        SyncedObject(task("c", [:], at: 1).identity, deletion: young),
      ], known: first
    ).version
    // Not before the machine has them.
    #expect(try machine.prune() == 0)
    try letDayPass()
    try machine.report(known: second)
    #expect(try machine.prune() == 1)
    #expect(try machine.prune() == 0)
    #expect(try server.pull(machine, after: 0).count == 2)
    func continuity(_ known: SpaceVersion) throws -> Entrance.Continuity {
      try machine.enter(
        space: entrance.space, replica: nil, machineName: "laptop", token: nil, known: known
      ).continuity
    }
    #expect(try continuity(first) == .awayTooLong)
    #expect(try continuity(second) == .inStep)
    #expect(try continuity(SpaceVersion()) == .inStep)
  }

  @Test("Deletions are forgotten once a day, by one of those who ask, and not by who may only read")
  func pruning() throws {
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    try machine.share(with: "cleo", .read)
    let old = HybridClock(milliseconds: machine.serverTime - 91 * 86_400_000, replica: 1)
    let version = try machine.push(
      (0..<100).map { SyncedObject(task("a\($0)", [:], at: 1).identity, deletion: old) },
      known: SpaceVersion()
    ).version
    try machine.report(known: version)
    let forgotten = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      do {
        let connection = try server.connection(as: "anna")
        try connection.visit(space: entrance.space, name: "Home", replica: 0)
        let count = try connection.prune()
        forgotten.withLock { $0 += count }
      } catch {
        Issue.record(error)
      }
    }
    #expect(forgotten.withLock { $0 } == 100)
    let deletion = SyncedObject(task("b", [:], at: 1).identity, deletion: old)
    try machine.report(known: try machine.push([deletion], known: version).version)
    #expect(try machine.prune() == 0)
    try letDayPass()
    let (reader, _) = try server.machine("tablet", as: "cleo", in: entrance.space)
    #expect(#expect(throws: SyncError.self) { try reader.prune() }?.code == .readOnly)
    try reader.leave()
    #expect(try machine.prune() == 1)
  }

  @Test("A machine that was away since before the marks of which the last were kept compares everything")
  func forgottenMarks() throws {
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    let old = HybridClock(milliseconds: machine.serverTime - 91 * 86_400_000, replica: 1)
    let first = try machine.push([task("b", ["x": 1], at: 1)], known: SpaceVersion()).version
    // As after another start of the server: a line of its own.
    _ = try server.psql("UPDATE livestore.space SET basis = NULL")
    let deletion = SyncedObject(task("a", [:], at: 1).identity, deletion: old)
    let second = try machine.push([deletion], known: first).version
    try machine.report(known: second)
    #expect(try machine.prune() == 1)
    #expect(
      try machine.enter(
        space: entrance.space, replica: nil, machineName: "laptop", token: nil, known: first
      ).continuity == .awayTooLong)
    // Nor does one that has not entered again go on as if nothing were missing.
    let error = #expect(throws: SyncError.self) { _ = try machine.pull(after: first.number) { _ in } }
    #expect(error?.isRetryable == true)
  }

  private func letDayPass() throws {
    _ = try server.psql("UPDATE livestore.space SET last_pruning = last_pruning - interval '2 days'")
  }

  @Test("Spaces are found by name, and by creator where two have one name")
  func names() throws {
    let (anna, ben) = (try server.connection(as: "anna"), try server.connection(as: "ben"))
    let home = try anna.createSpace(named: "Home")
    #expect(try anna.space(named: "Home")?.space == home)
    #expect(try ben.space(named: "Home") == nil)
    #expect(#expect(throws: SyncError.self) { try anna.createSpace(named: "Home") }?.code == .nameTaken)
    let other = try ben.createSpace(named: "Home")
    _ = try ben.enter(space: other, replica: nil, machineName: "tablet", token: nil)
    try ben.share(with: "anna", .read)
    let error = #expect(throws: SyncError.self) { try anna.space(named: "Home") }
    #expect(error?.code == .ambiguousSpace)
    #expect(
      error?.description
        == "There are several spaces of that name; say which: “anna/Home” or “ben/Home”.")
    #expect(try anna.space(named: "ben/Home")?.space == other)
    // A space of an older server, named as if it were anna's.
    _ = try server.psql("ALTER TABLE livestore.space DISABLE TRIGGER check_space_name")
    let output = try server.psql(
      "INSERT INTO livestore.space (name) VALUES ('anna/Home'), ('anna/Shop')", as: "ben")
    #expect(output == "INSERT 0 2")
    _ = try server.psql("ALTER TABLE livestore.space ENABLE TRIGGER check_space_name")
    _ = try server.psql(
      "INSERT INTO livestore.member SELECT space, 'anna', 2 FROM livestore.space WHERE name LIKE '%/%'")
    #expect(try anna.space(named: "anna/Home")?.space == home)
    #expect(try anna.space(named: "ben/anna/Shop")?.name == "anna/Shop")
    #expect(#expect(throws: SyncError.self) { try anna.space(named: "anna/Shop") }?.code == .noSpace)
    #expect(try anna.spaces().map(\.right) == [.manage, .read, .write, .write])
    let unknown = #expect(throws: SyncError.self) {
      try anna.enter(space: 1, replica: nil, machineName: "x", token: nil)
    }
    #expect(unknown?.code == .noSpace)
  }

  @Test("Machines show when they were last seen and what they know, until they leave")
  func machines() throws {
    let (laptop, entrance) = try server.machine("laptop", as: "anna", in: nil)
    try laptop.share(with: "ben", .write)
    let (tablet, _) = try server.machine("tablet", as: "ben", in: entrance.space)
    let version = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    try tablet.report(known: version)
    let machines = try laptop.machines()
    #expect(machines.map(\.name) == ["tablet", "laptop"])
    #expect(machines.map(\.role) == ["ben", "anna"])
    #expect(machines[0].version == 1 && abs(machines[0].seen - laptop.serverTime) < 60_000)
    try tablet.leave()
    #expect(try laptop.machines().map(\.name) == ["laptop"])
    // Its changes stay.
    #expect(try server.pull(laptop, after: 0).count == 1)
  }
}
