import FoundationEssentials
import LiveStoreFixtures
import Observation
import Synchronization
import TestSupport
import Testing

@testable import LiveStore

@Suite("L. Giving the snapshot up")
struct InvalidationTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  /// Whether the write-ahead log can be started anew: nobody holds a snapshot.
  private func logIsFree(waiting milliseconds: Int32 = Patience.milliseconds) -> Bool {
    sqlite3(file.path, "pragma wal_checkpoint(truncate)", waiting: milliseconds) == "0|0|0\n"
  }

  @Test("An invalidated store holds nothing of the log, also when others commit, until it is used")
  func log() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    sqlite3(file.path, "insert into Person (id) values (4)")
    #expect(test.turns { people.rows.count == 4 })
    sqlite3(file.path, "insert into Person (id) values (5)")
    test.awaitPending()
    #expect(!logIsFree(waiting: 100))
    test.store.invalidate()
    #expect(logIsFree())
    sqlite3(file.path, "insert into Person (id) values (6)")
    test.awaitPending()
    #expect(logIsFree())
    #expect(test.turns { people.rows.count == 6 })
    #expect(people.rows == Observation.keys(test.people))
  }

  @Test("Objects and collections are read again from the newest version; what was deleted is invalidated")
  func objects() throws {
    let test = try file.observer()
    let person = test.person(1)
    let gone = test.person(2)
    let people = test.people
    let sorted = test.people.sorted(by: \.name, ascending: false)
    #expect(people.map(\.id) == [1, 2, 3] && sorted[0].id == 3 && person.name == "p1")
    test.store.invalidate()
    test.store.invalidate()
    sqlite3(file.path, "update Person set name = 'x' where id = 1; delete from Person where id = 2")
    #expect(person.name == "x" && gone.isInvalidated)
    #expect(people.map(\.id) == [1, 3] && sorted[0].id == 1)
    #expect(!test.store.isInvalidated)
  }

  @Test("An open write is cancelled")
  func inWrite() throws {
    let test = try file.observer()
    try test.store.beginWrite()
    test.store.add(Person(id: 4))
    test.store.invalidate()
    #expect(!test.store.isInWriteTransaction && logIsFree())
    #expect(test.people.count == 3)
  }

  enum Route: CaseIterable {
    case turn, refresh, write, read
  }

  @Test(
    "R8: a first call survives, whatever brings the store back", arguments: Route.allCases, [true, false])
  func firstCall(route: Route, changes: Bool) throws {
    let test = try file.observer()
    let people = Observation(test.people)
    test.store.invalidate()
    if changes { sqlite3(file.path, "delete from Person where id = 1") }
    try take(route, test)
    #expect(test.turns { people.isReady })
    #expect(people.events == [.initial] && people.rows == (changes ? ["2", "3"] : ["1", "2", "3"]))
  }

  private func take(_ route: Route, _ test: TestStore) throws {
    switch route {
    case .turn: break
    case .refresh: try test.store.refresh()
    case .write: try test.write { _ in }
    case .read: #expect(test.people.count >= 2)
    }
  }

  @Test(
    "R147: what changes meanwhile is delivered afterwards, after the store's own didChange",
    arguments: Route.allCases)
  func tracking(route: Route) throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    let byAge = test.observe(test.people.sorted(by: \.age))
    let old = test.observe(try test.people.filter(#Predicate { $0.age > 15 }))
    store.onEvent = { [unowned store] _ in #expect(people.changes == [] || store.events.count > 1) }
    test.store.invalidate()
    sqlite3(
      file.path,
      """
      insert into Person (id, age) values (4, 5); delete from Person where id = 2;
      update Person set age = 1 where id = 3;
      """)
    try take(route, test)
    #expect(test.turns { !people.changes.isEmpty && !byAge.changes.isEmpty && !old.changes.isEmpty })
    #expect(people.changes == [ChangeSet(del: [1], ins: [2], mod: [2], modInNew: [1])])
    #expect(old.changes == [ChangeSet(del: [0, 1])])
    // 1 2 3 → 3 4 1
    #expect(byAge.rows == ["3", "4", "1"])
    #expect(store.events.first == .didChange)
    store.onEvent = { _ in }
    try test.write { _ in test.person(1).age = 99 }
    try test.store.refresh()
    #expect(old.changes.last == ChangeSet(ins: [0]))
  }

  @Test(
    "R147: what the store wrote before, and had not delivered, comes as it would have, if nobody else wrote")
  func ownWrite() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    try test.write { _ in
      test.person(1).name = "x"
      test.person(2).name = "p2"
      test.store.add(Person(id: 4))
    }
    test.store.invalidate()
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(ins: [3], mod: [0])])
  }

  @Test("R147: refresh says that the version is another, and coming back to the same one tells nothing")
  func refresh() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    test.store.invalidate()
    #expect(try test.store.refresh() == false)
    test.store.invalidate()
    sqlite3(file.path, "insert into Dog (name) values ('Rex')")
    #expect(try test.store.refresh() == true)
    #expect(people.changes == [] && store.events == [.didChange])
  }

  @Test(
    "L3 (as far as it is known): after invalidate a row that was written to counts as modified, others do not; without a log, all"
  )
  func modifications() throws {
    let test = try file.observer()
    let people = test.observe(test.people)
    let filtered = Filtered(test.people)
    try test.store.refresh()
    test.store.invalidate()
    sqlite3(
      file.path, "update Person set name = 'x' where id = 2; update Person set name = 'p2' where id = 2")
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(mod: [1])])
    test.store.invalidate()
    sqlite3(
      file.path,
      """
      update Person set name = 'y' where id = 2;
      delete from _livestore_log where seq < (select max(seq) from _livestore_log)
      """)
    let lost = "update Person set name = 'z' where id = 2; update Person set name = 'w' where id = 2;"
    sqlite3(
      file.path,
      lost + "delete from _livestore_log where seq < (select max(seq) from _livestore_log)")
    try test.store.refresh()
    #expect(people.changes.last == ChangeSet(mod: [0, 1, 2]))
    #expect(filtered.events == 1, "a callback that wants no modifications gets none")
    filtered.token?.invalidate()
  }

  private final class Filtered {
    var events = 0
    var token: NotificationToken?

    init(_ people: Results<Person>) {
      token = people.observe(keyPaths: [] as [String]) { [unowned self] _ in events += 1 }
    }
  }

  @Test("L11: the observer of an object is told old values of the time before, and of its deletion")
  func object() throws {
    let test = try file.observer()
    var told: [String] = []
    let tokens = [1, 2, 3].map { id in
      test.person(id).observe { change in
        switch change {
        case .change(let person, let changes):
          for change in changes {
            told.append("\(person.id) \(change.name) \(change.oldValue ?? "-") \(change.newValue ?? "-")")
          }
        case .deleted: told.append("\(id) deleted")
        case .error(let error): Issue.record(error)
        }
      }
    }
    test.store.invalidate()
    sqlite3(
      file.path,
      "update Person set age = 11 where id = 1; delete from Person where id = 2; update Person set id = id"
    )
    try test.store.refresh()
    #expect(told == ["1 age 10 11", "2 deleted"])
    for token in tokens { token.invalidate() }
  }

  @Test("Swift's Observation is told, once, of what was read before, when the version is another afterwards")
  func observation() throws {
    let test = try file.observer()
    let person = test.person(1)
    let told = Mutex(0)
    withObservationTracking {
      _ = person.name
    } onChange: {
      told.withLock { $0 += 1 }
    }
    test.store.invalidate()
    try test.store.refresh()
    #expect(told.withLock { $0 } == 0)
    test.store.invalidate()
    sqlite3(file.path, "update Person set name = 'x' where id = 1")
    try test.store.refresh()
    #expect(told.withLock { $0 } == 1 && person.name == "x")
  }

  @Test("R154: inside a callback invalidate does nothing")
  func inCallback() throws {
    let test = try file.observer()
    let other = try file.open()
    let people = test.observe(test.people)
    people.onEvent = { _ in
      test.store.invalidate()
      #expect(!test.store.isInvalidated)
    }
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { !people.changes.isEmpty })
    #expect(test.people.count == 4)
  }

  @Test("R135: with autorefresh off an invalidated store is told of newer versions without going there")
  func withoutAutorefresh() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    test.store.autorefresh = false
    test.store.invalidate()
    sqlite3(file.path, "insert into Person (id) values (4)")
    #expect(test.turns { !store.events.isEmpty })
    #expect(store.events == [.refreshRequired] && people.changes == [] && logIsFree())
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(ins: [3])])
  }

  @Test("R147: with random invalidations, writers and gaps in the log every view ends as the file is")
  func random() throws {
    let seed = SeededGenerator().seed
    for round in 0..<30 {
      let file = TestFile()
      var random = RandomWriter(seed: seed &+ UInt64(round))
      let test = try file.observer()
      let other = try file.open()
      try other.write { for _ in 0..<20 { random.change($0) } }
      let views = [
        LineView(test.people), LineView(test.people.sorted(by: \.age)),
        LineView(try test.people.filter(#Predicate { $0.age > 50 }).sorted(by: \.name)),
      ]
      for step in 0..<40 {
        switch random.int(0..<9) {
        case 0..<3: try other.write { random.change($0) }
        case 3: try test.write { random.change($0) }
        case 4: sqlite3(file.path, random.sql())
        case 5, 6: test.store.invalidate()
        case 7: test.turn(milliseconds: 0)
        default:
          if random.int(0..<4) == 0 {
            sqlite3(file.path, "delete from _livestore_log where seq < (select max(seq) from _livestore_log)")
          }
          try test.store.refresh()
          for view in views { view.check("TEST_SEED=\(seed) round \(round) step \(step)") }
        }
      }
      try test.store.refresh()
      for view in views { view.check("TEST_SEED=\(seed) round \(round)") }
    }
  }
}

/// A view that shows a line for each person and changes only the lines that it is told of.
private final class LineView {
  private let people: Results<Person>
  private var lines: [String] = []
  private var token: NotificationToken?

  init(_ people: Results<Person>) {
    self.people = people
    token = people.observe { [unowned self] change in
      lines.follow(change, LineView.line)
    }
  }

  deinit { token?.invalidate() }

  private static func line(_ person: Person) -> String {
    let dogs = person.dogs.map(\.name).joined(separator: ",")
    return "\(person.id) \(person.name) \(person.age) \(person.friend?.name ?? "-") \(dogs)"
  }

  func check(_ comment: String) {
    let present = people.map(LineView.line)
    #expect(lines == present, "\(comment)")
  }
}
