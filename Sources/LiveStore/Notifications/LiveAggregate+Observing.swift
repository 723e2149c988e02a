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
    let source = source
    let convert = convert
    let subscription = source.ranked.observe(ObservedAggregate(maintained: source.live), nil) { event in
      switch event {
      case .initial: block(.initial(convert(source.live.state ?? AggregateState())))
      case .aggregate(let state): block(.update(convert(state)))
      case .error(let error): block(.error(error))
      case .update, .members, .sections, .objectModified, .objectDeleted: break
      }
    }
    return NotificationToken(subscription.state, observing: source.ranked.query.elements.name)
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
