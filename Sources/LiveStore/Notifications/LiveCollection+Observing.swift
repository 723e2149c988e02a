extension LiveCollection {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths
  /// name, where the store is used, as long as the token lives.
  ///
  /// An element counts as modified when a property of its own, or of an object that it leads to over at most
  /// three links and lists, has another value; one of a list also when another object replaces it. Key paths
  /// concern modifications only, and only those of this callback: insertions, deletions and moves are
  /// reported for any. So is another object in the place of an element of a list: as a modification, or with
  /// an empty array of key paths as a deletion and an insertion.
  ///
  /// - Parameter keyPaths: Names separated by dots, through any number of links and lists: `dogs.name`. An
  ///   element is modified when a link or list on the path, or the property at its end, has another value.
  ///   `*` stands for every property of one class, and `Person.dogs` for the people whose `dogs` contain the
  ///   object. `nil` means any property, over at most three links; an empty array means no modifications.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let ranked = _elements("observed").ranked
    return NotificationToken(
      subscribe(ranked, ranked.filter(keyPaths), block).state, observing: ranked.query.elements.name)
  }

  /// Observes as ``observe(keyPaths:_:)-([String]?,_)`` does, with key paths from an element, which may lead
  /// through links: `\.bestDog?.name`.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: _elements("observed").ranked.query.elements.names(of: keyPaths), block)
  }

  /// Calls `block` on another scheduler, with a collection of a store that is opened there on the same file;
  /// first with ``CollectionChange/initial(_:)`` and then after every change that its key paths name.
  ///
  /// That collection has the query and the order of this one, but its own versions. An error in opening the
  /// store is reported as ``CollectionChange/error(_:)``.
  ///
  /// - Parameters:
  ///   - keyPaths: See ``observe(keyPaths:_:)-([String]?,_)``.
  ///   - scheduler: Any except that of a file descriptor, whose program has to open its store itself.
  ///   - block: Receives the change, where the scheduler calls it.
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil, on scheduler: Scheduler,
    _ block: @escaping @Sendable (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let ranked = _elements("observed").ranked
    let (query, filter, remake) = (ranked.query, ranked.filter(keyPaths), _remake)
    return NotificationToken(on: scheduler, asIn: ranked.store) { store, state in
      let ranked = RankedCollection(store: store, query: query)
      _ = remake(_StoredElements(ranked: ranked)).subscribe(ranked, filter, state: state, block)
    } onFailure: {
      block(.error($0))
    }
  }

  /// Observes as ``observe(keyPaths:on:_:)-([String]?,_,_)`` does, with key paths from an element.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on scheduler: Scheduler,
    _ block: @escaping @Sendable (CollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: _elements("observed").ranked.query.elements.names(of: keyPaths), on: scheduler, block)
  }

  private func subscribe(
    _ ranked: RankedCollection, _ filter: PropertyFilter, state: SubscriptionState? = nil,
    _ block: @escaping (CollectionChange<Self>) -> Void
  ) -> Subscription {
    let observed = ObservedCollection(collection: ranked.live, filter: filter)
    return ranked.store.observe(observed, state) { event in
      if let change = CollectionChange(event, of: self) { block(change) }
    }
  }
}
