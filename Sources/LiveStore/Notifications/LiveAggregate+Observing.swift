/// The change that the callback of a ``LiveAggregate`` receives.
public enum AggregateChange<Value> {
  /// The first call: the present value.
  case initial(Value)
  /// The value has changed since the last call.
  case update(Value)
  /// The file could not be read; this is the last call.
  case error(StoreError)

  /// The present value; `nil` after an error.
  public var value: Value? {
    switch self {
    case .initial(let value), .update(let value): value
    case .error: nil
    }
  }
}

extension LiveAggregate {
  /// Calls `block` first with ``AggregateChange/initial(_:)`` and then whenever the value has changed, where
  /// the store is used, as long as the token lives.
  ///
  /// Several changes may be merged into one call, and changes that cancel each other out cause none.
  public func observe(_ block: @escaping (AggregateChange<Value>) -> Void) -> NotificationToken {
    NotificationToken(subscribe(block).state, observing: source.ranked.query.elements.name)
  }

  /// Calls `block` on another scheduler, with the value at the version of a store that is opened there on the
  /// same file; first with ``AggregateChange/initial(_:)`` and then whenever the value has changed.
  ///
  /// An error in opening the store is reported as ``AggregateChange/error(_:)``.
  ///
  /// - Parameters:
  ///   - scheduler: Any except that of a file descriptor, whose program has to open its store itself.
  ///   - block: Receives the change, where the scheduler calls it.
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observe(
    on scheduler: Scheduler, _ block: @escaping @Sendable (AggregateChange<Value>) -> Void
  ) -> NotificationToken where Value: SendableMetatype {
    let (query, convert) = (source.live.query, self.convert)
    return NotificationToken(on: scheduler, asIn: source.ranked.store) { store, state in
      let ranked = RankedCollection(store: store, query: query.query)
      _ = LiveAggregate(_AggregateSource(ranked, query.function), convert).subscribe(state: state, block)
    } onFailure: { error in
      block(.error(error))
    }
  }

  private func subscribe(
    state: SubscriptionState? = nil, _ block: @escaping (AggregateChange<Value>) -> Void
  ) -> Subscription {
    source.ranked.observe(ObservedAggregate(maintained: source.live), state) { event in
      if let change = self.change(event) { block(change) }
    }
  }

  /// The present value, and then every change of it, as ``observe(_:)`` reports them.
  public var changes: ChangeStream<AggregateChange<Value>> {
    stream { self.change($0) }
  }

  /// The present value, and then every other one. Ends when the store can no longer be read.
  public var values: ChangeStream<Value> {
    stream { self.change($0)?.value }
  }

  private func stream<Change>(
    _ change: @escaping (Subscription.Event) -> Change?
  ) -> ChangeStream<Change> {
    ChangeStream { [source] in
      ChangeSource(
        ObservedAggregate(maintained: source.live), of: source.ranked.store, base: nil, change: change)
    }
  }

  private func change(_ event: Subscription.Event) -> AggregateChange<Value>? {
    switch event {
    case .initial: .initial(convert(source.live.state ?? AggregateState()))
    case .aggregate(let state): .update(convert(state))
    case .error(let error): .error(error)
    case .update, .members, .sections, .objectModified, .objectDeleted: nil
    }
  }
}

/// An aggregate as a callback observes it.
struct ObservedAggregate: Observed {
  let maintained: MaintainedAggregate

  var identity: ObservedIdentity { .aggregate(ObjectIdentifier(maintained)) }
  var live: LiveQuery? { nil }
  var aggregate: MaintainedAggregate? { maintained }
  var filter: PropertyFilter { .properties(PropertyTree(table: maintained.query.query.elements.index)) }

  func event(
    since base: Subscription.Base, _ changes: ChangesSinceBase, tree: CollectionTree?
  ) throws(StoreError) -> Subscription.Event? {
    // The calculation compares the states itself.
    nil
  }
}

extension Coordinator {
  struct WeakAggregate {
    weak var live: MaintainedAggregate?
  }

  func add(_ live: MaintainedAggregate) {
    lock.withLock {
      aggregates.removeAll { $0.live == nil }
      aggregates.append(WeakAggregate(live: live))
    }
  }

  /// Sets an aggregate's state, which the worker may be reading.
  func setState(_ state: AggregateState?, of live: MaintainedAggregate) {
    lock.withLock { live.state = state }
  }

  /// The aggregates whose state is known.
  func knownAggregates() -> [MaintainedAggregate] {
    lock.withLock { aggregates.compactMap(\.live).filter { $0.state != nil } }
  }
}
