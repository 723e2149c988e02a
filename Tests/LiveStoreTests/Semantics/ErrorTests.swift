import FoundationEssentials
import Glibc
import Testing

@testable import LiveStore

@Suite("L14. Errors are values")
struct ErrorTests {
  private let fixture: KeeperFixture
  private let test: TestStore

  init() throws {
    fixture = try KeeperFixture()
    test = try fixture.open()
  }

  private var path: String { fixture.file.path }

  /// A file of some hundred pages, which no store has read.
  private static func long() throws -> KeeperFixture {
    let fixture = try KeeperFixture()
    let store = try fixture.open().store
    try store.write {
      for id in 100..<5_000 { store.add(Keeper(id, name: String(repeating: "name \(id) ", count: 20))) }
    }
    store.close()
    return fixture
  }

  private func isError(_ event: Observation.Event?, _ code: StoreError.Code) -> Bool {
    if case .error(let error)? = event { error.code == code } else { false }
  }

  @Test(
    "R15 (differs, L14): when another program removes a table, each callback is told once, with the cause, and never again"
  )
  func droppedTable() throws {
    let keepers = test.observe(test.keepers)
    let hounds = test.observe(test.store.objects(Hound.self))
    let keeper = ObjectObservation(try test.keeper(1))
    sqlite3(path, "DROP TABLE Hound")
    #expect(test.turns { keepers.events.count > 1 })
    for observation in [keepers, hounds] {
      #expect(observation.events.count == 2)
      #expect(isError(observation.events.last, .schema))
      #expect(observation.token?.invalidate() == false, "the token has ended")
    }
    #expect(keeper.events.count == 1 && keeper.events[0].contains("the table Hound"))
    sqlite3(path, "UPDATE Keeper SET age = 3")
    #expect(throws: StoreError.self) { try test.store.refresh() }
    test.store.processNotifications()
    #expect(keepers.events.count == 2 && hounds.events.count == 2 && keeper.events.count == 1)
    // The version that the store shows is whole.
    #expect(test.keepers.count == 4)
    #expect(try test.keeper(1).age == 0)
    #expect(throws: StoreError.self) { try test.store.beginWrite() }
    #expect(!test.store.isInWriteTransaction)
    let late = Observation(test.keepers)
    #expect(test.turns { late.isReady })
    #expect(isError(late.events.last, .schema))
  }

  @Test("L14: a column that another program removes is an error, never the name of the column as its value")
  func droppedColumn() throws {
    let keepers = test.observe(test.keepers)
    sqlite3(
      path,
      """
      DROP TRIGGER _livestore_Keeper_update; ALTER TABLE Keeper DROP COLUMN nickname;
      UPDATE Keeper SET age = 5 WHERE id = 1
      """)
    #expect(test.turns { keepers.events.count > 1 })
    #expect(isError(keepers.events.last, .schema))
    #expect(try test.keeper(1).nickname == nil)
    #expect(throws: StoreError.self) { try fixture.open() }
  }

  @Test(
    "A column that another program has renamed is named, with what to do, and works again under its old name",
    arguments: ["name", "nickname", "id"])
  func renamedColumn(column: String) throws {
    test.store.close()
    sqlite3(path, "ALTER TABLE Keeper RENAME COLUMN \(column) TO other")
    do {
      _ = try fixture.open()
      Issue.record("It was opened.")
    } catch let error as StoreError {
      #expect(error.code == .schema)
      #expect(
        error.description == "Another program has renamed or removed the column Keeper.\(column) of "
          + "“\(path)”; give it back its name with ALTER TABLE, or go back to a copy of the file.")
    }
    sqlite3(path, "ALTER TABLE Keeper RENAME COLUMN other TO \(column)")
    #expect(try fixture.open().keepers.count == 4)
  }

  @Test("L14: a refresh that fails throws, and the callbacks are told on a later turn")
  func refresh() throws {
    let keepers = test.observe(test.keepers)
    let paused = try PausedWatcher(test.store)
    sqlite3(path, "DROP TABLE Hound")
    #expect(throws: StoreError.self) { try test.store.refresh() }
    #expect(keepers.events == [.initial])
    paused.resume()
    #expect(test.turns { keepers.events.count > 1 })
    #expect(isError(keepers.events.last, .schema))
  }

  @Test("R40: what another program adds is no error, and changes go on being told")
  func added() throws {
    let keepers = test.observe(test.keepers)
    sqlite3(
      path,
      """
      CREATE TABLE Other (x); CREATE INDEX keeper_age ON Keeper (age);
      ALTER TABLE Keeper ADD COLUMN extra DEFAULT 4; UPDATE Keeper SET age = 5 WHERE id = 2
      """)
    #expect(test.turns { keepers.events.count > 1 })
    #expect(keepers.changes == [ChangeSet(mod: [1])])
    try test.write { _ in try test.keeper(3).age = 1 }
    sqlite3(path, "UPDATE Keeper SET extra = 5 WHERE id = 4")
    try test.store.refresh()
    #expect(keepers.changes == [ChangeSet(mod: [1]), ChangeSet(mod: [2])])
  }

  @Test("L14: a damaged file is an error for the callback that it should be read for, and for the others")
  func damaged() throws {
    let fixture = try Self.long()
    let test = try fixture.open()
    let keeper = ObjectObservation(try test.keeper(1))
    shell("dd if=/dev/urandom of='\(fixture.file.path)' bs=4096 seek=12 count=200 conv=notrunc 2>/dev/null")
    let keepers = Observation(test.keepers.sorted(by: \.name))
    #expect(test.turns { keepers.isReady })
    #expect(isError(keepers.events.last, .notADatabase), "\(keepers.events)")
    #expect(keeper.events.count == 1)
    #expect(try test.keeper(1).name == "k1", "what can be read can be read")
    // A program that has written over a part may have written over all of it: nothing is read or written
    // anew.
    #expect(throws: StoreError.self) { try test.store.refresh() }
    #expect(throws: StoreError.self) { try test.store.write { try test.keeper(1).age = 1 } }
    test.store.processNotifications()
    #expect(keepers.events.count == 1 && keeper.events.count == 1)
  }

  @Test("L14: a file that was cut off is an error")
  func truncated() throws {
    let fixture = try Self.long()
    let test = try fixture.open()
    shell("truncate -s 40960 '\(fixture.file.path)'")
    let keepers = Observation(test.keepers.sorted(by: \.name))
    #expect(test.turns { keepers.isReady })
    #expect(keepers.events.count == 1)
    guard case .error? = keepers.events.last else {
      Issue.record("\(keepers.events)")
      return
    }
  }
}
