/// Where a stream's changes come from: a subscription that is called only when the consumer has asked for
/// more.
///
/// The worker calculates a change when the consumer asks for one, from what the consumer was last given. So a
/// slow consumer costs no queue: whatever happened meanwhile is one change.
///
/// Used where the store is used, by one consumer.
final class ChangeSource<Change> {
  /// What the subscription last brought.
  private struct Arrival {
    let change: Change
    /// The version that the store showed then, to which the change leads; `nil` where that does not matter.
    let version: Int64?
    let isLast: Bool
  }

  private let store: Store
  private let waiter = StreamWaiter()
  private var subscription: Subscription?
  private var arrival: Arrival?

  /// - Parameters:
  ///   - base: What the consumer knows already; `nil` when it is to be given what there is.
  ///   - change: What the consumer is given for an event, or `nil` when there is nothing it could be given
  ///     any more.
  init(
    _ observed: any Observed, of store: Store, base: Subscription.Base?,
    change: @escaping (Subscription.Event) -> Change?
  ) {
    store.confinement.require()
    self.store = store
    // Goes with the callback, which the store lets go of when it is closed.
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
      case .update, .sections, .objectModified: store.front.version
      case .initial, .members, .objectDeleted, .error: nil
      }
    store.coordinator.setAsking(false, of: subscription)
    arrival = Arrival(change: change, version: version, isLast: event.isLast)
    waiter.signal()
  }

  private func finish() {
    subscription?.state.end()
    subscription = nil
    waiter.finish()
  }

  /// The next change, or `nil` when the task is cancelled, the store is closed, or nothing can come any more.
  func next(isolation: isolated (any Actor)?) async -> Change? {
    let waiter = waiter
    return await withTaskCancellationHandler(
      operation: {
        while true {
          if Task.isCancelled { finish() }
          if let change = takeArrival() { return change }
          guard let subscription, !waiter.isFinished else { return nil }
          store.coordinator.setAsking(true, of: subscription)
          await waiter.wait(isolation: isolation)
        }
      }, onCancel: { waiter.finish() }, isolation: isolation)
  }

  /// What has arrived, if it still leads to what the store shows. Otherwise it is asked for anew, from where
  /// the consumer is.
  private func takeArrival() -> Change? {
    guard let arrival, let subscription else { return nil }
    self.arrival = nil
    if let version = arrival.version {
      let isWriting = store.isInWriteTransaction && !store.recorder.touched.isEmpty
      guard version == store.coordinator.version, !isWriting else { return nil }
    }
    if arrival.isLast {
      finish()
    } else {
      store.updateBase(of: subscription)
    }
    return arrival.change
  }
}
