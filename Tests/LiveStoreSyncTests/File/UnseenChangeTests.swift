import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Changes that were replaced without having been seen")
struct UnseenChangeTests {
  private let folder = TemporaryFolder()
  private let space = SpaceModel()

  private func machines() throws -> [Machine] {
    let anna = try Machine("anna", in: folder.path) {
      try $0.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk')")
    }
    let machines = [anna, try Machine("ben", in: folder.path)]
    try Machine.settle(machines, in: space)
    return machines
  }

  private func text(_ machine: Machine) throws -> SQLiteValue {
    try machine.rows("SELECT text FROM Note")[0][0]
  }

  private func write(_ text: String, on machine: Machine) throws {
    try machine.program.execute("UPDATE Note SET text = '\(text)'")
    // As an agent does that has no network.
    _ = try machine.file.write { () throws(StoreError) in try machine.file.capture() }
  }

  /// Lets a machine's changes be later than those that others make in the same millisecond.
  private func later(_ machine: Machine) throws {
    try machine.file.write { () throws(StoreError) in machine.file.state[integer: .clockOffset] += 1000 }
  }

  @Test("A change that the server had is told as lost to a later one that was made without seeing it")
  func unseen() throws {
    let machines = try machines()
    try write("Oat milk", on: machines[0])
    try Machine.settle([machines[0]], in: space)
    try later(machines[1])
    try write("Rice milk", on: machines[1])
    try write("Rice milk, two", on: machines[1])
    try Machine.settle(machines, in: space)
    #expect(try machines.map(text) == ["Rice milk, two", "Rice milk, two"])
    let conflicts = try machines[0].file.conflicts()
    #expect(conflicts.map(\.kind) == [.overwritten])
    #expect(conflicts.first?.mine == ["text": "Oat milk"])
    #expect(conflicts.first?.theirs["text"] == "Rice milk, two")
    #expect(try machines[1].file.conflicts().isEmpty)
    // One that was made after seeing it is told to nobody.
    try write("Soy milk", on: machines[0])
    try Machine.settle(machines, in: space)
    #expect(try machines.map { try $0.file.conflicts().count } == [1, 0])
  }

  @Test("A property that follows from others is told as lost with them, and not alone")
  func derived() throws {
    let machines = try ["anna", "ben"].map { name in
      try Machine(name, in: folder.path, derivedProperties: ["Note.count"]) {
        guard name == "anna" else { return }
        try $0.execute("INSERT INTO Note (id, text) VALUES ('n', 'Milk')")
      }
    }
    try Machine.settle(machines, in: space)
    for (number, machine) in machines.enumerated() {
      try machine.program.execute("UPDATE Note SET count = \(number + 1)")
    }
    try Machine.settle(machines, in: space)
    #expect(try machines.allSatisfy { try $0.file.conflicts().isEmpty })
    try later(machines[1])
    for (number, machine) in machines.enumerated() {
      try machine.program.execute("UPDATE Note SET text = 'Milk \(number)', count = \(number + 5)")
    }
    try Machine.settle(machines, in: space)
    let conflicts = try machines.flatMap { try $0.file.conflicts() }
    #expect(conflicts.map(\.mine) == [["text": "Milk 0", "count": 5]])
  }

  /// A change of the text, as the test knows it.
  private struct Change {
    var machine: Int
    /// The texts that the machine had shown by then.
    var seen: Set<SQLiteValue>
  }

  @Test(
    "Each of two machines tells exactly what the other has replaced unseen",
    arguments: 0..<Machine.histories(20))
  func random(_ round: Int) throws {
    var random = Machine.generator(round: round)
    space.random = random
    let machines = try machines()
    var changes: [SQLiteValue: Change] = ["Milk": Change(machine: 0, seen: [])]
    var seen: [Set<SQLiteValue>] = [["Milk"], ["Milk"]]
    var expected: [[SQLiteValue]] = [[], []]
    for step in 0..<60 {
      let index = Int.random(in: 0...1, using: &random)
      let machine = machines[index]
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let before = try text(machine)
        _ = try machine.file.exchange(with: space)
        let after = try text(machine)
        if after != before, changes[before]?.machine == index, let change = changes[after],
          change.machine != index, !change.seen.contains(before)
        {
          expected[index].append(before)
        }
        seen[index].insert(after)
      case 2:
        try machine.restart()
      default:
        let text = "text \(step)"
        changes[.text(text)] = Change(machine: index, seen: seen[index])
        seen[index].insert(.text(text))
        try write(text, on: machine)
      }
      let told = try machine.file.conflicts().map { $0.mine["text"] ?? .null }
      #expect(told == expected[index], "step \(step) on \(machine.name), \(random.comment)")
    }
  }
}
