import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Owners that machines put into one another")
struct CycleTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  private func machines(_ count: Int, notes: [String]) throws -> [Machine] {
    try Machine.sharing(notes: notes, machines: count, in: folder.path, space: space)
  }

  /// The notes that can be reached from a folder.
  private func visible(_ machine: Machine) throws -> [String] {
    try machine.rows(
      """
      WITH RECURSIVE seen(id) AS (SELECT target FROM Folder_notes UNION
        SELECT target FROM Note_steps JOIN seen ON owner = id)
      SELECT id FROM seen ORDER BY id
      """
    ).compactMap { if case .text(let id) = $0[0] { id } else { nil } }
  }

  @Test("Two notes that were each put into the other stay in sight, and both people are told")
  func two() throws {
    let machines = try machines(3, notes: ["a", "b", "c"])
    try machines[0].putNote("a", into: "b")
    try machines[1].putNote("b", into: "a")
    try Machine.settle(machines, in: space)
    for machine in machines {
      #expect(try visible(machine) == ["a", "b", "c"])
      #expect(try machine.content() == machines[0].content())
    }
    let lost = try machines.flatMap { try $0.file.conflicts() }
    #expect(!lost.isEmpty && lost.allSatisfy { $0.kind == .overwritten && $0.mine["@place"] != nil })
    // Bringing it back is possible while it makes no cycle.
    let (index, conflict) = try #require(
      try machines.enumerated().lazy.compactMap { (index, machine) throws in
        try machine.file.conflicts().first.map { (index, $0) }
      }.first)
    let file = machines[index].file!
    try file.write { () throws(StoreError) in _ = try file.bringBack(conflict: conflict.number) }
    try Machine.settle(machines, in: space)
    #expect(try machines[0].rows("SELECT count(*) FROM Note_steps") == [[1]])
    #expect(try machines.allSatisfy { try visible($0) == ["a", "b", "c"] })
  }

  @Test("Where programs on all machines have made a cycle, the machines come to rest all the same")
  func everywhere() throws {
    let machines = try machines(3, notes: ["a", "b"])
    for (machine, position) in zip(machines, ["A", "b", "V1"]) {
      for (child, parent) in [("a", "b"), ("b", "a")] {
        try machine.program.execute(
          "DELETE FROM Folder_notes WHERE target = '\(child)'; "
            + "INSERT INTO Note_steps (owner, position, target) "
            + "VALUES ('\(parent)', '\(position)', '\(child)')")
      }
    }
    try Machine.settle(machines, in: space)
    for machine in machines { #expect(try machine.content() == machines[0].content()) }
  }

  @Test(
    "Whatever is put into whatever, every note stays in sight on every machine",
    arguments: 0..<Machine.histories(30))
  func random(_ round: Int) throws {
    var random = SeededGenerator()
    space.random = random
    let notes = (0..<6).map { "n\($0)" }
    var machines = try machines(3, notes: notes)
    for _ in 0..<60 {
      let machine = machines.randomElement(using: &random)!
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: _ = try machine.file.exchange(with: space)
      case 2:
        try machine.program.execute(
          "DELETE FROM Note_steps WHERE target = '\(notes[0])'; "
            + "DELETE FROM Folder_notes WHERE target = '\(notes[0])'; "
            + "INSERT INTO Folder_notes (owner, target) VALUES ('f', '\(notes[0])')")
      default:
        try machine.putNote(
          notes.randomElement(using: &random)!, into: notes.randomElement(using: &random)!)
      }
    }
    try Machine.settle(machines, in: space)
    machines.append(try Machine("late", in: folder.path))
    try Machine.settle(machines, in: space)
    for machine in machines {
      #expect(try visible(machine) == notes, "\(machine.name), \(random.comment)")
      #expect(try machine.content() == machines[0].content(), "\(machine.name), \(random.comment)")
    }
  }
}

extension Machine {
  /// Makes a note a step of another, as a program does that lets none be in itself.
  fileprivate func putNote(_ child: String, into parent: String) throws {
    let above = try rows(
      """
      WITH RECURSIVE above(id) AS (SELECT '\(parent)' UNION
        SELECT owner FROM Note_steps JOIN above ON target = id)
      SELECT id FROM above
      """)
    guard !above.contains([.text(child)]) else { return }
    try program.execute(
      """
      BEGIN; DELETE FROM Folder_notes WHERE target = '\(child)';
      DELETE FROM Note_steps WHERE target = '\(child)';
      INSERT INTO Note_steps (owner, target) VALUES ('\(parent)', '\(child)'); COMMIT
      """)
  }
}
