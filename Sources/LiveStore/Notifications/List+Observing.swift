extension List {
  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store
  /// is used, as long as the token lives.
  ///
  /// An element counts as modified when another object was put in its place, or when a property of its own,
  /// or of an object that it leads to over at most three links and lists, has another value.
  public func observe(_ block: @escaping (CollectionChange<List<Element>>) -> Void) -> NotificationToken {
    observe(keyPaths: nil as [String]?, block)
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change that its key paths
  /// name.
  ///
  /// Insertions, deletions and moves are told whatever the key paths are; so is another object in the place
  /// of an element, as a modification, or with an empty array of key paths as a deletion and an insertion.
  ///
  /// - Parameter keyPaths: As for ``Results/observe(keyPaths:_:)-([String]?,_)``.
  /// - Parameter block: Takes what happened, where the callback is called.
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
  /// - Parameter keyPaths: Key paths from an element, through links where wanted: `\.bestDog?.name`.
  /// - Parameter block: Takes what happened, where the callback is called.
  /// - Returns: A token; the callback is called as long as it lives.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ block: @escaping (CollectionChange<List<Element>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: requireManaged("observed").ranked.query.elements.names(of: keyPaths), block)
  }

  /// Calls `block` where another scheduler calls it, with a collection of a store that is opened there on the
  /// same file; first with ``CollectionChange/initial(_:)`` and then after every change that its key paths
  /// name.
  ///
  /// The collection has the query and the order of this one, at versions of its own. An error in opening the
  /// store is told as ``CollectionChange/error(_:)``.
  ///
  /// - Parameters:
  ///   - keyPaths: As for ``observe(keyPaths:_:)-([String]?,_)``.
  ///   - scheduler: Any but that of a file descriptor, whose program has to open its store itself.
  ///   - block: Takes what happened, where the callback is called.
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
    } onFailure: { error in
      block(.error(error))
    }
  }

  /// Calls `block` where another scheduler calls it, with a collection of a store that is opened there on the
  /// same file.
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
      switch event {
      case .initial: block(.initial(self))
      case .update(let changes): block(.update(self, changes))
      case .error(let error): block(.error(error))
      case .members, .sections, .objectModified, .objectDeleted: break
      }
    }
  }
}
