/// The change that the callback of ``LiveAggregate/observeGroups(_:)`` receives.
public enum GroupedAggregateChange<Key: Hashable, Value> {
  /// The first call: the present value of each group.
  case initial([Key: Value])
  /// The present value of each group, and the groups that differ from the last call.
  case update([Key: Value], GroupedChangeSet<Key>)
  /// The file could not be read; this is the last call.
  case error(StoreError)

  /// The present value of each group; `nil` after an error.
  public var value: [Key: Value]? {
    switch self {
    case .initial(let value), .update(let value, _): value
    case .error: nil
    }
  }
}

extension GroupedAggregateChange: Sendable where Key: Sendable, Value: Sendable {}

/// Which groups have changed, for aggregates of groups such as
/// ``LiveCollection/liveCount(by:)``.
extension LiveAggregate {
  /// Calls `block` first with ``GroupedAggregateChange/initial(_:)`` and then whenever a group has another
  /// value, comes or goes, with the groups that do, where the store is used, as long as the token lives.
  ///
  /// ```swift
  /// let unread = try messages.filter(#Predicate { !$0.isRead }).liveCount(by: \.room)
  /// let token = unread.observeGroups { change in
  ///   guard case .update(let counts, let changes) = change else { return }
  ///   for room in changes.insertions.union(changes.modifications) { show(counts[room], in: room) }
  ///   for room in changes.deletions { show(0, in: room) }
  /// }
  /// ```
  ///
  /// Several changes may be merged into one call. A group that goes and comes back between two calls has been
  /// modified if its value differs, and is not mentioned otherwise.
  ///
  /// - Complexity: Where the store is used O(k) for k groups that have changed, unless `block` keeps the
  ///   dictionary, which is then copied; O(g) for all g groups after many changes, and as long as another
  ///   program's values of another type show as those of a group.
  public func observeGroups<Key: Hashable, Group>(
    _ block: @escaping (GroupedAggregateChange<Key, Group>) -> Void
  ) -> NotificationToken where Value == [Key: Group] {
    NotificationToken(subscribeToGroups(block).state, observing: source.query.query.elements.name)
  }

  /// Calls `block` on another scheduler, with the groups at the version of a store that is opened there on
  /// the same file, as ``observeGroups(_:)`` does.
  ///
  /// An error in opening the store is reported as ``GroupedAggregateChange/error(_:)``.
  ///
  /// - Parameters:
  ///   - scheduler: Any except that of a file descriptor, whose program has to open its store itself.
  ///   - block: Receives the change, where the scheduler calls it.
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observeGroups<Key: Hashable, Group>(
    on scheduler: Scheduler, _ block: @escaping @Sendable (GroupedAggregateChange<Key, Group>) -> Void
  ) -> NotificationToken where Value == [Key: Group], Key: SendableMetatype, Group: SendableMetatype {
    let (query, groupReader, read) = (source.query, self.groupReader, self.read)
    return NotificationToken(on: scheduler, asIn: source.store) { store, state in
      let ranked = RankedCollection(store: store, query: query.query)
      let source = AggregateSource(ranked, query.function, by: query.group)
      let aggregate = LiveAggregate(source, groupReader: groupReader, read)
      _ = aggregate.subscribeToGroups(state: state, block)
    } onFailure: {
      block(.error($0))
    }
  }

  private func subscribeToGroups<Key: Hashable, Group>(
    state: SubscriptionState? = nil, _ block: @escaping (GroupedAggregateChange<Key, Group>) -> Void
  ) -> Subscription where Value == [Key: Group] {
    guard let reader = groupReader as? GroupReader<Key, Group> else {
      fatalError("Only an aggregate of groups has groups to observe; call observe(_:) instead.")
    }
    let follower = GroupFollower(source, reader)
    return source.observe(state) { [source] event in
      guard let change = follower.change(event, source) else { return }
      // Another value is stored that shows as the former one.
      if case .update(_, let changes) = change, changes.isEmpty { return }
      block(change)
    }
  }
}

extension GroupFollower {
  fileprivate func change(
    _ event: Subscription.Event, _ source: AggregateSource
  ) -> GroupedAggregateChange<Key, Group>? {
    switch event {
    case .initial: return .initial(values(in: source.known ?? AggregateState()))
    case .result(let state, let old):
      guard let state = state as? AggregateState else { return nil }
      let (values, changes) = change(from: old as? AggregateState ?? AggregateState(), to: state)
      return .update(values, changes)
    case .error(let error): return .error(error)
    case .update, .members, .sections, .objectModified, .objectDeleted: return nil
    }
  }
}
