import Glibc
import LiveStore
import LiveStoreSync
import PostgreSQLCluster
import TestSupport
import Testing

/// A database of its own for a test, prepared, on the tests' server; and roles: anna, ben, cleo and eve.
struct TestDatabase {
  let cluster: TestCluster
  let name: String

  init(isPrepared: Bool = true) throws {
    cluster = try #require(TestCluster.shared)
    name = try cluster.createDatabase(roles: ["anna", "ben", "cleo", "eve"])
    if isPrepared { try connection(as: "postgres").install() }
  }

  /// The address of the database for a role.
  func url(as role: String) throws -> ServerURL {
    try ServerURL(cluster.url(name, as: role))
  }

  func connection(as role: String) throws -> ServerConnection {
    try ServerConnection(url: url(as: role))
  }

  /// A machine in a space, by default in a new one of the role.
  func machine(_ name: String, as role: String, in space: Int64?) throws -> (ServerConnection, Entrance) {
    let connection = try connection(as: role)
    let space = try space ?? connection.createSpace(named: "Home")
    let entrance = try connection.enter(space: space, replica: nil, machineName: name, token: nil)
    return (connection, entrance)
  }

  func pull(_ machine: ServerConnection, after version: Int64) throws -> [PulledObject] {
    var objects: [PulledObject] = []
    _ = try machine.pull(after: version) { objects += $0 }
    return objects
  }

  /// Executes statements with `psql`; returns the rows and the errors.
  func psql(_ statements: String, as role: String = "postgres") throws -> String {
    try cluster.psql(statements, in: name, as: role)
  }
}

/// A task with some cells of one clock.
func task(_ key: String, _ values: [String: SQLiteValue], at stamp: Int64, by replica: Int64 = 1)
  -> SyncedObject
{
  SyncedObject(
    SyncedObject.Identity(type: "Task", key: .text(key)),
    cells: values.mapValues {
      SyncedObject.Cell(value: $0, clock: HybridClock(stamp: stamp, replica: replica))
    })
}

extension ServerConnection {
  /// Waits until another machine's push wakes this one; false if none does for long.
  func waitForNotice() throws -> Bool {
    for _ in 0..<100 {
      if try receiveNotices() { return true }
      waitForInput(socket, milliseconds: 1000)
    }
    return false
  }
}
