import Dispatch
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Streams of changes")
@MainActor
struct StreamTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  private func open() throws -> Store {
    try Store(Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]))
  }

  private func person(_ id: Int, _ store: Store) throws -> Person {
    try #require(store.object(ofType: Person.self, forPrimaryKey: id))
  }

  /// Runs `body` while the loop of a stream waits, which goes on only when the main actor is free again.
  ///
  /// A loop that has just been started waits in the main queue, before `body`, and what is delivered to it
  /// comes after `body`. A test that yields instead comes back after any number of deliveries.
  private func beforeTaking(_ store: Store, _ body: @escaping @MainActor () throws -> Void) async throws {
    let whole: @MainActor () throws -> Void = {
      try #require(store.coordinator.liveSubscriptions().first?.isReady == true)
      try body()
    }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      DispatchQueue.main.async {
        continuation.resume(with: Result { try MainActor.assumeIsolated(whole) })
      }
    }
  }

  @Test("L10: the results come first, then each change, in the order of the commits")
  func order() async throws {
    let store = try open()
    let writer = try open()
    var changes = store.objects(Person.self).changes.makeAsyncIterator()
    guard case .initial(let people)? = await changes.next() else {
      Issue.record("no first call")
      return
    }
    #expect(people.map(\.id) == [1, 2, 3])
    for id in 4...8 {
      try writer.write { writer.add(Person(id: id)) }
      guard case .update(let people, let change)? = await changes.next() else {
        Issue.record("no change")
        return
      }
      #expect(change == ChangeSet(ins: [id - 1]))
      #expect(people.count == id)
    }
    store.close()
  }

  @Test("R69, L1: what happens while the consumer is busy is one change, and nothing is queued")
  func slowConsumer() async throws {
    let store = try open()
    let writer = try open()
    var changes = store.objects(Person.self).changes.makeAsyncIterator()
    _ = await changes.next()
    for round in 0..<200 {
      try writer.write {
        writer.add(Person(id: 100 + round))
        if round > 0, let last = writer.object(ofType: Person.self, forPrimaryKey: 99 + round) {
          writer.delete(last)
        }
        try person(2, writer).age = round + 1_000
      }
      // The store itself moves on.
      if round % 10 == 0 { try store.refresh() }
    }
    #expect(store.coordinator.history.transitions.count <= 2)
    guard case .update(let people, let change)? = await changes.next() else {
      Issue.record("no change")
      return
    }
    #expect(change == ChangeSet(ins: [3], mod: [1]))
    #expect(people.map(\.id) == [1, 2, 3, 299])
    store.close()
  }

  @Test("L4: a view that takes every change of the stream shows the collection, whoever writes")
  func mirror() async throws {
    let store = try open()
    let writer = try open()
    var random = SeededGenerator(seed: 7)
    var view: [Int] = []
    var changes = store.objects(Person.self).sorted(by: \.age).changes.makeAsyncIterator()
    for _ in 0..<60 {
      if let change = await changes.next() {
        view.follow(change) { $0.id }
      } else {
        Issue.record("the stream has ended")
      }
      for instance in [store, writer] where Bool.random(using: &random) {
        try instance.write {
          let id = Int.random(in: 1...9, using: &random)
          if let person = instance.object(ofType: Person.self, forPrimaryKey: id), id > 2 {
            instance.delete(person)
          } else if id > 2 {
            instance.add(Person(id: id, age: Int.random(in: 0..<100, using: &random)))
          }
          try person(1, instance).age += 1
        }
      }
      try writer.write { try person(2, writer).age += 7 }
    }
    store.close()
  }

  @Test("values gives the collection again after every change")
  func values() async throws {
    let store = try open()
    var seen: [Int] = []
    for await people in store.objects(Person.self).values {
      seen.append(people.count)
      if seen.count == 3 { break }
      try store.write { store.add(Person(id: 10 + seen.count)) }
    }
    #expect(seen == [3, 4, 5])
    // Leaving the loop has ended the subscription.
    store.processNotifications()
    #expect(store.coordinator.liveSubscriptions().isEmpty)
    store.close()
  }

  @Test("Cancelling the task ends the loop and the subscription")
  func cancellation() async throws {
    let store = try open()
    var seen = 0
    let task = Task {
      for await _ in store.objects(Person.self).changes { seen += 1 }
      return true
    }
    while seen == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value)
    #expect(store.coordinator.liveSubscriptions().isEmpty)
    store.close()
  }

  @Test("Closing the store ends the loop")
  func closing() async throws {
    let store = try open()
    var seen = 0
    let task = Task {
      for await _ in store.objects(Person.self).changes { seen += 1 }
      return seen
    }
    while seen == 0 { await Task.yield() }
    store.close()
    #expect(await task.value == 1)
  }

  @Test(
    "A change that the consumer has not taken yet goes with the store that is closed",
    arguments: [false, true])
  func closingBeforeTaking(isFirst: Bool) async throws {
    let store = try open()
    var seen: [[Int]] = []
    let task = Task {
      for await people in store.objects(Person.self).values { seen.append(people.map(\.id)) }
    }
    while !isFirst && seen.isEmpty { await Task.yield() }
    var frozen: Store?
    try await beforeTaking(store) {
      if !isFirst { sqlite3(self.file.path, "delete from Person where id = 2") }
      try store.refresh()
      // It keeps the version that the loop would be given.
      frozen = store.freeze()
      store.close()
    }
    await task.value
    #expect(seen == (isFirst ? [] : [[1, 2, 3]]))
    #expect(frozen?.objects(Person.self).count == (isFirst ? 3 : 2))
  }

  @Test(
    "L4: a change that arrived before the store gave its snapshot up leads to what is read afterwards",
    arguments: [false, true], [false, true])
  func invalidatedBeforeTaking(isFirst: Bool, reads: Bool) async throws {
    let store = try open()
    var (rows, calls) = ([Int](), 0)
    let task = Task {
      for await change in store.objects(Person.self).changes {
        calls += 1
        rows.follow(change) { $0.id }
        if rows == [3, 5] { break }
      }
    }
    while !isFirst && calls == 0 { await Task.yield() }
    try await beforeTaking(store) {
      if !isFirst {
        sqlite3(self.file.path, "delete from Person where id = 2; insert into Person (id) values (4)")
      }
      try store.refresh()
      store.invalidate()
      if reads { #expect(store.objects(Person.self).count == 3) }
      sqlite3(self.file.path, "delete from Person where id <> 3; insert into Person (id) values (5)")
    }
    await task.value
    #expect(rows == [3, 5] && calls <= 3)
    store.close()
  }

  @Test("R105, R110: an object's changes come united, and its deletion last")
  func object() async throws {
    let store = try open()
    let writer = try open()
    let observed = try person(2, store)
    var changes = observed.changes.makeAsyncIterator()
    try writer.write { try person(2, writer).age = 1 }
    try writer.write { try person(2, writer).name = "Ann" }
    try writer.write { try person(2, writer).age = 2 }
    try store.refresh()
    guard case .change(let person, let properties)? = await changes.next() else {
      Issue.record("no change")
      return
    }
    #expect(person.name == "Ann")
    #expect(properties.map(\.name).sorted() == ["age", "name"])
    #expect(properties.first { $0.name == "age" }?.oldValue as? Int == 20)
    #expect(properties.first { $0.name == "age" }?.newValue as? Int == 2)
    try writer.write { writer.delete(try self.person(2, writer)) }
    guard case .deleted? = await changes.next() else {
      Issue.record("not deleted")
      return
    }
    #expect(await changes.next() == nil)
    store.close()
  }

  @Test("R165: a store's notifications come united, its own commits and foreign ones")
  func store() async throws {
    let store = try open()
    let writer = try open()
    var changes = store.changes.makeAsyncIterator()
    for id in 4...6 { try store.write { store.add(Person(id: id)) } }
    #expect(await changes.next() == .didChange)
    try writer.write { writer.add(Person(id: 7)) }
    #expect(await changes.next() == .didChange)
    #expect(store.objects(Person.self).count == 7)
    store.close()
    #expect(await changes.next() == nil)
  }

  @Test("A loop that begins when its store has been closed ends at once", .timeLimit(.minutes(1)))
  func afterClose() async throws {
    let store = try open()
    let (people, count) = (store.objects(Person.self), store.objects(Person.self).liveCount())
    store.close()
    for await _ in people.changes { Issue.record("a closed store has no changes") }
    for await _ in count.values { Issue.record("a closed store has no values") }
  }
}
