import LiveStore
import LiveStoreSync
import PostgreSQLCluster
import TestSupport
import Testing

/// The server's merging, in SQL, beside the machines', in Swift.
@Suite("Merging on the server", .enabled(if: TestCluster.isInstalled, "PostgreSQL is not installed"))
struct ServerMergingTests {
  @Test("The server merges as the machines do, whatever is pushed in whichever order")
  func differential() throws {
    let server = try TestDatabase()
    let (machine, entrance) = try server.machine("laptop", as: "anna", in: nil)
    let (other, _) = try server.machine("tablet", as: "anna", in: entrance.space)
    var random = SeededGenerator()
    var model: [SyncedObject.Identity: SyncedObject] = [:]
    var version = SpaceVersion()
    // Many objects at once, and single cells, which the server merges in a statement of its own.
    let pushes = (0..<60).flatMap { _ in
      [(0..<400).map { _ in object(&random) }] + (0..<50).map { _ in [object(&random, cells: 1)] }
    }
    for (round, sent) in pushes.enumerated() {
      let result = try (round.isMultiple(of: 2) ? machine : other).push(sent, known: version)
      // Several states of one object in one push are one.
      var states: [SyncedObject.Identity: SyncedObject] = [:]
      for state in sent { states[state.identity] = states[state.identity]?.merged(with: state) ?? state }
      var (isChanged, isTaken) = (false, true)
      // The two zeros are equal in Swift. The server tells them apart, or not, and says at worst that a
      // machine has to fetch what it has.
      var isZero = false
      for state in states.values {
        let own = model[state.identity]
        let merged = own?.merged(with: state) ?? state
        isChanged = isChanged || merged != own
        isTaken =
          isTaken && merged.life == state.life && merged.deletion == state.deletion
          && state.cells.allSatisfy { merged.cells[$0] == $1 }
        isZero =
          isZero || own != nil && state.cells.contains { $1.value == .real(0) && merged.cells[$0] == $1 }
        model[state.identity] = merged
      }
      #expect(
        result.isTakenAsSent == isTaken || isZero && !result.isTakenAsSent,
        "round \(round), \(random.comment)")
      let steps = result.version.number - version.number
      #expect(steps == (isChanged ? 1 : 0) || isZero && steps == 1, "round \(round), \(random.comment)")
      version = result.version
    }
    var pulled: [SyncedObject.Identity: SyncedObject] = [:]
    let head = try machine.pull(after: 0, page: 7) { page in
      for row in page { pulled[row.object.identity] = row.object }
    }
    #expect(head == version)
    #expect(pulled.count == model.count)
    for (identity, state) in model where pulled[identity] != state {
      Issue.record("\(random.comment): \(String(describing: pulled[identity])) should be \(state)")
      return
    }
  }

  @Test("A change comes with what it was based on, also when cells of several pushes are merged")
  func basis() throws {
    let server = try TestDatabase()
    let (first, entrance) = try server.machine("first", as: "anna", in: nil)
    let (second, _) = try server.machine("second", as: "anna", in: entrance.space)
    func clock(_ stamp: Int64, _ replica: Int64 = 1) -> HybridClock {
      HybridClock(stamp: stamp, replica: replica)
    }
    var object = task("a", ["x": 1, "y": 1], at: 10)
    _ = try first.push([object], known: SpaceVersion())
    object.cells["x"] = SyncedObject.Cell(value: 2, clock: clock(20), basis: clock(10))
    object.cells["y"] = SyncedObject.Cell(value: 2, clock: clock(20, 2), basis: clock(11, 3))
    _ = try first.push([object], known: SpaceVersion())
    func bases() throws -> [String: HybridClock?] {
      let pulled = try #require(try server.pull(second, after: 0).first)
      return pulled.object.cells.mapValues(\.basis)
    }
    #expect(try bases() == ["x": clock(10), "y": clock(11, 3)])
    // One without a basis replaces one that has it, one that loses does not.
    object.cells = [
      "x": SyncedObject.Cell(value: 3, clock: clock(30)),
      "y": SyncedObject.Cell(value: 3, clock: clock(5), basis: clock(4)),
    ]
    _ = try first.push([object], known: SpaceVersion())
    #expect(try bases() == ["x": nil, "y": clock(11, 3)])
    object.cells = ["y": SyncedObject.Cell(value: 4, clock: clock(40), basis: clock(30))]
    _ = try first.push([object], known: SpaceVersion())
    #expect(try bases() == ["x": nil, "y": clock(30)])
  }

  @Test("A push of many objects is one version, with several states of one merged")
  func manyObjects() throws {
    let server = try TestDatabase()
    let (machine, _) = try server.machine("laptop", as: "anna", in: nil)
    var objects = (0..<25_000).map { task("\($0)", ["number": .integer(Int64($0))], at: 1) }
    objects.append(task("24999", ["number": -1], at: 2))
    let result = try machine.push(objects, known: SpaceVersion())
    #expect(result.version.number == 1 && result.previous == 0 && result.isTakenAsSent)
    var (count, pages) = (0, 0)
    let head = try machine.pull(after: 0, page: 1000) { page in
      pages += 1
      count += page.count
    }
    // Pages end with versions.
    #expect(count == 25_000 && pages == 1 && head == result.version)
    let last = try server.psql(
      "SELECT data FROM livestore.object WHERE key = '\"24999\"'", as: "anna")
    #expect(last == #"{"number": -1}"#)
  }

  @Test("Objects that another machine has changed too come back, those of the machine alone do not")
  func ownObjects() throws {
    let server = try TestDatabase()
    let (laptop, entrance) = try server.machine("laptop", as: "anna", in: nil)
    let (tablet, _) = try server.machine("tablet", as: "anna", in: entrance.space)
    let first = try laptop.push([task("a", ["x": 1, "y": 1], at: 1)], known: SpaceVersion()).version
    _ = try tablet.push([task("a", ["y": 2], at: 2)], known: first)
    // The laptop does not know of the tablet's change, and gets it although its own push came last.
    let third = try laptop.push([task("a", ["x": 3], at: 3)], known: first)
    #expect(third.previous == 2 && third.isTakenAsSent)
    let again = try laptop.push([task("a", ["x": 4], at: 4)], known: first)
    #expect(try server.pull(laptop, after: 1).map(\.object.cells["y"]?.value) == [2])
    #expect(try server.pull(laptop, after: again.version.number).isEmpty)
    let known = again.version
    _ = try laptop.push([task("a", ["x": 5], at: 5)], known: known)
    #expect(try server.pull(laptop, after: known.number).isEmpty)
    #expect(try server.pull(tablet, after: known.number).count == 1)
  }

  /// A state with few keys, names, values and times, so that two often differ in little.
  private func object(_ random: inout SeededGenerator, cells count: Int = 4) -> SyncedObject {
    func clock() -> HybridClock {
      let stamps: Range<Int64> = count == 1 ? 0..<9 : 0..<3
      return HybridClock(
        stamp: .random(in: stamps, using: &random), replica: .random(in: 0..<3, using: &random))
    }
    let identity = SyncedObject.Identity(
      type: "Task", key: .integer(.random(in: 0..<600, using: &random)))
    let life = Int64(Int.random(in: 0..<20, using: &random) == 0 ? 1 : 0)
    if Int.random(in: 0..<15, using: &random) == 0 {
      return SyncedObject(identity, life: life, deletion: clock())
    }
    var cells: [String: SyncedObject.Cell] = [:]
    let common = clock()
    let names = ["text", "completed", "color", SyncedObject.place].filter { _ in
      Bool.random(using: &random)
    }
    for name in names.prefix(count) {
      let value: SQLiteValue =
        switch Int.random(in: 0..<9, using: &random) {
        case 0: .null
        case 1, 2: .integer(.random(in: -10..<11, using: &random))
        case 3: .real([-0.0, 0, 1.5, -1.5, .infinity].randomElement(using: &random)!)
        case 4, 5: .text(["", "\u{e9}", "e\u{301}", "b", "a"].randomElement(using: &random)!)
        case 6: .text("a\0" + ["", "\u{1}"].randomElement(using: &random)!)
        case 7: .malformedText([0xFF, .random(in: 0..<2, using: &random)])
        default:
          .blob(
            [UInt8](repeating: .random(in: 0..<2, using: &random), count: .random(in: 0..<3, using: &random)))
        }
      cells[name] = SyncedObject.Cell(
        value: value, clock: Bool.random(using: &random) ? common : clock(),
        basis: Bool.random(using: &random) ? clock() : nil)
    }
    return SyncedObject(identity, life: life, cells: cells)
  }
}
