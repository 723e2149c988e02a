extension List {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store
  /// is used, as long as the token lives.
  ///
  /// An element counts as modified when another object replaces it, or when a property of its own, or of an
  /// object that it leads to over at most three links and lists, has another value.
  public func observe(_ block: @escaping (CollectionChange<List<Element>>) -> Void) -> NotificationToken {
    observe(keyPaths: nil as [String]?, block)
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths
  /// name.
  ///
  /// Insertions, deletions and moves are reported for any key paths. So is another object in the place of an
  /// element: as a modification, or with an empty array of key paths as a deletion and an insertion.
  ///
  /// - Parameter keyPaths: See ``Results/observe(keyPaths:_:)-([String]?,_)``.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]?, _ block: @escaping (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    let ranked = requireManaged("observed").ranked
    return NotificationToken(
      subscribe(ranked.filter(keyPaths), block).state, observing: ranked.query.elements.name)
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths
  /// name.
  ///
  /// - Parameter keyPaths: Key paths from an element, which may lead through links: `\.bestDog?.name`.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ block: @escaping (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: requireManaged("observed").ranked.query.elements.names(of: keyPaths), block)
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
    _ block: @escaping @Sendable (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    let ranked = requireManaged("observed").ranked
    guard let place = ranked.query.list?.place(in: ranked.store.schema) else {
      preconditionFailure("A list is a property of an object.")
    }
    let filter = ranked.filter(keyPaths)
    return NotificationToken(on: scheduler, asIn: ranked.store) { store, state in
      let collection = store.row(store.schema.tables[place.table], place.owner).list(
        place.slot, of: Element.self)
      _ = collection.subscribe(filter, state: state, block)
    } onFailure: {
      block(.error($0))
    }
  }

  /// Calls `block` on another scheduler, with a collection of a store that is opened there on the same file.
  ///
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on scheduler: Scheduler,
    _ block: @escaping @Sendable (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    observe(
      keyPaths: requireManaged("observed").ranked.query.elements.names(of: keyPaths), on: scheduler, block)
  }

  private func subscribe(
    _ filter: PropertyFilter, state: SubscriptionState? = nil,
    _ block: @escaping (CollectionChange<List<Element>>) -> Void
  ) -> Subscription {
    requireManaged("observed").ranked.observe(filter, state) { event in
      if let change = CollectionChange(event, of: self) { block(change) }
    }
  }
}
