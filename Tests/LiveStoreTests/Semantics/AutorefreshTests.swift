import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("L. Autorefresh")
struct AutorefreshTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  private func standing() throws -> TestStore {
    let test = try file.observer()
    #expect(test.store.autorefresh)
    test.store.autorefresh = false
    return test
  }

  @Test(
    "R7: with autorefresh off the first call is made, at the version that the store shows",
    arguments: [true, false])
  func firstCall(foreign: Bool) throws {
    let test = try standing()
    if foreign { sqlite3(file.path, "delete from Person where id = 1") }
    let people = test.observe(test.people)
    #expect(people.rows == ["1", "2", "3"] && people.events == [.initial])
  }

  @Test("R134: with autorefresh off what the store writes itself is delivered, and nothing else")
  func local() throws {
    let test = try standing()
    let people = test.observe(test.people)
    try test.write { $0.add(Person(id: 4)) }
    sqlite3(file.path, "insert into Person (id) values (5)")
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(ins: [3])] && test.people.count == 4)
  }

  @Test(
    "R135, R175: with autorefresh off a turn neither delivers nor moves, and says once that a refresh is required"
  )
  func foreign() throws {
    let test = try standing()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    let person = test.person(1)
    sqlite3(file.path, "update Person set name = 'x' where id = 1; insert into Person (id) values (4)")
    #expect(test.turns { !store.events.isEmpty })
    CommitWatcher.shared.wake(path: file.path)
    let other = try file.open()
    let settled = try PausedWatcher(test.store)
    settled.resume()
    test.turn(milliseconds: 0)
    #expect(Set(store.events.map { "\($0)" }) == ["refreshRequired"])
    #expect(people.changes == [] && test.people.count == 3 && person.name == "p1")
    let count = store.events.count
    try other.write { $0.add(Person(id: 5)) }
    #expect(test.turns { store.events.count > count })
    #expect(store.events.last == .refreshRequired && people.changes == [])
    #expect(try test.store.refresh())
    #expect(people.changes == [ChangeSet(ins: [3, 4], mod: [0])])
    #expect(store.events.last == .didChange && person.name == "x")
  }

  @Test("R135: beginWrite delivers although autorefresh is off")
  func write() throws {
    let test = try standing()
    let people = test.observe(test.people)
    sqlite3(file.path, "insert into Person (id) values (4)")
    try test.write { $0.add(Person(id: 5)) }
    #expect(people.changes == [ChangeSet(ins: [3])])
    #expect(test.turns { people.changes.count == 2 })
    #expect(people.changes[1] == ChangeSet(ins: [4]))
  }

  @Test("R167: while autorefresh is on no refresh is required")
  func on() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    sqlite3(file.path, "insert into Person (id) values (4)")
    #expect(test.turns { !people.changes.isEmpty })
    #expect(store.events == [.didChange])
  }

  @Test(
    "R167: the observer may refresh or begin a write at once; then it is not told again",
    arguments: [true, false])
  func refreshInside(writes: Bool) throws {
    let test = try standing()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    store.onEvent = { _ in
      recordingErrors {
        if writes {
          try test.store.write { test.store.add(Person(id: 5)) }
        } else {
          let hasMoved = try test.store.refresh()
          #expect(hasMoved)
        }
      }
    }
    sqlite3(file.path, "insert into Person (id) values (4)")
    #expect(test.turns { people.rows.count == (writes ? 5 : 4) })
    test.turn(milliseconds: 0)
    #expect(store.events == [.refreshRequired])
  }

  @Test("R135: a delivery that was pending when autorefresh was switched off is not made; switched on, it is")
  func switched() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    sqlite3(file.path, "insert into Person (id) values (4)")
    test.awaitPending()
    test.store.autorefresh = false
    #expect(test.turns { !store.events.isEmpty })
    #expect(store.events == [.refreshRequired] && people.changes == [] && test.people.count == 3)
    test.store.autorefresh = true
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(ins: [3])])
  }

  @Test("R135: with autorefresh off many foreign commits do not disturb what is shown")
  func stable() throws {
    let test = try standing()
    let people = test.people
    let other = try file.open()
    for id in 10..<60 {
      try other.write { $0.add(Person(id: id)) }
      test.turn(milliseconds: 0)
      #expect(people.map(\.id) == [1, 2, 3])
    }
  }
}
