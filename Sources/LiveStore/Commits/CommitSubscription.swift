/// Keeps a handler subscribed; ends with `cancel` or with its last reference.
final class CommitSubscription: Sendable {
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

  /// Whether the database cannot be watched, and is looked at ten times a second.
  var isPolling: Bool { watcher.isPolling(path: path) }

  /// Ends the subscription, from any thread, any number of times.
  ///
  /// Once this has returned, the handler is neither running nor called again, and it is released. A call that
  /// is running on another thread is waited for, so do not hold a lock that the handler takes. From within
  /// the handler it returns at once, and the handler runs to its end.
  func cancel() {
    watcher.cancel(subscriber, path: path)
  }
}
