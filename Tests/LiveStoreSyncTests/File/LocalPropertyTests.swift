import Foundation
import LiveStore
import PostgreSQLCluster
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Properties that stay on a machine")
struct LocalPropertyTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  private func carry(_ machines: Machine...) throws {
    for _ in 0..<3 {
      for machine in machines { _ = try machine.file.exchange(with: space) }
    }
  }

  @Test("A machine keeps its value of a property to itself, and its objects are carried without it")
  func kept() throws {
    let anna = try Machine("anna", in: folder.path, keeping: ["Note.count"]) {
      try $0.execute("INSERT INTO Note (id, text, count) VALUES ('n', 'Milk', 7)")
    }
    let ben = try Machine("ben", in: folder.path, keeping: ["Note.count"])
    try carry(anna, ben)
    #expect(try ben.rows("SELECT text, count FROM Note") == [["Milk", 0]])
    try ben.program.execute("UPDATE Note SET text = 'Oat milk', count = 3")
    try carry(ben, anna)
    #expect(try anna.rows("SELECT text, count FROM Note") == [["Oat milk", 7]])
    #expect(try ben.rows("SELECT text, count FROM Note") == [["Oat milk", 3]])
    // Such a change alone is none that waits.
    try anna.program.execute("UPDATE Note SET count = 8")
    #expect(try anna.file.exchange(with: space).sent == 0)
  }

  @Test("Each machine chooses: the others carry the property among themselves")
  func choice() throws {
    let anna = try Machine("anna", in: folder.path) {
      try $0.execute("INSERT INTO Note (id, text, count) VALUES ('n', 'Milk', 7)")
    }
    let ben = try Machine("ben", in: folder.path, keeping: ["Note.count", "Note.related"])
    let carl = try Machine("carl", in: folder.path)
    try carry(anna, ben, carl)
    try ben.program.execute("UPDATE Note SET text = 'Oat milk', count = 3, related = 'n'")
    try carry(ben, anna, carl)
    try anna.program.execute("UPDATE Note SET count = 9")
    try carry(anna, carl, ben)
    for machine in [anna, carl] {
      #expect(try machine.rows("SELECT text, count, related FROM Note") == [["Oat milk", 9, .null]])
    }
    #expect(try ben.rows("SELECT text, count, related FROM Note") == [["Oat milk", 3, "n"]])
  }

  @Test("A list property that stays on a machine takes its order from no other")
  func list() throws {
    let anna = try Machine("anna", in: folder.path, keeping: ["Note.steps"]) {
      try $0.execute(
        "INSERT INTO Note (id) VALUES ('a'), ('b'); INSERT INTO Note_steps (owner, target) VALUES ('a', 'b')")
    }
    let ben = try Machine("ben", in: folder.path, keeping: ["Note.steps"])
    try carry(anna, ben)
    #expect(try ben.ids("Note") == ["a", "b"])
    #expect(try ben.rows("SELECT target FROM Note_steps").isEmpty)
    #expect(try anna.rows("SELECT target FROM Note_steps") == [["b"]])
  }

  @Test(
    "A property that is not there cannot stay, and the file is not joined",
    arguments: ["Note.size", "Note.id"])
  func unknown(_ property: String) throws {
    let error = #expect(throws: StoreError.self) {
      try Machine("anna", in: folder.path, keeping: [property])
    }
    #expect(error?.description.contains("has no property “\(property)” that can stay") == true)
    #expect(try JoinedFile(path: "\(folder.path)/anna.db") == nil)
  }

  @Test(
    "What a server refuses is taken back without the values that stay here",
    .enabled(if: TestCluster.isInstalled))
  func refused() throws {
    let people = try SyncedPeople()
    defer { withExtendedLifetime(people) {} }
    let anna = try people.machine("anna", as: "anna", "INSERT INTO Note (id, text) VALUES ('n', 'Milk')")
    try anna.synced.share(with: "ben", .read)
    let ben = try people.machine("ben", as: "ben", keeping: ["Note.count"])
    try ben.program.execute("UPDATE Note SET text = 'Beer', count = 5")
    try people.carry(ben, anna)
    #expect(try ben.rows("SELECT text, count FROM Note") == [["Milk", 5]])
    #expect(try ben.synced.conflicts().map(\.kind) == [.refused])
  }
}
