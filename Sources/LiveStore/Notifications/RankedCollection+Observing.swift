extension RankedCollection {
  /// Calls `notify` with the events of the collection.
  func observe(
    _ filter: PropertyFilter, _ state: SubscriptionState?,
    _ notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    observe(ObservedCollection(collection: live, filter: filter), state, notify)
  }

  /// Calls `notify` with the events of a view on the collection.
  func observe(
    _ observed: any Observed, _ state: SubscriptionState?,
    _ notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    store.confinement.require()
    store.requireLive("observed")
    store.requireOpen()
    if store.isInWriteTransaction, !store.recorder.isEmpty, live.registration == nil {
      fatalError(
        "A collection cannot be observed in a write transaction that has changed something; "
          + "observe it before."
      )
    }
    return store.coordinator.addSubscription(to: observed, state: state, notify: notify)
  }
}
