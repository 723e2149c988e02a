import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Embedded objects and several machines")
struct EmbeddedTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  private func machines(_ names: String..., sql: String) throws -> [Machine] {
    let machines = try names.map { name in
      try Machine(name, in: folder.path) { if name == names[0] { try $0.execute(sql) } }
    }
    try Machine.settle(machines, in: space)
    return machines
  }

  private func people(_ machine: Machine) throws -> [[SQLiteValue]] {
    try machine.rows("SELECT id, home, office FROM Contact ORDER BY id")
  }

  private func content(_ machine: Machine) throws -> [[SQLiteValue]] {
    try machine.rows("SELECT * FROM Contact ORDER BY id")
      + machine.rows("SELECT * FROM Address ORDER BY id") + machine.rows("SELECT * FROM HouseKey ORDER BY id")
      + machine.rows("SELECT owner, target, position FROM Contact_stays ORDER BY owner, position, target")
  }

  /// Has a program move parts as LiveStore does: the triggers for parts see only the outcome.
  private func move(on machine: Machine, _ sql: String) throws {
    let program = try Connection(path: machine.path, create: false)
    program.setBusyTimeout(milliseconds: 5000)
    program.isLoggedByTriggers = true
    program.keepsParts = true
    try program.execute("BEGIN; \(sql); COMMIT")
  }

  @Test("Parts in links and in lists are carried, with parts of their own, and go where they leave them")
  func carried() throws {
    let all = try machines(
      "anna", "ben",
      sql: """
        INSERT INTO HouseKey VALUES ('k');
        INSERT INTO Address (id, street, "key") VALUES ('h', 'Ring 1', 'k');
        INSERT INTO Address (id, street) VALUES ('s1', 'Quai 2'), ('s2', 'Allee 3');
        INSERT INTO Contact (id, home) VALUES ('p', 'h');
        INSERT INTO Contact_stays (owner, target) VALUES ('p', 's1'), ('p', 's2')
        """)
    let (anna, ben) = (all[0], all[1])
    #expect(try content(anna) == content(ben))
    #expect(try ben.rows("SELECT count(*) FROM Contact_stays") == [[2]])
    try ben.program.execute("UPDATE Address SET street = 'Ring 2' WHERE id = 'h'")
    try anna.program.execute(
      """
      INSERT INTO Address (id) VALUES ('o'); UPDATE Contact SET office = 'o';
      DELETE FROM Contact_stays WHERE target = 's1'
      """)
    try Machine.settle(all, in: space)
    #expect(try content(anna) == content(ben))
    #expect(try ben.ids("Address") == ["h", "o", "s2"])
    try ben.program.execute("DELETE FROM Contact")
    try Machine.settle(all, in: space)
    for machine in all {
      #expect(try machine.ids("Address").isEmpty && machine.ids("HouseKey").isEmpty)
      #expect(try machine.file.conflicts().isEmpty)
    }
  }

  @Test("A part that moves from one link to another stays, and so does one that moves out of a list")
  func moved() throws {
    let all = try machines(
      "anna", "ben",
      sql: """
        INSERT INTO Address (id) VALUES ('h'), ('s'); INSERT INTO Contact (id, home) VALUES ('p', 'h');
        INSERT INTO Contact (id) VALUES ('q'); INSERT INTO Contact_stays (owner, target) VALUES ('p', 's')
        """)
    try move(
      on: all[0],
      """
      UPDATE Contact SET home = NULL WHERE id = 'p'; UPDATE Contact SET office = 'h' WHERE id = 'q';
      DELETE FROM Contact_stays; UPDATE Contact SET home = 's' WHERE id = 'q'
      """)
    try Machine.settle(all, in: space)
    #expect(try people(all[1]) == [["p", .null, .null], ["q", "s", "h"]])
    #expect(try content(all[0]) == content(all[1]))
  }

  @Test("Two links of an object that exchange their parts do so elsewhere, whatever becomes of one of these")
  func exchanged() throws {
    let all = try machines(
      "anna", "ben",
      sql: "INSERT INTO Address (id) VALUES ('h'), ('o'); INSERT INTO Contact VALUES ('p', '', 'h', 'o')")
    let store = try all[0].store()
    try store.write {
      let value = Contact()
      value.id = "p"
      value.home = store.object(ofType: Address.self, forPrimaryKey: "o")
      value.office = store.object(ofType: Address.self, forPrimaryKey: "h")
      store.add(value, update: .modified)
    }
    try all[1].program.execute("UPDATE Address SET street = 'Ring' WHERE id = 'h'")
    try Machine.settle(all, in: space)
    #expect(try people(all[1]) == [["p", "o", "h"]] && content(all[0]) == content(all[1]))
    for machine in all { #expect(try machine.file.conflicts().isEmpty) }
  }

  @Test("Of two parts that machines put into one link the later stays; who lost the other can have it back")
  func replaced() throws {
    let all = try machines("anna", "ben", sql: "INSERT INTO Contact (id) VALUES ('p')")
    for (machine, key) in zip(all, ["a", "b"]) {
      if machine !== all[0] { try machine.setClock(after: all[0]) }
      try machine.program.execute(
        "INSERT INTO Address (id, street) VALUES ('\(key)', 'Ring'); UPDATE Contact SET home = '\(key)'")
      _ = try machine.file.write { () throws(StoreError) in try machine.file.capture() }
    }
    try Machine.settle(all, in: space)
    for machine in all { #expect(try machine.ids("Address") == ["b"]) }
    #expect(try people(all[0]) == [["p", "b", .null]] && content(all[0]) == content(all[1]))
    let lost = try all[0].file.conflicts()
    let part = try #require(lost.first { $0.identity.type == "Address" })
    #expect(part.kind == .deleted && part.mine["street"] == "Ring")
    #expect(lost.contains { $0.identity.type == "Contact" && $0.mine["home"] == "a" })
    #expect(try all[1].file.conflicts().isEmpty)
    _ = try all[0].file.write { () throws(StoreError) in try all[0].file.bringBack(conflict: part.number) }
    try Machine.settle(all, in: space)
    for machine in all { #expect(try machine.ids("Address") == ["a", "b"]) }
  }

  @Test("A part that one machine moves and another deletes is deleted, told, and comes back where it was put")
  func movedAndDeleted() throws {
    let all = try machines(
      "anna", "ben",
      sql: """
        INSERT INTO Address (id, street) VALUES ('h', 'Ring');
        INSERT INTO Contact (id, home) VALUES ('p', 'h');
        INSERT INTO Contact (id) VALUES ('q')
        """)
    let (anna, ben) = (all[0], all[1])
    try move(
      on: anna,
      "UPDATE Contact SET home = NULL WHERE id = 'p'; UPDATE Contact SET home = 'h' WHERE id = 'q'")
    try ben.program.execute("DELETE FROM Contact WHERE id = 'p'")
    try Machine.settle(all, in: space)
    #expect(try people(anna) == [["q", .null, .null]] && content(anna) == content(ben))
    let lost = try anna.file.conflicts()
    let part = try #require(lost.first { $0.identity.type == "Address" })
    #expect(part.kind == .deleted && part.mine["street"] == "Ring")
    _ = try anna.file.write { () throws(StoreError) in try anna.file.bringBack(conflict: part.number) }
    try Machine.settle(all, in: space)
    #expect(try content(anna) == content(ben))
    #expect(try people(anna) == [["q", "h", .null]])
  }

  @Test("Machines that move parts about end with the same, each part in one place", arguments: 0..<12)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ SeededGenerator().seed)
    let comment = Comment(rawValue: random.comment)
    let all = try machines(
      "anna", "ben", "carl",
      sql: """
        INSERT INTO Contact (id) VALUES ('p0'), ('p1'), ('p2');
        INSERT INTO Address (id) VALUES ('a0'), ('a1'), ('a2'); UPDATE Contact SET home = 'a' || substr(id, 2)
        """)
    space.random = SeededGenerator(seed: random.next())
    for _ in 0..<Machine.histories(12) {
      for machine in all {
        for _ in 0..<Int.random(in: 0...3, using: &random) { try change(machine, using: &random) }
        if Bool.random(using: &random) { try machine.exchange(with: space) }
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      try Machine.settle(all, in: space)
      for machine in all {
        #expect(try content(machine) == content(all[0]), comment)
        let places = """
          SELECT home AS a FROM Contact UNION ALL SELECT office FROM Contact
          UNION ALL SELECT target FROM Contact_stays
          """
        let twice = "SELECT a FROM (\(places)) WHERE a IS NOT NULL GROUP BY a HAVING count(*) > 1"
        #expect(try machine.rows(twice) == [], comment)
        #expect(try machine.isAsKnown(), comment)
      }
    }
  }

  private func change(_ machine: Machine, using random: inout SeededGenerator) throws {
    func pick(_ column: String, of table: String) throws -> String? {
      let rows = try machine.rows("SELECT \(column) FROM \(table)").compactMap {
        if case .text(let id) = $0[0] { id } else { nil as String? }
      }
      return rows.randomElement(using: &random)
    }
    let new = "n\(Int.random(in: 0..<1_000_000_000, using: &random))"
    let link = Bool.random(using: &random) ? "home" : "office"
    guard let person = try pick("id", of: "Contact") else {
      return try machine.program.execute("INSERT INTO Contact (id) VALUES ('\(new)')")
    }
    let address = try pick("id", of: "Address")
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      try machine.program.execute(
        "INSERT INTO Address (id) VALUES ('\(new)'); "
          + "UPDATE Contact SET \(link) = '\(new)' WHERE id = '\(person)'")
    case 2:
      try machine.program.execute(
        "INSERT INTO Address (id) VALUES ('\(new)'); "
          + "INSERT INTO Contact_stays (owner, target) VALUES ('\(person)', '\(new)')")
    case 3: try machine.program.execute("UPDATE Contact SET \(link) = NULL WHERE id = '\(person)'")
    case 4:
      try machine.program.execute(
        Int.random(in: 0..<3, using: &random) == 0
          ? "DELETE FROM Contact WHERE id = '\(person)'" : "INSERT INTO Contact (id) VALUES ('\(new)')")
    case 5:
      guard let address else { return }
      try machine.program.execute("UPDATE Address SET street = '\(new)' WHERE id = '\(address)'")
    default:
      guard let address else { return }
      // The part that is in the place goes, as where LiveStore writes a value.
      let replaced = "SELECT \(link) FROM Contact WHERE id = '\(person)' AND \(link) IS NOT '\(address)'"
      try move(
        on: machine,
        """
        DELETE FROM Address WHERE id IN (\(replaced));
        UPDATE Contact SET home = NULL WHERE home = '\(address)';
        UPDATE Contact SET office = NULL WHERE office = '\(address)';
        DELETE FROM Contact_stays WHERE target = '\(address)';
        \(Bool.random(using: &random)
          ? "UPDATE Contact SET \(link) = '\(address)' WHERE id = '\(person)'"
          : "INSERT INTO Contact_stays (owner, target) VALUES ('\(person)', '\(address)')")
        """)
    }
  }
}
