import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// Longer under `make chaos`.
@Suite("Many at one file, and those who do not get on")
struct ContentionTests {
  private let file = TestFile()
  /// How many times as much as in the tests.
  private let factor = getenv("LIVESTORE_KILLS") == nil ? 1 : 10

  @Test("Eight writers without a pause all get on, nothing of theirs is lost, and the log stays bounded")
  func eightWriters() throws {
    // A store that shows a version and takes no turns would keep the log from starting anew.
    try TestStore(file.path, types: Ledger.types).store.close()
    let observer = try LedgerProcess(["ledger-observer", file.path])
    let writers = try (0..<8).map { try LedgerProcess(["ledger", file.path, "\($0)", "\($0)"]) }
    var largest = 0
    let count = cases(200, sample: 30) * factor
    while let slowest = writers.min(by: { $0.acknowledgements < $1.acknowledgements }),
      slowest.acknowledgements < count
    {
      try #require(
        slowest.listen(milliseconds: Patience.milliseconds), "\(slowest.description) waits in vain")
      for writer in writers { _ = writer.listen(milliseconds: 0) }
      largest = max(largest, file.size("-wal"))
    }
    for process in writers + [observer] { process.kill() }
    let test = try TestStore(file.path, types: Ledger.types)
    for (id, writer) in writers.enumerated() {
      let ledger = try #require(test.store.object(ofType: Ledger.self, forPrimaryKey: id))
      #expect(ledger.transactions >= writer.acknowledged)
      var model = LedgerModel(id: id)
      while model.transactions < ledger.transactions { _ = model.next() }
      #expect(ledger.lines.map { LedgerModel.Line(id: $0.id, text: $0.text) } == model.lines)
    }
    #expect(sqlite3(file.path, "pragma integrity_check; pragma foreign_key_check") == "ok\n")
    let written = writers.reduce(0) { $0 + $1.acknowledged }
    // They have written some 25 KB in each transaction.
    #expect(largest < 2 * Int(Store.LogUpkeep.endless) * 4_120)
    print("eight writers: \(written) transactions, a log of at most \(largest) bytes")
  }

  @Test("A window that is stopped keeps the write-ahead log from starting anew; once it goes on the log does")
  func stoppedObserver() throws {
    let test = try TestStore(file.path, types: Ledger.types)
    let index = try #require(test.store.coordinator.index)
    try test.write { _ = try $0.create(Member.self, value: ["id": 1]) }
    let observer = try LedgerProcess(["ledger-observer", file.path])
    try #require(observer.listen(milliseconds: Patience.milliseconds))
    observer.signal(SIGSTOP)
    let version = test.store.front.version ?? 0
    var rank = 0
    while let header = index.header(), header.frames < 6_000 {
      rank += 1
      try test.write { _ in test.store.object(ofType: Member.self, forPrimaryKey: 1)?.rank = rank }
    }
    #expect(test.store.front.version == version + Int64(rank))
    observer.signal(SIGCONT)
    var writes = 0
    while let header = index.header(), header.frames >= 6_000 {
      writes += 1
      try #require(writes < 100_000, "the log has not started anew")
      try test.write { _ in test.store.object(ofType: Member.self, forPrimaryKey: 1)?.rank = -writes }
    }
    observer.kill()
    print("a stopped window: the log began anew \(writes) transactions after it went on")
  }

  @Test("While another program holds the lock for long, writes end with a sentence; observers go on after it")
  func lockHeldElsewhere() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.busyTimeout = 500
    let writer = try TestStore(configuration)
    let holder = try LedgerProcess(["hold", file.path])
    try #require(holder.listen(milliseconds: Patience.milliseconds))
    let ages = test.people.map(\.age)
    let end = ContinuousClock.now + .seconds(2 * factor)
    var attempts = 0
    repeat {
      attempts += 1
      let error = #expect(throws: StoreError.self) {
        try writer.write { _ in writer.person(1).age = -1 }
      }
      #expect(
        error
          == StoreError(
            .busy,
            "Another program has been writing to “\(file.path)” for too long; try again when it is done."))
      // Nothing is there to be told, and what there was can be read.
      test.turn(milliseconds: 0)
      #expect(people.changes.isEmpty && test.people.map(\.age) == ages)
      #expect(writer.people.map(\.age) == ages)
    } while ContinuousClock.now < end
    holder.signal(SIGUSR1)
    try writer.write { store in store.add(Person(id: 4)) }
    #expect(test.turns { people.rows.count == 4 })
    #expect(test.people.map(\.age).prefix(3) == ages.map { $0 + 1 }[...])
    #expect(!people.events.contains { if case .error = $0 { true } else { false } })
    #expect(holder.listen(milliseconds: Patience.milliseconds) && holder.acknowledged == 2)
    holder.kill()
    print("a lock held elsewhere: \(attempts) writes were refused")
  }

  @Test("A great many changes before an open window leave memory, descriptors and files bounded")
  func manyChanges() throws {
    try file.addPeople(1...1_000)
    let test = try file.observer()
    let people = test.observe(test.people.sorted(by: \.age))
    let update = "update Person set age = (age * 7 + 3) % 1000, name = 'n' || age;"
    let before = (memory: memory(), descriptors: descriptors())
    func change(_ times: Int) {
      for _ in 0..<times {
        sqlite3(file.path, String(repeating: update, count: 20))
        test.turn(milliseconds: 0)
      }
    }
    change(3)
    let first = (memory: memory(), file: file.size())
    change(factor == 1 ? 3 : 47)
    try test.store.refresh()
    #expect(people.rows == Observation.keys(test.people.sorted(by: \.age)))
    #expect(descriptors() == before.descriptors)
    // Of which SQLite's caches may take 16 MB.
    #expect(memory() < first.memory + 64 << 20, "\(before.memory) \(first.memory) \(memory())")
    #expect(file.size() < first.file + 8 << 20)
    let logged = try #require(Int(sqlite3(file.path, "select count(*) from _livestore_log").dropLast()))
    #expect(logged <= Int(LogTable.retained) + 1_024)
  }

  /// The resident memory of this process, in bytes.
  private func memory() -> Int {
    guard let statm = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(statm) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, statm) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096
  }

  private func descriptors() -> Int {
    (0..<1_024).count { fcntl(Int32($0), F_GETFD) >= 0 }
  }
}
