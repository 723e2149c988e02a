import Dispatch
import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("F. Coalescing")
struct CoalescingTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...4) }

  @Test(
    "R69, R70, R74: several commits are one change set, relative to what was delivered",
    arguments: [true, false])
  func several(local: Bool) throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    let writer = local ? test : try file.open()
    let paused = try PausedWatcher(test.store)
    if local {
      // Each beginWrite would deliver the one before; R80 says so.
      try writer.write { store in
        store.add(Person(id: 9))
        store.delete(writer.person(2))
        writer.person(3).name = "x"
      }
    } else {
      try writer.write { $0.add(Person(id: 9)) }
      try writer.write { $0.delete(writer.person(2)) }
      try writer.write { _ in writer.person(3).name = "x" }
    }
    paused.resume()
    #expect(test.turns { !observation.changes.isEmpty })
    try test.store.refresh()
    #expect(observation.changes == [ChangeSet(del: [1], ins: [3], mod: [2], modInNew: [1])])
  }

  @Test("R70: what comes after a calculation is part of a later delivery")
  func afterCalculation() throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    let writer = try file.open()
    try writer.write { $0.add(Person(id: 5)) }
    test.awaitPending()
    try writer.write { $0.add(Person(id: 6)) }
    #expect(test.turns { observation.rows.count == 6 })
    #expect(observation.changes == [ChangeSet(ins: [4]), ChangeSet(ins: [5])])
  }

  @Test("L1 (not R71): a row that went away and came back is modified or nothing, however often was looked")
  func awayAndBack() throws {
    let test = try file.observer()
    let observation = test.observe(test.people.sorted(by: \.age))
    let writer = try file.open()
    try writer.write { _ in writer.person(1).age = 99 }
    test.awaitPending()
    try writer.write { _ in writer.person(1).age = 10 }
    // The refresh gives up what was calculated and looks anew.
    #expect(try test.store.refresh())
    #expect(observation.changes == [])
  }

  @Test("R72: inserted and deleted by different commits is nothing")
  func insertedAndDeleted() throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    let writer = try file.open()
    let paused = try PausedWatcher(test.store)
    try writer.write { $0.add(Person(id: 9)) }
    try writer.write { $0.delete(writer.person(9)) }
    paused.resume()
    try test.store.refresh()
    #expect(observation.changes == [])
  }

  @Test("L2 (not R73): deleted and inserted again by different commits it is the same row")
  func deletedAndInserted() throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    let writer = try file.open()
    let paused = try PausedWatcher(test.store)
    try writer.write { store in
      store.delete(writer.person(2))
      store.delete(writer.person(3))
    }
    try writer.write { store in
      store.add(Person(id: 2, name: "p2", age: 20))
      store.add(Person(id: 3, name: "new", age: 30))
    }
    paused.resume()
    try test.store.refresh()
    #expect(observation.changes == [ChangeSet(mod: [2])])
  }

  @Test("R75, L7: every callback of a delivery sees the same version, in every collection and object")
  func oneVersion() throws {
    let test = try file.observer()
    let dogs = test.store.objects(Dog.self)
    let person = test.person(1)
    let observations = [test.observe(test.people), test.observe(test.people.sorted(by: \.name))]
    let dogsObservation = test.observe(dogs)
    var seen: [String] = []
    for observation in observations + [dogsObservation] {
      observation.onEvent = { _ in
        seen.append("\(test.people.count) \(dogs.count) \(person.name) \(test.store.front.version ?? 0)")
      }
    }
    let writer = try file.open()
    try writer.write { store in
      store.add(Person(id: 5))
      store.add(Dog("Rex"))
      writer.person(1).name = "x"
    }
    #expect(test.turns { seen.count == 3 })
    #expect(seen == Array(repeating: "5 1 x \(writer.store.front.version ?? 0)", count: 3))
  }

  @Test("R76: an instance that is blocked in a callback delays no other")
  func blockedInCallback() throws {
    let log = CallbackLog()
    let isBlocked = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "blocked")
    let path = file.path
    let blocked = try queue.sync {
      let store = try Store(
        Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .queue(queue))
      let token = store.objects(Person.self).observe { change in
        switch change {
        case .initial(let people): log.append("\(people.count)")
        case .update(let people, let changes):
          log.append("\(people.count) \(changes.insertions)")
          isBlocked.signal()
          mayGoOn.wait()
        case .error(let error): log.append(error.description)
        }
      }
      return QueueConfined(value: (store, token))
    }
    #expect(log.next() == "4")
    let running = try file.observer()
    let people = running.observe(running.people)
    let writer = try file.open()
    try writer.write { $0.add(Person(id: 5)) }
    isBlocked.wait()
    for id in 6...14 {
      try writer.write { $0.add(Person(id: id)) }
      #expect(running.turns { people.rows.count == id })
    }
    mayGoOn.signal()
    #expect(log.next() == "5 [4]")
    mayGoOn.signal()
    #expect(log.next() == "14 [5, 6, 7, 8, 9, 10, 11, 12, 13]")
    queue.sync { blocked.value = nil }
  }

  @Test("R76: instances go on independently; one that takes no turn keeps no other back")
  func independent() throws {
    let blocked = try file.observer()
    let running = try file.observer()
    let writer = try file.open()
    let a = blocked.observe(blocked.people)
    let b = running.observe(running.people)
    for id in 5...14 {
      try writer.write { $0.add(Person(id: id)) }
      #expect(running.turns { b.rows.count == id })
    }
    #expect(b.changes.count == 10)
    #expect(a.changes == [] && blocked.people.count == 4)
    try blocked.store.refresh()
    #expect(a.changes == [ChangeSet(ins: Array(4...13))])
  }
}
