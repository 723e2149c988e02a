import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

/// Servers whose clock is set back, or that give a machine another number.
@Suite("Servers that are not as they were", .enabled(if: TestCluster.isInstalled), .serialized)
struct ChangedServerTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("After the clock of a server has gone back, changes are taken as before")
  func clockBack() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute("INSERT INTO Note (id) VALUES ('a'), ('d')")
    try people.carry(anna, ben)
    // All that there is was dated an hour ago by a clock that was two hours ahead.
    try anna.program.execute("UPDATE Note SET text = 'Ahead'; DELETE FROM Note WHERE id = 'd'")
    try people.carry(anna)
    let output = try people.database.psql(
      """
      UPDATE livestore.object SET stamp = stamp + (3600000::bigint << 16),
        deletion_stamp = deletion_stamp + (3600000::bigint << 16), version = version + 10,
        clocks = (SELECT jsonb_object_agg(c.key, jsonb_build_array(
          (c.value ->> 0)::bigint + (3600000::bigint << 16), c.value -> 1)) FROM jsonb_each(clocks) AS c);
      UPDATE livestore.space SET version = version + 10
      """)
    #expect(!output.contains("ERROR"), "\(output)")
    try people.carry(ben)
    for number in 0..<3 {
      try ben.program.execute("UPDATE Note SET text = 'Of Ben', count = \(number)")
      try people.carry(ben)
    }
    let new = try people.machine("new", as: "ben")
    #expect(try new.rows("SELECT text, count FROM Note ORDER BY id") == [["Of Ben", 2], ["Of Ben", 2]])
    #expect(try ben.synced.conflicts().isEmpty)
    // Far ahead is ahead.
    let machine = try people.database.machine("desk", as: "ben", in: Int64(ben.file.state[text: .space])).0
    let error = #expect(throws: SyncError.self) {
      try machine.push(
        [task("z", ["text": 1], at: (WallClock.milliseconds + 3_700_000) << 16)], known: SpaceVersion())
    }
    #expect(error?.code == .clockAhead)
  }

  @Test("A machine that gets another number is told of what it loses as before")
  func anotherNumber() throws {
    let (anna, ben) = try people.pair()
    let before = try ben.replica()
    try ben.program.execute("UPDATE Note SET text = 'Of Ben', count = 1")
    _ = try ben.file.write { () throws(StoreError) in try ben.file.capture() }
    try anna.program.execute("UPDATE Note SET text = 'Of Anna'")
    try people.carry(anna)
    // The answer to an entrance was lost: the server takes the file for a copy.
    let output = try people.database.psql(
      "UPDATE livestore.machine SET token = gen_random_uuid(), offered = NULL WHERE role = 'ben'"
    )
    #expect(!output.contains("ERROR"), "\(output)")
    try people.carry(ben, anna)
    #expect(try ben.replica() != before)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT text, count FROM Note") == [["Of Anna", 1]])
    }
    #expect(try ben.synced.conflicts().map { $0.mine["text"] } == ["Of Ben"])
    #expect(try ben.isAsKnown())
  }
}
