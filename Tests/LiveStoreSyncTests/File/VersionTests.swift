import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

/// The classes of a newer program.
private enum Newer {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: String = ""
    @Persisted var text: String = ""
    @Persisted var count: Int = 0
    @Persisted var related: Note?
    @Persisted var steps: List<Note>
    @Persisted var mood: String = "none"
    @Persisted var labels: List<Label>
  }

  final class Label: Object {
    @Persisted(primaryKey: true) var id: String = ""
    @Persisted var note: Note?
  }
}

@Suite("Programs of different versions on the machines of a space")
struct VersionTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  /// Opens the file of a machine with the newer program, as after an update.
  private func update(_ machine: Machine) throws {
    _ = try Store(
      Store.Configuration(
        path: machine.path, schemaVersion: 2, objectTypes: [Newer.Note.self, Newer.Label.self]),
      scheduler: .fileDescriptor(NotificationSource()))
  }

  private func mood(_ machine: Machine) throws -> [[SQLiteValue]] {
    try machine.rows("SELECT text, mood FROM Note ORDER BY id")
  }

  @Test("A property and a class that an older program does not know pass it by, and come with its update")
  func update() throws {
    let newer = try Machine("newer", in: folder.path) {
      try $0.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk'), ('m', 'Eggs')")
    }
    let older = try Machine("older", in: folder.path)
    try Machine.settle([newer, older], in: space)
    try update(newer)
    try newer.program.execute(
      "UPDATE Note SET mood = 'good' WHERE id = 'n'; INSERT INTO Label VALUES ('l', 'n')")
    try older.program.execute("UPDATE Note SET text = 'Oat milk' WHERE id = 'n'")
    try Machine.settle([newer, older], in: space)
    #expect(try mood(newer) == [["Eggs", "none"], ["Oat milk", "good"]])
    #expect(try older.rows("SELECT text FROM Note ORDER BY id") == [["Eggs"], ["Oat milk"]])
    // The older program goes on with objects that have more than it knows.
    try older.program.execute("UPDATE Note SET text = 'Six eggs' WHERE id = 'm'")
    try older.program.execute("INSERT INTO Note (id, text) VALUES ('o', 'Bread')")
    try Machine.settle([older, newer], in: space)
    #expect(try mood(newer) == [["Six eggs", "none"], ["Oat milk", "good"], ["Bread", "none"]])
    try update(older)
    try Machine.settle([newer, older], in: space)
    #expect(try mood(older) == [["Six eggs", "none"], ["Oat milk", "good"], ["Bread", "none"]])
    #expect(try mood(newer) == mood(older))
    #expect(try older.rows("SELECT id, note FROM Label") == [["l", "n"]])
    #expect(try [newer, older].allSatisfy { try $0.file.conflicts().isEmpty })
  }

  @Test("A machine with the older program that joins later has what it knows, and deletes the whole")
  func joining() throws {
    let newer = try Machine("newer", in: folder.path) {
      try $0.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk'), ('m', 'Eggs')")
    }
    try update(newer)
    try newer.program.execute("UPDATE Note SET mood = 'good'")
    try Machine.settle([newer], in: space)
    let older = try Machine("older", in: folder.path)
    try Machine.settle([older, newer], in: space)
    #expect(try older.rows("SELECT text FROM Note ORDER BY id") == [["Eggs"], ["Milk"]])
    try older.program.execute("DELETE FROM Note WHERE id = 'n'")
    try Machine.settle([older, newer], in: space)
    #expect(try mood(newer) == [["Eggs", "good"]])
  }

  @Test("The default of a property that is new on a machine replaces no value that another has given")
  func defaults() throws {
    let machines = try ["anna", "ben"].map { try Machine($0, in: folder.path) }
    let (anna, ben) = (machines[0], machines[1])
    try anna.program.execute(
      "INSERT INTO Note (id, text) VALUES ('n', 'Milk'), ('m', 'Eggs'), ('o', 'Bread')")
    try Machine.settle(machines, in: space)
    // Ben's machine is updated later, and without having heard of what Anna has done.
    try update(anna)
    try anna.program.execute("UPDATE Note SET mood = 'good' WHERE id = 'n'")
    try Machine.settle([anna], in: space)
    try update(ben)
    try ben.program.execute("UPDATE Note SET mood = 'bad' WHERE id = 'o'")
    try Machine.settle(machines, in: space)
    #expect(try mood(anna) == [["Eggs", "none"], ["Milk", "good"], ["Bread", "bad"]])
    #expect(try mood(ben) == mood(anna))
    // Nor is it given by a later change of something else.
    try anna.program.execute("UPDATE Note SET mood = 'good' WHERE id = 'm'")
    _ = try anna.file.exchange(with: space)
    try ben.setClock(after: anna)
    try ben.program.execute("UPDATE Note SET text = 'Six eggs' WHERE id = 'm'")
    try Machine.settle(machines, in: space)
    #expect(try mood(anna) == [["Six eggs", "good"], ["Milk", "good"], ["Bread", "bad"]])
    #expect(try mood(ben) == mood(anna))
    // A person can give it, though.
    try anna.program.execute("UPDATE Note SET mood = 'none'")
    try Machine.settle(machines, in: space)
    #expect(try mood(ben) == [["Six eggs", "none"], ["Milk", "none"], ["Bread", "none"]])
    #expect(try machines.allSatisfy { try $0.file.conflicts().isEmpty && $0.isAsKnown() })
  }

  @Test("An update changes nothing that a person who may only read would have to take back")
  func reader() throws {
    let anna = try Machine("anna", in: folder.path) {
      try $0.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk'), ('m', 'Eggs')")
    }
    let ben = try Machine("ben", in: folder.path)
    try Machine.settle([anna, ben], in: space)
    try ben.file.note(maySend: false)
    try update(ben)
    try Machine.settle([anna, ben], in: space)
    #expect(try ben.file.conflicts().isEmpty)
    #expect(try mood(ben) == [["Eggs", "none"], ["Milk", "none"]])
  }
}
