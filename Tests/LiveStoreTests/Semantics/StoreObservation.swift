import LiveStore

/// One callback of one store: what it was told.
final class StoreObservation {
  private(set) var events: [Store.Notification] = []
  /// Called after each event, in the callback.
  var onEvent: (Store.Notification) -> Void = { _ in }
  private(set) var token: NotificationToken?

  init(_ store: Store) {
    token = store.observe { [unowned self] notification, _ in
      events.append(notification)
      onEvent(notification)
    }
  }

  deinit { token?.invalidate() }
}
