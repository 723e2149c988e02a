import LiveStore
import PostgreSQLCluster
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite(
  "Changes that were replaced unseen, and again since", .enabled(if: TestCluster.isInstalled), .serialized)
struct UnseenByAnotherTests {
  private let people: SyncedPeople

  init() throws { people = try SyncedPeople() }

  private func machines() throws -> [Machine] {
    let (anna, ben) = try people.pair()
    let machines = [anna, ben, try people.machine("tablet", as: "anna")]
    try exchange(machines)
    return machines
  }

  private func exchange(_ machines: [Machine]) throws {
    for machine in machines { try machine.exchange(losingAnswer: false) }
  }

  private func text(_ machine: Machine) throws -> SQLiteValue {
    try machine.rows("SELECT text FROM Note")[0][0]
  }

  /// Writes a text, and dates it as an agent does that has no network.
  private func write(_ text: String, on machine: Machine) throws {
    try machine.program.execute("UPDATE Note SET text = '\(text)'")
    _ = try machine.file.write { () throws(StoreError) in try machine.file.capture() }
  }

  @Test("A change that was replaced unseen is told, also when the replacement has been replaced knowingly")
  func third() throws {
    let machines = try machines()
    try write("Oat milk", on: machines[0])
    try exchange([machines[0]])
    try machines[1].setClock(after: machines[0])
    try write("Rice milk", on: machines[1])
    try exchange([machines[1], machines[2]])
    try write("Soy milk", on: machines[2])
    try exchange([machines[2], machines[1], machines[0]])
    #expect(try machines.map(text) == ["Soy milk", "Soy milk", "Soy milk"])
    #expect(try machines.map { try $0.file.conflicts().map(\.mine) } == [[["text": "Oat milk"]], [], []])
    #expect(try machines[0].file.conflicts().first?.theirs["text"] == "Soy milk")
    // It stays noted, for machines that ask later, and is told once.
    try write("Hemp milk", on: machines[1])
    try exchange(machines.reversed())
    try exchange(machines)
    #expect(try machines.map { try $0.file.conflicts().count } == [1, 0, 0])
  }

  @Test("Of a cell that is replaced unseen again and again the server notes the last eight times")
  func limit() throws {
    let (first, entrance) = try people.database.machine("first", as: "anna", in: nil)
    let (second, _) = try people.database.machine("second", as: "anna", in: entrance.space)
    func push(_ machine: ServerConnection, at stamp: Int64, by replica: Int64, onto basis: Int64?) throws {
      var object = task("a", ["x": .integer(stamp)], at: stamp, by: replica)
      object.cells["x"]?.basis = basis.map { HybridClock(stamp: $0, replica: 2) }
      _ = try machine.push([object], known: SpaceVersion())
    }
    try push(second, at: 2, by: 2, onto: nil)
    for round in Int64(1)...10 {
      try push(first, at: 10 * round + 1, by: 1, onto: 10 * round - 8)
      try push(second, at: 10 * round + 2, by: 2, onto: 10 * round - 8)
    }
    let spans = try #require(try people.database.pull(first, after: 0).first?.unseen["x"])
    #expect(spans.map(\.basis.stamp) == [22, 32, 42, 52, 62, 72, 82, 92])
    #expect(spans.map(\.replacement.stamp) == [32, 42, 52, 62, 72, 82, 92, 102])
  }

  @Test(
    "Each of three machines tells exactly what was replaced by changes that were not made on top of it",
    arguments: 0..<Machine.histories(12))
  func random(_ round: Int) throws {
    var random = Machine.generator(round: round)
    let machines = try machines()
    // On what each text was written, and by which machine.
    var bases: [SQLiteValue: SQLiteValue] = [:]
    var authors: [SQLiteValue: Int] = [:]
    var expected: [[SQLiteValue]] = [[], [], []]
    var away = 0
    func exchange(_ index: Int) throws {
      let before = try text(machines[index])
      try machines[index].exchange(losingAnswer: false)
      let ancestors = sequence(first: try text(machines[index])) { bases[$0] }
      if authors[before] == index, !ancestors.contains(before) { expected[index].append(before) }
    }
    for step in 0..<60 {
      // Each time another one has no network, and the two that have replace what it has sent before.
      if step.isMultiple(of: 6) { away = (away + Int.random(in: 1...2, using: &random)) % 3 }
      let index = Int.random(in: 0...2, using: &random)
      let machine = machines[index]
      let choice = Int.random(in: 0..<6, using: &random)
      if choice < 5, index != away { try exchange(index) }
      if choice == 0 { try machine.setClock(after: machines[Int.random(in: 0...2, using: &random)]) }
      if choice > 2 {
        bases[.text("text \(step)")] = try text(machine)
        authors[.text("text \(step)")] = index
        try write("text \(step)", on: machine)
      }
      if choice == 3, index != away { try exchange(index) }
      let told = try machine.file.conflicts().map { $0.mine["text"] ?? .null }
      #expect(told == expected[index], "step \(step) on \(machine.name), \(random.comment)")
    }
  }
}
