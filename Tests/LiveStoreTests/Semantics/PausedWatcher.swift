import Dispatch

@testable import LiveStore

/// Keeps the worker of every store of the process from looking for commits, so that a test can say what has been
/// calculated when.
final class PausedWatcher {
  private let started = DispatchSemaphore(value: 0)
  private let goOn = DispatchSemaphore(value: 0)
  private let file = TestFile()
  private var subscription: CommitSubscription?

  init() throws {
    let started = started
    let goOn = goOn
    let once = Once()
    subscription = try CommitWatcher.shared.subscribe(path: file.path, watchesFiles: false) { _ in
      if once.take() {
        started.signal()
        goOn.wait()
      }
      return .upToDate
    }
    CommitWatcher.shared.wake(path: file.path)
    started.wait()
  }

  func resume() {
    guard let subscription else { return }
    goOn.signal()
    subscription.cancel()
    self.subscription = nil
  }

  deinit { resume() }
}

private final class Once: @unchecked Sendable {
  // Used on the watcher's thread only.
  private var isTaken = false

  func take() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }
}
