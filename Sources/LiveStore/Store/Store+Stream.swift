extension Store {
  /// The notifications of the store from now on, as ``observe(_:)`` receives them.
  ///
  /// Those of the time while the consumer is busy are merged into one: ``Store/Notification/failed(_:)`` if
  /// the file cannot be read, ``Store/Notification/recovered`` if it can be again,
  /// ``Store/Notification/refreshRequired`` if the store does not advance by itself, else
  /// ``Store/Notification/didChange``. The loop ends when the task is cancelled or the store is closed.
  public var changes: ChangeStream<Notification> { ChangeStream { NotificationStream(self) } }
}

/// The source of a store's notifications, used where the store is used, by one consumer. Those that arrive
/// while it is busy are merged into one.
private final class NotificationStream: StreamSource {
  private let waiter = StreamWaiter()
  private var token: NotificationToken?
  private var arrival: Store.Notification?

  init(_ store: Store) {
    // Released with the callback, which the store releases when it is closed.
    let end = StreamEnd(waiter)
    token = store.observe { [weak self] notification, _ in
      withExtendedLifetime(end) { self?.receive(notification) }
    }
  }

  deinit {
    token?.invalidate()
  }

  private func receive(_ notification: Store.Notification) {
    switch (arrival, notification) {
    case (_, .failed), (_, .recovered), (nil, _), (.didChange, _): arrival = notification
    case (.failed, _), (.recovered, _), (.refreshRequired, _): break
    }
    waiter.signal()
  }

  func next(isolation: isolated (any Actor)?) async -> Store.Notification? {
    let waiter = waiter
    return await withTaskCancellationHandler(
      operation: {
        while true {
          if Task.isCancelled {
            token?.invalidate()
            return nil
          }
          if let arrival {
            self.arrival = nil
            return arrival
          }
          if waiter.isFinished { return nil }
          await waiter.wait(isolation: isolation)
        }
      }, onCancel: { waiter.finish() }, isolation: isolation)
  }
}
