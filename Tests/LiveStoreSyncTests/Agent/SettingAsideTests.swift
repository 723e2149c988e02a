import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

@Suite("Changes that the server never takes", .enabled(if: TestCluster.isInstalled), .serialized)
struct SettingAsideTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  /// A key that no index of PostgreSQL takes, however well it is compressed.
  private static let longKey: String = {
    var random = SystemRandomNumberGenerator()
    return (0..<1000).map { _ in String(UInt64.random(in: 0 ... .max, using: &random), radix: 36) }.joined()
  }()

  /// The owner of the database allows no text of more than ten letters.
  private func limitTexts() throws {
    let output = try people.database.psql(
      "ALTER TABLE livestore.object ADD CONSTRAINT short_texts CHECK (length(data ->> 'text') <= 10)")
    #expect(output == "ALTER TABLE")
  }

  @Test("A row that the server cannot store is set aside and told, and the others are carried")
  func tooLarge() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute("INSERT INTO Note (id) VALUES ('\(Self.longKey)'), ('b')")
    try anna.program.execute("UPDATE Note SET text = 'Oat' WHERE id = 'n'")
    try anna.program.execute("INSERT INTO Note (id) VALUES ('c')")
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT id, text FROM Note ORDER BY id") == [["b", ""], ["c", ""], ["n", "Oat"]])
    #expect(try anna.ids("Note").contains(Self.longKey))
    let aside = try anna.synced.changesSetAside()
    #expect(aside.map(\.identity.key) == [.text(Self.longKey)])
    #expect(aside.first?.reason.contains("is larger than") == true)
    let report = try #require(try anna.synced.report())
    #expect(report.status.setAside == 1 && report.status.waiting == 0)
  }

  @Test("A change that a rule of the server forbids is sent as soon as it keeps to it, with all of its row")
  func forbidden() throws {
    let (anna, ben) = try people.pair()
    try limitTexts()
    let agent = try RunningAgent(anna.path)
    defer { agent.stop() }
    try anna.waitForStatus { $0.phase == .inStep }
    try anna.program.execute("UPDATE Note SET text = 'A very long text', count = 7")
    try anna.waitForStatus { $0.phase == .inStep && $0.setAside == 1 && $0.waiting == 0 }
    try anna.waitUntilSent { try $0.execute("INSERT INTO Note (id) VALUES ('later')") }
    try people.carry(ben)
    #expect(try ben.rows("SELECT id, count FROM Note ORDER BY id") == [["later", 0], ["n", 0]])
    try anna.waitUntilSent { try $0.execute("UPDATE Note SET text = 'Short' WHERE id = 'n'") }
    try people.carry(ben)
    #expect(try ben.rows("SELECT text, count FROM Note WHERE id = 'n'") == [["Short", 7]])
    #expect(try anna.synced.changesSetAside().isEmpty)
    try anna.waitForStatus { $0.setAside == 0 }
  }

  @Test("What was changed in one transaction, and what is in a row that is set aside, waits with it")
  func dependents() throws {
    let (anna, ben) = try people.pair()
    try limitTexts()
    let store = try anna.store()
    try store.write {
      store.object(ofType: Note.self, forPrimaryKey: "n")!.count = 5
      let note = Note()
      note.id = "long"
      note.text = "A very long text"
      store.add(note)
    }
    try store.write {
      let other = Note()
      other.id = "free"
      store.add(other)
      let step = Note()
      step.id = "step"
      store.object(ofType: Note.self, forPrimaryKey: "long")!.steps.append(step)
    }
    try people.carry(anna, ben)
    // The second transaction leads to the first one's new row, and is whole.
    #expect(try ben.rows("SELECT id, count FROM Note") == [["n", 0]])
    #expect(try anna.synced.changesSetAside().map(\.identity.key) == ["long"])
    #expect(try anna.synced.report()?.status.setAside == 4)
    try store.write { store.object(ofType: Note.self, forPrimaryKey: "n")!.text = "Oat" }
    try store.write {
      let later = Note()
      later.id = "later"
      store.add(later)
    }
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT id, text FROM Note ORDER BY id") == [["later", ""], ["n", "Milk"]])
    try store.write { store.object(ofType: Note.self, forPrimaryKey: "long")!.text = "Short" }
    store.close()
    try people.carry(anna, ben)
    #expect(try ben.ids("Note") == ["free", "later", "long", "n", "step"])
    #expect(try ben.rows("SELECT text, count FROM Note WHERE id = 'n'") == [["Oat", 5]])
    #expect(try ben.content() == anna.content())
    #expect(try anna.synced.report()?.status.setAside == 0)
  }

  @Test("One row that the server does not take keeps none of the others of a new file back")
  func newFile() throws {
    let sql = "INSERT INTO Note (id) VALUES ('a'), ('\(Self.longKey)'), ('b')"
    let anna = try people.machine("anna", as: "anna", sql)
    try anna.synced.share(with: "ben", .write)
    let ben = try people.machine("ben", as: "ben")
    #expect(try ben.ids("Note") == ["a", "b"])
    #expect(try anna.ids("Note").count == 3)
  }

  @Test("What was set aside is tried again by the next agent: the rule may be gone")
  func nextAgent() throws {
    let (anna, ben) = try people.pair()
    try limitTexts()
    try anna.program.execute("UPDATE Note SET text = 'A very long text'")
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT text FROM Note") == [["Milk"]])
    _ = try people.database.psql("ALTER TABLE livestore.object DROP CONSTRAINT short_texts")
    try people.carry(anna, ben)
    #expect(try ben.rows("SELECT text FROM Note") == [["A very long text"]])
  }

  /// Has the server have no memory for texts from some length on.
  private func limitMemory(to length: Int) throws {
    let output = try people.database.psql(
      """
      CREATE OR REPLACE FUNCTION public.exhausted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF length(NEW.data ->> 'text') > \(length) THEN
          RAISE EXCEPTION 'out of memory' USING ERRCODE = '53200';
        END IF;
        RETURN NEW; END $$;
      CREATE OR REPLACE TRIGGER exhausted BEFORE INSERT OR UPDATE ON livestore.object
        FOR EACH ROW EXECUTE FUNCTION public.exhausted()
      """)
    #expect(!output.contains("ERROR"), "\(output)")
  }

  @Test("A row for which the server never has memory is set aside at last, and the others are carried")
  func exhausting() throws {
    let (anna, ben) = try people.pair()
    try limitMemory(to: 200_000)
    try anna.program.execute("UPDATE Note SET text = 'Oat'")
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('large', hex(zeroblob(150000)))")
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('less', hex(zeroblob(75000)))")
    for _ in 1...4 {
      let error = try #require(throws: SyncError.self) { try SyncAgent(path: anna.path).runOnce() }
      #expect(error.code == .busy && error.isRetryable, "\(error)")
      #expect(try anna.synced.changesSetAside().isEmpty)
    }
    try people.carry(anna, ben)
    #expect(try ben.ids("Note") == ["less", "n"])
    let aside = try anna.synced.changesSetAside()
    #expect(aside.map(\.identity.key) == ["large"])
    #expect(aside.first?.reason.hasPrefix("The memory of ") == true, "\(aside)")
    try anna.program.execute("UPDATE Note SET text = 'Small' WHERE id = 'large'")
    try people.carry(anna, ben)
    #expect(try ben.content() == anna.content())
  }

  @Test("While the server has no memory for anything, it is held against no row, however large that is")
  func exhaustedServer() throws {
    let (anna, ben) = try people.pair()
    // Every push writes there first.
    let output = try people.database.psql(
      """
      CREATE OR REPLACE FUNCTION public.exhausted() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'out of memory' USING ERRCODE = '53200'; END $$;
      CREATE TRIGGER exhausted BEFORE UPDATE ON livestore.space
        FOR EACH ROW EXECUTE FUNCTION public.exhausted()
      """)
    #expect(!output.contains("ERROR"), "\(output)")
    try anna.program.execute("UPDATE Note SET text = hex(zeroblob(150000))")
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('small', 'Small')")
    for _ in 1...10 {
      #expect(throws: SyncError.self) { try SyncAgent(path: anna.path).runOnce() }
      #expect(try anna.synced.changesSetAside().isEmpty)
    }
    _ = try people.database.psql("DROP TRIGGER exhausted ON livestore.space")
    try people.carry(anna, ben)
    #expect(try ben.content() == anna.content())
  }
}
