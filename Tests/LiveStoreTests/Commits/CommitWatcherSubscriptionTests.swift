import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LiveStore

// Serialized, because they count what their watcher watches.
@Suite("Subscriptions to the commits of a database", .serialized)
struct CommitWatcherSubscriptionTests {
  /// Not the one that the stores of other tests share. One for all these tests: its thread never ends.
  private static let watcher = CommitWatcher()

  private var watcher: CommitWatcher { Self.watcher }

  private func makeRecorder() -> EventRecorder { EventRecorder(on: watcher) }

  @Test("A link to a database and the database share their watches and events")
  func links() throws {
    let fixture = WatchedDatabase()
    let link = fixture.directory.path + "/link.db"
    #expect(symlink(fixture.path, link) == 0)
    let (direct, linked) = (makeRecorder(), makeRecorder())
    let first = try direct.subscribe(fixture.path)
    let watches = watcher.load.watches
    let second = try linked.subscribe(link)
    #expect(first.path == second.path)
    #expect(watcher.load == (1, watches))
    CommitSignal(databasePath: link).post()
    #expect(direct.wait(for: .signal))
    #expect(linked.wait(for: .signal))
    direct.forget()
    linked.forget()
    watcher.wake(path: link)
    #expect(direct.wait(for: .wake))
    #expect(linked.wait(for: .wake))
    first.cancel()
    second.cancel()
    #expect(watcher.load == (0, 0))
  }

  @Test("Twenty subscriptions on four databases in one directory each get their database's events")
  func manySubscriptions() throws {
    let directory = TemporaryFolder()
    let paths = (0..<4).map { directory.path + "/\($0).db" }
    for path in paths { TestDatabase(path: path).rows("create table t (a)") }
    let recorders = (0..<20).map { _ in makeRecorder() }
    let subscriptions = try recorders.enumerated().map { try $1.subscribe(paths[$0 % 4]) }
    for posted in 0..<4 {
      for recorder in recorders { recorder.forget() }
      CommitSignal(databasePath: paths[posted]).post()
      for (index, recorder) in recorders.enumerated() {
        if index % 4 == posted { #expect(recorder.wait(for: .signal)) }
        #expect(recorder.settle(subscriptions[index]))
        #expect(recorder.events.contains { $0.contains(.signal) } == (index % 4 == posted))
      }
    }
    for subscription in subscriptions { subscription.cancel() }
    #expect(watcher.load == (0, 0))
  }

  @Test("After cancel the handler is neither running nor called")
  func cancel() throws {
    let fixture = WatchedDatabase()
    let signal = CommitSignal(databasePath: fixture.path)
    let other = makeRecorder()
    let keeper = try other.subscribe(fixture.path)
    for _ in 0..<200 {
      let isCancelled = Atomic(false)
      let calledLate = Atomic(false)
      let started = makeRecorder()
      let subscription = try watcher.subscribe(path: fixture.path) { event in
        _ = started.record(event)
        // Long enough for the cancel to come in between.
        for _ in 0..<1000 where isCancelled.load(ordering: .sequentiallyConsistent) {
          calledLate.store(true, ordering: .sequentiallyConsistent)
        }
        return .moreMayFollow
      }
      signal.post()
      #expect(started.wait(for: .signal))
      signal.post()
      subscription.cancel()
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      signal.post()
      other.forget()
      #expect(other.settle(keeper))
      let wasCalledLate = calledLate.load(ordering: .sequentiallyConsistent)
      #expect(!wasCalledLate)
      subscription.cancel()
    }
    keeper.cancel()
  }

  @Test("A handler may cancel itself and others, subscribe, and wake")
  func reentrant() throws {
    let fixture = WatchedDatabase()
    let held = Mutex<[CommitSubscription]>([])
    let (recorder, victim, late) = (makeRecorder(), makeRecorder(), makeRecorder())
    let path = fixture.path
    let own = try watcher.subscribe(path: path) { event in
      let subscriptions = held.withLock { (held: inout [CommitSubscription]) in
        defer { held = [] }
        return held
      }
      for subscription in subscriptions { subscription.cancel() }
      if let subscription = try? late.subscribe(path) { held.withLock { $0.append(subscription) } }
      watcher.wake(path: path)
      return recorder.record(event)
    }
    held.withLock { $0 = [own] }
    let other = try victim.subscribe(path)
    held.withLock { $0.append(other) }
    watcher.wake(path: path)
    #expect(recorder.wait(for: .wake))
    #expect(late.wait(for: .wake))
    #expect(recorder.events == [.wake])
    #expect(victim.events.count <= 1)
    for subscription in held.withLock({ $0 }) { subscription.cancel() }
  }

  @Test("Dropping the last reference to a subscription ends it and releases the handler")
  func dropped() throws {
    final class Witness: Sendable {}
    let fixture = WatchedDatabase()
    weak var released: Witness?
    do {
      let witness = Witness()
      released = witness
      let subscription = try watcher.subscribe(path: fixture.path) { _ in
        withExtendedLifetime(witness) { .moreMayFollow }
      }
      #expect(watcher.load.databases == 1)
      _ = consume subscription
    }
    #expect(released == nil)
    #expect(watcher.load == (0, 0))
  }

  @Test("A directory that is missing is an error with a sentence")
  func missingDirectory() {
    let error = #expect(throws: CommitWatcher.Failure.self) {
      try makeRecorder().subscribe("/nonexistent/tasks.db")
    }
    #expect(error?.description.contains("No such file or directory") == true)
    #expect(watcher.load == (0, 0))
  }

  @Test("Without an inotify instance one is called all the same, and watches when there is one")
  func withoutInotify() throws {
    let fixture = WatchedDatabase()
    let isAvailable = Atomic(false)
    let watcher = CommitWatcher {
      guard isAvailable.load(ordering: .sequentiallyConsistent) else {
        errno = EMFILE
        return -1
      }
      return inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    }
    let recorder = makeRecorder()
    let subscription = try watcher.subscribe(path: fixture.path, handler: recorder.record)
    #expect(subscription.isPolling && watcher.load.watches == 0)
    fixture.runSQLite("insert into t values (1)")
    #expect(recorder.wait(for: .lookAgain))
    isAvailable.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<6_000 where subscription.isPolling { poll(nil, 0, 10) }
    #expect(!subscription.isPolling && watcher.load.watches == 3)
    fixture.runSQLite("insert into t values (2)")
    #expect(recorder.wait(for: .wal))
    subscription.cancel()
    #expect(watcher.load == (0, 0))
  }

  @Test("One who rests is called once for all that came meanwhile, and a wake ends a rest that is over")
  func resting() throws {
    let fixture = WatchedDatabase()
    let signal = CommitSignal(databasePath: fixture.path)
    let rest = Atomic<Int64>(.max / 2)
    let (resting, other) = (makeRecorder(), makeRecorder())
    let first = try watcher.subscribe(
      path: fixture.path, rest: { rest.load(ordering: .sequentiallyConsistent) }, handler: resting.record)
    signal.post()
    #expect(resting.wait(for: .signal))
    // One who does not rest has the thread listen.
    let second = try other.subscribe(fixture.path)
    for _ in 0..<10 { signal.post() }
    fixture.connection.rows("insert into t values (1)")
    // The thread may be woken by the subscription only after all of this, and then it reads the events of
    // files after the wake.
    #expect(other.wait(for: .wal) && other.settle(second))
    #expect(resting.events == [.signal])
    rest.store(0, ordering: .sequentiallyConsistent)
    watcher.wake(path: first.path)
    #expect(resting.wait(for: .wake))
    #expect(resting.events == [.signal, [.signal, .wal, .wake]])
    first.cancel()
    second.cancel()
  }

  @Test("While all rest nothing is lost: it is told when the first rest is over")
  func deaf() throws {
    let fixture = WatchedDatabase()
    let signal = CommitSignal(databasePath: fixture.path)
    let recorder = makeRecorder()
    let subscription = try watcher.subscribe(
      path: fixture.path, rest: { 1_000_000 }, handler: recorder.record)
    for count in 1...50 {
      signal.post()
      #expect(recorder.wait { $0.count { $0.contains(.signal) } >= count })
    }
    subscription.cancel()
  }

  @Test("A replaced database is told at once even to one who rests")
  func restingReplaced() throws {
    let fixture = WatchedDatabase()
    let (resting, other) = (makeRecorder(), makeRecorder())
    let keeper = try other.subscribe(fixture.path)
    let subscription = try watcher.subscribe(
      path: fixture.path, rest: { .max / 2 }, handler: resting.record)
    watcher.wake(path: subscription.path)
    #expect(resting.wait(for: .wake))
    #expect(runProgram("sqlite3", fixture.directory.path + "/other.db", "create table t (a)") == 0)
    #expect(rename(fixture.directory.path + "/other.db", fixture.path) == 0)
    #expect(resting.wait(for: .file))
    subscription.cancel()
    keeper.cancel()
  }
}
