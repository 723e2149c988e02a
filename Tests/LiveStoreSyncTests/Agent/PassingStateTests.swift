import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

@Suite("States in which the server cannot do it now", .enabled(if: TestCluster.isInstalled), .serialized)
struct PassingStateTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  /// Has the server fail with a code whenever an object is written; `nil` has it work again.
  private func fail(with state: String?) throws {
    var statements = "DROP TRIGGER IF EXISTS failing ON livestore.object;"
    if let state {
      statements += """
        CREATE OR REPLACE FUNCTION public.failing() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '\(state)'; END $$;
        CREATE TRIGGER failing BEFORE INSERT OR UPDATE ON livestore.object
          FOR EACH ROW EXECUTE FUNCTION public.failing();
        """
    }
    let output = try people.database.psql(statements)
    #expect(!output.contains("ERROR"), "\(output)")
  }

  @Test("A server without memory, connections or time is tried again, and holds it against no row")
  func exhausted() throws {
    let (anna, ben) = try people.pair()
    for state in ["53200", "53000", "53400", "40001", "40003", "40P01", "55006", "55P03", "57014"] {
      try anna.program.execute("UPDATE Note SET text = 'Oat \(state)'")
      try fail(with: state)
      let error = try #require(throws: SyncError.self) { try SyncAgent(path: anna.path).runOnce() }
      #expect(error.code == .busy && error.isRetryable, "\(state): \(error.debugDescription)")
      #expect(try anna.synced.changesSetAside().isEmpty, "\(state)")
      try fail(with: nil)
      try people.carry(anna, ben)
      #expect(try ben.rows("SELECT text FROM Note") == [[.text("Oat \(state)")]])
    }
  }

  @Test(
    "While the server does not answer, the status says so, and what waits, and is in step with the answer")
  func silent() throws {
    let (anna, ben) = try people.pair()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .inStep }
    let other = try people.database.connection(as: "postgres")
    try other.execute("BEGIN; LOCK TABLE livestore.object")
    try anna.program.execute("UPDATE Note SET text = 'Oat milk'")
    try anna.waitForStatus {
      $0.phase == .connecting && $0.waiting == 1 && $0.reason.hasSuffix(" does not answer.")
    }
    try other.execute("ROLLBACK")
    try anna.waitForStatus { $0.phase == .inStep && $0.waiting == 0 && $0.reason.isEmpty }
    try people.carry(ben)
    #expect(try ben.rows("SELECT text FROM Note") == [[.text("Oat milk")]])
  }

  @Test("A server that ends its connections is connected to again")
  func ended() throws {
    let (anna, _) = try people.pair()
    for state in ["57P01", "57P04", "25P03", "25P04", "08006"] {
      try anna.program.execute("UPDATE Note SET text = 'Oat \(state)'")
      try fail(with: state)
      let error = try #require(throws: SyncError.self) { try SyncAgent(path: anna.path).runOnce() }
      #expect(error.code == .connectionLost && error.isRetryable, "\(state): \(error.debugDescription)")
    }
    #expect(try anna.synced.changesSetAside().isEmpty)
  }

  @Test("A copy of another server, which can only be read, is tried again until it takes that one's place")
  func standby() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute("UPDATE Note SET text = 'Oat'")
    let name = people.database.name
    _ = try people.database.psql("ALTER DATABASE \"\(name)\" SET default_transaction_read_only = on")
    let error = try #require(throws: SyncError.self) { try SyncAgent(path: anna.path).runOnce() }
    #expect(error.isRetryable && error.description.contains("can only be read now"), "\(error)")
    // It is no right that its owner lacks.
    let owner = try people.database.connection(as: "postgres")
    let refusal = try #require(throws: SyncError.self) { try owner.install() }
    #expect(refusal.description == error.description)
    let output = try people.database.cluster.psql(
      "ALTER DATABASE \"\(name)\" RESET default_transaction_read_only", in: "postgres")
    #expect(output == "ALTER DATABASE")
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT text FROM Note") == [["Oat"]])
  }
}
