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
    NotificationToken(
      source.subscribe(nil, visibleChange, block).state, observing: source.query.query.elements.name)
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
    let (query, read) = (source.query, self.read)
    return NotificationToken(on: scheduler, asIn: source.store) { store, state in
      let ranked = RankedCollection(store: store, query: query.query)
      let source = AggregateSource(ranked, query.function, by: query.group)
      _ = source.subscribe(state, LiveAggregate(source, read).visibleChange, block)
    } onFailure: {
      block(.error($0))
    }
  }

  /// The present value, and then every change of it, as ``observe(_:)`` reports them. A change has the former
  /// value if only another value has been stored that shows as that.
  public var changes: ChangeStream<AggregateChange<Value>> { source.stream(change) }

  /// The present value, and then every other one. Ends when the store can no longer be read.
  public var values: ChangeStream<Value> {
    source.stream { self.change($0)?.value }
  }

  /// The change, unless another value is stored that shows as the former one.
  private func visibleChange(_ event: Subscription.Event) -> AggregateChange<Value>? {
    if case .result(let new, let old) = event, let new = new as? AggregateState,
      let old = old as? AggregateState, value(in: new) == value(in: old)
    {
      return nil
    }
    return change(event)
  }

  private func change(_ event: Subscription.Event) -> AggregateChange<Value>? {
    switch event {
    case .initial: .initial(value(in: source.known ?? AggregateState()))
    case .result(let state, _): (state as? AggregateState).map { .update(value(in: $0)) }
    case .error(let error): .error(error)
    case .update, .members, .sections, .objectModified, .objectDeleted: nil
    }
  }
}
