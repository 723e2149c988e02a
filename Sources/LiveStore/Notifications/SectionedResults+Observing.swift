/// An event of observed sectioned results, or of one section of them.
public enum SectionedResultsChange<Collection> {
  /// The first call: the sections can be shown in their present state.
  case initial(Collection)
  /// The sections have changed as the change set says, and show the new version.
  case update(Collection, SectionedChangeSet)
  /// The store can no longer be read; no call follows.
  case error(StoreError)
}

extension SectionedResults {
  /// Calls `block` first with ``SectionedResultsChange/initial(_:)`` and then after every change that its key
  /// paths name, where the store is used, as long as the token lives.
  ///
  /// Insertions, deletions and moves of rows and sections are reported for any key paths.
  ///
  /// - Parameter keyPaths: See ``LiveCollection/observe(keyPaths:_:)-([String]?,_)``.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults<Key, SectionElement>>) -> Void
  ) -> NotificationToken {
    NotificationToken(subscribe(sections.ranked.filter(keyPaths), block).state)
  }

  /// Observes as ``observe(keyPaths:_:)-([String]?,_)`` does, with key paths from an element, which may lead
  /// through links: `\.bestDog?.name`.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>],
    _ block: @escaping (SectionedResultsChange<SectionedResults<Key, SectionElement>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: sections.ranked.query.elements.names(of: keyPaths), block)
  }

  /// Calls `block` on another scheduler, with the same sections of a store that is opened there on the same
  /// file; first with ``SectionedResultsChange/initial(_:)`` and then after every change that its key paths
  /// name.
  ///
  /// The section key must be a persisted property of the class itself. A closure, or a computed property,
  /// belongs to the thread it was created on and cannot be called elsewhere, so that such sections stop the
  /// program; open a store there, and create and observe the sections there. An error in opening the store is
  /// reported as ``SectionedResultsChange/error(_:)``.
  ///
  /// - Parameters:
  ///   - keyPaths: See ``LiveCollection/observe(keyPaths:_:)-([String]?,_)``.
  ///   - scheduler: Any except that of a file descriptor, whose program has to open its store itself.
  ///   - block: Receives the change, where the scheduler calls it.
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil, on scheduler: Scheduler,
    _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults<Key, SectionElement>>) -> Void
  ) -> NotificationToken where Key: SendableMetatype {
    guard let remake else {
      fatalError(
        "Sections whose keys a closure or a computed property makes cannot be observed on another scheduler; "
          + "open a store there, and make and observe them there.")
    }
    let filter = sections.ranked.filter(keyPaths)
    let (query, sectionFilter) = (sections.ranked.query, sections.ranked.live.sectionFilter)
    return NotificationToken(on: scheduler, asIn: store) { store, state in
      let ranked = RankedCollection(store: store, query: query, sectionFilter: sectionFilter)
      _ = remake(ranked).subscribe(filter, state: state, block)
    } onFailure: {
      block(.error($0))
    }
  }

  private func subscribe(
    _ filter: PropertyFilter, state: SubscriptionState? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults<Key, SectionElement>>) -> Void
  ) -> Subscription {
    sections.subscribe(filter, state: state, as: self, block) { $0.changeSet() }
  }
}

extension ResultsSection {
  /// Calls `block` first with ``SectionedResultsChange/initial(_:)``, even if the section is empty, and then
  /// after every change of the section that its key paths name, where the store is used, as long as the token
  /// lives.
  ///
  /// The change set contains changes of this section only, at its index among all sections. When the section
  /// is removed, it is in ``SectionedChangeSet/sectionsToDelete``, and when it is added again, in
  /// ``SectionedChangeSet/sectionsToInsert``, with its rows as insertions. A new position among the sections
  /// is no change of the section.
  ///
  /// - Parameter keyPaths: See ``LiveCollection/observe(keyPaths:_:)-([String]?,_)``.
  /// - Parameter block: Receives the change, where the store is used.
  /// - Returns: A token; the callback is called as long as it lives.
  public func observe(
    keyPaths: [String]? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection<Key, SectionElement>>) -> Void
  ) -> NotificationToken {
    let sections = results.sections
    let subscription = sections.subscribe(sections.ranked.filter(keyPaths), as: self, block) {
      [keys = results.keys, key] difference in
      keys.number(of: key).map { difference.changeSet(ofSection: $0) } ?? SectionedChangeSet()
    }
    return NotificationToken(subscription.state)
  }

  /// Observes as ``observe(keyPaths:_:)-([String]?,_)`` does, with key paths from an element.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>],
    _ block: @escaping (SectionedResultsChange<ResultsSection<Key, SectionElement>>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: results.sections.ranked.query.elements.names(of: keyPaths), block)
  }
}

extension SectionedCollection {
  /// Calls `block` first with `.initial`, and then with every change set of `changeSet` that is not empty.
  ///
  /// - Parameter shown: The sections, or the one of them, as the program knows them.
  fileprivate func subscribe<Shown>(
    _ filter: PropertyFilter, state: SubscriptionState? = nil, as shown: Shown,
    _ block: @escaping (SectionedResultsChange<Shown>) -> Void,
    changeSet: @escaping (SectionDifference) -> SectionedChangeSet
  ) -> Subscription {
    let query = ranked.query
    return ranked.store.observe(ObservedSections(self, filter), state) { event in
      switch event {
      case .initial: block(.initial(shown))
      case .sections(let difference):
        #if DEBUG
          difference.checkApplying(difference.changeSet()) { query.identity(of: $0) }
        #endif
        let changes = changeSet(difference)
        if !changes.isEmpty { block(.update(shown, changes)) }
      case .error(let error): block(.error(error))
      case .update, .members, .result, .objectModified, .objectDeleted: break
      }
    }
  }
}
