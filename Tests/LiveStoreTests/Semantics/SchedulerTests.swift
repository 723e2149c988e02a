import Dispatch
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

@Suite("L. Schedulers, and where a store may be used")
struct SchedulerTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  @Test("R132: an actor opens a store of its own, and is called on itself")
  func onActor() async throws {
    let clerk = Clerk()
    let counts = try await clerk.open(file.path)
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      if count == 3 { sqlite3(file.path, "insert into Person (id) values (4)") }
      if count == 4 { try await clerk.add(5) }
      if count == 5 { break }
    }
    #expect(seen == [3, 4, 5])
    await clerk.close()
  }

  @Test("R132: the store of an actor does not keep the actor alive")
  func actorGoes() async throws {
    weak var weakly: Clerk?
    do {
      let clerk = Clerk()
      weakly = clerk
      _ = try await clerk.open(file.path)
      await clerk.close()
    }
    // A turn may be on its way to the actor.
    for _ in 0..<1_000_000 where weakly != nil { await Task.yield() }
    #expect(weakly == nil)
  }

  @Test("R132: an actor opens its store in its init, and is called on itself")
  func inInit() async throws {
    for count in 3...5 {
      let steward = try Steward(file.path)
      var seen: [Int] = []
      for await count in steward.counts {
        seen.append(count)
        if seen.count == 1 { try await steward.add(count + 1) }
        if seen.count == 2 { break }
      }
      #expect(seen == [count, count + 1])
      await steward.close()
    }
  }

  @Test("R132: the store that an actor opens in its init does not keep the actor alive")
  func stewardGoes() async throws {
    weak var weakly: Steward?
    do {
      let steward = try Steward(file.path)
      weakly = steward
      await steward.close()
    }
    for _ in 0..<1_000_000 where weakly != nil { await Task.yield() }
    #expect(weakly == nil)
  }

  @Test("R132, L14: a store that no actor has claimed is used where it was opened, then on that actor alone")
  func claiming() async throws {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try Store(
          .init(inMemory: "a", objectTypes: [Person.self, Dog.self]), scheduler: .actor())
        try store.write { store.add(Person(id: 1)) }
        let box = QueueConfined(value: store)
        onOtherThread { _ = box.value?.objects(Person.self) }
      }, says: "call confine(to: self) at the end of the init")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try Store(
          .init(inMemory: "a", objectTypes: [Person.self, Dog.self]), scheduler: .actor())
        store.confine(to: Clerk())
        store.confine(to: Clerk())
      }, says: "belongs to one actor")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try Store(
          .init(inMemory: "a", objectTypes: [Person.self, Dog.self]), scheduler: .actor())
        let clerk = Clerk()
        store.confine(to: clerk)
        _ = store.objects(Person.self)
        withExtendedLifetime(clerk) {}
      }, says: "Incorrect actor executor assumption")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try emptyStore().confine(to: Clerk())
      }, says: "opened with the scheduler .actor() can be")
  }

  @Test("R132: the main scheduler calls on the main thread, which the main actor is") @MainActor
  func onMain() async throws {
    for scheduler in [Scheduler.main, .queue(.main), .actor(MainActor.shared)] {
      let file = TestFile()
      let store = try Store(
        Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]), scheduler: scheduler)
      let (counts, continuation) = AsyncStream<Int>.makeStream()
      let token = store.objects(Person.self).observe { change in
        MainActor.preconditionIsolated()
        switch change {
        case .initial(let people), .update(let people, _): continuation.yield(people.count)
        case .error(let error): Issue.record(error)
        }
      }
      for await count in counts {
        if count == 0 { sqlite3(file.path, "insert into Person (id) values (4)") }
        if count == 1 { break }
      }
      token.invalidate()
      store.close()
    }
  }

  @Test("R132: blocks of a queue that targets the store's queue may use the store")
  func targeting() throws {
    let queue = DispatchQueue(label: "store")
    let above = DispatchQueue(label: "above", target: queue)
    let path = file.path
    let box = QueueConfined<Store>()
    try queue.sync {
      box.value = try Store(
        Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .queue(queue))
    }
    // The queue above has a mark of its own.
    try above.sync {
      let other = try Store(
        Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .queue(above))
      #expect(other.objects(Person.self).count == 3)
      #expect(box.value?.objects(Person.self).count == 3)
    }
    queue.sync { box.value = nil }
  }

  @Test("A background worker that observes is a queue of its own")
  func backgroundWorker() async throws {
    let worker = Worker(path: file.path)
    worker.start()
    for await count in worker.counts {
      if count == 3 { sqlite3(file.path, "insert into Person (id) values (4)") }
      if count == 4 { break }
    }
    worker.stop()
  }

  @Test("An event loop of a program's own is a custom scheduler")
  func custom() throws {
    let loop = Loop()
    let store = try Store(
      Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]),
      scheduler: .custom(isCurrent: { [thread = pthread_self()] in thread == pthread_self() }) {
        loop.add($0)
      })
    var count = 0
    let token = store.objects(Person.self).observe { change in
      switch change {
      case .initial(let people), .update(let people, _): count = people.count
      case .error(let error): Issue.record(error)
      }
    }
    while count != 3 { loop.takeOne() }
    sqlite3(file.path, "insert into Person (id) values (4)")
    while count != 4 { loop.takeOne() }
    token.invalidate()
    loop.takeOne()
  }

  @Test("R132, L14: opening a store where its scheduler does not call stops the program")
  func openElsewhere() async throws {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        onOtherThread {
          _ = try? Store(.init(inMemory: "a", objectTypes: [Person.self, Dog.self]))
        }
      }, says: "may only be opened and used on the main thread")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try Store(
          .init(inMemory: "a", objectTypes: [Person.self, Dog.self]), scheduler: .queue(.init(label: "store"))
        )
      }, says: "may only be opened and used on that queue (“store”)")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let clerk = Clerk()
        _ = try Store(.init(inMemory: "a", objectTypes: [Person.self, Dog.self]), scheduler: .actor(clerk))
      }, says: "Incorrect actor executor assumption")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try Store(
          .init(inMemory: "a", objectTypes: [Person.self, Dog.self]),
          scheduler: .custom(isCurrent: { false }, schedule: { _ in }))
      }, says: "may only be opened and used where its scheduler calls it")
  }

  @Test("R132, L14: using a store, its collections and objects on another thread stops the program")
  func useElsewhere() async {
    let sentence = "may only be used on the thread that opened it; open another store for this thread."
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { _ = try? $0.refresh() }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { try? $0.beginWrite() }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { _ = $0.objects(Person.self) }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { _ = $0.observe { _, _ in } }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { $0.processNotifications() }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { $0.invalidate() }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { $0.autorefresh = false }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try elsewhere { $0.close() }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try emptyStore()
        let box = QueueConfined(value: store.objects(Person.self))
        onOtherThread { _ = try? box.value?.explain() }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try emptyStore()
        let box = QueueConfined(value: store.objects(Person.self))
        onOtherThread { _ = box.value?.count }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try emptyStore()
        try store.write { store.add(Person(id: 1)) }
        let box = QueueConfined(value: store.object(ofType: Person.self, forPrimaryKey: 1))
        store.invalidate()
        onOtherThread { _ = box.value?.name }
      }, says: sentence)
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try emptyStore()
        let person = Person(id: 1)
        try store.write { store.add(person) }
        let box = QueueConfined(value: person)
        onOtherThread { _ = box.value?.observe { (_: ObjectChange<Person>) in } }
      }, says: sentence)
  }

  @Test("R132: the last reference to a store may go on any thread")
  func goesAnywhere() throws {
    let box = QueueConfined(value: try emptyStore())
    box.value?.autorefresh = false
    onOtherThread { box.value = nil }
  }
}

private func emptyStore() throws -> Store {
  try Store(
    .init(inMemory: "elsewhere \(pthread_self())", objectTypes: [Person.self, Dog.self]),
    scheduler: .fileDescriptor(NotificationSource()))
}

/// Uses a store of this thread on another one.
private func elsewhere(_ body: @escaping @Sendable (Store) -> Void) throws {
  let box = QueueConfined(value: try emptyStore())
  onOtherThread { if let store = box.value { body(store) } }
}

private func onOtherThread(_ body: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  BackgroundThread.run {
    body()
    isDone.signal()
  }
  isDone.wait()
}

/// An actor with a store of its own.
private actor Clerk {
  private var store: Store?
  private var tokens = NotificationTokenSet()

  func open(_ path: String) throws -> AsyncStream<Int> {
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .actor(self))
    self.store = store
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    store.objects(Person.self).observe { change in
      switch change {
      case .initial(let people), .update(let people, _): continuation.yield(people.count)
      case .error(let error): Issue.record(error)
      }
    }.store(in: &tokens)
    return counts
  }

  func add(_ id: Int) throws {
    try store?.write { store?.add(Person(id: id)) }
  }

  func close() {
    tokens.invalidate()
    store?.close()
    store = nil
  }
}

/// An actor that opens its store in its `init`.
private actor Steward {
  private let store: Store
  private var tokens = NotificationTokenSet()
  nonisolated let counts: AsyncStream<Int>

  init(_ path: String) throws {
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    self.counts = counts
    store = try Store(
      Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .actor())
    // Asks for a turn before the actor is known.
    store.objects(Person.self).observe { change in
      switch change {
      case .initial(let people), .update(let people, _): continuation.yield(people.count)
      case .error(let error): Issue.record(error)
      }
    }.store(in: &tokens)
    store.confine(to: self)
  }

  func add(_ id: Int) throws {
    try store.write { store.add(Person(id: id)) }
  }

  func close() {
    tokens.invalidate()
    store.close()
  }
}

/// Observes in the background.
private final class Worker: @unchecked Sendable {
  // The tokens are used on the queue only; everything else is fixed.

  private let queue = DispatchQueue(label: "worker")
  private var tokens = NotificationTokenSet()
  private let path: String
  let counts: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  init(path: String) {
    self.path = path
    (counts, continuation) = AsyncStream<Int>.makeStream()
  }

  func start() {
    queue.async { [self] in
      do {
        let store = try Store(
          Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .queue(queue))
        store.objects(Person.self).observe { [continuation] change in
          switch change {
          case .initial(let people), .update(let people, _): continuation.yield(people.count)
          case .error(let error): Issue.record(error)
          }
        }.store(in: &tokens)
      } catch {
        Issue.record(error)
        continuation.finish()
      }
    }
  }

  func stop() {
    queue.sync { tokens.invalidate() }
  }
}

/// The event loop of a program that has one of its own.
private final class Loop: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let count = DispatchSemaphore(value: 0)

  func add(_ block: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(block) }
    count.signal()
  }

  func takeOne() {
    count.wait()
    work.withLock { $0.removeFirst() }()
  }
}
