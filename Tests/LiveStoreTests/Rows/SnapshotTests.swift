import CSQLite
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

@Suite("Snapshots and the write-ahead log")
struct SnapshotTests {
  private let file = TestFile()

  @Test("What an instance shows stays as it is while others write, VACUUM and checkpoint")
  func isolation() throws {
    try file.addPeople(1...5)
    let test = try file.open()
    let other = try file.open()
    #expect(test.people.count == 5)
    let person = test.person(3)
    try other.write { store in
      store.delete(other.person(3))
      other.person(1).name = "changed"
    }
    sqlite3(file.path, "delete from Person where id = 4; pragma wal_checkpoint(passive)")
    #expect(test.people.map(\.id) == [1, 2, 3, 4, 5])
    #expect(person.name == "p3" && !person.isInvalidated && test.person(1).name == "p1")
    try test.store.refresh()
    #expect(test.people.map(\.id) == [1, 2, 5])
    #expect(person.isInvalidated)
  }

  @Test("After a commit the instance holds exactly its own version, not a later one")
  func ownCommit() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let other = try file.open()
    try test.write { $0.add(Person(id: 4)) }
    try other.write { $0.add(Person(id: 5)) }
    #expect(test.people.count == 4)
    #expect(other.people.count == 5)
    #expect(test.store.front.version.map { $0 + 1 } == other.store.front.version)
  }

  @Test("The write-ahead log starts anew although an observer writes and takes turns all the time")
  func ownWrites() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    var largest = 0
    for round in 0..<3_000 {
      try test.write { _ in test.person(1).age = round + 100 }
      if round % 10 == 0 { test.turn(milliseconds: 0) }
      if round > 1_500 { largest = max(largest, file.size("-wal")) }
    }
    // SQLite checkpoints at 1,000 pages of 4 KiB.
    #expect(largest < 3 * 1_000 * 4_152, "\(largest)")
    #expect(people.rows.count == 3)
  }

  @Test(
    "In a pause the log is written back: the file alone is a copy then, and the log goes on", arguments: 0...1
  )
  func pause(writer: Int) throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    let index = try #require(test.store.coordinator.index)
    if writer == 0 {
      try test.write { $0.add(Person(id: 4)) }
    } else {
      sqlite3(file.path, "insert into Person (id) values (4)")
    }
    let header = try #require(index.header())
    #expect(index.framesToWriteBack(header) > 0)
    let deadline = ContinuousClock.now + Patience.duration
    while !index.isWrittenBack(header), ContinuousClock.now < deadline { test.turn(milliseconds: 100) }
    shell("cp '\(file.path)' '\(file.path)-copy'")
    #expect(sqlite3(file.path + "-copy", "select count(*) from Person") == "4\n")
    // The writer's lock is free again, and no writer has to begin the log anew.
    try test.write { _ in test.person(1).age = 50 }
    #expect(try #require(index.header()).frames > header.frames)
    #expect(people.rows.count == 4)
  }

  @Test("Where the wal-index is not known, the log of a program that writes starts anew all the same")
  func unknownIndex() throws {
    try file.addPeople(1...3)
    let test = try file.open()
    let paused = try PausedWatcher(test.store)
    let index = try #require(test.store.coordinator.index)
    test.store.coordinator.index = nil
    paused.resume()
    var most: UInt32 = 0
    var restarts = 0
    var frames: UInt32 = 0
    for round in 0..<3_000 {
      try test.write { _ in test.person(1).age = round }
      guard let header = index.header() else { continue }
      if header.frames < frames { restarts += 1 }
      frames = header.frames
      most = max(most, frames)
    }
    #expect(restarts >= 3, "the log has reached \(most) frames")
    #expect(test.store.logGuard == nil)
    #expect(sqlite3(file.path, "select age from Person where id = 1") == "2999\n")
  }

  @Test("The write-ahead log starts anew although an observer watches another process write without a pause")
  func othersWrites() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    let index = try #require(test.store.coordinator.index)
    let writer = try Peer.start([file.path, "1", "1000000"])
    var restarts = 0
    var frames: UInt32 = 0
    let deadline = ContinuousClock.now + Patience.duration
    while restarts < 3, ContinuousClock.now < deadline {
      #expect(test.turn())
      guard let header = index.header() else { continue }
      if header.frames < frames { restarts += 1 }
      frames = header.frames
    }
    writer.kill()
    #expect(restarts >= 3)
    try test.store.refresh()
    #expect(people.rows == Observation.keys(test.people))
  }

  @Test(
    "The write-ahead log starts anew although an observer, or two, watch a program that knows nothing of LiveStore write without a pause",
    arguments: [1, 2])
  func foreignWrites(observers: Int) throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    let others = try (1..<observers).map { _ in try Peer.start(["ledger-observer", file.path]) }
    let index = try #require(test.store.coordinator.index)
    let writer = try Peer.start(["foreign", file.path, "1"])
    var restarts = 0
    var frames: UInt32 = 0
    var most: UInt32 = 0
    let deadline = ContinuousClock.now + Patience.duration * 2
    while restarts < 3, ContinuousClock.now < deadline {
      #expect(test.turn())
      guard let header = index.header() else { continue }
      if header.frames < frames { restarts += 1 }
      frames = header.frames
      most = max(most, frames)
    }
    for peer in [writer] + others { peer.kill() }
    #expect(restarts >= 3, "the log has reached \(most) frames")
    try test.store.refresh()
    #expect(people.rows == Observation.keys(test.people))
  }

  @Test("The log of two instances of one thread that write in turn starts anew once both have taken turns")
  func twoWriters() throws {
    try file.addPeople(1...3)
    let a = try file.observer()
    let b = try file.observer()
    let observations = [a.observe(a.people), b.observe(b.people)]
    let index = try #require(a.store.coordinator.index)
    func isBesideLog(_ test: TestStore) -> Bool { !test.store.front.needsLog }
    var restarts = 0
    for round in 0..<2 {
      var number = 0
      // Each holds the version before the other's last, and can only leave it on this thread.
      while let header = index.header(), header.frames < Store.LogUpkeep.endless {
        number += 1
        try a.write { _ in a.person(1).age = round * 100_000 + number }
        try b.write { _ in b.person(2).age = round * 100_000 + number }
      }
      let deadline = ContinuousClock.now + Patience.duration
      while !(isBesideLog(a) && isBesideLog(b)), ContinuousClock.now < deadline {
        a.turn(milliseconds: 10)
        b.turn(milliseconds: 10)
      }
      let frames = try #require(index.header()).frames
      try a.write { _ in a.person(1).name = "r\(round)" }
      if let header = index.header(), header.frames < frames { restarts += 1 }
    }
    #expect(restarts == 2)
    for test in [a, b] { try test.store.refresh() }
    #expect(observations.allSatisfy { $0.rows == Observation.keys(a.people) })
  }

  /// Commits 25 MB in some rows at once, which the program does not write back.
  private func addLongPeople(_ count: Int, _ program: Connection) throws {
    try program.execute(
      """
      PRAGMA wal_autocheckpoint = 0; BEGIN;
      WITH RECURSIVE n (id) AS (SELECT 11 UNION ALL SELECT id + 1 FROM n WHERE id < \(10 + count))
        INSERT INTO Person (id, name) SELECT id, hex(randomblob(\(12_500_000 / count))) FROM n;
      COMMIT
      """)
  }

  @Test("A turn that shows one very long transaction leaves it to the worker to write the log back")
  func longTransaction() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    #expect(test.turns { people.rows.count == 3 })
    let program = try Connection(path: file.path, create: false)
    try addLongPeople(5, program)
    #expect(test.turns { people.rows.count == 8 })
    #expect(test.store.front.needsLog)
    #expect(test.turns { !test.store.front.needsLog })
    #expect(people.rows == Observation.keys(test.people))
  }

  @Test("A turn that shows a very long transaction does not calculate it again for a commit that came after")
  func commitAfterLongTransaction() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    #expect(test.turns { people.rows.count == 3 })
    let program = try Connection(path: file.path, create: false)
    try addLongPeople(2_000, program)
    try #require(waitForInput(test.source.fileDescriptor))
    // As a turn does, but the commit comes when the worker can no longer calculate both.
    let coordinator = test.store.coordinator
    coordinator.hold()
    let pending = try #require(coordinator.takePending())
    try program.execute("INSERT INTO Person (id, name) VALUES (9999, 'later')")
    // Not in the expectation, which would print 25 MB.
    let isDelivered = test.store.deliverBesideLog(pending)
    #expect(!isDelivered)
    if !isDelivered { test.store.deliver(pending) }
    #expect(people.rows.count == 2_003)
    coordinator.resume(look: true)
    #expect(test.turns { people.rows.count == 2_004 && !test.store.front.needsLog })
    #expect(people.rows == Observation.keys(test.people))
  }

  @Test("R135: a store that does not follow stays at its version although the write-ahead log is long")
  func standingStill() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    test.store.autorefresh = false
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    let writer = try file.open()
    let index = try #require(writer.store.coordinator.index)
    var round = 0
    while let header = index.header(), !header.isLogLong {
      round += 1
      try writer.write { _ in writer.person(1).age = round + 100 }
    }
    #expect(test.turns { !store.events.isEmpty })
    let version = test.store.coordinator.version
    for _ in 0..<6 {
      CommitWatcher.shared.wake(path: file.path)
      try PausedWatcher(test.store).resume()
      test.turn(milliseconds: 0)
    }
    #expect(test.store.coordinator.version == version && test.person(1).age == 10 && people.changes == [])
    #expect(try test.store.refresh())
    #expect(test.person(1).age == round + 100)
  }

  @Test("A write that does not get the lock leaves no collection ahead of its observers")
  func waitingInVain() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let people = test.observe(test.people)
    #expect(test.turns { people.rows.count == 3 })
    let writer = try file.open()
    let index = try #require(writer.store.coordinator.index)
    // No turn is taken meanwhile, so that the log cannot be restarted.
    var round = 0
    while let header = index.header(), !header.isLogLong {
      round += 1
      try writer.write { _ in writer.person(1).age = round }
    }
    try writer.write { $0.delete(writer.person(3)) }
    try writer.store.beginWrite()
    defer { writer.store.cancelWrite() }
    // As while it waits.
    test.store.coordinator.hold()
    try test.store.advanceWhileWaiting()
    test.store.coordinator.resume()
    #expect(test.people.count == 2)
    #expect { try test.store.beginWrite(waitingAtMost: 0) } throws: { ($0 as? StoreError)?.code == .busy }
    #expect(people.rows == Observation.keys(test.people))
    #expect(people.change?.deletions == [2])
  }

  @Test("A writer waits for those who need a long log, but the longer it stays, the more seldom")
  func upkeep() {
    var upkeep = Store.LogUpkeep()
    let due = stride(from: 100 as UInt32, through: 20_000, by: 10).filter { upkeep.isDue(frames: $0) }
    #expect(due == [1_010, 1_520, 2_290, 3_440, 5_170, 7_760, 11_650, 17_480])
    // Once it is short again, all begins anew.
    #expect(!upkeep.isDue(frames: 3) && upkeep.isDue(frames: 1_001))
  }

  @Test(
    "After a pause the write-ahead log starts anew although an observer has watched another instance write")
  func pause() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    let writer = try file.open()
    let people = test.observe(test.people)
    // The observer's turns may start the log anew before: then it does not get long.
    for round in 0..<2_000 {
      try writer.write { _ in writer.person(1).age = round + 100 }
      if round % 10 == 0 { test.turn(milliseconds: 0) }
    }
    var round = 0
    while file.size("-wal") > 4_200_000, round < 100 {
      round += 1
      while test.turn(milliseconds: 300) {}
      try writer.write { _ in writer.person(1).age = round }
    }
    #expect(file.size("-wal") <= 4_200_000)
    #expect(people.rows.count == 3)
  }

  @Test("Closing gives everything back: the last store leaves no -wal and no open file")
  func closing() throws {
    do {
      let test = try file.observer()
      let people = test.observe(test.people)
      try test.write { $0.add(Person(id: 1)) }
      try test.store.refresh()
      #expect(people.rows == ["1"])
    }
    // A thread that filled the collection may still be on its way out, and it goes last.
    var looks = 0
    while openFiles(file.path) > 0, looks < 6_000 {
      looks += 1
      poll(nil, 0, 10)
    }
    #expect(file.size("-wal") == 0)
    #expect(openFiles(file.path) == 0)
    #expect(sqlite3(file.path, "select count(*) from Person") == "1\n")
  }

  @Test("close() lets go of the file at once, although tokens and collections are still there")
  func explicitClose() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    try test.write { $0.add(Person(id: 1)) }
    try test.store.beginWrite()
    test.store.add(Person(id: 2))
    test.store.close()
    test.store.close()
    // The open write is taken back, and nobody is kept from writing.
    let other = try file.open()
    #expect(other.people.count == 1)
    try other.write { $0.add(Person(id: 3)) }
    test.turn(milliseconds: 0)
    #expect(people.rows.count <= 1)
  }

  /// Descriptors of this process that lead to a path or to what lies beside it.
  private func openFiles(_ path: String) -> Int {
    (0..<1_024).count { descriptor in
      var target = [CChar](repeating: 0, count: 4_096)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
      return count > 0
        && String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(path)
    }
  }
}
