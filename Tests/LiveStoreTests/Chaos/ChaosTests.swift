import Dispatch
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// `make chaos` kills twenty thousand.
@Suite("Processes that are killed at any moment")
struct ChaosTests {
  @Test(
    "R178: whenever processes are killed, the file is whole, what they said is there, and those who observe know it"
  )
  func kills() throws {
    let kills =
      getenv("LIVESTORE_KILLS").flatMap { Int(String(cString: $0)) } ?? cases(200, sample: 30)
    let random = SeededGenerator()
    print(random.comment)
    var chaos = Chaos(random)
    while chaos.kills < kills {
      try chaos.runFile(rounds: 5)
      guard kills > 1_000 else { continue }
      print("\(chaos.kills) kills, \(chaos.files) files, \(chaos.transactions) transactions")
    }
    #expect(chaos.transactions > kills)
  }
}

/// Several processes at a time that write to one file and watch it, killed one after the other.
struct Chaos {
  private var random: SeededGenerator
  private(set) var kills = 0
  private(set) var files = 0
  /// How many transactions the ledgers of all files have.
  private(set) var transactions = 0

  /// The ledgers of the file, and what was said to be written to each.
  private var acknowledged: [Int] = []
  /// The lines that each ledger has to hold.
  private var models: [LedgerModel] = []
  private var processes: [LedgerProcess?] = []

  /// Three writers, one that knows nothing of LiveStore, and an observer.
  private static let writers = 3
  private static let foreignWriter = 3
  private static let observer = 4

  init(_ random: SeededGenerator) {
    self.random = random
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The life of one file.
  mutating func runFile(rounds: Int) throws {
    let file = TestFile()
    files += 1
    acknowledged = Array(repeating: 0, count: Self.observer)
    models = (0..<Self.observer).map { LedgerModel(id: $0, isForeign: $0 == Self.foreignWriter) }
    // Some are killed while they make it. Whoever knows nothing of LiveStore needs its tables.
    try runRound(file.path, slots: 0..<Self.writers, kills: 6, observed: false)
    for _ in 0..<rounds {
      try runRound(file.path, slots: 0..<Self.observer + 1, kills: 12, observed: int(0...2) > 0)
    }
    transactions += acknowledged.reduce(0, +)
  }

  /// Kills so many, and then all; what is then in the file has to be right.
  private mutating func runRound(_ path: String, slots: Range<Int>, kills: Int, observed: Bool) throws {
    let group = DispatchGroup()
    let instances = observed ? try observers(path, group) : []
    processes = Array(repeating: nil, count: slots.upperBound)
    for slot in slots { try start(slot, path) }
    for _ in 0..<kills {
      let slot = int(slots.lowerBound...slots.upperBound - 1)
      waitForMoment(slot)
      end(slot)
      try start(slot, path)
    }
    for slot in slots.shuffled(using: &random) { end(slot) }
    let isChecked = group.wait(timeout: .now() + .milliseconds(2 * Int(Patience.milliseconds))) == .success
    #expect(isChecked, "an observer is stuck; \(random.comment)")
    guard isChecked else { return }
    // A callback that is yet to come would write after the file has been read.
    for instance in instances { instance.queue.sync { instance.endWriting() } }
    try check(path)
    let fresh = try TestStore(path, types: SoakWriter.types)
    let expected = SoakCopy(fresh.store).text
    for instance in instances {
      try instance.queue.sync {
        let shown = try instance.finish()
        #expect(shown == expected, "\(random.comment)")
        instance.close()
      }
    }
  }

  /// Stores of this process, which observe and write as well.
  private mutating func observers(_ path: String, _ group: DispatchGroup) throws -> [SoakInstance] {
    try (0..<int(1...2)).map { number in
      let queue = DispatchQueue(label: "chaos \(number)")
      let seed = random.next()
      let instance = try queue.sync { try SoakInstance(path, queue: queue, seed: seed) }
      instance.run(8, group: group)
      return instance
    }
  }

  private mutating func start(_ slot: Int, _ path: String) throws {
    let arguments =
      switch slot {
      case Self.observer: ["ledger-observer", path]
      case Self.foreignWriter: ["foreign-ledger", path, "\(slot)", "\(random.next())"]
      default: ["ledger", path, "\(slot)", "\(random.next())"]
      }
    processes[slot] = try LedgerProcess(arguments)
  }

  /// At a moment after the start, when the process may not have opened the file yet, or shortly after it has
  /// committed.
  private mutating func waitForMoment(_ slot: Int) {
    let process = processes[slot]
    guard slot != Self.observer, int(0...2) > 0, let process else {
      letOthersRun(atMost: 40_000)
      return
    }
    let end = process.acknowledgements + int(1...4)
    while process.acknowledgements < end {
      guard process.listen(milliseconds: Patience.milliseconds) else {
        Issue.record("\(process.description) has ended, or said nothing for a minute; \(random.comment)")
        return
      }
    }
    letOthersRun(atMost: 800)
  }

  /// Leaves to chance in which call of the process the kill strikes. It waits for nothing: a process between
  /// two calls gives no sign of it, and any moment is one that has to be survived.
  private mutating func letOthersRun(atMost turns: Int) {
    for _ in 0..<int(0...turns) { sched_yield() }
  }

  private mutating func end(_ slot: Int) {
    guard let process = processes[slot] else { return }
    process.kill()
    kills += 1
    processes[slot] = nil
    guard slot != Self.observer, process.acknowledgements > 0 else { return }
    #expect(process.acknowledged >= acknowledged[slot], "\(process.description) has begun too early")
    acknowledged[slot] = process.acknowledged
  }

  private mutating func check(_ path: String) throws {
    let test = try TestStore(path, types: Ledger.types)
    for ledger in test.store.objects(Ledger.self) {
      let known = acknowledged[ledger.id]
      #expect(ledger.transactions >= known, "ledger \(ledger.id); \(random.comment)")
      acknowledged[ledger.id] = ledger.transactions
      while models[ledger.id].transactions < ledger.transactions { _ = models[ledger.id].next() }
      let lines = ledger.lines.map { LedgerModel.Line(id: $0.id, text: $0.text) }
      #expect(lines == models[ledger.id].lines, "ledger \(ledger.id); \(random.comment)")
    }
    let found = Set(test.store.objects(Ledger.self).map(\.id))
    for (id, known) in acknowledged.enumerated() where known > 0 {
      #expect(found.contains(id), "ledger \(id) is gone; \(random.comment)")
    }
    let report = sqlite3(
      path,
      """
      pragma integrity_check; pragma foreign_key_check;
      select 'without a list: ' || id from Line where id not in (select target from Ledger_lines);
      select 'twice: ' || target from Ledger_lines group by target having count(*) > 1;
      select 'one place: ' || owner from Ledger_lines group by owner, position having count(*) > 1;
      """)
    #expect(report == "ok\n", "\(random.comment)")
  }
}
