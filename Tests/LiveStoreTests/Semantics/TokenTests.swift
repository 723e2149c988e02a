import Dispatch
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("N, P. Tokens, order, illegal operations")
struct TokenTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  @Test(
    "R160: no call after the token is gone, whether the change was calculated or not",
    arguments: [true, false], [true, false])
  func stopsAtOnce(calculated: Bool, drops: Bool) throws {
    let test = try file.observer()
    let other = try file.open()
    let gone = test.observe(test.people)
    let there = test.observe(test.people)
    let paused = calculated ? nil : try PausedWatcher(test.store)
    try other.write { $0.add(Person(id: 4)) }
    if calculated { test.awaitPending() }
    if drops { gone.token = nil } else { gone.token?.invalidate() }
    paused?.resume()
    #expect(test.turns { !there.changes.isEmpty })
    #expect(gone.changes == [])
  }

  @Test("R160: a first call that is outstanding does not come either")
  func stopsFirstCall() throws {
    let test = try file.observer()
    let gone = Observation(test.people)
    gone.token?.invalidate()
    try test.store.refresh()
    #expect(gone.events == [])
  }

  @Test("R161: invalidating is idempotent, says whether the token was live, and may be done on any thread")
  func idempotent() throws {
    let test = try file.observer()
    let observation = test.observe(test.people)
    let token = try #require(observation.token)
    #expect(token.invalidate() == true)
    #expect(token.invalidate() == false)
    let second = test.observe(test.people)
    let shared = try #require(second.token)
    let ended = QueueConfined<Int>()
    ended.value = 0
    let queue = DispatchQueue(label: "count")
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      if shared.invalidate() { queue.sync { ended.value? += 1 } }
    }
    #expect(queue.sync { ended.value } == 1)
  }

  @Test("R162: the token alone keeps a subscription alive")
  func tokenAlone() throws {
    let test = try file.observer()
    let other = try file.open()
    var counts: [Int] = []
    var token: NotificationToken? = test.store.objects(Person.self).sorted(by: \.name).observe { change in
      if case .update(let people, _) = change { counts.append(people.count) }
    }
    try test.store.refresh()
    try other.write { $0.add(Person(id: 4)) }
    #expect(test.turns { !counts.isEmpty })
    #expect(counts == [4])
    withExtendedLifetime(token) {}
    token = nil
  }

  @Test("R162: what a callback holds is let go when its token is, at the latest on the next turn")
  func released() throws {
    final class Held {}
    let test = try file.observer()
    weak var weakly: Held?
    var token: NotificationToken?
    do {
      let held = Held()
      weakly = held
      token = test.people.observe { _ in withExtendedLifetime(held) {} }
    }
    try test.store.refresh()
    #expect(weakly != nil)
    token?.invalidate()
    token = nil
    test.turn()
    #expect(weakly == nil)
  }

  @Test("R162: what a callback holds is let go where the store is used, although the worker is calculating")
  func releasedOnThread() throws {
    final class Held {
      let thread = pthread_self()
      let onEnd: (Bool) -> Void
      init(_ onEnd: @escaping (Bool) -> Void) { self.onEnd = onEnd }
      deinit { onEnd(pthread_equal(thread, pthread_self()) != 0) }
    }
    var ends: [Bool] = []
    for round in 0..<60 {
      let test = try file.observer()
      var token: NotificationToken?
      do {
        let held = Held { ends.append($0) }
        token = test.people.sorted(by: \.age).observe { _ in withExtendedLifetime(held) {} }
      }
      for _ in 0..<round * 20 { sched_yield() }
      withExtendedLifetime(token) {}
      token = nil
    }
    #expect(ends.count == 60 && ends.allSatisfy { $0 })
  }

  @Test("R163: results may be handed on while they are observed")
  func handedOn() throws {
    let test = try file.observer()
    var results: Results<Person>? = test.people
    let observation = test.observe(try #require(results))
    let array = [results].compactMap { $0 }
    results = nil
    try test.write { $0.add(Person(id: 4)) }
    try test.store.refresh()
    #expect(observation.changes == [ChangeSet(ins: [3])])
    #expect(array[0].count == 4)
  }

  @Test("R164: callbacks of one collection together, in the order of registration")
  func order() throws {
    let test = try file.observer()
    let first = test.people
    let second = test.people
    let observations = [
      ("1a", Observation(first)), ("2b", Observation(second)), ("1c", Observation(first)),
    ]
    var order: [String] = []
    for (name, observation) in observations { observation.onEvent = { _ in order.append(name) } }
    try test.store.refresh()
    #expect(order == ["1a", "1c", "2b"])
    try test.write { $0.add(Person(id: 4)) }
    try test.store.refresh()
    #expect(order == ["1a", "1c", "2b", "1a", "1c", "2b"])
  }

  @Test("R173: nested writes and commits outside of writes are errors, which change nothing")
  func illegal() throws {
    let test = try file.observer()
    let outside = #expect(throws: StoreError.self) { try test.store.commitWrite() }
    #expect(outside?.code == .misuse)
    test.store.cancelWrite()
    try test.store.beginWrite()
    let nested = #expect(throws: StoreError.self) { try test.store.beginWrite() }
    #expect(nested?.code == .misuse)
    #expect(test.store.isInWriteTransaction)
    test.store.add(Person(id: 4))
    try test.store.commitWrite()
    #expect(test.people.count == 4)
  }

  @Test("L14: changing an object outside of a write stops the program")
  func changeOutsideWrite() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let test = try file.open()
        try test.store.write { test.store.add(Person(id: 1)) }
        test.person(1).name = "x"
      }, says: "can be changed in a write transaction only; use store.write { }.")
  }

  @Test("L14: reading an object that was deleted stops the program")
  func readDeleted() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let test = try file.open()
        try test.store.write { test.store.add(Person(id: 1)) }
        let person = test.person(1)
        try test.store.write { test.store.delete(person) }
        print(person.name)
      }, says: "The Person has been deleted; look at isInvalidated before reading an object that may be gone."
    )
  }

  @Test("R132, L14: observing on another queue than the store's stops the program")
  func otherQueue() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let queue = DispatchQueue(label: "store")
        let store = try queue.sync {
          QueueConfined(
            value: try Store(
              Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]),
              scheduler: .queue(queue)))
        }
        _ = store.value?.objects(Person.self).observe { _ in }
      }, says: "may only be opened and used on that queue (“store”)")
  }
}
