import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import LiveStore

@Suite("Handlers that take long")
struct SlowHandlerTests {
  /// A handler that is stuck until it is let go.
  private final class Gate: Sendable {
    private struct State {
      var calls = 0
      var running = 0
      var isOverlapping = false
    }

    private let state = Mutex(State())
    private let entries = DispatchSemaphore(value: 0)
    private let exits = DispatchSemaphore(value: 0)

    func pass() {
      state.withLock {
        $0.calls += 1
        $0.running += 1
        if $0.running > 1 { $0.isOverlapping = true }
      }
      entries.signal()
      exits.wait()
      state.withLock { $0.running -= 1 }
    }

    func waitForCall() -> Bool {
      entries.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success
    }

    func letGo() { exits.signal() }

    var calls: Int { state.withLock(\.calls) }

    var isOverlapping: Bool { state.withLock(\.isOverlapping) }
  }

  @Test("Of handlers that are due at the same moment all are called, although each is stuck")
  func together() throws {
    let watcher = CommitWatcher()
    let first = WatchedDatabase()
    var stuck: [(gate: Gate, database: WatchedDatabase, subscription: CommitSubscription)] = []
    for _ in 0..<3 {
      let (gate, database) = (Gate(), WatchedDatabase())
      let subscription = try watcher.subscribe(path: database.path) { event in
        if event.contains(.wake) { gate.pass() }
        return .upToDate
      }
      stuck.append((gate, database, subscription))
    }
    // On the leader's thread, which then finds all of them at once.
    let paths = stuck.map(\.subscription.path)
    let subscription = try watcher.subscribe(path: first.path) { event in
      if event.contains(.wake) { for path in paths { watcher.wake(path: path) } }
      return .upToDate
    }
    watcher.wake(path: subscription.path)
    for (gate, _, _) in stuck { #expect(gate.waitForCall()) }
    for (gate, _, _) in stuck { gate.letGo() }
  }

  @Test("However long handlers take, those of other databases are called, also when several are stuck")
  func others() throws {
    let watcher = CommitWatcher()
    let free = WatchedDatabase()
    let recorder = EventRecorder()
    let freeSubscription = try watcher.subscribe(path: free.path) { recorder.record($0) }
    var stuck: [(gate: Gate, subscription: CommitSubscription)] = []
    for _ in 0..<4 {
      let gate = Gate()
      let database = WatchedDatabase()
      let subscription = try watcher.subscribe(path: database.path) { _ in
        gate.pass()
        return .upToDate
      }
      stuck.append((gate, subscription))
    }
    for (gate, subscription) in stuck {
      watcher.wake(path: subscription.path)
      #expect(gate.waitForCall())
      recorder.forget()
      CommitSignal(databasePath: free.path).post()
      #expect(recorder.wait(for: .signal))
    }
    // A handler that is stuck gets later events afterwards, and never at the same time.
    for (_, subscription) in stuck { watcher.wake(path: subscription.path) }
    recorder.forget()
    watcher.wake(path: freeSubscription.path)
    #expect(recorder.wait(for: .wake))
    for (gate, _) in stuck {
      #expect(gate.calls == 1)
      gate.letGo()
    }
    for (gate, _) in stuck {
      #expect(gate.waitForCall())
      gate.letGo()
      #expect(!gate.isOverlapping)
    }
    // The leader is told of those who are to be called again by a thread that leads no more.
    recorder.forget()
    free.runSQLite("insert into t values (1)")
    #expect(recorder.wait(for: .wal))
  }

  @Test("One that is to be looked at again is, when its handler was called by a leader that leads no more")
  func lookAgain() throws {
    let watcher = CommitWatcher()
    let gate = Gate()
    let recorder = EventRecorder { event in
      // The log may be written more than once.
      if event.contains(.wal), gate.calls == 0 { gate.pass() }
      return event.contains(.lookAgain) ? .upToDate : .moreMayFollow
    }
    let database = WatchedDatabase()
    let subscription = try watcher.subscribe(path: database.path) { recorder.record($0) }
    let (other, otherDatabase) = (EventRecorder(), WatchedDatabase())
    let otherSubscription = try watcher.subscribe(path: otherDatabase.path) { other.record($0) }
    database.connection.rows("insert into t values (1)")
    #expect(gate.waitForCall())
    watcher.wake(path: otherSubscription.path)
    #expect(other.wait(for: .wake))
    gate.letGo()
    #expect(recorder.wait(for: .lookAgain))
    withExtendedLifetime(subscription) {}
  }
}
