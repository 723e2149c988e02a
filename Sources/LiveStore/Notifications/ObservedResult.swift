/// A maintained result as a callback observes it.
struct ObservedResult: Observed {
  let maintained: MaintainedResult

  var identity: ObservedIdentity { .result(ObjectIdentifier(maintained)) }
  var live: LiveQuery? { nil }
  var result: MaintainedResult? { maintained }
  // It receives no modifications of rows.
  var filter: PropertyFilter { .properties(PropertyTree(table: 0)) }

  func event(
    since base: Subscription.Base, _ changes: ChangesSinceBase, tree: CollectionTree?
  ) throws(StoreError) -> Subscription.Event? {
    // The calculation compares the states itself.
    nil
  }
}

extension Coordinator {
  func add(_ live: MaintainedResult) {
    lock.withLock {
      results.removeAll { $0.value == nil }
      results.append(Weak(value: live))
    }
  }

  /// Sets a result's state, which the worker may be reading.
  func setState(_ state: (any Sendable)?, of live: MaintainedResult) {
    lock.withLock { live.state = state }
  }

  func knownResults() -> [MaintainedResult] {
    lock.withLock { results.compactMap(\.value).filter { $0.state != nil } }
  }
}
