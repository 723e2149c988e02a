import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Exchanging between files")
struct ExchangeTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  /// Two machines with what a statement has written on one of them.
  private func machines(
    _ sql: String = "INSERT INTO Note (id, text) VALUES ('n', 'Milk')"
  ) throws -> (Machine, Machine) {
    let anna = try machine("anna") { try $0.execute(sql) }
    let ben = try machine("ben")
    try Machine.settle([anna, ben], in: space)
    return (anna, ben)
  }

  private func machine(_ name: String, prepare: (Connection) throws -> Void = { _ in }) throws -> Machine {
    try Machine(name, in: folder.path, prepare: prepare)
  }

  @Test("Everything in a file reaches a new machine, apart from the classes that are left out")
  func newMachine() throws {
    let (anna, ben) = try machines(
      """
      INSERT INTO Root VALUES (0); INSERT INTO Folder (id, name) VALUES ('f', 'Home');
      INSERT INTO Root_folders (owner, target) VALUES (0, 'f');
      INSERT INTO Note (id, text, count) VALUES ('n', 'Milk', 2), ('m', 'Eggs', 0);
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'n'), ('f', 'm');
      INSERT INTO Secret VALUES (1, 'mine')
      """)
    #expect(try ben.content() == anna.content())
    #expect(try ben.rows("SELECT text FROM Note ORDER BY id") == [["Eggs"], ["Milk"]])
    #expect(try ben.rows("SELECT count(*) FROM Secret") == [[0]])
  }

  @Test("A link that waits for a deleted object waits no more once a program has given it another value")
  func replacedHeldLink() throws {
    let (anna, ben) = try machines("INSERT INTO Note (id) VALUES ('n'), ('x'), ('y')")
    try anna.program.execute("DELETE FROM Note WHERE id = 'x'")
    try ben.program.execute("UPDATE Note SET related = 'x' WHERE id = 'n'")
    try Machine.settle([anna, ben], in: space)
    for value in ["'y'", "NULL"] {
      try ben.program.execute("UPDATE Note SET related = \(value) WHERE id = 'n'")
      try Machine.settle([anna, ben], in: space)
    }
    try anna.program.execute("INSERT INTO Note (id) VALUES ('x')")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT related FROM Note WHERE id = 'n'") == [[.null]])
      #expect(try machine.isAsKnown())
    }
  }

  @Test("Two people who change different properties of one object both keep what they did")
  func differentProperties() throws {
    let (anna, ben) = try machines()
    try anna.program.execute("UPDATE Note SET text = 'Oat milk'")
    try ben.program.execute("UPDATE Note SET count = 3")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT text, count FROM Note") == [["Oat milk", 3]])
    #expect(try ben.content() == anna.content())
  }

  @Test("A deletion wins over a change that did not know of it, and the person who made the change is told")
  func deletionWins() throws {
    let (anna, ben) = try machines()
    try anna.program.execute("DELETE FROM Note")
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try Machine.settle([anna, ben], in: space)
    #expect(try ben.content().isEmpty)
    let conflicts = try ben.file.conflicts()
    #expect(conflicts.map(\.kind) == [.deleted])
    #expect(conflicts.first?.mine["text"] == "Oat milk")
    #expect(try anna.file.conflicts().isEmpty)
  }

  @Test("A change that the server had already is told as lost, too, where it was made after the deletion")
  func deletionOfAcknowledged() throws {
    let (anna, ben) = try machines()
    try anna.program.execute("DELETE FROM Note")
    _ = try anna.file.write { () throws(StoreError) in try anna.file.capture() }
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try Machine.settle([ben], in: space)
    try Machine.settle([anna, ben], in: space)
    #expect(try ben.ids("Note").isEmpty)
    #expect(try ben.file.conflicts().map(\.kind) == [.deleted])
    #expect(try ben.file.conflicts().first?.mine["text"] == .text("Oat milk"))
    #expect(try anna.file.conflicts().isEmpty)
  }

  @Test("A change that the server had before a deletion is told as lost, if the deleter did not know it")
  func deletionWithoutKnowledge() throws {
    let (anna, ben) = try machines("INSERT INTO Note (id, text) VALUES ('n', 'Milk'), ('m', 'Eggs')")
    try ben.program.execute("UPDATE Note SET text = 'Oat milk' WHERE id = 'n'")
    try Machine.settle([ben], in: space)
    // Anna has had no network since, and deletes later.
    try anna.program.execute("DELETE FROM Note")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] { #expect(try machine.ids("Note").isEmpty) }
    #expect(try ben.file.conflicts().map(\.identity.key) == ["n"])
    #expect(try ben.file.conflicts().first?.mine["text"] == "Oat milk")
    #expect(try anna.file.conflicts().isEmpty)
  }

  @Test("A deletion with knowledge of all changes is told to nobody")
  func deletionWithKnowledge() throws {
    let (anna, ben) = try machines()
    try ben.program.execute("UPDATE Note SET text = 'Oat milk'")
    try anna.program.execute("UPDATE Note SET count = 2")
    try Machine.settle([anna, ben], in: space)
    try anna.program.execute("DELETE FROM Note")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(try machine.ids("Note").isEmpty)
      #expect(try machine.file.conflicts().isEmpty)
    }
  }

  @Test("An object that was put into a list without knowledge of its deletion is told, though it came first")
  func displacedEarlier() throws {
    let (anna, ben) = try machines(
      """
      INSERT INTO Folder (id) VALUES ('f'); INSERT INTO Note (id) VALUES ('m');
      INSERT INTO Folder_notes (owner, target) VALUES ('f', 'm')
      """)
    try ben.program.execute(
      "INSERT INTO Note (id) VALUES ('n'); INSERT INTO Folder_notes (owner, target) VALUES ('f', 'n')")
    try Machine.settle([ben], in: space)
    try anna.program.execute("DELETE FROM Note WHERE id = 'm'; DELETE FROM Folder")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] { #expect(try machine.ids("Note") == ["n"]) }
    // Nothing is said of the note that Anna has deleted with its folder.
    #expect(try ben.file.conflicts().map(\.kind) == [.displaced])
    #expect(try ben.file.conflicts().map(\.identity.key) == ["n"])
    #expect(try anna.file.conflicts().isEmpty)
  }

  @Test(
    "Who puts an object into a list deleted elsewhere is told, also of one reordered there", arguments: 0..<8)
  func displacedAndReordered(_ seed: UInt64) throws {
    space.random = SeededGenerator(seed: seed)
    let (anna, ben) = try machines(
      """
      INSERT INTO Folder (id) VALUES ('f'), ('g'); INSERT INTO Note (id) VALUES ('n');
      INSERT INTO Folder_notes (owner, position, target) VALUES ('g', 'V', 'n')
      """)
    try anna.program.execute("UPDATE Folder_notes SET position = 'b'; DELETE FROM Folder WHERE id = 'f'")
    try ben.program.execute("UPDATE Folder_notes SET owner = 'f'")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.content() == ben.content())
    #expect(try anna.rows("SELECT owner, target FROM Folder_notes") == [[.text("g"), .text("n")]])
    #expect(try ben.file.conflicts().map(\.kind) == [.displaced])
    #expect(try anna.file.conflicts().isEmpty)
  }

  @Test(
    "Objects put into an owner that was deleted elsewhere come before those of the first one, and are told",
    arguments: 0..<8)
  func displaced(_ seed: UInt64) throws {
    space.random = SeededGenerator(seed: seed)
    let (anna, ben) = try machines(
      """
      INSERT INTO Folder (id) VALUES ('f'), ('g'); INSERT INTO Note (id) VALUES ('m');
      INSERT INTO Folder_notes (owner, target) VALUES ('g', 'm')
      """)
    try anna.program.execute("DELETE FROM Folder WHERE id = 'f'")
    for note in ["z", "o", "a"] {
      try ben.program.execute(
        "INSERT INTO Note (id) VALUES ('\(note)'); "
          + "INSERT INTO Folder_notes (owner, target) VALUES ('f', '\(note)')")
    }
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.content() == ben.content())
    #expect(
      try anna.rows("SELECT owner, target FROM Folder_notes ORDER BY position") == [
        ["g", "z"], ["g", "o"], ["g", "a"], ["g", "m"],
      ])
    #expect(try anna.file.conflicts().isEmpty)
    let conflicts = try ben.file.conflicts()
    #expect(conflicts.map(\.kind) == [.displaced, .displaced, .displaced])
    #expect(conflicts.first?.mine[SyncedObject.place] == "Folder_notes/tf")
    #expect(conflicts.first?.author == "someone")
    func bringBack() throws {
      _ = try ben.file.write { () throws(StoreError) in
        try ben.file.bringBack(conflict: conflicts[0].number)
      }
    }
    #expect(throws: StoreError.self) { try bringBack() }
    // It goes back when the owner is there again, as it is by then.
    try anna.program.execute(
      "INSERT INTO Folder (id) VALUES ('f'); UPDATE Note SET text = 'new' WHERE id = 'a'")
    try Machine.settle([anna, ben], in: space)
    try bringBack()
    try Machine.settle([ben, anna], in: space)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT target FROM Folder_notes WHERE owner = 'f'") == [["a"]])
      #expect(try machine.rows("SELECT text FROM Note WHERE id = 'a'") == [["new"]])
    }
    #expect(try ben.file.conflicts().count == 2 && anna.content() == ben.content())
  }

  @Test("An object put into an owner deleted elsewhere has a place, though its machine never comes again")
  func displacedByAbsent() throws {
    let (anna, ben) = try machines("INSERT INTO Folder (id) VALUES ('f'), ('g')")
    try ben.program.execute(
      "INSERT INTO Note (id) VALUES ('o'); INSERT INTO Folder_notes (owner, target) VALUES ('f', 'o')")
    try Machine.settle([ben], in: space)
    try anna.program.execute("DELETE FROM Folder WHERE id = 'f'")
    try Machine.settle([anna], in: space)
    #expect(try anna.rows("SELECT owner, target FROM Folder_notes") == [["g", "o"]])
    // Ben comes after all.
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.content() == ben.content())
    #expect(try ben.file.conflicts().map(\.kind) == [.displaced])
  }

  @Test("An object put into an owner whose deletion the space has forgotten is told too")
  func displacedByForgottenDeletion() throws {
    let (anna, ben) = try machines("INSERT INTO Folder (id) VALUES ('f'), ('g')")
    try anna.program.execute("DELETE FROM Folder WHERE id = 'f'")
    try Machine.settle([anna], in: space)
    try ben.program.execute(
      "INSERT INTO Note (id) VALUES ('o'); INSERT INTO Folder_notes (owner, target) VALUES ('f', 'o')")
    space.forgetDeletions()
    try ben.file.compareEverything(with: space)
    try Machine.settle([ben, anna], in: space)
    #expect(try anna.rows("SELECT owner, target FROM Folder_notes") == [["g", "o"]])
    #expect(try anna.content() == ben.content())
    let conflicts = try ben.file.conflicts()
    #expect(conflicts.map(\.kind) == [.displaced] && conflicts.first?.author == "")
  }

  @Test("An object of one property that was changed here is deleted where its deletion was forgotten")
  func forgottenDeletionOfChanged() throws {
    let (anna, ben) = try machines("INSERT INTO Team VALUES ('t', 'Reds'), ('u', 'Blues')")
    try ben.program.execute(
      "UPDATE Team SET name = 'Greens' WHERE id = 't'; INSERT INTO Team VALUES ('v', 'A')")
    try ben.file.write { () throws(StoreError) in _ = try ben.file.capture() }
    try ben.program.execute("UPDATE Team SET name = 'Whites' WHERE id = 'v'")
    try anna.program.execute("DELETE FROM Team WHERE id = 't'")
    try Machine.settle([anna], in: space)
    space.forgetDeletions()
    try ben.file.compareEverything(with: space)
    try Machine.settle([ben, anna], in: space)
    for machine in [anna, ben] { #expect(try machine.ids("Team") == ["u", "v"]) }
    #expect(try ben.file.conflicts().map(\.kind) == [.deleted])
  }

  @Test("A lost value is not given to an object that was deleted since")
  func overwrittenAndDeleted() throws {
    let (anna, ben) = try machines()
    try anna.program.execute("UPDATE Note SET text = 'Oat milk'")
    try anna.file.write { () throws(StoreError) in _ = try anna.file.capture() }
    try ben.setClock(after: anna)
    try ben.program.execute("UPDATE Note SET text = 'Soy milk'")
    try Machine.settle([ben, anna], in: space)
    let conflict = try #require(try anna.file.conflicts().first)
    #expect(conflict.kind == .overwritten)
    try ben.program.execute("DELETE FROM Note")
    try Machine.settle([ben, anna], in: space)
    let error = #expect(throws: StoreError.self) {
      try anna.file.write { () throws(StoreError) in
        try anna.file.bringBack(conflict: conflict.number)
      }
    }
    #expect(error?.description.hasPrefix("It was deleted since") == true)
    #expect(try anna.ids("Note").isEmpty && anna.file.conflicts() == [conflict])
  }

  @Test("Where no owner is left, an object stays without a place until there is one")
  func displacedWithoutOwner() throws {
    let (anna, ben) = try machines("INSERT INTO Folder (id) VALUES ('f')")
    try ben.program.execute(
      "INSERT INTO Note (id) VALUES ('o'); INSERT INTO Folder_notes (owner, target) VALUES ('f', 'o')")
    try Machine.settle([ben], in: space)
    try anna.program.execute("DELETE FROM Folder")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] { #expect(try machine.rows("SELECT * FROM Folder_notes").isEmpty) }
    try ben.program.execute("INSERT INTO Folder (id) VALUES ('h')")
    try Machine.settle([anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT owner, target FROM Folder_notes") == [["h", "o"]])
    }
  }

  @Test(
    "Who makes an object that another machine makes later is told what was lost, whichever comes first",
    arguments: [true, false])
  func madeTwice(_ isAnnaFirst: Bool) throws {
    let (anna, ben) = try machines()
    try anna.program.execute("INSERT INTO Note (id, text, count) VALUES ('o', 'Anna', 1)")
    try anna.program.execute("UPDATE _livestore_log SET time = time - 60000")
    try ben.program.execute("INSERT INTO Note (id, text, count) VALUES ('o', 'Ben', 1)")
    try Machine.settle(isAnnaFirst ? [anna, ben, anna] : [ben, anna, ben], in: space)
    for machine in [anna, ben] {
      #expect(try machine.rows("SELECT text FROM Note WHERE id = 'o'") == [["Ben"]])
    }
    #expect(try anna.file.conflicts().map(\.mine) == [["text": "Anna"]])
    #expect(try ben.file.conflicts().isEmpty)
  }

  @Test("A deletion that is taken back with knowledge of it brings the object back everywhere")
  func takenBack() throws {
    let (anna, ben) = try machines()
    try anna.program.execute("DELETE FROM Note")
    try Machine.settle([anna, ben], in: space)
    try ben.program.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk')")
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT text FROM Note") == [["Milk"]])
  }

  @Test("An object that two machines move ends in one place, and one that two place equally in one order")
  func moves() throws {
    let (anna, ben) = try machines(
      """
      INSERT INTO Folder (id) VALUES ('a'), ('b'), ('c'); INSERT INTO Note (id) VALUES ('n');
      INSERT INTO Folder_notes (owner, target) VALUES ('a', 'n')
      """)
    try anna.program.execute("UPDATE Folder_notes SET owner = 'b'")
    try ben.program.execute(
      "DELETE FROM Folder_notes; INSERT INTO Folder_notes (owner, target) VALUES ('c', 'n')")
    for machine in [anna, ben] {
      let note = machine.name
      try machine.program.execute(
        "INSERT INTO Note (id) VALUES ('\(note)'); INSERT INTO Folder_notes (owner, target) VALUES ('a', '\(note)')"
      )
    }
    try Machine.settle([anna, ben], in: space)
    #expect(try anna.rows("SELECT count(*) FROM Folder_notes WHERE target = 'n'") == [[1]])
    #expect(try ben.content() == anna.content())
    #expect(try anna.rows("SELECT count(DISTINCT position) FROM Folder_notes WHERE owner = 'a'") == [[2]])
  }

  @Test(
    "Notes that two machines add to one folder while apart stay together, one machine's after the other's")
  func runs() throws {
    let (anna, ben) = try machines("INSERT INTO Folder (id) VALUES ('f')")
    for machine in [anna, ben] {
      let store = try machine.store()
      for number in 0..<5 {
        try store.write {
          let note = Note()
          note.id = "\(machine.name)-\(number)"
          store.object(ofType: Folder.self, forPrimaryKey: "f")!.notes.append(note)
        }
      }
      store.close()
    }
    try Machine.settle([anna, ben], in: space)
    #expect(try ben.content() == anna.content())
    let names = try anna.rows("SELECT substr(target, 1, 1) FROM Folder_notes ORDER BY position").map { $0[0] }
    #expect(names.count == 10)
    #expect(zip(names, names.dropFirst()).filter { $0 != $1 }.count == 1, "\(names)")
  }

  @Test(
    "Files converge whatever is done to them, with lost answers, restarts, partitions and clocks that are set",
    arguments: 0..<Machine.histories(40))
  func random(_ round: Int) throws {
    var random = Machine.generator(round: round)
    space.random = random
    let machines = try (0..<3).map { number in
      try machine("m\(number)") { program in
        guard number != 1 else { return }
        try program.execute(
          """
          INSERT INTO Root VALUES (0); INSERT INTO Folder (id) VALUES ('f\(number)');
          INSERT INTO Root_folders (owner, target) VALUES (0, 'f\(number)')
          """)
      }
    }
    let setsClocks = round % 2 == 1
    for step in 0..<60 {
      let machine = machines.randomElement(using: &random)!
      switch Int.random(in: 0..<(setsClocks ? 13 : 10), using: &random) {
      case 0: space.losesAnswer = true
      case 1: try machine.restart()
      case 2...4: do { try machine.exchange(with: space) } catch is SpaceModel.Lost {}
      case 10...: try machine.setClock(&random)
      default: try machine.change(step, &random)
      }
    }
    space.losesAnswer = false
    for machine in machines { try machine.exchange(with: space) }
    try Machine.settle(machines, in: space)
    let contents = try machines.map { try $0.content() }
    for (machine, content) in zip(machines, contents) where content != contents[0] {
      let (own, first) = (Set(content), Set(contents[0]))
      Issue.record(
        """
        \(machine.name) differs from m0, \(random.comment): it alone has \(own.subtracting(first)); m0 alone has \
        \(first.subtracting(own)); or their order differs
        """)
    }
    for machine in machines {
      #expect(try machine.rows("PRAGMA integrity_check") == [["ok"]])
      #expect(try machine.rows("PRAGMA foreign_key_check").isEmpty)
      let placed = try machine.rows(
        "SELECT target FROM Folder_notes UNION ALL SELECT target FROM Note_steps"
      ).map { $0[0] }
      #expect(Set(placed).count == placed.count, "A note is in two places, \(random.comment).")
      #expect(try machine.isAsKnown(), "\(machine.name) would send something, \(random.comment).")
    }
  }
}

extension Machine {
  /// Something that a person might do, in SQL.
  func change(_ step: Int, _ random: inout SeededGenerator) throws {
    let (notes, folders) = (try ids("Note"), try ids("Folder"))
    func note() -> String { notes.randomElement(using: &random) ?? "" }
    func folder() -> String { folders.randomElement(using: &random) ?? "" }
    let position = ["A", "V", "V1", "b"].randomElement(using: &random)!
    try program.execute("BEGIN")
    defer { try? program.execute("COMMIT") }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      guard !folders.isEmpty else { return }
      let id = "\(name)-\(step)"
      try program.execute(
        """
        INSERT INTO Note (id, text) VALUES ('\(id)', '\(step)');
        INSERT INTO Folder_notes (owner, target) VALUES ('\(folder())', '\(id)')
        """)
    case 2: try program.execute("UPDATE Note SET text = '\(step)' WHERE id = '\(note())'")
    case 3: try program.execute("UPDATE Note SET count = count + 1 WHERE id = '\(note())'")
    case 4: try program.execute("DELETE FROM Note WHERE id = '\(note())'")
    case 5:
      guard !folders.isEmpty else { return }
      try program.execute(
        "UPDATE Folder_notes SET owner = '\(folder())', position = '\(position)' WHERE target = '\(note())'")
    case 6:
      try program.execute("UPDATE Folder_notes SET position = '\(position)' WHERE target = '\(note())'")
    case 7:
      let (child, parent) = (note(), note())
      guard child != parent else { return }
      try program.execute(
        """
        DELETE FROM Folder_notes WHERE target = '\(child)'; DELETE FROM Note_steps WHERE target = '\(child)';
        INSERT INTO Note_steps (owner, target) VALUES ('\(parent)', '\(child)')
        """)
    default:
      if Bool.random(using: &random) {
        try program.execute("DELETE FROM Folder WHERE id = '\(folder())'")
      } else {
        try program.execute(
          "UPDATE Note SET related = '\(note())' WHERE id = '\(note())' AND '' <> '\(note())'")
      }
    }
  }
}
