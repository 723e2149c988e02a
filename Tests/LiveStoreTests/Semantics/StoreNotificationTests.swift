import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("O. Store-level notifications")
struct StoreNotificationTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  @Test("R165: a local commit is told from commitWrite, before it returns, and a cancelled write is not")
  func localCommit() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    store.onEvent = { _ in
      #expect(!test.store.isInWriteTransaction)
      #expect(test.people.count == 4 && people.changes.isEmpty)
    }
    try test.store.beginWrite()
    test.store.add(Person(id: 4))
    #expect(store.events == [])
    try test.store.commitWrite()
    #expect(store.events == [.didChange])
    store.onEvent = { _ in }
    #expect(test.turns { !people.changes.isEmpty })
    #expect(store.events == [.didChange])
    try test.store.beginWrite()
    test.store.add(Person(id: 5))
    test.store.cancelWrite()
    test.turn(milliseconds: 0)
    #expect(store.events == [.didChange])
  }

  @Test(
    "R165, R166: a foreign commit is told on a turn, before the callbacks of collections, with the new data")
  func foreignOnTurn() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    let results = test.people
    var order: [String] = []
    store.onEvent = { _ in order.append("store \(results.count) \(test.person(1).name)") }
    people.onEvent = { _ in order.append("people") }
    sqlite3(
      file.path,
      "begin; insert into Person (id) values (4); update Person set name = 'x' where id = 1; commit")
    #expect(test.turns { !people.changes.isEmpty })
    #expect(order == ["store 4 x", "people"])
    #expect(store.events == [.didChange])
  }

  @Test(
    "R165: a foreign commit is told in refresh and in beginWrite, there with the write open",
    arguments: [true, false])
  func foreignOnRefresh(writes: Bool) throws {
    let test = try file.observer()
    let other = try file.open()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    var order: [String] = []
    store.onEvent = { _ in order.append("store \(test.store.isInWriteTransaction)") }
    people.onEvent = { _ in order.append("people") }
    let paused = try PausedWatcher(test.store)
    defer { paused.resume() }
    try other.write { $0.add(Person(id: 4)) }
    if writes { try test.store.beginWrite() } else { try test.store.refresh() }
    #expect(order == ["store \(writes)", "people"])
  }

  @Test("R165: without collections a foreign commit is told as well")
  func withoutCollections() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    sqlite3(file.path, "insert into Person (id) values (4)")
    #expect(test.turns { !store.events.isEmpty })
    #expect(store.events == [.didChange] && test.people.count == 4)
  }

  @Test("R168: what an observer of the store writes is not told to the observers of the store")
  func nesting() throws {
    let test = try file.observer()
    let other = try file.open()
    let writer = StoreObservation(test.store)
    let second = StoreObservation(test.store)
    let people = test.observe(test.people)
    writer.onEvent = { _ in
      recordingErrors { try test.store.write { test.store.add(Person(id: test.people.count + 1)) } }
    }
    try test.write { $0.add(Person(id: 4)) }
    #expect(writer.events.count == 1 && second.events.count == 1 && test.people.count == 5)
    try other.write { $0.add(Person(id: 6)) }
    #expect(test.turns { people.rows.count == 7 })
    #expect(writer.events.count == 2 && second.events.count == 2)
  }

  @Test("R169: beginWrite, refresh and first calls that bring no new version tell nothing")
  func nothingNew() throws {
    let test = try file.observer()
    let store = StoreObservation(test.store)
    try test.store.beginWrite()
    test.store.cancelWrite()
    try test.store.refresh()
    let people = test.observe(test.people)
    #expect(people.isReady && store.events == [])
  }

  @Test(
    "R145: an empty local commit is told to the store's observers and makes no version; a foreign one leaves no trace"
  )
  func empty() throws {
    let test = try file.observer()
    let other = try file.open()
    let store = StoreObservation(test.store)
    let people = test.observe(test.people)
    let version = test.store.coordinator.version
    try test.write { _ in }
    // Assigning what is there writes nothing.
    try test.write { _ in test.person(1).name = "p1" }
    #expect(store.events == [.didChange, .didChange])
    #expect(test.store.coordinator.version == version)
    try other.write { _ in }
    sqlite3(file.path, "begin immediate; commit; update Person set name = name")
    #expect(try test.store.refresh() == false)
    #expect(store.events.count == 2 && people.changes == [])
  }

  @Test("R89: tokens of the store can be skipped, for that commit only, together with others")
  func skipping() throws {
    let test = try file.observer()
    let silent = StoreObservation(test.store)
    let told = StoreObservation(test.store)
    let people = test.observe(test.people)
    let tokens = try [#require(silent.token), #require(people.token)]
    try test.store.write(withoutNotifying: tokens) { test.store.add(Person(id: 4)) }
    people.show(test.people)
    #expect(silent.events == [] && told.events == [.didChange])
    try test.store.write { test.store.add(Person(id: 5)) }
    #expect(silent.events == [.didChange] && told.events.count == 2)
    try test.store.refresh()
    #expect(people.changes == [ChangeSet(ins: [4])])
    let other = try file.open()
    let error = #expect(throws: StoreError.self) {
      try other.store.write(withoutNotifying: tokens) { other.store.add(Person(id: 6)) }
    }
    #expect(error?.code == .misuse && other.people.count == 5)
  }

  @Test("R148, R154: in an observer of the store refresh and invalidate do nothing")
  func refreshInside() throws {
    let test = try file.observer()
    let other = try file.open()
    let store = StoreObservation(test.store)
    var results: [Bool] = []
    store.onEvent = { _ in
      recordingErrors {
        if results.isEmpty { try other.write { $0.add(Person(id: 5)) } }
        results.append(try test.store.refresh())
      }
      test.store.invalidate()
      #expect(!test.store.isInvalidated)
    }
    try test.write { $0.add(Person(id: 4)) }
    #expect(results == [false] && test.people.count == 4)
    #expect(test.turns { results.count == 2 })
    #expect(test.people.count == 5)
  }

  @Test("R155: close in an observer of the store ends everything quietly")
  func close() throws {
    for isLocal in [true, false] {
      let file = TestFile()
      try file.addPeople(1...3)
      let test = try file.observer()
      let other = try file.open()
      let people = test.observe(test.people)
      let closer = StoreObservation(test.store)
      let later = StoreObservation(test.store)
      closer.onEvent = { _ in
        test.store.close()
        #expect((try? test.store.refresh()) == false)
      }
      if isLocal {
        try test.write { $0.add(Person(id: 4)) }
      } else {
        try other.write { $0.add(Person(id: 4)) }
        #expect(test.turns { !closer.events.isEmpty })
      }
      #expect(later.events == [] && people.changes == [])
      #expect(later.token?.invalidate() == false && people.token?.invalidate() == false)
      #expect(throws: StoreError.self) { try test.store.beginWrite() }
      #expect(sqlite3(file.path, "select count(*) from Person") == "4\n")
    }
  }

  @Test("R155: close in a callback that beginWrite makes leaves no write open, and the lock free")
  func closeInBeginWrite() throws {
    let test = try file.observer()
    let other = try file.open()
    let closer = StoreObservation(test.store)
    closer.onEvent = { _ in test.store.close() }
    try other.write { $0.add(Person(id: 4)) }
    #expect(throws: StoreError.self) { try test.store.write { Issue.record("The store was closed") } }
    #expect(!test.store.isInWriteTransaction)
    try other.write { $0.add(Person(id: 5)) }
  }

  @Test(
    "R159 (differs: callbacks cannot throw): one that cancels the write ends it, one that follows a commit cannot"
  )
  func cancelled() throws {
    let test = try file.observer()
    let other = try file.open()
    let store = StoreObservation(test.store)
    store.onEvent = { _ in test.store.cancelWrite() }
    try other.write { $0.add(Person(id: 4)) }
    #expect(throws: StoreError.self) { try test.store.write { Issue.record("The write was cancelled") } }
    try test.store.write { test.store.add(Person(id: 5)) }
    #expect(test.people.count == 5)
  }

  @Test(
    "R160, R158: no call after the token is gone, also within a round; a new observer is called from the next on"
  )
  func tokens() throws {
    let test = try file.observer()
    let first = StoreObservation(test.store)
    let second = StoreObservation(test.store)
    var added: StoreObservation?
    first.onEvent = { _ in
      second.token?.invalidate()
      if added == nil { added = StoreObservation(test.store) }
    }
    try test.write { $0.add(Person(id: 4)) }
    #expect(first.events.count == 1 && second.events == [] && added?.events == [])
    try test.write { $0.add(Person(id: 5)) }
    #expect(first.events.count == 2 && second.events == [] && added?.events == [.didChange])
  }

  @Test("R162: the token alone keeps the store open; what the callback holds goes on the turn after its end")
  func lifetime() throws {
    final class Held {}
    let source = NotificationSource()
    weak var weakStore: Store?
    weak var weakHeld: Held?
    var token: NotificationToken?
    var count = 0
    do {
      let store = try Store(
        Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]),
        scheduler: .fileDescriptor(source))
      let held = Held()
      (weakStore, weakHeld) = (store, held)
      token = store.observe { _, store in
        withExtendedLifetime(held) { count = store.objects(Person.self).count }
      }
    }
    try weakStore?.write { weakStore?.add(Person(id: 4)) }
    #expect(count == 4)
    token?.invalidate()
    weakStore?.processNotifications()
    #expect(weakStore == nil && weakHeld == nil)
  }
}
