import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

/// Two machines and a server. Each test has a database of its own.
@Suite("Server", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct ServerTests {
  let server: TestDatabase

  init() throws { server = try TestDatabase() }

  @Test("A database is prepared again without harm")
  func installTwice() throws {
    let owner = try server.connection(as: "postgres")
    let (machine, _) = try server.machine("laptop", as: "anna", in: nil)
    _ = try machine.push([task("a", ["text": "Milk"], at: 1)], known: SpaceVersion())
    try owner.install()
    #expect(try server.pull(machine, after: 0).map(\.object) == [task("a", ["text": "Milk"], at: 1)])
  }

  @Test("What one machine pushes, another pulls, with who changed it")
  func exchange() throws {
    let (laptop, entrance) = try server.machine("laptop", as: "anna", in: nil)
    try laptop.share(with: "ben", .write)
    let (tablet, _) = try server.machine("tablet", as: "ben", in: entrance.space)
    let objects = [task("a", ["text": "Milk", "done": 0], at: 1), task("b", ["text": .null], at: 1)]
    let first = try laptop.push(objects, known: SpaceVersion())
    #expect(first.isTakenAsSent && first.previous == 0 && first.version.number == 1)
    let pulled = try server.pull(tablet, after: 0)
    #expect(Set(pulled.map(\.object)) == Set(objects))
    #expect(Set(pulled.map(\.author)) == ["anna"] && Set(pulled.map(\.machine)) == [entrance.replica])
    #expect(Set(pulled.map(\.version)) == [1])

    let second = try tablet.push([task("a", ["done": 1], at: 2)], known: first.version)
    #expect(second.version.number == 2 && second.isTakenAsSent)
    let merged = objects[0].merged(with: task("a", ["done": 1], at: 2))
    #expect(try server.pull(laptop, after: 1).map(\.object) == [merged])
    #expect(try server.pull(laptop, after: 1).map(\.author) == ["ben"])
    // Its own change is not sent back to the machine.
    #expect(try server.pull(tablet, after: 1).isEmpty)
    // A repeated push changes nothing, and makes no version.
    #expect(
      try tablet.push([task("a", ["done": 1], at: 2)], known: first.version).version == second.version)
  }

  @Test("The report of a machine, which comes twice a minute, is planned once")
  func reports() throws {
    let (laptop, _) = try server.machine("laptop", as: "anna", in: nil)
    for _ in 0..<2 { try laptop.report(known: SpaceVersion()) }
    let plans = try laptop.query(
      "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%UPDATE livestore.machine%'")
    #expect(plans.integer(0, 0) == 1)
  }

  @Test("The pushes of a transaction make one version, and none where nothing changes")
  func parts() throws {
    let (laptop, entrance) = try server.machine("laptop", as: "anna", in: nil)
    let (tablet, _) = try server.machine("tablet", as: "anna", in: entrance.space)
    var known = try laptop.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    let transactions: [(keys: [String], version: Int64)] = [
      (["a", "b"], 2), (["c", "a"], 3), (["a", "a"], 3), (["d", "a", "e"], 4), (["e", "a"], 4),
      (["a", "f"], 5),
    ]
    for (keys, version) in transactions {
      try laptop.execute("BEGIN")
      let results = try keys.map { try laptop.push([task($0, ["x": 1], at: 1)], known: known) }
      try laptop.execute("COMMIT")
      #expect(results.last?.version == SpaceVersion(number: version, mark: known.mark), "\(keys)")
      #expect(try tablet.pull(after: 0) { _ in }.number == version, "\(keys)")
      known = results.last?.version ?? known
    }
    #expect(try server.pull(tablet, after: 3).map(\.object.identity.key) == ["d", "e", "f"])
  }

  @Test("What an address, a role or a database say about sessions changes nothing")
  func sessions() throws {
    let database = server.name
    _ = try server.psql("ALTER DATABASE \(database) SET default_transaction_isolation = 'serializable'")
    _ = try server.psql("ALTER DATABASE \(database) SET statement_timeout = '1s'")
    _ = try server.psql("ALTER DATABASE \(database) SET idle_session_timeout = '5s'")
    let url = server.cluster.url(database, as: "anna")
    let address = url + (url.contains("?") ? "&" : "?") + "client_encoding=LATIN1"
    let machine = try ServerConnection(url: ServerURL(address))
    let space = try machine.createSpace(named: "Grün")
    let entrance = try machine.enter(space: space, replica: nil, machineName: "日本", token: nil)
    _ = try machine.push([task("a", ["text": "grün £ 日本"], at: 1)], known: SpaceVersion())
    let (other, _) = try server.machine("tablet", as: "anna", in: space)
    let pulled = try server.pull(other, after: 0)
    #expect(pulled.map(\.object.cells["text"]?.value) == ["grün £ 日本"])
    #expect(pulled.map(\.machine) == [entrance.replica])
    #expect(try other.machines().map(\.name).contains("日本"))
    for (setting, value) in [
      ("default_transaction_isolation", "read committed"), ("statement_timeout", "0"),
      ("idle_session_timeout", "0"),
    ] {
      #expect(try machine.query("SHOW \(setting)").text(0, 0) == value)
    }
  }

  @Test("A database of the version before has the rules of this one when it is prepared again")
  func renewedRules() throws {
    let (laptop, _) = try server.machine("laptop", as: "anna", in: nil)
    let former = try server.psql(
      """
      UPDATE livestore.installation SET version = version - 1;
      DROP TRIGGER check_space_name ON livestore.space;
      DROP FUNCTION livestore.check_space_name;
      ALTER FUNCTION livestore.keep_manager SECURITY INVOKER;
      UPDATE livestore.space SET name = 'House/Garden'
      """)
    #expect(!former.contains("ERROR"), "\(former)")
    let error = #expect(throws: SyncError.self) { try server.connection(as: "anna").spaces() }
    #expect(error?.code == .olderServer)
    try server.connection(as: "postgres").install()
    _ = try laptop.push([task("a", ["text": "Milk"], at: 1)], known: SpaceVersion())
    #expect(try server.connection(as: "anna").space(named: "anna/House/Garden")?.name == "House/Garden")
    #expect(
      try server.psql("UPDATE livestore.space SET name = 'House/Home'", as: "anna")
        == "ERROR:  The name of a space is one line without a “/”.")
    #expect(
      try server.psql("SELECT prosecdef FROM pg_proc WHERE proname = 'keep_manager'") == "t")
  }

  @Test("Every value and every key is the same after a push and a pull")
  func values() throws {
    let (machine, _) = try server.machine("laptop", as: "anna", in: nil)
    let values: [SQLiteValue] =
      [
        .null, .integer(.min), .integer(.max), .integer(0), .real(0.1), .real(-0.0), .real(.infinity),
        .real(-.infinity), .real(.leastNonzeroMagnitude), .real(1e300), .text(""),
        .text("a\"b\\c/\n\t\u{1}\u{7F}\u{2028}"),
        .text("a\0b"), .text("\0"), .text("e\u{301}🧀\u{FFFF}"), .malformedText([0xFF, 0, 0x41]), .blob([]),
        .blob([0]), .blob([1, 2]), .blob(Array(0...255)), .text(#"{"r":"1"}"#), .text("null"),
      ]
    let objects = values.enumerated().map { number, value in
      let cells = ["value": value, "a \"quoted\" name": .integer(1)].mapValues {
        SyncedObject.Cell(value: $0, clock: HybridClock(stamp: 3, replica: .min))
      }
      // Keys are of two kinds only.
      let key: SQLiteValue =
        switch value {
        case .integer, .text: value
        default: .text("\(number)")
        }
      return SyncedObject(SyncedObject.Identity(type: "Any \"kind\"", key: key), cells: cells)
    }
    _ = try machine.push(objects, known: SpaceVersion())
    let pulled = try server.pull(machine, after: 0).map(\.object)
    #expect(pulled.count == objects.count)
    for object in objects where !pulled.contains(object) {
      Issue.record("\(object) became \(pulled.filter { $0.identity == object.identity })")
    }
  }
}
