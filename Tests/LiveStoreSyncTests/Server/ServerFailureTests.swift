import Glibc
import LiveStore
import LiveStoreSync
import PostgreSQLCluster
import Testing

/// The sentences that a person reads when something is wrong; and nothing hangs.
@Suite("Failures of the server", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct ServerFailureTests {
  @Test("No server at the address is told with the reason, and may be tried again")
  func noServer() throws {
    let error = try failure {
      _ = try ServerConnection(url: ServerURL("postgresql://anna@127.0.0.1:1/tasks"))
    }
    #expect(error.code == .noServer && error.isRetryable)
    #expect(error.description == "127.0.0.1:1/tasks cannot be reached: Connection refused.")
    let socket = try failure { _ = try ServerConnection(url: ServerURL("host=/nowhere dbname=tasks")) }
    #expect(socket.code == .noServer)
    #expect(socket.description == "/nowhere/tasks cannot be reached: No such file or directory.")
  }

  @Test("A server that never answers is given up")
  func silentServer() throws {
    // It is listened to, but nobody accepts.
    let listener = LocalListener()
    defer { close(listener.socket) }
    let url = try ServerURL("postgresql://anna@127.0.0.1:\(listener.port)/tasks")
    let error = try failure { _ = try ServerConnection(url: url, within: 1) }
    #expect(error.code == .noServer)
    #expect(error.description == "127.0.0.1:\(listener.port)/tasks has not answered within a second.")
  }

  @Test("Passwords come from where libpq looks, and are in no address and no message")
  func passwords() throws {
    let server = try TestDatabase()
    _ = try server.psql(
      """
      DO $$ BEGIN CREATE ROLE guarded LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      ALTER ROLE guarded PASSWORD 'right-word'
      """)
    let port = server.cluster.port
    let file = "\(server.cluster.folder)/\(server.name).pgpass"
    let url = "postgresql://guarded@127.0.0.1:\(port)/\(server.name)?passfile=\(file)"
    let missing = try failure { _ = try ServerConnection(url: ServerURL(url)) }
    #expect(missing.code == .notAdmitted && !missing.isRetryable)
    #expect(
      missing.description.hasPrefix(
        "127.0.0.1:\(port)/\(server.name) asks for the password of “guarded”: put it into ~/.pgpass"))
    func write(_ password: String) {
      let descriptor = open(file, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
      let line = Array("127.0.0.1:\(port):*:guarded:\(password)\n".utf8)
      #expect(Glibc.write(descriptor, line, line.count) == line.count)
      close(descriptor)
    }
    write("wrong-word")
    let wrong = try failure { _ = try ServerConnection(url: ServerURL(url)) }
    #expect(wrong.code == .notAdmitted)
    #expect(wrong.description.contains("does not accept the password of “guarded”"))
    write("right-word")
    _ = try ServerConnection(url: ServerURL(url))

    for address in [
      "postgresql://anna:secret-word@db.example.org/tasks", "host=db.example.org password=secret-word",
      "postgresql://anna:secret-word%@db.example.org/tasks", "anna secret-word",
      "postgresql://db.example.org/tasks?secret-word=1",
    ] {
      let error = try failure { _ = try ServerURL(address) }
      #expect(error.code == .badAddress)
      #expect(!error.debugDescription.contains("secret-word"), "\(address)")
    }
  }

  @Test("A server that is not this machine has to prove who it is, unless the address says otherwise")
  func encryption() throws {
    let server = try TestDatabase()
    // Nobody knows that this address is this machine.
    let host = "postgresql://anna@[::ffff:127.0.0.1]:\(server.cluster.port)/\(server.name)"
    let error = try failure { _ = try ServerConnection(url: ServerURL(host)) }
    #expect(error.code == .notTrusted && !error.isRetryable)
    _ = try ServerConnection(url: ServerURL(host + "?sslmode=disable"))
  }

  @Test("A database that is missing, not prepared, or prepared by another version of the program")
  func otherSchema() throws {
    let server = try TestDatabase(isPrepared: false)
    let missing = try failure {
      _ = try ServerConnection(url: ServerURL(server.cluster.url("nothing_here", as: "anna")))
    }
    #expect(missing.code == .noDatabase)
    #expect(missing.description.hasPrefix("There is no database “nothing_here” on "))
    let anna = try server.connection(as: "anna")
    #expect(try failure { _ = try anna.spaces() }.code == .noSchema)
    let notOwner = try failure { try anna.install() }
    #expect(notOwner.code == .noRights)
    #expect(notOwner.description.hasPrefix("Only the owner of the database "))
    let owner = try server.connection(as: "postgres")
    try owner.install()
    #expect(try anna.spaces() == [])
    _ = try server.psql("UPDATE livestore.installation SET version = 1000")
    #expect(try failure { _ = try server.connection(as: "anna").spaces() }.code == .olderProgram)
    #expect(try failure { try owner.install() }.code == .olderProgram)
    _ = try server.psql("UPDATE livestore.installation SET version = 0")
    #expect(try failure { _ = try server.connection(as: "anna").spaces() }.code == .olderServer)
    try owner.install()
    #expect(try server.connection(as: "anna").spaces() == [])
  }

  @Test("Changes that are dated more than five minutes ahead are refused, those of four minutes are not")
  func clockAhead() throws {
    let server = try TestDatabase()
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    #expect(abs(machine.serverTime - Int64(wall.tv_sec) * 1000) < 2_000 && abs(machine.clockOffset) < 1_000)
    func object(minutes: Int64) -> SyncedObject {
      task(
        "a", ["x": 1], at: HybridClock(milliseconds: machine.serverTime + minutes * 60_000, replica: 1).stamp)
    }
    let (far, near) = (object(minutes: 6), object(minutes: 4))
    var mixed = near
    mixed.cells["y"] = far.cells["x"]
    mixed.cells["z"] = near.cells["x"]
    let deletion = SyncedObject(far.identity, deletion: far.cells["x"]!.clock)
    for object in [far, mixed, deletion] {
      let error = try failure { _ = try machine.push([object], known: SpaceVersion()) }
      #expect(error.code == .clockAhead && !error.isRetryable)
      #expect(
        error.description
          == "Changes of this machine are dated ahead of the server's time: set the machine's clock.")
    }
    #expect(try machine.push([near], known: SpaceVersion()).version.number == 1)
    _ = entrance
  }

  @Test("A connection that is ended is told, and the same push succeeds on another")
  func endedConnection() throws {
    let server = try TestDatabase()
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    _ = try server.psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna' AND datname = current_database()"
    )
    let object = task("a", ["x": 1], at: 1)
    let error = try failure { _ = try machine.push([object], known: SpaceVersion()) }
    #expect(error.code == .connectionLost && error.isRetryable, "\(error.debugDescription)")
    #expect(try failure { _ = try machine.receiveNotices() }.code == .connectionLost)
    #expect(try failure { try machine.listen() }.code == .connectionLost)
    let again = try server.connection(as: "anna")
    _ = try again.enter(
      space: entrance.space, replica: entrance.replica, machineName: "laptop", token: entrance.token)
    #expect(try again.push([object], known: SpaceVersion()).version.number == 1)
  }

  @Test("A server that stops to answer is given up, and its late answer is none to another question")
  func frozenServer() throws {
    let server = try TestDatabase()
    let (machine, _) = try server.machine("laptop", as: "anna", in: nil)
    let process = try server.psql(
      "SELECT pid FROM pg_stat_activity WHERE usename = 'anna' AND datname = current_database()")
    let backend = try #require(pid_t(process))
    machine.patience = 1
    kill(backend, SIGSTOP)
    let error = try failure { _ = try machine.push([task("a", ["x": 1], at: 1)], known: SpaceVersion()) }
    kill(backend, SIGCONT)
    #expect(error.code == .connectionLost && error.isRetryable)
    #expect(error.description.hasSuffix(" has not answered for 1 seconds."))
    #expect(try failure { _ = try machine.members() }.code == .connectionLost)
  }

  @Test("What another client has stored badly is left alone, and everything else is read")
  func strangeValues() throws {
    let server = try TestDatabase()
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    _ = try machine.push([task("a", ["x": 1], at: 1)], known: SpaceVersion())
    _ = try server.psql(
      """
      UPDATE livestore.object SET data = '{"x": 1, "bool": true, "list": [1, {"a": "]"}], "half": 1.5, "big": 1e30,
        "odd": {"q": "1"}, "two": {"r": "1", "b": ""}, "nan": {"r": "NaN"}, "bad": {"b": "?"}, "text": "y"}'
      """)
    #expect(try server.pull(machine, after: 0).map(\.object) == [task("a", ["x": 1, "text": "y"], at: 1)])
    _ = entrance
  }

  private func failure(_ body: () throws -> Void) throws -> SyncError {
    try #require(throws: SyncError.self, performing: body)
  }
}
