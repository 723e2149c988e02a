import Dispatch
import FoundationEssentials
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

@Suite("L. Delivery and refresh")
struct DeliveryTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  @Test("R133: a local commit calls nobody; the call comes on a later turn")
  func localCommit() throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    try test.store.beginWrite()
    test.store.add(Person(id: 4))
    try test.store.commitWrite()
    #expect(observation.changes == [])
    #expect(test.people.count == 4)
    #expect(test.turns { !observation.changes.isEmpty })
    #expect(observation.changes == [ChangeSet(ins: [3])])
  }

  @Test("R136: a turn advances to the newest calculated version, and live data exactly as far")
  func calculatedVersion() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    let person = test.person(1)
    try other.write { _ in other.person(1).name = "first" }
    test.awaitPending()
    try other.write { _ in other.person(1).name = "second" }
    #expect(person.name == "p1")
    test.store.processNotifications()
    #expect(person.name == "first")
    #expect(observation.changes.count == 1)
    #expect(test.turns { observation.changes.count == 2 })
    #expect(person.name == "second")
  }

  @Test("R137: refresh goes to the newest version, delivers before it returns, and says whether it moved")
  func refresh() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    #expect(try test.store.refresh() == false)
    let paused = try PausedWatcher(test.store)
    for id in 4...6 { try other.write { $0.add(Person(id: id)) } }
    #expect(try test.store.refresh() == true)
    #expect(observation.changes == [ChangeSet(ins: [3, 4, 5])])
    #expect(try test.store.refresh() == false)
    paused.resume()
  }

  @Test("R137: refresh says so also when nobody is called, and when a delivery was pending")
  func refreshWithoutCall() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    try other.write { $0.add(Dog("Rex")) }
    test.awaitPending()
    #expect(try test.store.refresh() == true)
    #expect(observation.changes == [])
    #expect(test.store.objects(Dog.self).count == 1)
    test.store.processNotifications()
    #expect(observation.changes == [])
  }

  @Test("R138: beginWrite moves to the newest version and delivers; callbacks are in the write and may write")
  func beginWrite() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    observation.onEvent = { _ in
      #expect(test.store.isInWriteTransaction)
      test.store.add(Person(id: 100))
    }
    try other.write { $0.add(Person(id: 4)) }
    try test.store.beginWrite()
    #expect(observation.changes == [ChangeSet(ins: [3])])
    #expect(Observation.keys(test.people) == ["1", "2", "3", "4", "100"])
    observation.onEvent = { _ in }
    try test.store.commitWrite()
    try test.store.refresh()
    #expect(observation.changes == [ChangeSet(ins: [3]), ChangeSet(ins: [4])])
  }

  @Test(
    "R140: nothing is delivered while a write is open; it comes after the commit, or the cancel",
    arguments: [true, false])
  func duringWrite(commits: Bool) throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    try test.write { $0.add(Person(id: 4)) }
    let late = Observation(test.people)
    try test.store.beginWrite()
    let later = Observation(test.people)
    observation.clear()
    test.turn(milliseconds: 0)
    CommitWatcher.shared.wake(path: file.path)
    test.turn(milliseconds: 0)
    #expect(observation.events == [] && late.events == [.initial] && later.events == [])
    if commits { try test.store.commitWrite() } else { test.store.cancelWrite() }
    #expect(test.turns { later.isReady })
    #expect(late.events == [.initial] && later.rows.count == 4)
  }

  @Test("R141: refresh in a write does nothing and says so")
  func refreshInWrite() throws {
    let test = try file.observer()
    try test.write { _ in
      test.store.add(Person(id: 4))
      let moved = try test.store.refresh()
      #expect(!moved)
      #expect(test.people.count == 4)
    }
    #expect(test.people.count == 4)
  }

  @Test("R143: in a write collections show it at once; foreign commits stay unseen until the instance moves")
  func liveOutsideCallbacks() throws {
    let test = try file.observer()
    let other = try file.open()
    let people = test.people
    let byAge = people.sorted(by: \.age)
    let old = try people.filter(#Predicate { $0.age > 50 })
    let dogs = test.person(1).dogs
    // Read once, so that there is an order to keep up to date.
    #expect(people.map(\.id) == [1, 2, 3] && byAge.map(\.id) == [1, 2, 3] && old.isEmpty && dogs.isEmpty)
    try test.store.beginWrite()
    test.store.add(Person(id: 4, age: 15))
    #expect(people.map(\.id) == [1, 2, 3, 4] && byAge.map(\.id) == [1, 4, 2, 3])
    test.person(1).age = 99
    #expect(byAge.map(\.id) == [4, 2, 3, 1] && old.map(\.id) == [1])
    dogs.append(Dog("Rex"))
    #expect(dogs.count == 1 && dogs[0].name == "Rex")
    test.store.delete(test.person(2))
    #expect(people.count == 3 && people.index(of: test.person(3)) == 1)
    try test.store.commitWrite()
    #expect(byAge.map(\.id) == [4, 3, 1] && old.map(\.id) == [1] && dogs.count == 1)

    try other.write { $0.add(Person(id: 5, age: 60)) }
    #expect(
      people.count == 3 && old.count == 1 && test.store.object(ofType: Person.self, forPrimaryKey: 5) == nil)
    try test.store.refresh()
    #expect(people.count == 4 && old.map(\.id) == [1, 5])
  }

  @Test(
    "R144: a cancelled write tells nothing and leaves no trace; what beginWrite delivered stays delivered")
  func cancelled() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people.sorted(by: \.age))
    let dogs = test.person(1).dogs
    let person = test.person(1)
    try other.write { $0.add(Person(id: 4, age: 5)) }
    try test.store.beginWrite()
    #expect(observation.changes == [ChangeSet(ins: [0])])
    test.store.add(Person(id: 5))
    test.store.delete(test.person(2))
    person.age = 77
    dogs.append(Dog("Rex"))
    let found = test.store.object(ofType: Person.self, forPrimaryKey: 5)
    test.store.cancelWrite()
    #expect(found?.isInvalidated == true)
    #expect(person.age == 10 && dogs.isEmpty)
    #expect(test.people.sorted(by: \.age).map(\.id) == [4, 1, 2, 3])
    try test.store.refresh()
    #expect(observation.changes.count == 1)
    #expect(observation.rows == ["4", "1", "2", "3"])
  }

  @Test("R145: an empty commit, local or foreign, makes no call")
  func emptyCommit() throws {
    let test = try file.observer()
    let other = try file.open()
    let observation = test.observe(test.people)
    try test.write { _ in }
    try other.write { _ in }
    sqlite3(file.path, "begin immediate; commit;")
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { !observation.changes.isEmpty })
    try test.store.refresh()
    #expect(observation.changes == [ChangeSet(ins: [3])])
  }

  @Test("R132: callbacks come on the store's queue, and only there")
  func whereCalled() async throws {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let path = file.path
    let counts = AsyncStream<Int>.makeStream()
    let holder = QueueConfined<(Store, NotificationToken)>()
    queue.async {
      do {
        let store = try Store(
          Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .queue(queue))
        let token = store.objects(Person.self).observe { change in
          #expect(DispatchQueue.getSpecific(key: key) == true)
          switch change {
          case .initial(let people), .update(let people, _): counts.continuation.yield(people.count)
          case .error(let error): Issue.record(error)
          }
        }
        holder.value = (store, token)
      } catch {
        Issue.record(error)
        counts.continuation.finish()
      }
    }
    var seen: [Int] = []
    for await count in counts.stream {
      seen.append(count)
      if count == 3 { sqlite3(path, "insert into Person (id) values (4)") }
      if count == 4 { break }
    }
    #expect(seen == [3, 4])
    queue.sync { holder.value = nil }
  }
}

/// Something that is used on one queue only.
final class QueueConfined<Value>: @unchecked Sendable {
  // Only the queue's blocks touch the value.
  var value: Value?

  init(value: Value? = nil) {
    self.value = value
  }
}
