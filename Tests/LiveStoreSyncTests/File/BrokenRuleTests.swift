import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Rules that machines break together")
struct BrokenRuleTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  private func machines(_ sql: String = "") throws -> (Machine, Machine) {
    let anna = try Machine("anna", in: folder.path) { try $0.execute(sql) }
    let ben = try Machine("ben", in: folder.path)
    try Machine.settle([anna, ben], in: space)
    return (anna, ben)
  }

  private func members(_ machine: Machine) throws -> [[SQLiteValue]] {
    try machine.rows(
      "SELECT id, email, seat, locker, first, last, team, sponsor, badge, leads FROM Member ORDER BY id")
  }

  /// Two machines with a team and with two members, x and y, who have the same locker.
  private func machinesWithOneLocker() throws -> (Machine, Machine) {
    try machines(
      """
      INSERT INTO Team (id) VALUES ('t');
      INSERT INTO Member (id, email, locker) VALUES ('x', '1', 5), ('y', '2', 5)
      """)
  }

  /// Lets machines settle, and checks that both members are in the team, and one of them has the locker.
  private func expectOneHasLocker(_ anna: Machine, _ ben: Machine) throws {
    try Machine.settle([anna, ben], in: space)
    #expect(try members(anna) == members(ben))
    #expect(try anna.rows("SELECT team FROM Member") == [["t"], ["t"]])
    #expect(try anna.rows("SELECT count(*) FROM Member WHERE locker = 5") == [[1]])
  }

  @Test(
    "The one who had a unique value for longer keeps it, and the other is told", arguments: [true, false])
  func unique(annaIsFirst: Bool) throws {
    let (anna, ben) = try machines()
    func add(_ id: String, on machine: Machine) throws {
      try machine.program.execute("INSERT INTO Member (id, email, seat) VALUES ('\(id)', 'a@b', 7)")
      try machine.file.write { () throws(StoreError) in _ = try machine.file.capture() }
    }
    let (first, second) = annaIsFirst ? (anna, ben) : (ben, anna)
    try add(annaIsFirst ? "x" : "y", on: first)
    try second.setClock(after: first)
    try add(annaIsFirst ? "y" : "x", on: second)
    try Machine.settle([anna, ben], in: space)
    let (winner, loser, who) = annaIsFirst ? ("x", "y", ben) : ("y", "x", anna)
    #expect(try members(anna) == members(ben))
    #expect(try anna.rows("SELECT id, seat FROM Member WHERE email = 'a@b'") == [[.text(winner), 7]])
    let other = try anna.rows("SELECT email, seat FROM Member WHERE id = '\(loser)'")
    let email = if case .text(let text) = other[0][0] { text } else { "" }
    #expect(email.hasPrefix("a@b (t") && other[0][1] == .null, "\(other)")
    let lost = try who.file.conflicts()
    #expect(lost.allSatisfy { $0.kind == .overwritten && $0.identity.key == .text(loser) })
    #expect(Set(lost.flatMap(\.mine.keys)) == ["email", "seat"])
  }

  @Test("A machine that may only read comes to rest while nobody has settled yet what others have broken")
  func reader() throws {
    let (anna, ben) = try machines()
    let carl = try Machine("carl", in: folder.path)
    try Machine.settle([anna, ben, carl], in: space)
    for (machine, id) in [(anna, "x"), (ben, "y")] {
      try machine.program.execute("INSERT INTO Member (id, email, seat) VALUES ('\(id)', 'a@b', 7)")
    }
    _ = try anna.file.exchange(with: space)
    space.losesQuestion = true
    _ = try? ben.file.exchange(with: space)
    try carl.file.note(maySend: false)
    var exchanges = 0
    while exchanges < 10, try !carl.file.exchange(with: space).isEmpty { exchanges += 1 }
    #expect(exchanges < 3)
    #expect(try carl.rows("SELECT count(*) FROM Member WHERE email = 'a@b'") == [[1]])
    #expect(try carl.file.conflicts().isEmpty)
    try Machine.settle([anna, ben], in: space)
    while try !carl.file.exchange(with: space).isEmpty {}
    #expect(try members(anna) == members(ben) && members(ben) == members(carl))
    #expect(try carl.file.conflicts().isEmpty && carl.file.waitingCount == 0)
  }

  @Test("Values that only together are unique yield, though machines have changed but one of them")
  func together() throws {
    let (anna, ben) = try machinesWithOneLocker()
    try anna.program.execute("UPDATE Member SET team = 't' WHERE id = 'x'")
    try ben.program.execute("UPDATE Member SET team = 't' WHERE id = 'y'")
    try expectOneHasLocker(anna, ben)
  }

  @Test("A link that leads somewhere again, where another object has the like, makes one of them yield")
  func linkIsBack() throws {
    let (anna, ben) = try machinesWithOneLocker()
    try anna.program.execute("DELETE FROM Team")
    try ben.program.execute("UPDATE Member SET team = 't' WHERE id = 'x'")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT team FROM Member") == [[.null], [.null]])
    try ben.program.execute("INSERT INTO Team (id) VALUES ('t'); UPDATE Member SET team = 't' WHERE id = 'y'")
    try expectOneHasLocker(anna, ben)
  }

  @Test("Of two objects with a link that only one may have, the later lets it go")
  func uniqueLink() throws {
    let (anna, ben) = try machines(
      "INSERT INTO Team (id) VALUES ('t'); INSERT INTO Member (id, email) VALUES ('x', '1'), ('y', '2')")
    try anna.program.execute("UPDATE Member SET leads = 't' WHERE id = 'x'")
    try anna.file.write { () throws(StoreError) in _ = try anna.file.capture() }
    try ben.setClock(after: anna)
    try ben.program.execute("UPDATE Member SET leads = 't' WHERE id = 'y'")
    try Machine.settle([anna, ben], in: space)
    #expect(try members(anna) == members(ben))
    #expect(try anna.rows("SELECT id, leads FROM Member ORDER BY id") == [["x", "t"], ["y", .null]])
    #expect(try ben.file.conflicts().map(\.identity.key) == ["y"])
  }

  @Test("A link that two objects got comes to rest where its object was deleted as well", arguments: 0..<6)
  func uniqueLinkToDeleted(seed: UInt64) throws {
    let (anna, ben) = try machines(
      "INSERT INTO Team (id) VALUES ('t'); INSERT INTO Member (id, email) VALUES ('x', '1'), ('y', '2')")
    let carl = try Machine("carl", in: folder.path)
    try Machine.settle([anna, ben, carl], in: space)
    try anna.program.execute("UPDATE Member SET leads = 't' WHERE id = 'x'")
    try ben.program.execute("UPDATE Member SET leads = 't' WHERE id = 'y'")
    try carl.program.execute("DELETE FROM Team")
    for machine in [ben, carl] { _ = try machine.file.exchange(with: space) }
    // In either order, the link and the deletion come to Anna in one transaction.
    space.random = SeededGenerator(seed: seed)
    try Machine.settle([anna, ben, carl], in: space)
    for machine in [anna, ben, carl] {
      #expect(try machine.rows("SELECT leads FROM Member") == [[.null], [.null]])
    }
    try carl.program.execute("INSERT INTO Team (id) VALUES ('t')")
    try Machine.settle([anna, ben, carl], in: space)
    #expect(try members(anna) == members(ben) && members(ben) == members(carl))
    #expect(try anna.rows("SELECT count(*) FROM Member WHERE leads = 't'") == [[1]])
  }

  @Test("A unique property that stays on a machine differs for each object that comes from another")
  func keptToItself() throws {
    let anna = try Machine("anna", in: folder.path) {
      try $0.execute("INSERT INTO Member (id, email, first, last) VALUES ('x', '1', 1, 2), ('y', '2', 1, 2)")
    }
    let ben = try Machine("ben", in: folder.path, keeping: ["Member.email"])
    try Machine.settle([anna, ben], in: space)
    #expect(try ben.ids("Member") == ["x", "y"])
    try ben.program.execute("UPDATE Member SET email = 'own ' || id, last = 3")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT email, last FROM Member ORDER BY id") == [["1", 3], ["2", 3]])
    #expect(try ben.rows("SELECT email FROM Member ORDER BY id") == [["own x"], ["own y"]])
  }

  @Test("Two objects that exchange a unique value keep what they were given")
  func exchanged() throws {
    let (anna, ben) = try machines("INSERT INTO Member (id, email) VALUES ('x', 'one'), ('y', 'two')")
    try anna.program.execute(
      """
      UPDATE Member SET email = 'three' WHERE id = 'x'; UPDATE Member SET email = 'one' WHERE id = 'y';
      UPDATE Member SET email = 'two' WHERE id = 'x'
      """)
    try Machine.settle([anna, ben], in: space)
    #expect(try ben.rows("SELECT id, email FROM Member ORDER BY id") == [["x", "two"], ["y", "one"]])
    #expect(try ben.file.conflicts().isEmpty && anna.file.conflicts().isEmpty)
  }

  @Test("Two changes that break a check together are both kept")
  func check() throws {
    let (anna, ben) = try machines("INSERT INTO Member (id, first, last) VALUES ('x', 1, 9)")
    try anna.program.execute("UPDATE Member SET first = 8")
    try ben.program.execute("UPDATE Member SET last = 2")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT first, last FROM Member") == [[8, 2]])
    #expect(try members(anna) == members(ben))
    // The next person who changes it has to mend it.
    #expect(throws: StoreError.self) { try ben.program.execute("UPDATE Member SET last = 3") }
    try ben.program.execute("UPDATE Member SET first = 2")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT first, last FROM Member") == [[2, 2]])
  }

  @Test("What was deleted elsewhere is deleted, and what leads to it stays, whatever the rules of links say")
  func links() throws {
    let (anna, ben) = try machines(
      """
      INSERT INTO Team (id) VALUES ('t'); INSERT INTO Badge (id) VALUES ('b');
      INSERT INTO Member (id, email, locker) VALUES ('x', '1', 1), ('y', '2', 2)
      """)
    try anna.program.execute("DELETE FROM Team")
    try ben.program.execute("UPDATE Member SET team = 't', sponsor = 't', badge = 'b' WHERE id = 'x'")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(
        try machine.rows("SELECT id, team, sponsor FROM Member ORDER BY id")
          == [["x", .null, .null], ["y", .null, .null]])
      #expect(try machine.rows("SELECT 1 FROM Team").isEmpty)
    }
    // The links lead there again when it is there again.
    try anna.program.execute("INSERT INTO Team (id) VALUES ('t')")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT team, sponsor FROM Member WHERE id = 'x'") == [["t", "t"]])
    }
    // A deletion takes no object with it that its owner did not own where it was deleted.
    try anna.program.execute(
      "UPDATE Member SET badge = NULL WHERE id = 'x'; DELETE FROM Member WHERE id = 'y'")
    try ben.program.execute("UPDATE Member SET badge = 'b' WHERE id = 'y'")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT id FROM Badge") == ben.rows("SELECT id FROM Badge"))
    #expect(try ben.rows("SELECT id FROM Badge") == [["b"]])
  }

  @Test("Whatever is done to objects with rules, the files converge", arguments: 0..<Machine.histories(40))
  func random(_ round: Int) throws {
    var random = Machine.generator(round: round)
    space.random = random
    let machines = try (0..<3).map { try Machine("m\($0)", in: folder.path) }
    for step in 0..<80 {
      let machine = machines.randomElement(using: &random)!
      switch Int.random(in: 0..<(round % 2 == 1 ? 13 : 10), using: &random) {
      case 0: space.losesAnswer = true
      case 1: try machine.restart()
      case 2...4: do { try machine.exchange(with: space) } catch is SpaceModel.Lost {}
      case 10...: try machine.setClock(&random)
      default: try machine.changeMembers(step, &random)
      }
    }
    space.losesAnswer = false
    for machine in machines { try machine.exchange(with: space) }
    try Machine.settle(machines, in: space)
    let contents = try machines.map { try members($0) }
    for content in contents { #expect(content == contents[0], "\(random.comment)") }
    for machine in machines {
      #expect(try machine.rows("PRAGMA foreign_key_check").isEmpty, "\(random.comment)")
      // Of the checks, which may be broken, it tells as well.
      for row in try machine.rows("PRAGMA integrity_check") {
        guard case .text(let text) = row[0] else { continue }
        #expect(text == "ok" || text.hasPrefix("CHECK constraint failed"), "\(random.comment)")
      }
    }
  }
}

extension Machine {
  /// Something that a person might do to objects with rules; what the rules forbid is not done.
  fileprivate func changeMembers(_ step: Int, _ random: inout SeededGenerator) throws {
    let ids = try ids("Member")
    func value() -> Int { Int.random(in: 0..<4, using: &random) }
    func existing(_ id: String, _ table: String) -> String {
      "(SELECT id FROM \(table) WHERE id = '\(id)')"
    }
    let (member, team, badge) = (ids.randomElement(using: &random) ?? "", "t\(value() % 2)", "b\(value())")
    let change =
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        "INSERT INTO Member (id, email, seat) VALUES ('\(name)-\(step)', 'e\(value())', \(value()))"
      case 2: "UPDATE Member SET email = 'e\(value())' WHERE id = '\(member)'"
      case 3: "UPDATE Member SET seat = \(value()) WHERE id = '\(member)'"
      case 4: "UPDATE Member SET locker = \(value()), team = \(existing(team, "Team")) WHERE id = '\(member)'"
      case 5: "UPDATE Member SET first = \(value()) WHERE id = '\(member)'"
      case 6: "UPDATE Member SET last = \(value()) WHERE id = '\(member)'"
      case 7: "INSERT INTO Team (id) VALUES ('\(team)')"
      case 8: "DELETE FROM Team WHERE id = '\(team)'"
      case 9: "INSERT OR IGNORE INTO Badge (id) VALUES ('\(badge)')"
      case 10:
        "UPDATE Member SET sponsor = \(existing(team, "Team")), badge = \(existing(badge, "Badge")) "
          + "WHERE id = '\(member)'"
      case 11: "UPDATE Member SET team = \(existing(team, "Team")) WHERE id = '\(member)'"
      case 12: "UPDATE Member SET leads = \(existing(team, "Team")) WHERE id = '\(member)'"
      default: "DELETE FROM Member WHERE id = '\(member)'"
      }
    // Or fails for the rules.
    do { try program.execute(change) } catch {}
  }
}
