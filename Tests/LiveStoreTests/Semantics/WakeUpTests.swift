import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

@Suite("Q. Waking up")
struct WakeUpTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  private func isReadable(_ test: TestStore) -> Bool {
    waitForInput(test.source.fileDescriptor, milliseconds: 0)
  }

  /// Waits until the watcher has dealt with all that has come.
  private func settle(_ test: TestStore) throws {
    // Events that came with the first wake-up may be dealt with after it, but not after the second.
    for _ in 0..<2 { try PausedWatcher(test.store).resume() }
  }

  @Test(
    "R139: without callbacks refresh and beginWrite do nothing for what others changed",
    arguments: [true, false])
  func withoutCallbacks(writes: Bool) throws {
    func operations(changed count: Int) throws -> Int {
      let file = TestFile()
      try file.addPeople(1...1)
      let test = try file.observer()
      let person = test.person(1)
      #expect(person.name == "p1" && test.people.count == 1)
      // Both connections have then been used, and have found that the tables are what they should be.
      try settle(test)
      let paused = try PausedWatcher(test.store)
      defer { paused.resume() }
      sqlite3(
        file.path,
        """
        with recursive n(i) as (values (2) union all select i + 1 from n where i <= \(count))
        insert into Person (id) select i from n; update Person set name = 'x' where id = 1
        """)
      let counter = OperationCounter(test.store)
      if writes { try test.store.beginWrite() } else { try test.store.refresh() }
      let operations = counter.count
      if writes { test.store.cancelWrite() }
      #expect(person.name == "x" && test.people.count == count + 1)
      return operations
    }
    let few = try operations(changed: 2)
    let many = try operations(changed: 2_000)
    #expect(many <= few + 20, "\(few) operations for 2 rows, \(many) for 2,000")
  }

  @Test("R177: ten processes that answer one another in observers of the store reach 100")
  func alternation() throws {
    try file.open().write { _ in }
    let setUp = try file.open()
    try setUp.write { _ in setUp.person(1).age = 0 }
    setUp.store.close()
    let peers = try (0..<10).map { try Peer.start(["alternate", file.path, "\($0)", "10", "100"]) }
    for peer in peers { #expect(peer.waitForEnd() == 0) }
    #expect(sqlite3(file.path, "select age from Person where id = 1") == "100\n")
  }

  @Test("R179: nobody who commits waits for those who do not listen, and they get all of it at once later")
  func nobodyListens() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let other = try file.open()
    let paused = try PausedWatcher(test.store)
    for id in 0..<2_000 { try other.write { $0.add(Dog("\(id)")) } }
    try other.write { $0.add(Person(id: 4)) }
    paused.resume()
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(ins: [3])] && test.store.objects(Dog.self).count == 2_000)
    // A program that never takes its turns.
    for id in 5..<500 { try other.write { $0.add(Person(id: id)) } }
    try test.store.refresh()
    #expect(people.rows.count == 499)
  }

  enum Repair: CaseIterable {
    case nextCommit, refresh, write
  }

  @Test("R180: a wake-up that was lost is made good by whatever comes next", arguments: Repair.allCases)
  func lost(repair: Repair) throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let other = try file.open()
    try settle(test)
    test.turn(milliseconds: 0)
    // While the watcher is held, what it knows may be taken from it: the store then hears of nothing.
    let first = try PausedWatcher(test.store)
    let commits = test.store.coordinator.commits
    test.store.coordinator.commits = nil
    try other.write { $0.add(Person(id: 4)) }
    first.resume()
    try settle(test)
    let second = try PausedWatcher(test.store)
    test.store.coordinator.commits = commits
    second.resume()
    #expect(!isReadable(test) && people.changes == [])
    switch repair {
    case .nextCommit:
      sqlite3(file.path, "insert into Person (id) values (5)")
      // At once or, as the log is written before its commit is visible, one after the other.
      #expect(test.turns { people.rows.count == 5 })
    case .refresh:
      #expect(try test.store.refresh())
      #expect(people.changes == [ChangeSet(ins: [3])])
    case .write:
      try test.write { _ in }
      #expect(people.changes == [ChangeSet(ins: [3])])
    }
  }

  @Test(
    "R136: without callbacks, too, a turn is asked for when others have written, also right after an own write"
  )
  func unobserved() throws {
    let test = try file.observer()
    let other = try file.open()
    for id in 10..<60 {
      try test.write { $0.add(Person(id: id)) }
      try other.write { $0.add(Person(id: id + 100)) }
      #expect(test.turns { test.people.count == 3 + (id - 9) * 2 })
    }
  }

  @Test("R181 (differs: no other process is woken): registering a callback is an event for nobody else")
  func registering() throws {
    let test = try file.observer()
    let other = try file.open()
    let store = StoreObservation(other.store)
    let others = other.observe(other.people)
    try settle(test)
    other.turn(milliseconds: 0)
    // A connection that stays open: its number changes with what any other connection commits.
    let bystander = TestDatabase(path: file.path)
    let version = bystander.rows("pragma data_version")
    let before = fileStatus(file.path + "-live")?.st_mtim
    let people = test.observe(test.people)
    try settle(test)
    let after = fileStatus(file.path + "-live")?.st_mtim
    #expect(people.isReady)
    #expect(!isReadable(other) && others.changes == [] && store.events == [])
    #expect(before?.tv_nsec == after?.tv_nsec && before?.tv_sec == after?.tv_sec)
    #expect(bystander.rows("pragma data_version") == version)
    sqlite3(file.path, "update Person set name = 'x'")
    #expect(bystander.rows("pragma data_version") != version)
  }
}
