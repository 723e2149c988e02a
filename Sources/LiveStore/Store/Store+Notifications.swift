/// What the store itself tells.
extension Store {
  /// What an observer of a store is told.
  public enum Notification: Equatable, Sendable {
    /// The store shows another version, or has committed. It says no more than that: the transactions in
    /// between may have changed nothing, or changed it back.
    case didChange
    /// There is a newer version, and ``Store/autorefresh`` is off: ``Store/refresh()`` goes there. Told once
    /// for each newer version that is noticed.
    case refreshRequired
    /// The file cannot be read, or followed, which is the store's ``Store/failure`` from now on. Told once
    /// for each cause.
    case failed(StoreError)
    /// The newest version of the file was found again after a failure: collections and objects can be
    /// observed anew.
    case recovered
  }

  /// Takes what happened, and the store that it happened to.
  public typealias NotificationBlock = (_ notification: Notification, _ store: Store) -> Void

  /// Calls `block` each time the store has moved to another version, or has to be told to, where the store is
  /// used and as long as the token lives, which also keeps the store open. There is no first call.
  ///
  /// - A commit of this store calls it from ``commitWrite(withoutNotifying:)``, before that returns, also
  ///   when the transaction changed nothing.
  /// - A commit of anybody else calls it on a turn, in ``refresh()`` or in ``beginWrite()``, before the
  ///   callbacks of collections; objects and collections show the new version already. One that changed
  ///   nothing leaves no trace in the file and is not told.
  /// - The calls do not nest: what a callback itself writes, or refreshes, is not told to the observers of
  ///   the store.
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

  /// Tells the observers of the store, unless they are being told something already.
  func tellObservers(_ notification: Notification, except silenced: [SubscriptionState] = []) {
    guard !isTellingObservers, !observers.isEmpty else { return }
    let wasDelivering = isDelivering
    isTellingObservers = true
    isDelivering = isDelivering || notification == .didChange
    defer {
      isTellingObservers = false
      isDelivering = wasDelivering
    }
    for observer in observers
    where observer.state.isLive && !silenced.contains(where: { $0 === observer.state }) {
      observer.notify(notification)
    }
  }

  /// Tells the observers that the version has become another, or the file can be read again, if they have not
  /// been told.
  func tellOfMove() {
    defer { tellOfRecovery() }
    guard hasMovedUntold else { return }
    hasMovedUntold = false
    if hasLostReads {
      hasLostReads = false
      tellOfAllReads()
    }
    tellObservers(.didChange)
  }

  private func tellOfRecovery() {
    guard hasRecoveredUntold else { return }
    hasRecoveredUntold = false
    if failure == nil { tellObservers(.recovered) }
  }

  /// Tells the observers, once, of a version that the store does not go to by itself.
  func tellOfNewerVersion(_ version: Int64) {
    guard !autorefresh, !isClosed, version != coordinator.announcedVersion else { return }
    coordinator.announce(version)
    tellObservers(.refreshRequired)
  }

  /// Lets go of callbacks whose tokens are gone.
  func removeEndedObservers() {
    guard observers.contains(where: { !$0.state.isLive }) else { return }
    let ended = observers.filter { !$0.state.isLive }
    observers.removeAll { !$0.state.isLive }
    // Afterwards: what a callback holds may do anything when it goes.
    withExtendedLifetime(ended) {}
  }
}

/// One callback of a store. It holds the store, until the token is gone.
struct StoreObserver {
  let state: SubscriptionState
  let notify: (Store.Notification) -> Void
}
