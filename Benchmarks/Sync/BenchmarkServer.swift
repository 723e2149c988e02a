import BenchmarkRunner
import LiveStore
import LiveStoreSync
import PostgreSQLCluster

/// The server of the benchmarks, with a database of its own for each.
///
/// Its machines are those of members who are nothing more: a superuser passes by the rights of rows, which
/// take time.
struct BenchmarkServer {
  private static let cluster = try? TestCluster(settings: settings)
  private static let clusterOnOneProcessor = try? TestCluster(settings: settings, isOnOneProcessor: true)
  private static let settings = ["max_connections=1200"]

  private let cluster: TestCluster
  private let database: String
  let address: String

  /// - Parameter members: The number of roles that machines may have.
  init(members: Int = 1, isOnOneProcessor: Bool = false) throws {
    guard let cluster = isOnOneProcessor ? Self.clusterOnOneProcessor : Self.cluster else {
      throw Failure("PostgreSQL is not installed, or does not start.")
    }
    self.cluster = cluster
    database = try cluster.createDatabase(roles: (0..<members).map { "member\($0)" })
    address = cluster.url(database, as: "member0")
    try ServerConnection(url: ServerURL(cluster.url(database))).install()
    // For what a benchmark compares with.
    _ = try cluster.psql("GRANT CREATE ON SCHEMA public TO member0", in: database)
  }

  /// A machine in a space, by default in a new one.
  func machine(_ name: String, of member: Int = 0, in space: Int64? = nil) throws -> (
    connection: ServerConnection, space: Int64, replica: Int64
  ) {
    let connection = try ServerConnection(url: ServerURL(cluster.url(database, as: "member\(member)")))
    let space = try space ?? connection.createSpace(named: name)
    let entrance = try connection.enter(space: space, replica: nil, machineName: name, token: nil)
    return (connection, space, entrance.replica ?? 0)
  }

  /// The bytes of a table with its indexes.
  func size(of table: String) throws -> Int {
    Int(try cluster.psql("SELECT pg_total_relation_size('\(table)')", in: database)) ?? 0
  }

  /// A task as `tasks` stores one: eleven cells, all changed by one machine.
  static func task(_ number: Int, stamp: Int64, by replica: Int64 = 1) -> SyncedObject {
    let values: [String: SQLiteValue] = [
      "text": .text("Buy milk and bread for the weekend, \(number)"), "completed": .integer(0),
      "completedAt": .null, "createdAt": .integer(1_700_000_000_000 + Int64(number)), "due": .null,
      "repeats": .null, "note": .text(""), "priority": .integer(Int64(number % 4)), "color": .null,
      SyncedObject.place: .text("tasks:4f9d2c81-7b0e-4a53-9a53-\(100_000 + number / 50)"),
      SyncedObject.position: .text("a\(number)"),
    ]
    return SyncedObject(
      identity(number),
      cells: values.mapValues {
        SyncedObject.Cell(value: $0, clock: HybridClock(stamp: stamp, replica: replica))
      })
  }

  static func identity(_ number: Int) -> SyncedObject.Identity {
    SyncedObject.Identity(
      type: "TaskItem", key: .text("8d6ec6a2-31f5-4d23-8a4e-\(100_000_000_000 + number)"))
  }

  /// A change of one cell of a task, by the machine that has made the task.
  static func completion(of number: Int, stamp: Int64, by replica: Int64 = 1) -> SyncedObject {
    SyncedObject(
      identity(number),
      cells: [
        "completed": SyncedObject.Cell(
          value: .integer(stamp % 2), clock: HybridClock(stamp: stamp, replica: replica),
          basis: HybridClock(stamp: 1, replica: replica))
      ])
  }
}
