/// The changes of a collection or an object, one after the other, for `for await`.
///
/// ```swift
/// for await change in results.changes {
///   if case .update(let dogs, let changes) = change { table.apply(changes, of: dogs) }
/// }
/// ```
///
/// A change leads from the last one that the consumer got to the version that the store shows when the
/// consumer gets it. Nothing is queued while the consumer is busy; all that happens meanwhile becomes one
/// change. A consumer that does not ask costs, for each row that changes, the former values of the row.
///
/// The loop must run where the store is used, on its actor or on the main actor; values do not cross between
/// threads. It ends when the task is cancelled, the store is closed, the observed object is deleted, or the
/// store can no longer be read. The subscription lives as long as the iterator.
public struct ChangeStream<Change>: AsyncSequence {
  /// The element type.
  public typealias Element = Change
  /// The failure type; errors are elements of the stream, and none is thrown.
  public typealias Failure = Never

  let makeSource: () -> any StreamSource<Change>

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: makeSource())
  }

  /// The iterator of a stream, which holds the subscription.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// The failure type; errors are elements of the stream, and none is thrown.
    public typealias Failure = Never

    let source: any StreamSource<Change>

    /// Waits for the next change; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Change? {
      await source.next(isolation: actor)
    }
  }
}

/// The source of a stream's changes, used where the store is used, by one consumer.
protocol StreamSource<Change>: AnyObject {
  associatedtype Change

  /// The next change; `nil` at the end.
  func next(isolation: isolated (any Actor)?) async -> Change?
}

extension LiveCollection {
  /// The present collection, and then every change, as ``observe(keyPaths:_:)-([String]?,_)`` reports them.
  public var changes: ChangeStream<CollectionChange<Self>> {
    _elements("observed").ranked.changes { CollectionChange($0, of: self) }
  }

  /// The present collection, and the collection after every change. Ends when the store can no longer be
  /// read.
  public var values: ChangeStream<Self> {
    _elements("observed").ranked.changes { event in
      if case .error = event { nil } else { self }
    }
  }
}

extension RankedCollection {
  fileprivate func changes<Change>(
    _ change: @escaping (Subscription.Event) -> Change?
  ) -> ChangeStream<Change> {
    ChangeStream { [self] in
      ChangeSource(ObservedCollection(collection: live, filter: .any), of: store, base: nil, change: change)
    }
  }
}

extension ObservableRow where Self: Object {
  /// The changes of the object's own properties from now on, as
  /// ``ObservableRow/observe(keyPaths:_:)-([String]?,_)`` reports them. Its deletion is the last.
  public var changes: ChangeStream<ObjectChange<Self>> {
    let row = requireObservable()
    let store = row.store
    let observed = ObservedObject(
      row.id, PropertyTree(allOf: row.table, schema: store.schema), schema: store.schema)
    return ChangeStream {
      ChangeSource(
        observed, of: store, base: Subscription.Base(version: store.coordinator.version)
      ) { self.change($0, row) }
    }
  }
}
