import Dispatch

@testable import LiveStore

/// Keeps the watcher from calling a store, and so its worker from looking for commits, so that a test can say
/// what has been calculated when. To be resumed on the same thread.
final class PausedWatcher {
  private var subscriber: CommitWatcher.Subscriber?

  /// Begins when the store has been called for all that has happened until now.
  init(_ store: Store) throws {
    try Self.settle(store)
    subscriber = store.watch?.subscriber
    // Held while the store is called.
    subscriber?.lock.lock()
  }

  func resume() {
    guard let subscriber else { return }
    self.subscriber = nil
    subscriber.lock.unlock()
  }

  deinit { resume() }

  /// Waits until the store is being called for all that has happened, or has been.
  static func settle(_ store: Store) throws {
    let isCalled = DispatchSemaphore(value: 0)
    // Those of one database are called in the order of their subscriptions.
    let subscription = try CommitWatcher.shared.subscribe(path: store.path) { _ in
      isCalled.signal()
      return .upToDate
    }
    CommitWatcher.shared.wake(path: store.path)
    isCalled.wait()
    subscription.cancel()
  }
}
