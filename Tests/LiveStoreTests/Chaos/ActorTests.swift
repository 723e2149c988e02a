import FoundationEssentials
import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// An actor with a store of its own, which does at random whatever a program may do with one.
private actor RestlessActor {
  private let path: String
  private var random: RandomWriter
  private var store: Store?
  private var views: [Observation] = []
  private var frozen: [(people: Results<Person>, rows: [String])] = []
  /// Whether a callback has written, which is delivered on a later turn.
  private var hasWrittenInCallback = false

  init(_ path: String, seed: UInt64) {
    self.path = path
    random = RandomWriter(seed: seed)
  }

  private static func configuration(_ path: String) -> Store.Configuration {
    var configuration = Store.Configuration(path: path, objectTypes: [Person.self, Dog.self])
    // Waiting is in turns, and the machine may be slow.
    configuration.busyTimeout = 60_000
    return configuration
  }

  func begin() throws {
    let store = try Store(Self.configuration(path), scheduler: .actor(self))
    self.store = store
    let people = store.objects(Person.self)
    views = [Observation(people), Observation(people.sorted(by: \.age))]
    if let person = people.first { views.append(Observation(person.dogs)) }
  }

  func step() throws {
    guard let store else { return }
    let people = store.objects(Person.self)
    switch random.int(0..<12) {
    case 0:
      try store.beginWrite()
      random.change(store)
      store.cancelWrite()
    case 1:
      frozen.append((people.freeze(), people.map(Self.row)))
      if frozen.count > 2 { frozen.removeFirst() }
    case 2: store.invalidate()
    case 3: observeOnce(people)
    case 4: try close(store)
    case 5:
      let copy = "\(path).copy-\(random.int(0..<1_000_000_000))"
      defer { unlink(copy) }
      try Store.backUp(Self.configuration(path), to: copy)
      #expect(sqlite3(copy, "pragma integrity_check") == "ok\n")
    case 6: store.autorefresh.toggle()
    case 7, 8: try check()
    default: try store.write { random.change(store) }
    }
    for (people, rows) in frozen { #expect(people.map(Self.row) == rows) }
  }

  private static func row(_ person: Person) -> String {
    "\(person.id) \(person.name) \(person.age) \(person.dogs.map(\.name))"
  }

  /// Observes with a callback that lets go of its token, and writes.
  private func observeOnce(_ people: Results<Person>) {
    let writes = random.int(0..<2) == 0
    var token: NotificationToken?
    token = people.observe { [weak self] _ in
      #expect(token != nil, "It is called after it has ended its subscription.")
      token?.invalidate()
      token = nil
      if writes { self?.assumeIsolated { $0.writeInCallback() } }
    }
  }

  private func writeInCallback() {
    guard let store, !store.isInWriteTransaction else { return }
    hasWrittenInCallback = true
    do {
      try store.write { random.change(store) }
    } catch let error as StoreError where error.code == .misuse && store.isClosed {
      // A callback that was called when the write began has closed the store.
    } catch {
      Issue.record(error)
    }
  }

  /// Closes the store, perhaps in a callback, and opens another one.
  private func close(_ store: Store) throws {
    for view in views { view.token?.invalidate() }
    views = []
    if random.int(0..<2) == 0 {
      let token = store.objects(Dog.self).observe { _ in store.close() }
      try store.refresh()
      token.invalidate()
    }
    store.close()
    try begin()
  }

  /// Checks at the newest version that the views, which only follow their change sets, show what a fresh
  /// query does.
  private func check() throws {
    guard let store else { return }
    try settle()
    let people = store.objects(Person.self)
    let fresh = [Observation.keys(people), Observation.keys(people.sorted(by: \.age))]
    for (view, rows) in zip(views, fresh) where view.isReady { #expect(view.rows == rows) }
    #expect(store.failure == nil)
  }

  /// Takes its turns until no callback writes any more; returns whether one has written.
  @discardableResult
  private func settle() throws -> Bool {
    var hasWritten = false
    repeat {
      hasWrittenInCallback = false
      try store?.refresh()
      hasWritten = hasWritten || hasWrittenInCallback
    } while hasWrittenInCallback
    return hasWritten
  }

  /// Delivers all that is outstanding; returns whether a callback has written.
  func finish() throws -> Bool {
    store?.autorefresh = true
    return try settle()
  }

  func writeLater() async {
    guard let store else { return }
    do {
      try await store.asyncWrite { random.change(store) }
    } catch is CancellationError {
    } catch let error as StoreError where error.code == .misuse {
      // The store was closed meanwhile.
    } catch {
      Issue.record(error)
    }
  }

  /// Follows a stream, until it ends.
  func follow() async {
    guard let store else { return }
    var rows: [Int] = []
    for await change in store.objects(Person.self).sorted(by: \.name).changes {
      rows.follow(change) { $0.id }
    }
  }

  /// - Returns: The rows of the newest version.
  func end() throws -> [String] {
    try check()
    let rows = store?.objects(Person.self).map(Self.row) ?? []
    views = []
    frozen = []
    store?.close()
    store = nil
    return rows
  }
}

@Suite("Actors with stores on one file")
struct ActorTests {
  private let file = TestFile()

  @Test("Actors that write, observe, freeze, copy and close at once agree with each other and with sqlite3")
  func random() async throws {
    let seed = SeededGenerator().seed
    let comment = Comment(rawValue: "TEST_SEED=\(seed)")
    try file.addPeople(1...8)
    let actors = (0..<3).map { RestlessActor(file.path, seed: seed &+ UInt64($0)) }
    for actor in actors { try await actor.begin() }
    let steps = randomSteps(usually: 90)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, actor) in actors.enumerated() {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ 100 &+ UInt64(number))
          var followers: [Task<Void, Never>] = []
          for _ in 0..<steps {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
              let write = Task { await actor.writeLater() }
              if Bool.random(using: &random) { write.cancel() }
              await write.value
            case 1: followers.append(Task { await actor.follow() })
            case 2: followers.popLast()?.cancel()
            default: try await actor.step()
            }
          }
          for follower in followers {
            follower.cancel()
            await follower.value
          }
        }
      }
      let path = file.path
      group.addTask {
        var random = SeededGenerator(seed: seed &+ 200)
        let backup = path + ".backup"
        sqlite3(path, ".backup '\(backup)'")
        for _ in 0..<steps / 6 {
          switch Int.random(in: 0..<6, using: &random) {
          case 0: sqlite3(path, "vacuum")
          case 1: sqlite3(path, "pragma wal_checkpoint(passive)")
          case 2: sqlite3(path, ".backup '\(backup)'")
          case 3: sqlite3(path, ".restore '\(backup)'")
          default: sqlite3(path, "update Person set age = (age + 7) % 100 where id % 3 = 0")
          }
        }
        unlink(backup)
      }
      try await group.waitForAll()
    }
    // A callback of one may write when another has come to its end.
    var hasWritten = true
    while hasWritten {
      hasWritten = false
      for actor in actors where try await actor.finish() { hasWritten = true }
    }
    var states: [[String]] = []
    for actor in actors { states.append(try await actor.end()) }
    #expect(Set(states).count == 1, comment)
    #expect(sqlite3(file.path, "select count(*) from Person") == "\(states[0].count)\n", comment)
    #expect(sqlite3(file.path, "pragma integrity_check; pragma foreign_key_check") == "ok\n", comment)
  }
}
