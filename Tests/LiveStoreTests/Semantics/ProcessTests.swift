import Dispatch
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Q. Other processes")
struct ProcessTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...4) }

  @Test("R174, L13: what another program writes is told like any other change")
  func foreign() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let byAge = test.observe(test.people.sorted(by: \.age))
    sqlite3(
      file.path,
      """
      begin;
      delete from Person where id = 2;
      update Person set name = 'c' where id = 3;
      insert into Person (id, age) values (0, 25);
      update Person set age = 5 where id = 4;
      commit;
      """)
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(del: [1], ins: [0], mod: [2, 3])])
    // 1 2 3 4 → 4 1 0 3
    #expect(
      byAge.changes == [
        ChangeSet(
          del: [1, 3], ins: [0, 2], mod: [2], modInNew: [3],
          moves: [.init(from: 3, to: 0, isModified: true)])
      ])
  }

  @Test("R174: several transactions of another program are told, in the end, as what they did")
  func severalTransactions() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    sqlite3(file.path, "insert into Person (id) values (9); delete from Person where id = 9;")
    sqlite3(
      file.path, "update Person set name = 'x' where id = 1; update Person set name = 'p1' where id = 1;")
    sqlite3(file.path, "delete from Person where id = 4")
    paused.resume()
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(del: [3])])
  }

  @Test("R176: opening, reading and closing the file causes no event")
  func reading() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    for _ in 0..<3 {
      #expect(sqlite3(file.path, "select count(*) from Person") == "4\n")
      let other = try file.open()
      #expect(other.people.count == 4)
      other.store.close()
    }
    sqlite3(file.path, "delete from Person where id = 1")
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(del: [0])])
  }

  @Test("R177: two instances that answer each other's changes converge")
  func pingPong() throws {
    let a = try file.observer()
    let b = try file.observer()
    let results = [a, b].map { test in test.people }
    var tokens: [NotificationToken] = []
    for (turn, test) in [a, b].enumerated() {
      tokens.append(
        results[turn].observe { _ in
          guard !test.store.isInWriteTransaction, test.person(1).age < 100, test.person(1).age % 2 == turn
          else { return }
          recordingErrors { try test.store.write { test.person(1).age += 1 } }
        })
    }
    while a.person(1).age < 100 || b.person(1).age < 100 {
      try #require(TestStore.turn([a, b]), "nothing came for a minute")
    }
    #expect(a.person(1).age == 100 && b.person(1).age == 100)
    withExtendedLifetime(tokens) {}
  }

  private static let hasUserNamespaces = runProgram("unshare", "--user", "--map-root-user", "true") == 0

  @Test("Without an inotify instance a program writes", .enabled(if: hasUserNamespaces))
  func writingWithoutInotify() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let peer = try Peer.startWithoutInotify([file.path, "1", "20"])
    #expect(peer.waitForEnd() == 0)
    #expect(test.turns { !people.changes.isEmpty })
    #expect(!test.store.isPolling)
  }

  @Test("R177: without an inotify instance one sees what others write", .enabled(if: hasUserNamespaces))
  func observingWithoutInotify() throws {
    try file.open().write { store in store.object(ofType: Person.self, forPrimaryKey: 1)?.age = 0 }
    let without = try Peer.startWithoutInotify(["alternate", file.path, "0", "2", "6"])
    let with = try Peer.start(["alternate", file.path, "1", "2", "6"])
    #expect(without.waitForEnd() == 0 && with.waitForEnd() == 0)
    #expect(sqlite3(file.path, "select age from Person where id = 1") == "6\n")
  }

  @Test("L13: without a wal-index that is known, commits of others are seen all the same")
  func withoutIndex() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    test.store.coordinator.index = nil
    paused.resume()
    sqlite3(file.path, "delete from Person where id = 1")
    #expect(test.turns { !people.changes.isEmpty })
    try test.write { $0.add(Person(id: 9)) }
    sqlite3(file.path, "delete from Person where id = 2")
    #expect(test.turns { people.rows == ["3", "4", "9"] })
  }

  @Test("R178: a writer that is killed leaves no partial transaction, and nobody waits for it")
  func killed() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    for round in 0..<5 {
      let seen = people.events.count
      let peer = try Peer.start([file.path, "\(round)", "1000000"])
      #expect(test.turns { people.events.count > seen + round * 3 })
      peer.kill()
      try test.store.refresh()
      try test.write { $0.add(Dog("\(round)")) }
    }
    try test.store.refresh()
    #expect(people.rows == Observation.keys(test.people))
    let fresh = try file.open()
    #expect(people.rows == Observation.keys(fresh.people))
    #expect(sqlite3(file.path, "pragma integrity_check; pragma foreign_key_check") == "ok\n")
  }

  @Test("R178: a transaction of another program that never commits is not seen, and its lock is waited for")
  func uncommitted() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let connection = try Connection(path: file.path, create: false)
    try connection.execute("BEGIN IMMEDIATE; DELETE FROM Person")
    #expect(try test.store.refresh() == false)
    #expect(test.people.count == 4)
    let released = DispatchSemaphore(value: 0)
    let holder = QueueConfined<Connection>()
    holder.value = connection
    DispatchQueue.global().async {
      // Whether the writer below waits already or is about to, it gets the lock.
      _ = holder.value?.executeResult("ROLLBACK")
      released.signal()
    }
    try test.write { $0.add(Person(id: 5)) }
    released.wait()
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(ins: [4])])
  }

  @Test(
    "R178: a write that waits too long for another program's fails with a sentence, and can be tried again")
  func busy() throws {
    let source = NotificationSource()
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.busyTimeout = 10
    let store = try Store(configuration, scheduler: .fileDescriptor(source))
    let connection = try Connection(path: file.path, create: false)
    try connection.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: StoreError.self) { try store.beginWrite() }
    #expect(error?.code == .busy)
    #expect(!store.isInWriteTransaction)
    // Reading goes on.
    #expect(store.objects(Person.self).count == 4)
    try connection.execute("INSERT INTO Person (id) VALUES (5); COMMIT")
    try store.write { store.add(Person(id: 6)) }
    #expect(store.objects(Person.self).count == 6)
  }
}
