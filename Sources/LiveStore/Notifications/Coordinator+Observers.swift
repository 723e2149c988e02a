/// The collections of an instance and the callbacks that observe them (instance, except where noted).
extension Coordinator {
  // MARK: Collections

  func add(_ live: LiveQuery) {
    lock.withLock {
      if collections.count >= 32, collections.count.nonzeroBitCount == 1 {
        collections.removeAll { $0.value == nil }
      }
      collections.append(Weak(value: live))
    }
  }

  /// Sets a collection's order, which the worker may be reading.
  func setTree(_ tree: CollectionTree?, of live: LiveQuery) {
    lock.withLock { live.tree = tree }
  }

  func liveCollections() -> [LiveQuery] {
    // The references are read in place: copying one takes as long, and a transaction that reads orders
    // between its writes calls this each time.
    lock.withLock {
      collections.withUnsafeBufferPointer { references in
        references.indices.compactMap { references[$0].value }
      }
    }
  }

  // MARK: Subscriptions

  /// - Parameters:
  ///   - base: The state that it knows already; if `nil`, its first event is the present state.
  ///   - movesBase: Whether a call means that it knows the version delivered.
  ///   - state: The state that its token shares with it, if that exists already.
  func addSubscription(
    to observed: any Observed, base: Subscription.Base? = nil, movesBase: Bool = true,
    state: SubscriptionState? = nil, notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    requireFollowing()
    // The instance releases the callback and the objects it holds, on the thread that they belong to.
    let state = state ?? SubscriptionState(onEnd: { [weak self] in self?.requestTurn() })
    let subscription = lock.withLock {
      subscriptions.add(observed, base: base, movesBase: movesBase, state: state, notify: notify)
    }
    requestCalculation()
    return subscription
  }

  private func requireFollowing() {
    precondition(
      followsCommits, "A store whose configuration says that it follows no commits cannot be observed.")
  }

  /// The live subscriptions, those to the same thing together, in the order of their registration.
  func liveSubscriptions() -> [Subscription] {
    lock.withLock { subscriptions.live }
  }

  func removeEndedSubscriptions() {
    let ended = lock.withLock { subscriptions.removeEnded().map { $0.removeNotify() } }
    // Outside the lock: the objects that a callback holds may run any code when they are released.
    withExtendedLifetime(ended) {}
  }

  /// Sets whether a callback may be called.
  ///
  /// A callback that may not be called is left out of every delivery. It costs memory meanwhile: for each row
  /// that has changed since its last call, the values that the row had then.
  func setReady(_ isReady: Bool, of subscription: Subscription) {
    let mustLook = lock.withLock {
      defer { subscription.isReady = isReady }
      return isReady && !subscription.isReady
    }
    if mustLook { requestCalculation() }
  }

  /// Whether an event may be delivered now: errors always may.
  func mayCall(_ subscription: Subscription, _ event: Subscription.Event) -> Bool {
    guard subscription.state.isLive else { return false }
    if case .error = event { return true }
    return lock.withLock { subscription.isReady }
  }

  // MARK: The bases of callbacks

  func setBase(_ base: Subscription.Base?, of subscription: Subscription) {
    lock.withLock { subscription.base = base }
  }

  func bases() -> [Int64] {
    lock.withLock { subscriptions.live.compactMap { $0.base?.version } }
  }

  /// Whether observers lag after a delivery, at least until its calls have been made; if it is undisturbed,
  /// no other code runs before the first of them.
  func hasLaggingObservers(_ delivery: Delivery, isUndisturbed: Bool) -> Bool {
    lock.withLock {
      var called: Subscription?
      if let first = delivery.calls.first?.subscription {
        // A callback may begin a write, and so a further delivery, before later callbacks have been called.
        guard isUndisturbed, delivery.calls.count == 1, first.movesBase, first.isReady else { return true }
        called = first
      }
      // A linear search where there are few, which costs less than a set.
      let few = delivery.unaffected.count <= 16 ? delivery.unaffected : []
      let many = few.isEmpty ? Set(delivery.unaffected.map { ObjectIdentifier($0) }) : []
      return subscriptions.containsLive { subscription in
        subscription.base != nil && subscription !== called && !few.contains { $0 === subscription }
          && !many.contains(ObjectIdentifier(subscription))
      }
    }
  }

  /// Adds a step to the history; outside of phase `held`.
  func appendToHistory(_ transition: Transition) {
    hold()
    history.append(transition)
    resume()
  }

  // MARK: Whether there are observers

  /// Records that something was read with Swift's Observation.
  func track() {
    if isTracked { return }
    requireFollowing()
    lock.withLock { isTracked = true }
    requestCalculation()
  }

  /// Records that nothing that was read has readers any more.
  func endTracking() {
    lock.withLock { isTracked = false }
  }

  func setHasStoreObservers(_ hasObservers: Bool) {
    if hasStoreObservers == hasObservers { return }
    if hasObservers { requireFollowing() }
    lock.withLock { hasStoreObservers = hasObservers }
    if hasObservers { requestCalculation() }
  }

  /// Whether any observer waits for a new version that could be calculated as soon as it is visible (worker):
  /// not while the instance writes, of whose commit the worker is notified afterwards.
  var isWaitingForCommits: Bool { lock.withLock { hasObservers && state.phase == .idle } }

  /// Whether there is any observer, for callers that hold the lock.
  var hasObservers: Bool { isTracked || hasStoreObservers || !subscriptions.isEmpty }
}
