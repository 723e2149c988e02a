import LiveStore
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

@Suite(
  "Changes that are not lost, and are not of others", .enabled(if: TestCluster.isInstalled), .serialized)
struct FalseAlarmTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  @Test("After a server was restored, what others replaced or deleted knowingly is not told as lost")
  func restoredServer() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute(
      """
      INSERT INTO Note (id, text)
      VALUES ('a', 'Bread'), ('b', 'Butter'), ('c', 'Cheese'), ('d', 'Dates')
      """)
    try people.carry(anna, ben)
    try ben.program.execute(
      "DELETE FROM Note WHERE id IN ('a', 'b'); UPDATE Note SET text = 'Of Ben' WHERE id IN ('c', 'd')")
    try SyncAgent(path: ben.path).runOnce()
    try people.loseEverything()
    // Unlike the others, these are changed where it is not known what has become of them.
    try anna.program.execute("UPDATE Note SET text = 'Rye bread' WHERE id = 'a'")
    try anna.program.execute("UPDATE Note SET text = 'Blue cheese' WHERE id = 'c'")
    try anna.program.execute("UPDATE _livestore_log SET time = time - 60000")
    try people.carry(ben, anna, ben)
    #expect(try anna.rows("SELECT text FROM Note ORDER BY id") == [["Of Ben"], ["Of Ben"], ["Milk"]])
    #expect(Set(try anna.synced.conflicts().map { $0.mine["text"] }) == ["Rye bread", "Blue cheese"])
    #expect(try anna.content() == ben.content())
  }

  @Test(
    "What others replaced knowingly is not told as lost where only the answer to it was",
    arguments: [true, false]
  )
  func lostAnswer(isKnown: Bool) throws {
    let (anna, _) = try people.pair()
    let file = try #require(anna.file)
    let note = SyncedObject.Identity(type: "Note", key: "n")
    try anna.program.execute("UPDATE Note SET text = 'Rye' WHERE id = 'n'")
    try file.write { () throws(StoreError) in
      try file.capture()
      guard let known = try file.known(note)?.object,
        let own = try file.message(note, known, from: .min)?.cells["text"]
      else { return }
      let clock = HybridClock(milliseconds: WallClock.milliseconds + 1000, replica: file.replica + 1)
      let cell = SyncedObject.Cell(value: "Spelt", clock: clock, basis: isKnown ? own.clock : own.basis)
      let object = SyncedObject(note, cells: ["text": cell])
      try file.apply([RemoteObject(object: object, author: "ben", machine: "tablet")])
      try file.finishApplying()
    }
    #expect(try anna.rows("SELECT text FROM Note WHERE id = 'n'") == [["Spelt"]])
    #expect(try anna.synced.conflicts().isEmpty == isKnown)
  }

  @Test("Of what was deleted and brought back, a file that comes back is told only what differs")
  func earlierLife() throws {
    let (anna, ben) = try people.pair()
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('a', 'Bread')")
    try people.carry(anna, ben)
    try anna.program.execute("DELETE FROM Note")
    try people.carry(anna)
    try anna.program.execute("INSERT INTO Note (id, text) VALUES ('a', 'Bread'), ('n', 'Milk')")
    try people.carry(anna, ben)
    // A change that waits when the file leaves is the reason that nothing counts as untouched.
    try ben.program.execute("UPDATE Note SET text = 'Unsent' WHERE id = 'n'")
    try ben.synced.leave()
    let url = try people.database.url(as: "ben")
    #expect(try ben.synced.join(url, space: "Home", classes: SyncedPeople.classes) != .declined)
    try ben.restart()
    try people.carry(ben, anna)
    #expect(try ben.rows("SELECT text FROM Note ORDER BY id") == [["Bread"], ["Milk"]])
    #expect(try ben.synced.conflicts().map { $0.mine["text"] } == ["Unsent"])
    #expect(try ben.content() == anna.content())
  }

  @Test("What another machine settles in the name of this one is not shown here as another person's change")
  func ownName() throws {
    let (anna, _) = try people.pair()
    let (file, replica) = (try #require(anna.file), anna.file.replica)
    func receive(_ text: SQLiteValue, after milliseconds: Int64, from replica: Int64) throws {
      var object = SyncedObject(.init(type: "Note", key: "n"))
      let time = WallClock.milliseconds + milliseconds
      object.cells["text"] = .init(value: text, clock: HybridClock(milliseconds: time, replica: replica))
      try file.write { () throws(StoreError) in
        try file.capture()
        try file.apply([RemoteObject(object: object, author: "ben", machine: "tablet")])
        try file.finishApplying()
      }
    }
    let authors = "SELECT author FROM _livesync_author WHERE key = 'n'"
    try receive("Settled", after: 1000, from: replica)
    #expect(try anna.rows("SELECT text FROM Note") == [["Settled"]])
    #expect(try anna.rows(authors).isEmpty)
    try receive("Oat milk", after: 2000, from: replica + 1)
    #expect(try anna.rows(authors) == [["ben"]])
  }

  @Test("A machine that exchanges once, or has just joined, is not told as behind")
  func behind() throws {
    let (anna, ben) = try people.pair()
    func behind(_ machine: Machine) throws -> Int64 {
      let machines = try anna.synced.machines()
      let versions = machines.filter { .integer($0.replica) == (try? machine.replica()) }.map(\.version)
      return try #require(machines.map(\.version).max()) - #require(versions.first)
    }
    #expect(try behind(ben) == 0)
    for count in 1...3 {
      try anna.program.execute("UPDATE Note SET count = \(count)")
      try SyncAgent(path: anna.path).runOnce()
    }
    #expect(try behind(ben) == 3)
    try SyncAgent(path: ben.path).runOnce()
    #expect(try behind(ben) == 0)
  }
}
