import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Numbers and orders that only other programs write")
struct HostileNumberTests {
  private let fixture: KeeperFixture

  init() throws { fixture = try KeeperFixture() }

  private var path: String { fixture.file.path }

  private static let numbers = [Int64.max, .max - 1, 1 << 62, .min]

  @Test("A log number beyond all counting is seen, and the log goes on", arguments: numbers)
  func logNumber(_ number: Int64) throws {
    let test = try fixture.open()
    let other = try fixture.open()
    let keepers = test.observe(test.keepers)
    let others = other.observe(other.keepers)
    sqlite3(
      path, "INSERT INTO _livestore_log (seq) VALUES (\(number)); UPDATE Keeper SET age = 1 WHERE id = 1")
    try test.store.refresh()
    for age in 2...4 {
      try test.write { _ in try test.keeper(2).age = age }
      #expect(other.turns { (try? other.keeper(2).age) == age })
      sqlite3(path, "UPDATE Keeper SET age = \(age) WHERE id = 3")
      #expect(test.turns { (try? test.keeper(3).age) == age })
      #expect(other.turns { (try? other.keeper(3).age) == age })
    }
    #expect(try test.keeper(1).age == 1 && other.keeper(1).age == 1)
    #expect(keepers.rows.count == 4 && others.rows.count == 4)
    #expect(sqlite3(path, "SELECT max(seq) < (1 << 62) FROM _livestore_log") == "1\n")
  }

  @Test("A store that only looks begins a log anew whose number lets nothing be seen")
  func observerOnly() throws {
    let test = try fixture.open()
    let keepers = test.observe(test.keepers)
    sqlite3(path, "INSERT INTO _livestore_log (seq) VALUES (9223372036854775807)")
    #expect(test.turns { sqlite3(path, "SELECT max(seq) < (1 << 62) FROM _livestore_log") == "1\n" })
    sqlite3(path, "UPDATE Keeper SET age = 5 WHERE id = 4")
    #expect(test.turns { keepers.changes == [ChangeSet(mod: [3])] })
  }

  @Test("So does one that is opened on such a file")
  func opened() throws {
    sqlite3(path, "INSERT INTO _livestore_log (seq) VALUES (9223372036854775807)")
    let test = try fixture.open()
    let keepers = test.observe(test.keepers)
    sqlite3(path, "UPDATE Keeper SET age = 5 WHERE id = 4")
    #expect(test.turns { keepers.changes == [ChangeSet(mod: [3])] })
  }

  @Test("An entry with any number leaves room for others", arguments: numbers)
  func entry(_ number: Int64) throws {
    let test = try fixture.open()
    let keeper = try test.keeper(1)
    try test.write { _ in keeper.hounds.append(try test.hound(1)) }
    sqlite3(path, "UPDATE Keeper_hounds SET entry = \(number)")
    try test.write { _ in for id in 2...4 { keeper.hounds.append(try test.hound(id)) } }
    try test.write { _ in keeper.hounds.insert(try test.hound(5), at: 0) }
    #expect(keeper.hounds.map(\.id) == [5, 1, 2, 3, 4])
  }

  @Test("L14: a column that another program has given another order is an error, and so is opening the file")
  func collation() throws {
    let test = try fixture.open()
    let keepers = test.observe(test.keepers)
    sqlite3(
      path,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '"name" TEXT', '"name" TEXT COLLATE nocase') WHERE name = 'Hound'
      """)
    sqlite3(path, "PRAGMA writable_schema = RESET; CREATE TABLE other (x)")
    #expect(sqlite3(path, "SELECT sql LIKE '%nocase%' FROM sqlite_schema WHERE name = 'Hound'") == "1\n")
    #expect(test.turns { keepers.events.count == 2 })
    guard case .error(let error)? = keepers.events.last else {
      Issue.record("\(keepers.events)")
      return
    }
    #expect(error.code == .schema)
    #expect(error.description.contains("Hound.name") && error.description.contains("NOCASE"))
    #expect(throws: error) { _ = try fixture.open() }
  }

  @Test("L14: a file whose texts are UTF-16 is refused with a sentence")
  func utf16() throws {
    let before = sqlite3(path, ".dump")
    let other = TestFile()
    shell("(echo 'PRAGMA encoding = \"UTF-16le\";'; sqlite3 '\(path)' .dump) | sqlite3 '\(other.path)'")
    // Also as the output of .dump leaves it, without the marks in the header.
    for pragma in [nil, "application_id", "user_version"] {
      if let pragma { sqlite3(other.path, "PRAGMA \(pragma) = \(sqlite3(path, "PRAGMA \(pragma)"))") }
      if pragma == "application_id" { continue }
      let unchanged = sqlite3(other.path, "PRAGMA user_version; PRAGMA journal_mode")
      let refused = #expect(throws: StoreError.self) {
        try TestStore(other.path, types: [Keeper.self, Hound.self])
      }
      #expect(refused?.description.contains("UTF-16le") == true, "\(String(describing: refused))")
      #expect(sqlite3(other.path, "PRAGMA user_version; PRAGMA journal_mode") == unchanged)
    }
    #expect(sqlite3(path, ".dump") == before)
  }

  @Test("Entries of a table that was dropped are taken out when the file is next opened for writing")
  func droppedTable() throws {
    let test = try fixture.open()
    try test.write { _ in for id in 1...3 { try test.keeper(1).hounds.append(try test.hound(id)) } }
    test.store.close()
    sqlite3(path, "DROP TABLE Hound")
    let again = try fixture.open()
    #expect(try again.keeper(1).hounds.isEmpty && again.store.objects(Hound.self).isEmpty)
    #expect(sqlite3(path, "SELECT count(*) FROM Keeper_hounds; PRAGMA foreign_key_check") == "0\n")
    try again.write { store in
      store.add(Hound(9))
      try again.keeper(1).hounds.append(try again.hound(9))
    }
    #expect(try again.keeper(1).hounds.map(\.id) == [9])
  }
}
