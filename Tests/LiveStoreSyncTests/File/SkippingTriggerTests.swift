import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

/// Triggers with `RAISE(IGNORE)`, which SQLite obeys without an error.
@Suite("Triggers that skip what other machines have changed")
struct SkippingTriggerTests {
  private let folder = TemporaryFolder()

  /// A trigger on a machine, and another machine's change that it would skip.
  struct Case: CustomTestStringConvertible, Sendable {
    var event: String
    var table: String
    var change: String
    var testDescription: String { "\(event) ON \(table)" }
  }

  static let cases = [
    Case(event: "UPDATE", table: "Note", change: "UPDATE Note SET text = 'Milk'"),
    Case(event: "INSERT", table: "Note", change: "INSERT INTO Note (id) VALUES ('b')"),
    Case(event: "DELETE", table: "Note", change: "DELETE FROM Note WHERE id = 'a'"),
    Case(
      event: "INSERT", table: "Folder_notes",
      change: "INSERT INTO Note (id) VALUES ('b'); "
        + "INSERT INTO Folder_notes (owner, target) VALUES ('f', 'b')"),
    Case(event: "UPDATE", table: "Folder_notes", change: "UPDATE Folder_notes SET position = 'zz'"),
  ]

  @Test(
    "What a trigger keeps from being written is an error that names it, and arrives without it",
    arguments: cases)
  func skips(_ example: Case) throws {
    let space = SpaceModel()
    let machines = try Machine.sharing(notes: ["a"], machines: 2, in: folder.path, space: space)
    try machines[1].program.execute(
      "CREATE TRIGGER guard BEFORE \(example.event) ON \(example.table) "
        + "BEGIN SELECT RAISE(IGNORE); END")
    try machines[0].program.execute(example.change)
    let tables = ["Note", "Folder_notes"]
    let before = try tables.map { try machines[1].rows("SELECT * FROM \($0)") }
    let error = #expect(throws: StoreError.self) { try Machine.settle(machines, in: space) }
    #expect(
      error?.description.hasPrefix("The trigger “guard” on \(example.table), which another program") == true,
      "\(String(describing: error))")
    #expect(try tables.map { try machines[1].rows("SELECT * FROM \($0)") } == before)
    try machines[1].program.execute("DROP TRIGGER guard")
    try Machine.settle(machines, in: space)
    for table in tables {
      let order = table == "Note" ? "id" : "target"
      let columns = table == "Note" ? "id, text" : "target, position"
      let query = "SELECT \(columns) FROM \(table) ORDER BY \(order)"
      #expect(try machines[0].rows(query) == machines[1].rows(query))
    }
  }
}
