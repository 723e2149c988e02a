/// The notifications of the store itself.
extension Store {
  /// An event of the store as a whole.
  public enum Notification: Equatable, Sendable {
    /// The store shows another version, or has committed. The transactions in between may have changed
    /// nothing, or changed it back.
    case didChange
    /// There is a newer version, and ``Store/autorefresh`` is off; ``Store/refresh()`` advances to it. Sent
    /// once for each newer version that is noticed.
    case refreshRequired
    /// The file cannot be read or followed; ``Store/failure`` has the cause. Sent once for each cause.
    case failed(StoreError)
    /// The newest version of the file could be read again after a failure: collections and objects can be
    /// observed again.
    case recovered
  }

  /// A callback that receives the event and the store.
  public typealias NotificationBlock = (_ notification: Notification, _ store: Store) -> Void

  /// Calls `block` each time the store has moved to another version, or does not advance by itself to a newer
  /// one. The calls come where the store is used and as long as the token lives, which also keeps the store
  /// open. There is no initial call.
  ///
  /// - A commit of this store calls it from ``commitWrite(withoutNotifying:)``, before that returns, also
  ///   when the transaction changed nothing.
  /// - A commit elsewhere calls it on a turn, in ``refresh()`` or in ``beginWrite(waitingAtMost:)``, before
  ///   the callbacks of collections; objects and collections show the new version already. A commit that
  ///   changed nothing leaves no trace in the file and causes no call.
  /// - The calls do not nest: the observers of the store are not notified of writes and refreshes that their
  ///   own callbacks make.
  ///
  /// Inside ``Notification/didChange``, ``refresh()`` and ``invalidate()`` do nothing; a write may be begun
  /// there.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    confinement.require()
    precondition(!isClosed, "A store that is closed cannot be observed; open it again.")
    let requestTurn = coordinator.requestTurn
    let state = SubscriptionState(onEnd: requestTurn)
    observers.append(StoreObserver(state: state) { block($0, self) })
    return NotificationToken(state, observing: "the store")
  }

  /// Calls `notify` with the events of a collection, of a view on it, or of a result.
  func observe(
    _ observed: any Observed, _ state: SubscriptionState?,
    _ notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    confinement.require()
    requireLive("observed")
    requireOpen()
    if isInWriteTransaction, !recorder.isEmpty, observed.live?.registration == nil {
      fatalError(
        "A collection cannot be observed in a write transaction that has changed something; "
          + "observe it before."
      )
    }
    return coordinator.addSubscription(to: observed, state: state, notify: notify)
  }

  /// Notifies the observers of the store, unless they are being notified already.
  func notifyObservers(_ notification: Notification, except silenced: [SubscriptionState] = []) {
    guard !observers.isEmpty else { return }
    perform(.reporting(mayTurn: notification != .didChange)) {
      for observer in observers
      where observer.state.isLive && !silenced.contains(where: { $0 === observer.state }) {
        observer.notify(notification)
      }
    }
  }

  /// Notifies the observers of a change of version, or that the file can be read again, unless they have
  /// been.
  func notifyVersionChange() {
    while let report = turns.nextReport(hasFailed: failure != nil) {
      switch report {
      case .version(let hasLostReads):
        if hasLostReads { notifyAllReads() }
        notifyObservers(.didChange)
      case .recovery:
        notifyObservers(.recovered)
      }
    }
  }

  /// Notifies the observers, once, of a version that the store does not advance to by itself.
  func notifyNewerVersion(_ version: Int64) {
    guard !autorefresh, !isClosed, version != coordinator.announcedVersion else { return }
    coordinator.announce(version)
    notifyObservers(.refreshRequired)
  }

  /// Releases callbacks whose tokens are gone.
  func removeEndedObservers() {
    guard observers.contains(where: { !$0.state.isLive }) else { return }
    let ended = observers.filter { !$0.state.isLive }
    observers.removeAll { !$0.state.isLive }
    // Released last: the objects that a callback holds may run any code when they are released.
    withExtendedLifetime(ended) {}
  }
}

/// A callback of a store. It retains the store until the token is gone.
struct StoreObserver {
  let state: SubscriptionState
  let notify: (Store.Notification) -> Void
}
