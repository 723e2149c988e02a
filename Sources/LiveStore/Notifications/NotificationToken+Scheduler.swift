extension NotificationToken {
  /// Has a store opened where a scheduler calls, for one subscription, and closed there when that has ended.
  ///
  /// - Parameters:
  ///   - source: A store of the file that is meant.
  ///   - subscribe: Adds the subscription, with the state that it shares with this token.
  ///   - onFailure: Called, there, when the store cannot be opened.
  convenience init(
    on scheduler: Scheduler, asIn source: Store,
    subscribe: @escaping @Sendable (Store, SubscriptionState) -> Void,
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) {
    guard scheduler.callsWork else {
      fatalError(
        "The scheduler of a file descriptor cannot open a store; open one in that program, and observe there."
      )
    }
    let (configuration, identity) = (source.configuration, source.identity)
    let elsewhere = StoreElsewhere()
    let state = SubscriptionState(onEnd: { scheduler.schedule { elsewhere.close() } })
    scheduler.schedule {
      guard state.isLive else { return }
      do throws(StoreError) {
        // Of a file that has been moved or deleted, another one would be made.
        try identity.check()
        let store = try Store(configuration, scheduler: scheduler)
        try store.identity.requireSame(as: identity)
        elsewhere.store = store
        subscribe(store, state)
      } catch {
        state.end()
        onFailure(error)
      }
    }
    self.init(state)
  }
}

/// Holds the store of a subscription elsewhere.
private final class StoreElsewhere: @unchecked Sendable {
  // Used only where the scheduler calls, one call after the other.
  var store: Store?

  func close() {
    store?.close()
    store = nil
  }
}
