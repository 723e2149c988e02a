/// The changes of a collection or an object, one after the other, for `for await`.
///
/// ```swift
/// for await change in results.changes {
///   if case .update(let dogs, let changes) = change { table.apply(changes, of: dogs) }
/// }
/// ```
///
/// A change leads from what the consumer was last given to what the store shows when the consumer gets it:
/// nothing moves on before the consumer waits again. While the consumer is busy nothing is queued; what
/// happens meanwhile becomes one change. A consumer that stays away costs, for each row that changes, the
/// values that the row had.
///
/// The loop must run where the store is used, on its actor or on the main actor; nothing is sent anywhere. It
/// ends when the task is cancelled, the store is closed, the observed object is deleted, or the store can no
/// longer be read. The subscription lives as long as the iterator.
public struct ChangeStream<Change>: AsyncSequence {
  /// What the consumer gets.
  public typealias Element = Change
  /// Errors are values of the stream, not thrown.
  public typealias Failure = Never

  let makeSource: () -> ChangeSource<Change>

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: makeSource())
  }

  /// The consumer's end of a stream.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Errors are values of the stream, not thrown.
    public typealias Failure = Never

    let source: ChangeSource<Change>

    /// Waits for the next change; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Change? {
      await source.next(isolation: actor)
    }
  }
}

extension Results {
  /// The results at first, and then every change, as ``observe(_:)`` tells them.
  public var changes: ChangeStream<CollectionChange<Results<Element>>> {
    ranked.changes(.any) { event in
      switch event {
      case .initial: .initial(self)
      case .update(let changes): .update(self, changes)
      case .error(let error): .error(error)
      case .members, .sections, .objectModified, .objectDeleted: nil
      }
    }
  }

  /// The results at first, and again after every change. Ends when the store can no longer be read.
  public var values: ChangeStream<Results<Element>> {
    ranked.changes(.any) { event in
      if case .error = event { nil } else { self }
    }
  }
}

extension List {
  /// The list at first, and then every change, as ``observe(_:)`` tells them.
  public var changes: ChangeStream<CollectionChange<List<Element>>> {
    requireManaged("observed").ranked.changes(.any) { event in
      switch event {
      case .initial: .initial(self)
      case .update(let changes): .update(self, changes)
      case .error(let error): .error(error)
      case .members, .sections, .objectModified, .objectDeleted: nil
      }
    }
  }

  /// The list at first, and again after every change. Ends when the store can no longer be read.
  public var values: ChangeStream<List<Element>> {
    requireManaged("observed").ranked.changes(.any) { event in
      if case .error = event { nil } else { self }
    }
  }
}

extension RankedCollection {
  fileprivate func changes<Change>(
    _ filter: PropertyFilter, _ change: @escaping (Subscription.Event) -> Change?
  ) -> ChangeStream<Change> {
    ChangeStream { [self] in
      ChangeSource(
        ObservedCollection(collection: live, filter: filter), of: store, base: nil, change: change)
    }
  }
}

extension ObservableRow where Self: Object {
  /// The changes of the object's own properties, as ``observe(_:)`` tells them, from now on; its deletion is
  /// the last.
  public var changes: ChangeStream<ObjectChange<Self>> {
    let row = requireObservable()
    let store = row.store
    let observed = ObservedObject(
      row.id, PropertyTree(allOf: row.table, schema: store.schema), schema: store.schema)
    return ChangeStream {
      ChangeSource(
        observed, of: store, base: Subscription.Base(version: store.coordinator.version)
      ) { event in
        switch event {
        case .objectModified(let modification):
          .change(self, row.propertyChanges(modification))
        case .objectDeleted: .deleted
        case .error(let error): .error(error)
        case .initial, .update, .members, .sections: nil
        }
      }
    }
  }
}
