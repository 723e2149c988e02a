import Dispatch
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// An instance on a queue of its own, which counts the numbers that it observes.
private final class QueueInstance: @unchecked Sendable {
  // Everything but `queue` and `ended` is used on the queue only.

  let queue: DispatchQueue
  private var store: Store?
  private var observation: Observation?
  private var byAge: Observation?
  private var writer = RandomWriter(seed: 0)

  init(_ path: String, _ number: Int) {
    queue = DispatchQueue(label: "instance \(number)")
    queue.sync {
      recordingErrors {
        let store = try Store(
          Store.Configuration(path: path, objectTypes: [Person.self, Dog.self]), scheduler: .queue(queue))
        self.store = store
        observation = Observation(store.objects(Person.self))
        byAge = Observation(store.objects(Person.self).sorted(by: \.age))
      }
    }
  }

  /// Makes random changes, each in a write and a block of its own, so that deliveries come between.
  func write(_ count: Int, seed: UInt64, group: DispatchGroup) {
    queue.sync { writer = RandomWriter(seed: seed) }
    for _ in 0..<count {
      queue.async(group: group) { [self] in
        guard let store else { return }
        recordingErrors { try store.write { writer.change(store) } }
      }
    }
  }

  /// Its contents at the newest version, and those that its views show.
  func state() -> (rows: [String], view: [String], byAge: [String], calls: Int) {
    queue.sync {
      guard let store, let observation, let byAge else { return ([], [], [], 0) }
      do { try store.refresh() } catch { Issue.record(error) }
      return (
        store.objects(Person.self).map { "\($0.id) \($0.name) \($0.age)" }, observation.rows, byAge.rows,
        observation.events.count
      )
    }
  }

  func close() {
    queue.sync {
      observation = nil
      byAge = nil
      store?.close()
      store = nil
    }
  }
}

@Suite("Several instances at once")
struct ConcurrencyTests {
  @Test("R75, R76, L4: instances on several queues that all write and observe converge")
  func queues() throws {
    let seed = SeededGenerator().seed
    let file = TestFile()
    let instances = (0..<4).map { QueueInstance(file.path, $0) }
    let group = DispatchGroup()
    for (number, instance) in instances.enumerated() where number < 3 {
      instance.write(60, seed: seed &+ UInt64(number), group: group)
    }
    group.wait()
    let states = instances.map { $0.state() }
    for state in states {
      #expect(state.rows == states[0].rows, "TEST_SEED=\(seed)")
      #expect(
        state.view == states[0].rows.map { $0.split(separator: " ")[0] }.map(String.init), "TEST_SEED=\(seed)"
      )
      #expect(state.byAge == states[0].byAge, "TEST_SEED=\(seed)")
      #expect(state.calls > 1)
    }
    for instance in instances { instance.close() }
  }

  @Test("Instances come and go on many threads while others write")
  func comeAndGo() throws {
    let file = TestFile()
    try file.addPeople(1...20)
    let writer = QueueInstance(file.path, 0)
    let group = DispatchGroup()
    writer.write(60, seed: 7, group: group)
    let path = file.path
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      recordingErrors {
        let test = try TestStore(path)
        let people = Observation(test.people)
        for _ in 0..<number % 4 { test.turn(milliseconds: 5) }
        if number % 2 == 0 { try test.store.refresh() }
        if number % 3 == 0 { people.token = nil }
        if number % 5 == 0 { test.store.close() }
      }
    }
    group.wait()
    let state = writer.state()
    #expect(state.view == state.rows.map { String($0.split(separator: " ")[0]) })
    writer.close()
  }

  @Test("R161: tokens are invalidated on other threads while deliveries go on")
  func tokens() throws {
    let file = TestFile()
    try file.addPeople(1...5)
    let test = try file.observer()
    let other = try file.open()
    for round in 0..<40 {
      let observations = (0..<4).map { _ in Observation(test.people) }
      let tokens = observations.compactMap(\.token)
      try test.store.refresh()
      let group = DispatchGroup()
      for token in tokens { DispatchQueue.global().async(group: group) { token.invalidate() } }
      try other.write { _ in other.person(1).age = round + 1_000 }
      test.turn(milliseconds: 0)
      group.wait()
      let counts = observations.map(\.events.count)
      try test.store.refresh()
      #expect(observations.map(\.events.count) == counts)
    }
  }

  @Test("R178: observers on queues converge although writers in other processes are killed")
  func killedWriters() throws {
    let file = TestFile()
    let instances = (0..<2).map { QueueInstance(file.path, $0) }
    for round in 0..<3 {
      let peers = try (0..<2).map { try Peer.start([file.path, "\(round * 2 + $0)", "1000000"]) }
      let seen = instances.map { $0.state().calls }
      while zip(instances, seen).contains(where: { $0.state().calls < $1 + 5 }) { sched_yield() }
      for peer in peers { peer.kill() }
    }
    let states = instances.map { $0.state() }
    #expect(states[0].rows == states[1].rows)
    for state in states {
      #expect(state.view == state.rows.map { String($0.split(separator: " ")[0]) })
    }
    for instance in instances { instance.close() }
    #expect(sqlite3(file.path, "pragma integrity_check; pragma foreign_key_check") == "ok\n")
  }
}
