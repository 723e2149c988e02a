extension NotificationToken {
  /// Opens a store on a scheduler for one subscription, and closes it there when the subscription has ended.
  ///
  /// - Parameters:
  ///   - source: A store of the same file.
  ///   - subscribe: Adds the subscription, with the state that it shares with this token.
  ///   - onFailure: Called on the scheduler when the store cannot be opened.
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
    var configuration = source.configuration
    configuration.isPrepared = true
    let identity = source.identity
    let elsewhere = StoreElsewhere()
    let state = SubscriptionState(onEnd: { scheduler.schedule { elsewhere.close() } })
    scheduler.schedule { [configuration] in
      guard state.isLive else { return }
      do throws(StoreError) {
        // The file may have been moved, deleted or replaced.
        try identity.check()
        let store = try Store(configuration, scheduler: scheduler, sameFileAs: identity)
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

/// The owner of the store of a subscription on another scheduler.
private final class StoreElsewhere: @unchecked Sendable {
  // Used only where the scheduler calls, one call after the other.
  var store: Store?

  func close() {
    store?.close()
    store = nil
  }
}
