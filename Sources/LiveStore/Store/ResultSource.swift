/// A result in a store, as the instance reads it.
protocol ResultSource: AnyObject {
  associatedtype Query: MaintainedQuery

  var store: Store { get }
  var query: Query { get }
  var live: MaintainedResult { get }
  var readInWrite: ReadInWrite<Query.State> { get }
}

extension ResultSource {
  /// The state without the writes of the open transaction, if it is known.
  var known: Query.State? { live.state as? Query.State }

  /// The state at the version that the store shows, including the writes of the open transaction, or a
  /// substitute if the file cannot be read.
  func current(else substitute: Query.State) -> Query.State {
    if store.isTracked { store.noteRead(live) }
    return store.exclusively {
      store.requireOpen()
      return store.reading(else: substitute) { () throws(StoreError) in try read() }
    }
  }

  private func read() throws(StoreError) -> Query.State {
    let now = store.state
    if store.isInWriteTransaction, !store.recorder.isEmpty || !store.recorder.isComplete {
      if let last = readInWrite.last, last.store == now { return last.state }
      let touched = store.recorder.isComplete ? store.recorder.touched.entries.map(\.row) : nil
      let state = try query.load(on: store.reader.statements, unlogged: touched)
      readInWrite.last = (now, state)
      return state
    }
    readInWrite.last = nil
    if let known { return known }
    let state = try query.load(on: store.reader.statements)
    store.coordinator.setState(state, of: live)
    return state
  }

  /// Calls `notify` with the events of the result.
  func observe(
    _ state: SubscriptionState?, _ notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    store.observe(ObservedResult(maintained: live), state, notify)
  }

  /// Calls a callback with the changes that events of the result are.
  func subscribe<Change>(
    _ state: SubscriptionState? = nil, _ change: @escaping (Subscription.Event) -> Change?,
    _ block: @escaping (Change) -> Void
  ) -> Subscription {
    observe(state) { event in
      if let change = change(event) { block(change) }
    }
  }

  /// The changes that events of the result are, for consumers that ask for them.
  func stream<Change>(_ change: @escaping (Subscription.Event) -> Change?) -> ChangeStream<Change> {
    ChangeStream { [self] in
      ChangeSource(ObservedResult(maintained: live), of: store, base: nil, change: change)
    }
  }
}

extension ResultSource where Query.State == SelectedRows {
  /// The rows at the version that the store shows; none if the file cannot be read.
  var rows: [[SQLiteValue]] { current(else: SelectedRows()).rows }

  /// The change that an event of the rows reports; `nil` for an event of something else.
  func change(_ event: Subscription.Event) -> CollectionChange<Self>? {
    switch event {
    case .initial: .initial(self)
    case .result(let new as SelectedRows, let old):
      .update(self, new.changeSet(since: old as? SelectedRows ?? SelectedRows()))
    case .error(let error): .error(error)
    case .update, .members, .sections, .result, .objectModified, .objectDeleted: nil
    }
  }
}

extension AggregateSource: ResultSource {
  var store: Store { ranked.store }
}
