/// The source of a stream's changes: a subscription that is called only when the consumer has asked for more.
///
/// When the consumer asks, the worker calculates one change that leads from the last one it got to the newest
/// version. Nothing is queued for a slow consumer.
///
/// Used where the store is used, by one consumer.
final class ChangeSource<Change>: StreamSource {
  /// The last change of the subscription, until the consumer takes it.
  private struct Arrival {
    let change: Change
    /// The version that the store showed then, to which the change leads; `nil` for a change that is valid at
    /// any version.
    let version: Int64?
    let isLast: Bool
  }

  private let store: Store
  private let waiter = StreamWaiter()
  private var subscription: Subscription?
  private var arrival: Arrival?

  /// - Parameters:
  ///   - base: The state that the consumer knows already; `nil` if the first change is the present state.
  ///   - change: Converts an event for the consumer; returns `nil` at the end of the stream.
  init(
    _ observed: any Observed, of store: Store, base: Subscription.Base?,
    change: @escaping (Subscription.Event) -> Change?
  ) {
    store.confinement.require()
    self.store = store
    guard !store.isClosed else { return }
    if base != nil { store.recorder.keepImages() }
    // Released with the callback, which the store releases when it is closed.
    let end = StreamEnd(waiter)
    subscription = store.coordinator.addSubscription(to: observed, base: base, movesBase: false) {
      [weak self] event in
      withExtendedLifetime(end) { self?.receive(event, as: change(event)) }
    }
  }

  deinit {
    subscription?.state.end()
  }

  private func receive(_ event: Subscription.Event, as change: Change?) {
    guard let subscription else { return }
    guard let change else { return finish() }
    let version: Int64? =
      switch event {
      case .update, .sections, .result, .objectModified: store.front.version
      // The first call of a result contains its value; that of a collection shows any version.
      case .initial: subscription.observed.result == nil ? nil : store.front.version
      case .members, .objectDeleted, .error: nil
      }
    store.coordinator.setReady(false, of: subscription)
    arrival = Arrival(change: change, version: version, isLast: event.isLast)
    waiter.signal()
  }

  private func finish() {
    subscription?.state.end()
    subscription = nil
    waiter.finish()
  }

  /// The next change, or `nil` when the task is cancelled, the store is closed, or the stream has ended.
  func next(isolation: isolated (any Actor)?) async -> Change? {
    let waiter = waiter
    return await withTaskCancellationHandler(
      operation: {
        while true {
          if Task.isCancelled { finish() }
          if let change = takeArrival() { return change }
          guard let subscription, !waiter.isFinished else { return nil }
          store.coordinator.setReady(true, of: subscription)
          await waiter.wait(isolation: isolation)
        }
      }, onCancel: { waiter.finish() }, isolation: isolation)
  }

  /// Takes the change that has arrived, if it still leads to the version shown. Otherwise requests another
  /// one from the consumer's base. Of a store that has been closed meanwhile, only a last change can be read.
  private func takeArrival() -> Change? {
    guard let arrival, let subscription else { return nil }
    self.arrival = nil
    guard arrival.isLast || (!store.isClosed && hasState(of: subscription)) else { return nil }
    if let version = arrival.version {
      let isWriting = store.isInWriteTransaction && !store.recorder.isEmpty
      guard version == store.coordinator.version, !isWriting else { return nil }
    }
    if arrival.isLast {
      finish()
    } else {
      store.updateBase(of: subscription)
    }
    return arrival.change
  }

  /// Whether the store has what the next change is to start from: ``Store/invalidate()`` releases it, and the
  /// version that is read afterwards may be a newer one.
  private func hasState(of subscription: Subscription) -> Bool {
    guard store.front.version != nil else { return false }
    if let live = subscription.observed.live { return (live.treeBeforeWrite ?? live.tree) != nil }
    if let result = subscription.observed.result { return result.state != nil }
    return true
  }
}
