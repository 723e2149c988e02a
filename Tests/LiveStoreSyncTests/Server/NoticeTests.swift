import LiveStore
import PostgreSQLCluster
import TestSupport
import Testing

@testable import LiveStoreSync

/// Notices that carry changes, so that the machines that get them need not ask.
@Suite("Changes in notices", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct NoticeTests {
  /// A machine that keeps what it was told of a space.
  private struct Listener {
    let connection: ServerConnection
    let replica: Int64
    var known = SpaceVersion()
    var state: [SyncedObject.Identity: SyncedObject] = [:]
    /// The number of times that notices had everything.
    var times = 0

    init(_ server: TestDatabase, _ name: String, as role: String = "anna", in space: Int64?) throws {
      let (connection, entrance) = try server.machine(name, as: role, in: space)
      (self.connection, replica) = (connection, entrance.replica ?? 0)
      try connection.listen()
    }

    mutating func receive() throws {
      guard try connection.waitForNotice() else { return }
      if let (objects, head) = connection.notifiedChanges(after: known) {
        for pulled in objects { take(pulled) }
        known = head
        times += 1
      } else {
        var pulled: [PulledObject] = []
        known = try connection.pull(after: known.number) { pulled += $0 }
        for object in pulled { take(object) }
      }
    }

    private mutating func take(_ pulled: PulledObject) {
      let object = pulled.object
      state[object.identity] = state[object.identity]?.merged(with: object) ?? object
    }
  }

  @Test("Changes that notices have carried come to the same as those that are pulled")
  func carrying() throws {
    let server = try TestDatabase()
    var random = SeededGenerator()
    print(random.comment)
    var writer = try Listener(server, "laptop", in: nil)
    let space = writer.connection.entered().space
    var other = try Listener(server, "desk", in: space)
    var reader = try Listener(server, "tablet", in: space)
    var lives: [Int: Int64] = [:]
    for stamp: Int64 in 1...60 {
      var objects: [SyncedObject] = []
      for key in Set(
        (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<5, using: &random) })
      {
        let clock = HybridClock(
          stamp: stamp * 10 - .random(in: 0...20, using: &random), replica: writer.replica)
        var object = task("\(key)", [:], at: 1)
        object.life = lives[key, default: 0]
        if Int.random(in: 0..<8, using: &random) == 0 {
          object.deletion = clock
          lives[key] = object.life + 1
        } else {
          let values: [SQLiteValue] = [
            .integer(stamp), .text("a\tb\n\u{1E}“\\\"\(stamp)"), .null, .real(0.1), .blob([0, 9, 10, 30]),
            .text(String(repeating: "ö", count: .random(in: 0...900, using: &random))),
          ]
          for name in ["x", "y", "z"].prefix(.random(in: 1...3, using: &random)) {
            object.cells[name] = .init(value: values.randomElement(using: &random)!, clock: clock)
          }
        }
        objects.append(object)
      }
      let isOther = Bool.random(using: &random)
      let (pusher, known) = isOther ? (other.connection, other.known) : (writer.connection, writer.known)
      let pushed = try pusher.push(objects, known: known)
      if pushed.version.number > pushed.previous {
        try reader.receive()
        if isOther { try writer.receive() } else { try other.receive() }
      }
      var all: [SyncedObject.Identity: SyncedObject] = [:]
      for pulled in try server.pull(server.connection(entering: space), after: 0) {
        all[pulled.object.identity] = pulled.object
      }
      #expect(reader.state == all && reader.known.number == pushed.version.number, "\(random.comment)")
    }
    #expect(reader.times > 20, "\(random.comment)")
  }

  @Test(
    "A change that others have pushed meanwhile is carried with those before it, and a large one is pulled")
  func several() throws {
    let server = try TestDatabase()
    var laptop = try Listener(server, "laptop", in: nil)
    let space = laptop.connection.entered().space
    let desk = try Listener(server, "desk", in: space)
    _ = try desk.connection.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    try laptop.receive()
    for stamp: Int64 in 2...4 {
      _ = try desk.connection.push([task("a", ["x": .integer(stamp)], at: stamp)], known: laptop.known)
    }
    var versions = 0
    while laptop.known.number < 4 {
      try laptop.receive()
      versions += 1
    }
    #expect(laptop.times == versions)
    #expect(laptop.state[task("a", [:], at: 1).identity]?.cells["x"]?.value == 4)
    let long = String(repeating: "x", count: 100_000)
    _ = try desk.connection.push([task("a", ["y": .text(long)], at: 5)], known: laptop.known)
    try laptop.receive()
    #expect(laptop.times == versions && laptop.known.number == 5)
    #expect(laptop.state[task("a", [:], at: 1).identity]?.cells["y"]?.value == .text(long))
  }

  @Test("What was replaced unseen is not carried: the server finds it out")
  func unseen() throws {
    let server = try TestDatabase()
    var laptop = try Listener(server, "laptop", in: nil)
    let desk = try Listener(server, "desk", in: laptop.connection.entered().space)
    func change(_ value: SQLiteValue, at stamp: Int64, by machine: Listener, on basis: HybridClock)
      -> SyncedObject
    {
      var object = task("a", ["x": value], at: stamp, by: machine.replica)
      object.cells["x"]?.basis = basis
      return object
    }
    let first = HybridClock(stamp: 1, replica: laptop.replica)
    laptop.known = try laptop.connection.push(
      [task("a", ["x": 1, "y": 1], at: 1, by: laptop.replica)], known: laptop.known
    )
    .version
    laptop.known = try laptop.connection.push([change(2, at: 2, by: laptop, on: first)], known: laptop.known)
      .version
    _ = try desk.connection.push([change(3, at: 3, by: desk, on: first)], known: SpaceVersion(number: 1))
    #expect(try laptop.connection.waitForNotice())
    #expect(laptop.connection.notifiedChanges(after: laptop.known) == nil)
    #expect(try server.pull(laptop.connection, after: laptop.known.number).map(\.unseen.keys.first) == ["x"])
  }

  @Test("What a member sends itself wakes the others, and no more")
  func forged() throws {
    let server = try TestDatabase()
    let anna = try Listener(server, "laptop", in: nil)
    let space = anna.connection.entered().space
    try anna.connection.share(with: "cleo", .read)
    let cleo = try Listener(server, "phone", as: "cleo", in: space)
    let known = try anna.connection.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()).version
    #expect(
      try cleo.connection.waitForNotice() && cleo.connection.notifiedChanges(after: SpaceVersion()) == nil)
    let reception = try #require(cleo.connection.reception)
    let change =
      "\(known.number + 1)\n\(known.mark)\n\"anna\"\t\(cleo.replica)\tTask\t\"a\"\t0\t\t\t9\t1\t\t{\"x\": 7}"
    func send(_ tags: String) throws {
      let text = "\(change)\n\(tags)".replacing("'", with: "''")
      try cleo.connection.execute("SELECT pg_notify('\(reception.channel)', '\(text)')")
    }
    var own = change
    let tag = own.withUTF8 { ChangeNotice.tag(of: $0, by: reception.key) }
    for tags in ["", tag, "\(anna.replica):\(tag)", " "] {
      try send(tags)
      #expect(try anna.connection.waitForNotice(), "\(tags)")
      #expect(anna.connection.notifiedChanges(after: known) == nil, "\(tags)")
      _ = try server.pull(anna.connection, after: known.number)
    }
    // The form is that of the server: with its own key the sender takes it.
    try send("AAAAAAAAAAAAAAAA \(tag)")
    #expect(try cleo.connection.waitForNotice())
    #expect(cleo.connection.notifiedChanges(after: known)?.objects.count == 1)
  }

  @Test("Who was removed hears nothing more, and the others go on to another channel")
  func removed() throws {
    let server = try TestDatabase()
    let anna = try Listener(server, "laptop", in: nil)
    let space = anna.connection.entered().space
    try anna.connection.share(with: "ben", .write)
    try anna.connection.share(with: "cleo", .read)
    let (ben, cleo) = (
      try Listener(server, "desk", as: "ben", in: space), try Listener(server, "phone", as: "cleo", in: space)
    )
    let former = cleo.connection.reception?.channel
    try anna.connection.revoke("cleo")
    #expect(try cleo.connection.waitForNotice() && ben.connection.waitForNotice())
    for machine in [anna, ben] { try machine.connection.listen() }
    #expect(anna.connection.reception?.channel == ben.connection.reception?.channel)
    #expect(anna.connection.reception?.channel != former)
    let error = #expect(throws: SyncError.self) { try cleo.connection.listen() }
    #expect(error?.code == .noSpace)
    _ = try anna.connection.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    #expect(try ben.connection.waitForNotice())
    #expect(try !cleo.connection.receiveNotices())
    for statement in [
      "SELECT livestore.listen(\(space), \(anna.replica), gen_random_uuid())",
      "SELECT * FROM livestore.channel",
      "SELECT * FROM livestore.receiver", "SELECT livestore.notice(\(space), 1, 1, NULL, 0)",
    ] {
      for role in ["ben", "cleo", "eve"] {
        let output = try server.psql(statement, as: role)
        #expect(output.hasPrefix("ERROR:"), "\(role): \(output)")
      }
    }
  }

  @Test("Another machine of the same person has a key of its own")
  func keys() throws {
    let server = try TestDatabase()
    let laptop = try Listener(server, "laptop", in: nil)
    let desk = try Listener(server, "desk", in: laptop.connection.entered().space)
    #expect(laptop.connection.reception?.key != desk.connection.reception?.key)
    let former = laptop.connection.reception?.key
    try laptop.connection.listen()
    #expect(laptop.connection.reception?.key != former)
  }
}

extension TestDatabase {
  /// A connection of the owner, which has entered a space without being one of its machines.
  fileprivate func connection(entering space: Int64) throws -> ServerConnection {
    let connection = try connection(as: "anna")
    try connection.visit(space: space, name: "Home", replica: 0)
    return connection
  }
}
