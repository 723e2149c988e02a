import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Lists of one level, into which machines together put two")
struct FlatPlaceTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  private func machines(_ count: Int, notes: [String]) throws -> [Machine] {
    try Machine.sharing(
      notes: notes, machines: count, in: folder.path, space: space, flatPlaces: ["Note_steps"])
  }

  /// The notes of the folder, each with its steps.
  private func outline(_ machine: Machine) throws -> [String] {
    func texts(_ sql: String) throws -> [String] {
      try machine.rows(sql).compactMap { if case .text(let id) = $0[0] { id } else { nil } }
    }
    return try texts("SELECT target FROM Folder_notes ORDER BY position, entry").map { note in
      let steps = try texts("SELECT target FROM Note_steps WHERE owner = '\(note)' ORDER BY position, entry")
      return steps.isEmpty ? note : "\(note): \(steps.joined(separator: " "))"
    }
  }

  /// The moves that the people at a machine have been told of.
  private func told(_ machine: Machine) throws -> [String] {
    try machine.file.conflicts().compactMap { conflict in
      guard conflict.kind == .overwritten, case .text(let id) = conflict.identity.key,
        let mine = conflict.mine["@place"].flatMap({ Placement($0)?.owner }), case .text(let mine) = mine,
        let theirs = conflict.theirs["@place"].flatMap({ Placement($0)?.owner }),
        case .text(let theirs) = theirs
      else { return nil }
      return "\(id): \(mine) -> \(theirs)"
    }
  }

  @Test("Of a note put into another that was put into a third, all come into the third, and one is told")
  func chain() throws {
    let machines = try machines(3, notes: ["x", "y", "z", "a"])
    try machines[1].putNote("a", into: "z")
    try Machine.settle(machines, in: space)
    try machines[0].putNote("x", into: "y")
    try machines[1].putNote("y", into: "z")
    try Machine.settle(machines, in: space)
    for machine in machines {
      #expect(try outline(machine) == ["z: a y x"])
      #expect(try machine.content() == machines[0].content())
    }
    #expect(try machines.map(told) == [["x: y -> z"], [], []])
    // The lost place cannot be brought back while it would make two levels.
    let file = machines[0].file!
    let error = try #require(throws: StoreError.self) {
      try file.write { () throws(StoreError) in
        _ = try file.bringBack(conflict: file.conflicts()[0].number)
      }
    }
    #expect(error.description.hasPrefix("It stays where it is: what it was in is gone"))
    #expect(try file.conflicts().count == 1)
    try Machine.settle(machines, in: space)
    #expect(try outline(machines[2]) == ["z: a y x"])
  }

  @Test("A note that was made in another while that was put into a third comes into the third, behind it")
  func made() throws {
    let machines = try machines(2, notes: ["x", "y"])
    for id in ["n1", "n2"] {
      try machines[0].program.execute(
        "BEGIN; INSERT INTO Note (id) VALUES ('\(id)'); "
          + "INSERT INTO Note_steps (owner, target) VALUES ('x', '\(id)'); COMMIT")
    }
    try machines[1].putNote("x", into: "y")
    try Machine.settle(machines, in: space)
    for machine in machines { #expect(try outline(machine) == ["y: x n1 n2"]) }
    #expect(try machines.map(told) == [["n1: x -> y", "n2: x -> y"], []])
  }

  @Test("A note that leaves another, which then goes into a third, is on its own on other machines too")
  func leaving() throws {
    let machines = try machines(2, notes: ["x", "y", "z"])
    try machines[0].putNote("x", into: "y")
    try Machine.settle(machines, in: space)
    try machines[0].putNote("x", into: nil)
    try machines[0].putNote("y", into: "z")
    try Machine.settle(machines, in: space)
    try machines[0].putNote("y", into: nil)
    try machines[0].putNote("x", into: "y")
    try Machine.settle(machines, in: space)
    #expect(try machines.map(outline) == [["z", "y: x"], ["z", "y: x"]])
    #expect(try machines.allSatisfy { try told($0).isEmpty })
  }

  @Test("Three notes that three machines put into one another come to rest, and none is lost")
  func ring() throws {
    let machines = try machines(3, notes: ["x", "y", "z"])
    try machines[0].putNote("x", into: "y")
    try machines[1].putNote("y", into: "z")
    try machines[2].putNote("z", into: "x")
    try Machine.settle(machines, in: space)
    for machine in machines {
      let shown = try outline(machine).flatMap { $0.split { $0 == ":" || $0 == " " } }
      #expect(shown.sorted() == ["x", "y", "z"])
      #expect(try machine.content() == machines[0].content())
    }
  }

  @Test("Notes that machines would raise in turns, each behind another, go to the folder in the end")
  func turns() throws {
    // A history in which the positions doubled with each exchange.
    try settle(round: 1, SeededGenerator(seed: 12_482_437_716_868_287_090))
  }

  @Test(
    "Whatever is put into whatever, every list has one level on every machine",
    arguments: 0..<Machine.histories(30))
  func random(_ round: Int) throws {
    try settle(round: round, Machine.generator(round: round))
  }

  private func settle(round: Int, _ generator: SeededGenerator) throws {
    var random = generator
    space.random = random
    var notes = (0..<6).map { "n\($0)" }
    var machines = try machines(3, notes: notes)
    for step in 0..<60 {
      let machine = machines.randomElement(using: &random)!
      let note = notes.randomElement(using: &random)!
      switch Int.random(in: 0..<(round % 2 == 1 ? 10 : 8), using: &random) {
      case 0, 1: try machine.exchange(with: space)
      case 2: try machine.putNote(note, into: nil)
      case 3:
        notes.append("s\(step)")
        try machine.program.execute("INSERT INTO Note (id) VALUES ('s\(step)')")
        try machine.putNote("s\(step)", into: nil)
        try machine.putNote("s\(step)", into: note)
      case 8...: try machine.setClock(&random)
      default: try machine.putNote(note, into: notes.randomElement(using: &random)!)
      }
    }
    for machine in machines { try machine.exchange(with: space) }
    try Machine.settle(machines, in: space)
    machines.append(try Machine("late", in: folder.path, flatPlaces: ["Note_steps"]))
    try Machine.settle(machines, in: space)
    for machine in machines {
      let shown = try outline(machine).flatMap { $0.split { $0 == ":" || $0 == " " }.map(String.init) }
      #expect(shown.sorted() == notes.sorted(), "\(machine.name), \(random.comment)")
      #expect(try machine.content() == machines[0].content(), "\(machine.name), \(random.comment)")
    }
  }
}

extension Machine {
  /// Makes a note a step of another, or a note of the folder, as a program does that lets steps have none.
  fileprivate func putNote(_ child: String, into parent: String?) throws {
    guard try exists("SELECT 1 FROM Note WHERE id = '\(child)'") else { return }
    if let parent {
      guard child != parent, try exists("SELECT 1 FROM Folder_notes WHERE target = '\(parent)'"),
        try !exists("SELECT 1 FROM Note_steps WHERE owner = '\(child)'")
      else { return }
    }
    let insertion =
      parent.map { "INSERT INTO Note_steps (owner, target) VALUES ('\($0)', '\(child)')" }
      ?? "INSERT INTO Folder_notes (owner, target) VALUES ('f', '\(child)')"
    try program.execute(
      "BEGIN; DELETE FROM Folder_notes WHERE target = '\(child)'; "
        + "DELETE FROM Note_steps WHERE target = '\(child)'; \(insertion); COMMIT")
  }

  private func exists(_ sql: String) throws -> Bool { try !rows(sql).isEmpty }
}
