import Glibc
import Synchronization
import TestSupport

@testable import LiveStore

/// Records the events of a subscription and lets a test wait for them.
final class EventRecorder: Sendable {
  private struct State {
    var events: [CommitEvent] = []
    var answer: @Sendable (CommitEvent) -> CommitEvent.Outcome
  }

  private let watcher: CommitWatcher
  private let state: Mutex<State>
  private let pipe: (read: Int32, write: Int32)

  init(
    on watcher: CommitWatcher = .shared,
    answer: @escaping @Sendable (CommitEvent) -> CommitEvent.Outcome = { _ in .upToDate }
  ) {
    self.watcher = watcher
    var descriptors: [Int32] = [0, 0]
    _ = Glibc.pipe(&descriptors)
    pipe = (descriptors[0], descriptors[1])
    _ = fcntl(pipe.write, F_SETFL, O_NONBLOCK)
    state = Mutex(State(answer: answer))
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
  }

  func subscribe(_ path: String) throws -> CommitSubscription {
    try watcher.subscribe(path: path) { self.record($0) }
  }

  func record(_ event: CommitEvent) -> CommitEvent.Outcome {
    let answer = state.withLock {
      $0.events.append(event)
      return $0.answer
    }
    let outcome = answer(event)
    _ = write(pipe.write, [UInt8(0)], 1)
    return outcome
  }

  var events: [CommitEvent] { state.withLock { $0.events } }

  func forget() { state.withLock { $0.events = [] } }

  /// Waits until the events so far satisfy the condition; false after a minute.
  func wait(until isEnough: ([CommitEvent]) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + Patience.duration
    while !isEnough(events) {
      guard ContinuousClock.now < deadline else { return false }
      guard waitForInput(pipe.read, milliseconds: 1000) else { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      _ = read(pipe.read, &bytes, bytes.count)
    }
    return true
  }

  func wait(for event: CommitEvent) -> Bool {
    wait { $0.contains { $0.contains(event) } }
  }

  /// True once everything that was caused before this call has been handled: events of one watcher come in
  /// order, and there is one thread, so the wake after them is the last of them. Not so while the thread is
  /// deaf, or has another wake to take: it may read the events of files only after this one.
  func settle(_ subscription: CommitSubscription) -> Bool {
    watcher.wake(path: subscription.path)
    return wait(for: .wake)
  }
}
