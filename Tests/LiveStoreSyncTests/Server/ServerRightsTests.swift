import Dispatch
import LiveStore
import PostgreSQLCluster
import Synchronization
import Testing

@testable import LiveStoreSync

/// The rights of roles, tried with `psql`, as a person with bad intentions might.
@Suite("Rights on the server", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct ServerRightsTests {
  /// Anna manages the space, Ben writes, Cleo reads, Eve is no member.
  let server: TestDatabase
  let space: Int64
  let anna: ServerConnection

  init() throws {
    server = try TestDatabase()
    let (anna, entrance) = try server.machine("laptop", as: "anna", in: nil)
    try anna.share(with: "ben", .write)
    try anna.share(with: "cleo", .read)
    _ = try anna.push(
      [
        task("a", ["text": "Milk"], at: 1),
        SyncedObject(task("b", [:], at: 1).identity, deletion: .init(stamp: 1, replica: 1)),
      ],
      known: SpaceVersion())
    self.anna = anna
    space = entrance.space
  }

  @Test("Who is no member sees nothing of a space")
  func outsider() throws {
    for table in ["space", "line", "member", "machine", "object", "own_right"] {
      #expect(try server.psql("SELECT * FROM livestore.\(table)", as: "eve") == "", "\(table)")
    }
    #expect(try server.psql("SELECT livestore.mark_of(\(space), 1)", as: "eve") == "")
    let refused = "ERROR:  There is no such space, or you are no member of it."
    #expect(try server.psql("SELECT livestore.enter(\(space), NULL, 'x', NULL, 0, 0)", as: "eve") == refused)
    #expect(try server.psql("SELECT livestore.share(\(space), 'eve', 3)", as: "eve") == refused)
    #expect(try server.psql("SELECT livestore.share(\(space), 'anna', 0)", as: "eve") == refused)
    #expect(try server.psql(push("NULL", 1), as: "eve") == refused)
    #expect(
      try server.psql("SELECT livestore.prune(\(space))", as: "eve")
        == "ERROR:  You may not change this space.")
    #expect(
      try server.psql("INSERT INTO livestore.member VALUES (\(space), 'eve', 3)", as: "eve")
        == #"ERROR:  new row violates row-level security policy for table "member""#)
    #expect(
      try server.psql(
        "INSERT INTO livestore.machine (space, replica, name, token) VALUES (\(space), 7, 'x', gen_random_uuid())",
        as: "eve") == #"ERROR:  new row violates row-level security policy for table "machine""#)
    #expect(try server.psql("DELETE FROM livestore.space", as: "eve") == "DELETE 0")
    #expect(try server.psql("UPDATE livestore.space SET name = 'Mine'", as: "eve") == "UPDATE 0")
    #expect(try intact())
  }

  @Test(
    "No member writes objects, versions, marks and authors past the functions",
    arguments: ["anna", "ben", "cleo", "eve"])
  func directWrites(role: String) throws {
    for (statement, table) in [
      ("INSERT INTO livestore.object (space) VALUES (1)", "object"),
      ("UPDATE livestore.object SET data = '{}'", "object"),
      ("UPDATE livestore.object SET author = 'ben'", "object"),
      ("DELETE FROM livestore.object", "object"),
      ("TRUNCATE livestore.object", "object"),
      ("COPY livestore.object FROM '/dev/null'", nil),
      ("UPDATE livestore.space SET version = 99", "space"),
      ("UPDATE livestore.space SET mark = 99", "space"),
      ("UPDATE livestore.space SET creator = 'eve'", "space"),
      // Machines would take it for one that is gone.
      ("INSERT INTO livestore.space (space, name) VALUES (5, 'x')", "space"),
      ("UPDATE livestore.space SET pruned = 99", "space"),
      ("INSERT INTO livestore.space (name, creator) VALUES ('x', 'anna')", "space"),
      ("UPDATE livestore.line SET mark = 99", "line"),
      ("DELETE FROM livestore.line", "line"),
      ("UPDATE livestore.machine SET role = 'eve'", "machine"),
      (
        "INSERT INTO livestore.machine (space, replica, name, token, role) VALUES (1, 1, 'x', gen_random_uuid(), 'anna')",
        "machine"
      ),
      ("UPDATE livestore.member SET role = 'eve'", "member"),
      ("UPDATE livestore.installation SET version = 9", "installation"),
    ] as [(String, String?)] {
      let output = try server.psql(statement, as: role)
      if let table {
        #expect(output == "ERROR:  permission denied for table \(table)", "\(statement)")
      } else {
        #expect(output.hasPrefix("ERROR:  "), "\(statement)")
      }
    }
    #expect(
      try server.psql("ALTER TABLE livestore.object DISABLE ROW LEVEL SECURITY", as: role).hasPrefix(
        "ERROR:  must be owner"))
    #expect(
      try server.psql("CREATE TABLE livestore.mine ()", as: role).hasPrefix(
        "ERROR:  permission denied for schema"))
    #expect(
      try server.psql("SELECT livestore.caller()", as: role)
        == "ERROR:  permission denied for function caller")
    #expect(try intact())
  }

  @Test("A reader reads, and writes and shares nothing")
  func reader() throws {
    #expect(try server.psql("SELECT name FROM livestore.space", as: "cleo") == "Home")
    #expect(try server.psql("SELECT count(*) FROM livestore.object", as: "cleo") == "2")
    #expect(
      try server.psql("SELECT role, rights FROM livestore.member ORDER BY role", as: "cleo")
        == "anna|3\nben|2\ncleo|1")
    #expect(try server.psql(push("NULL", 1), as: "cleo") == "ERROR:  You may only read this space.")
    #expect(try server.psql("UPDATE livestore.member SET rights = 3", as: "cleo") == "UPDATE 0")
    #expect(
      try server.psql("SELECT livestore.share(\(space), 'cleo', 2)", as: "cleo")
        == "ERROR:  Only its managers may share a space.")
    #expect(try server.psql("UPDATE livestore.machine SET name = 'x'", as: "cleo") == "UPDATE 0")
    #expect(try server.psql("DELETE FROM livestore.machine", as: "cleo") == "DELETE 0")
    #expect(try server.psql("DELETE FROM livestore.space", as: "cleo") == "DELETE 0")

    let (machine, _) = try server.machine("tablet", as: "cleo", in: space)
    let error = try #require(throws: SyncError.self) {
      try machine.push([task("a", ["text": "Mine"], at: 9)], known: SpaceVersion())
    }
    #expect(error.code == .readOnly && !error.isRetryable)
    #expect(error.description == "You may only read “anna/Home”.")
    #expect(#expect(throws: SyncError.self) { try machine.share(with: "eve", .read) }?.code == .managersOnly)
    #expect(try server.pull(machine, after: 0).count == 2)
    #expect(try intact())
  }

  @Test("A writer writes as themself and through their own machine, and shares nothing")
  func writer() throws {
    // Not as a machine of another's, also knowing its token.
    let token = try server.psql("SELECT token FROM livestore.machine", as: "ben")
    let replica = try server.psql("SELECT replica FROM livestore.machine", as: "ben")
    #expect(
      try server.psql(push("'\(token)'", Int64(replica)!), as: "ben")
        == "ERROR:  Another machine has entered as this one since.")
    #expect(
      try server.psql("SELECT livestore.share(\(space), 'ben', 3)", as: "ben")
        == "ERROR:  Only its managers may share a space.")
    #expect(try server.psql("UPDATE livestore.member SET rights = 3", as: "ben") == "UPDATE 0")
    #expect(try server.psql("DELETE FROM livestore.member WHERE role <> 'ben'", as: "ben") == "DELETE 0")
    #expect(
      try server.psql("UPDATE livestore.machine SET seen = now() WHERE role <> 'ben'", as: "ben")
        == "UPDATE 0")
    #expect(try intact())
    let (machine, _) = try server.machine("tablet", as: "ben", in: space)
    _ = try machine.push([task("c", ["text": "Tea"], at: 2)], known: SpaceVersion())
    #expect(try server.psql("SELECT author FROM livestore.object WHERE version = 2", as: "ben") == "ben")
  }

  @Test("A role that was taken on is the one that counts, also where functions run as the owner")
  func setRole() throws {
    _ = try server.psql("GRANT anna TO cleo")
    defer { _ = try? server.psql("REVOKE anna FROM cleo") }
    let token = try server.psql("SELECT token FROM livestore.machine", as: "anna")
    let replica = Int64(try server.psql("SELECT replica FROM livestore.machine", as: "anna"))!
    #expect(
      try server.psql(push("'\(token)'", replica), as: "cleo") == "ERROR:  You may only read this space.")
    let output = try server.psql("SET ROLE anna; " + push("'\(token)'", replica), as: "cleo")
    #expect(!output.contains("ERROR"), "\(output)")
    #expect(try server.psql("SELECT author FROM livestore.object WHERE version = 2") == "anna")
  }

  @Test("A manager shares, renames, removes members and the space; somebody always manages it")
  func manager() throws {
    #expect(try anna.members().map(\.role) == ["anna", "ben", "cleo"])
    #expect(#expect(throws: SyncError.self) { try anna.revoke("anna") }?.code == .lastManager)
    #expect(#expect(throws: SyncError.self) { try anna.share(with: "anna", .read) }?.code == .lastManager)
    #expect(
      try server.psql("DELETE FROM livestore.member", as: "anna")
        == "ERROR:  A space keeps at least one manager.")
    let unknown = #expect(throws: SyncError.self) { try anna.share(with: "nobody; DROP", .read) }
    #expect(unknown?.code == .noSuchRole)
    #expect(unknown?.description == "There is no role nobody; DROP on this server.")
    #expect(#expect(throws: SyncError.self) { try anna.revoke("eve") }?.code == .noSuchRole)

    let (cleo, _) = try server.machine("tablet", as: "cleo", in: space)
    try anna.revoke("cleo")
    let gone = #expect(throws: SyncError.self) { try server.pull(cleo, after: 0) }
    #expect(gone?.code == .noSpace)
    #expect(try server.psql("SELECT * FROM livestore.object", as: "cleo") == "")

    try anna.share(with: "ben", .manage)
    try anna.revoke("anna")
    #expect(try server.psql("SELECT role, rights FROM livestore.member", as: "ben") == "ben|3")
    #expect(try server.psql("UPDATE livestore.space SET name = 'House'", as: "ben") == "UPDATE 1")
    #expect(try server.psql("DELETE FROM livestore.space", as: "ben") == "DELETE 1")
    for table in ["space", "line", "member", "machine", "object"] {
      #expect(try server.psql("SELECT * FROM livestore.\(table)") == "", "\(table)")
    }
  }

  @Test("Nobody tampers with what a function that runs as the owner calls")
  func searchPath() throws {
    // Functions and tables of the caller's that hide those of the system or the schema.
    let token = try server.psql("SELECT token FROM livestore.machine", as: "anna")
    let replica = Int64(try server.psql("SELECT replica FROM livestore.machine", as: "anna"))!
    let output = try server.psql(
      """
      SET client_min_messages = error;
      CREATE FUNCTION pg_temp.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS
        $$ BEGIN EXECUTE 'GRANT ALL ON livestore.object TO anna'; RETURN now(); END $$;
      CREATE TEMP TABLE object (space bigint);
      CREATE TEMP TABLE member (space bigint, role text, rights integer);
      SET search_path = pg_temp, livestore, pg_catalog;
      \(push("'\(token)'", replica))
      """, as: "anna")
    #expect(!output.contains("ERROR"), "\(output)")
    #expect(try server.psql("SELECT has_table_privilege('anna', 'livestore.object', 'DELETE')") == "f")
  }

  @Test("Operators that a role has created are not taken for those of the system")
  func operators() throws {
    let server = try TestDatabase(isPrepared: false)
    var output = try server.psql(
      """
      GRANT CREATE ON SCHEMA public TO eve; CREATE TABLE public.caller (name text);
      GRANT INSERT ON public.caller TO PUBLIC
      """)
    for (left, right, result) in [
      ("numeric", "integer", "numeric"), ("bigint", "interval", "interval"), ("float8", "integer", "float8"),
      ("bigint", "text", "bigint"),
    ] {
      output += try server.psql(
        """
        CREATE FUNCTION public.times(\(left), \(right)) RETURNS \(result) LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO public.caller VALUES (current_user); RETURN NULL; END $$;
        CREATE OPERATOR public.* (LEFTARG = \(left), RIGHTARG = \(right), FUNCTION = public.times)
        """, as: "eve")
    }
    #expect(!output.contains("ERROR"), "\(output)")
    try server.connection(as: "postgres").install()
    let (machine, _) = try server.machine("laptop", as: "anna", in: nil)
    _ = try machine.push([task("a", ["text": "Milk"], at: 1)], known: SpaceVersion())
    _ = try machine.machines()
    #expect(try server.psql("SELECT * FROM public.caller") == "")
  }

  @Test("Who has seen the members before their rights were taken away writes no more")
  func isolation() throws {
    let (ben, entrance) = try server.machine("tablet", as: "ben", in: space)
    let (desk, _) = try server.machine("desk", as: "ben", in: space)
    try anna.share(with: "ben", .manage)
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM livestore.member"
    for connection in [ben, desk] { try connection.execute(begin) }
    try anna.share(with: "ben", .read)
    for (connection, statement) in [
      (ben, push("'\(entrance.token!)'", entrance.replica!)),
      (desk, "INSERT INTO livestore.member (space, role, rights) VALUES (\(space), 'eve', 3)"),
    ] {
      let error = #expect(throws: SyncError.self) { try connection.execute(statement) }
      #expect(error?.report?.contains("READ COMMITTED") == true, "\(statement)")
      try connection.execute("ROLLBACK")
    }
    #expect(try intact())

    // Two managers remove one another.
    try anna.share(with: "ben", .manage)
    try ben.execute(begin)
    try anna.execute(begin)
    for (connection, role) in [(anna, "ben"), (ben, "anna")] {
      _ = try? connection.execute("DELETE FROM livestore.member WHERE role = '\(role)'; COMMIT")
    }
    #expect(try server.psql("SELECT count(*) FROM livestore.member WHERE rights = 3") != "0")
  }

  @Test("Of two managers who remove one another at the same time one stays")
  func managersRemovingOneAnother() throws {
    try anna.share(with: "ben", .manage)
    try anna.execute("BEGIN")
    _ = try anna.query("SELECT livestore.share(\(space), 'ben', 0)")
    let ended = DispatchSemaphore(value: 0)
    let answer = Mutex("")
    DispatchQueue.global().async { [server, space] in
      let output = (try? server.psql("SELECT livestore.share(\(space), 'anna', 0)", as: "ben")) ?? ""
      answer.withLock { $0 = output }
      ended.signal()
    }
    // He has seen that he manages the space.
    var isWaiting = ""
    while isWaiting != "1" {
      isWaiting = try server.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ben' AND wait_event = 'advisory'")
    }
    try anna.execute("COMMIT")
    ended.wait()
    #expect(answer.withLock { $0 } == "ERROR:  A space keeps at least one manager.")
    #expect(try server.psql("SELECT role, rights FROM livestore.member ORDER BY role") == "anna|3\ncleo|1")
  }

  @Test("Who was removed writes nothing, nor about their machines, for which no deletion is kept")
  func formerMember() throws {
    try anna.share(with: "eve", .write)
    let (eve, _) = try server.machine("tablet", as: "eve", in: space)
    try anna.revoke("eve")
    for statement in [
      "UPDATE livestore.machine SET name = 'still here', version = 0, seen = clock_timestamp()",
      "DELETE FROM livestore.machine",
    ] {
      #expect(try server.psql(statement, as: "eve").hasSuffix(" 0"), "\(statement)")
    }
    try? eve.report(known: SpaceVersion(number: 5))
    #expect(try anna.machines().map(\.name).sorted() == ["laptop", "tablet"])
    #expect(try server.psql("SELECT version FROM livestore.machine WHERE role = 'eve'") == "0")
    try anna.report(known: SpaceVersion(number: 1))
    #expect(try anna.prune() == 1)
  }

  @Test(
    "The name of a space is one line without a “/”, whoever gives it",
    arguments: ["anna/tasks", "a\u{1B}]52;b", "a\u{9B}b", "a\nb"])
  func spaceName(name: String) throws {
    let refused = "ERROR:  The name of a space is one line without a “/”."
    #expect(try server.psql("SELECT livestore.create_space('\(name)')", as: "eve") == refused)
    #expect(try server.psql("INSERT INTO livestore.space (name) VALUES ('\(name)')", as: "eve") == refused)
    #expect(try server.psql("UPDATE livestore.space SET name = '\(name)'", as: "anna") == refused)
    #expect(#expect(throws: SyncError.self) { try anna.createSpace(named: name) }?.code == .malformed)
    #expect(try intact())
  }

  /// A push of a change of the object `a`.
  private func push(_ token: String, _ replica: Int64) -> String {
    """
    SELECT livestore.push(\(space), \(replica), \(token), 0, '{Task}', '{"\\"a\\""}', '{0}', '{NULL}', '{NULL}', '{5}',
      '{1}', '{NULL}', ARRAY['{"text": "Mine"}']::jsonb[])
    """
  }

  private func intact() throws -> Bool {
    try server.psql("SELECT version, pruned, creator, name FROM livestore.space") == "1|0|anna|Home"
      && server.psql("SELECT key, author, data FROM livestore.object ORDER BY key")
        == "\"a\"|anna|{\"text\": \"Milk\"}\n\"b\"|anna|"
  }
}
