/// A subscription that keeps a handler registered; it ends with `cancel` or with its last reference.
package final class CommitSubscription: Sendable {
  /// The database's path, absolute and without links.
  let path: String
  private let watcher: CommitWatcher
  let subscriber: CommitWatcher.Subscriber

  init(watcher: CommitWatcher, path: String, subscriber: CommitWatcher.Subscriber) {
    self.watcher = watcher
    self.path = path
    self.subscriber = subscriber
  }

  deinit {
    cancel()
  }

  /// Whether the database cannot be watched, and is polled ten times a second.
  var isPolling: Bool { watcher.isPolling(path: path) }

  /// Ends the subscription, from any thread, any number of times.
  ///
  /// After this returns, the handler is neither running nor called again, and it is released. It waits for a
  /// call in progress on another thread, so do not hold a lock that the handler acquires. Called from the
  /// handler, it returns at once, and the handler completes.
  package func cancel() {
    watcher.cancel(subscriber, path: path)
  }
}
