import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("A. Registering and the first call")
struct RegisteringTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  @Test("R1, R2: the first call comes on a turn, once, and is made although nothing changed")
  func firstCall() throws {
    let test = try file.observer()
    let people = Observation(test.people)
    #expect(people.events == [])
    #expect(test.turns { people.isReady })
    try test.store.refresh()
    #expect(people.events == [.initial])
    #expect(people.rows == ["1", "2", "3"])
  }

  @Test("R2: an empty collection has a first call too")
  func empty() throws {
    let test = try file.observer()
    let dogs = test.observe(test.store.objects(Dog.self))
    let list = test.observe(test.person(1).dogs)
    #expect(dogs.events == [.initial])
    #expect(list.events == [.initial])
  }

  @Test("R3: refresh makes the first call before it returns")
  func refresh() throws {
    let test = try file.observer()
    let people = Observation(test.people)
    #expect(try test.store.refresh() == false)
    #expect(people.events == [.initial])
  }

  @Test("R4: beginWrite makes the first call before it returns, in the write")
  func beginWrite() throws {
    let test = try file.observer()
    let people = Observation(test.people)
    var wasInWrite = false
    people.onEvent = { _ in wasInWrite = test.store.isInWriteTransaction }
    try test.store.beginWrite()
    #expect(people.events == [.initial])
    #expect(wasInWrite)
    test.store.cancelWrite()
    try test.store.refresh()
    #expect(people.events == [.initial])
  }

  @Test("R4: beginWrite makes all first calls, also those registered after others were calculated")
  func beginWriteAfterCalculation() throws {
    let test = try file.observer()
    let people = Observation(test.people)
    test.awaitPending()
    let dogs = Observation(test.person(1).dogs)
    try test.store.beginWrite()
    #expect(people.events == [.initial] && dogs.events == [.initial])
    test.store.cancelWrite()
  }

  @Test("R5, R142: a turn neither waits nor delivers nor advances while nothing has been calculated")
  func turnDoesNotBlock() throws {
    let test = try file.observer()
    let other = try file.open()
    let known = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    let late = Observation(test.people.sorted(by: \.age))
    try other.write { $0.add(Person(id: 4)) }
    test.store.processNotifications()
    #expect(known.events == [.initial] && late.events == [])
    #expect(test.people.count == 3)
    paused.resume()
    #expect(test.turns { late.isReady && !known.changes.isEmpty })
    #expect(known.changes == [ChangeSet(ins: [3])])
  }

  @Test("R6, R136: a turn advances to what was calculated, although there is a newer version")
  func notTheNewest() throws {
    let test = try file.observer()
    let other = try file.open()
    let people = Observation(test.people)
    test.awaitPending()
    try other.write { $0.add(Person(id: 4)) }
    test.store.processNotifications()
    #expect(people.events == [.initial])
    #expect(people.rows == ["1", "2", "3"])
    #expect(test.people.count == 3)
    #expect(test.turns { people.events.count == 2 })
    #expect(people.changes == [ChangeSet(ins: [3])])
  }

  @Test("R9, L10 (not R10): foreign writes before the first call are part of it, for results and lists")
  func writeBefore() throws {
    let test = try file.observer()
    let other = try file.open()
    let paused = try PausedWatcher(test.store)
    let people = Observation(test.people)
    let dogs = Observation(test.person(1).dogs)
    try other.write {
      $0.add(Person(id: 4))
      other.person(1).dogs.append(Dog("Rex"))
    }
    paused.resume()
    #expect(test.turns { people.isReady && dogs.isReady })
    try test.store.refresh()
    #expect(people.events == [.initial] && people.rows.count == 4)
    #expect(dogs.events == [.initial] && dogs.rows.count == 1)
  }

  @Test("R4, L10: a local write begins with the first call, for results and lists")
  func localWriteBefore() throws {
    let test = try file.observer()
    let people = Observation(test.people)
    let dogs = Observation(test.person(1).dogs)
    try test.write {
      #expect(people.isReady && dogs.isReady)
      $0.add(Person(id: 4))
      test.person(1).dogs.append(Dog("Rex"))
    }
    try test.store.refresh()
    #expect(people.events == [.initial, .update(ChangeSet(ins: [3], mod: [0]))])
    #expect(dogs.events == [.initial, .update(ChangeSet(ins: [0]))])
  }

  @Test("R11: a late callback of a collection gets its first call, the others none")
  func late() throws {
    let test = try file.observer()
    let results = test.people
    let first = test.observe(results)
    let second = test.observe(results)
    #expect(second.events == [.initial])
    #expect(first.events == [.initial])
  }

  @Test("R12: with a change pending the late callback gets .initial, the known one the change")
  func lateWithPending() throws {
    let test = try file.observer()
    let other = try file.open()
    let results = test.people
    let first = test.observe(results)
    let paused = try PausedWatcher(test.store)
    try other.write { $0.add(Person(id: 4)) }
    let second = Observation(results)
    paused.resume()
    #expect(test.turns { second.isReady && first.events.count == 2 })
    #expect(first.changes == [ChangeSet(ins: [3])])
    #expect(second.events == [.initial])
    #expect(second.rows.count == 4)
  }

  @Test("R13: in a write one may observe until the first mutation, and what is observed already also later")
  func insideWrite() throws {
    let test = try file.observer()
    let known = test.people
    let first = test.observe(known)
    try test.store.beginWrite()
    let early = Observation(test.people.sorted(by: \.name))
    test.store.add(Person(id: 4, name: "a"))
    let late = Observation(known)
    try test.store.commitWrite()
    #expect(test.turns { early.isReady && late.isReady && first.events.count == 2 })
    #expect(early.events == [.initial] && early.rows == ["4", "1", "2", "3"])
    #expect(late.events == [.initial] && late.rows.count == 4)
  }

  @Test("R13, L14: observing in a write that has changed something stops the program")
  func afterMutation() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let test = try file.open()
        try test.store.beginWrite()
        test.store.add(Person(id: 1))
        _ = test.people.observe { _ in }
      },
      says:
        "A collection cannot be observed in a write transaction that has changed something; observe it "
        + "before."
    )
  }

  @Test("Observing what came from a store that has been closed stops the program")
  func afterClose() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try TestFile().open()
        let people = test.people
        test.store.close()
        _ = people.observe { _ in }
      }, says: "The store has been closed; nothing that came from it can be read any more.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try TestFile().open()
        let count = test.people.liveCount()
        test.store.close()
        _ = count.observe { _ in }
      }, says: "The store has been closed; nothing that came from it can be read any more.")
  }
}
