/// The state of an instance as the input of a calculation: values, and objects that do not change while it
/// runs.
struct CalculationInput {
  struct Collection {
    let live: LiveQuery
    let tree: CollectionTree?
    /// Whether an observer needs the order, which has not been read.
    let mustFill: Bool
  }

  struct Observer {
    let subscription: Subscription
    let base: Subscription.Base?
  }

  struct Result {
    let live: MaintainedResult
    let state: (any Sendable)?
    /// Whether an observer needs the state, which is not known.
    let mustLoad: Bool
  }

  let schema: Schema
  /// The version that the instance shows.
  let version: Int64
  /// The steps by which the instance got there, as far back as the oldest base of an observer.
  let history: TransitionHistory
  /// Whether the instance has any observer, including those that may not be called now and those of Swift's
  /// Observation.
  let isObserved: Bool
  /// Whether it has exactly one, an observer of a collection or an object.
  let hasOneObserver: Bool
  let collections: [Collection]
  let results: [Result]
  /// The observers that may be called, in the order of their calls.
  let observers: [Observer]
}

/// The outcome of a calculation: a version, and everything needed to show it.
struct Delivery {
  let version: Int64
  /// Whether it is the version that the instance shows already, on a snapshot that does not need the
  /// write-ahead log.
  var isRenewal = false
  /// Whether the differing rows were not read, because no observer needs them.
  var isUnexamined = false
  /// The reason why nothing else can be delivered.
  var failure: StoreError?
  /// Whether the newest version could be read again, after a failure was delivered.
  var isRecovery = false
  /// A newer version, to which the instance does not advance by itself.
  var newerVersion: Int64?
  /// The rows that differ from the version shown.
  let changes: VersionDifference
  /// The order of every collection that had one, or needs one.
  var trees: [(live: LiveQuery, tree: CollectionTree)] = []
  /// The state of every maintained result of which it was known, or is needed.
  var results: [(live: MaintainedResult, state: any Sendable)] = []
  /// The changed members of the sectioned collections whose order was known.
  var members: [ObjectIdentifier: [MemberChange]] = [:]
  var calls: [(subscription: Subscription, event: Subscription.Event)] = []
  /// The observers for which nothing has changed since their bases.
  var unaffected: [Subscription] = []
}

extension CalculationInput {
  /// Calculates the delivery that leads from the version shown to the one that `new` holds.
  ///
  /// - Parameter old: The snapshot of the version shown; only its worker's statements are used.
  /// - Complexity: O(k log n) for each collection, k being the rows touched since, and O(1) for each
  ///   untouched object; O(n) to fill a collection, and where the log no longer reaches back.
  func calculate(old: Snapshot, new: Snapshot, newVersion: Int64) throws(StoreError) -> Delivery {
    if !isObserved, collections.allSatisfy({ $0.tree == nil }), results.allSatisfy({ $0.state == nil }) {
      return Delivery(version: newVersion, isUnexamined: true, changes: VersionDifference(schema: schema))
    }
    let touched = try touchedRows(through: newVersion, new: new)
    if let touched, let delivery = try reordering(touched, new: new, newVersion: newVersion) {
      return delivery
    }
    let advance = try difference(to: newVersion, touched, old: old, new: new)
    var calculation = DeliveryCalculation(self, advance: advance, to: newVersion, old: old, new: new)
    try calculation.advanceCollections()
    try calculation.advanceResults()
    try calculation.calculateCalls()
    return calculation.delivery
  }

  /// The rows touched since the version shown; `nil` if the log does not tell.
  private func touchedRows(through newVersion: Int64, new: Snapshot) throws(StoreError) -> TouchedKeys? {
    if newVersion == version { return TouchedKeys(schema: schema) }
    return try ChangeLog.touched(
      after: version, through: newVersion, of: new.section, schema: schema, on: new.worker.statements)
  }

  /// The rows that differ between the version shown and the new one.
  func difference(to newVersion: Int64, old: Snapshot, new: Snapshot) throws(StoreError) -> VersionDifference
  {
    try difference(
      to: newVersion, touchedRows(through: newVersion, new: new), old: old, new: new)
  }

  private func difference(
    to newVersion: Int64, _ touched: TouchedKeys?, old: Snapshot, new: Snapshot
  ) throws(StoreError) -> VersionDifference {
    if newVersion == version { return VersionDifference(schema: schema) }
    if let touched {
      return try VersionDifference.between(old.worker, new.worker, touched, schema: schema)
    }
    // A migration is not logged in detail either.
    try schema.requireOwnVersion(new.connection)
    return try VersionDifference.comparing(old.worker.statements, new.worker.statements, schema: schema)
  }

  /// Whether an observer waits for its first call, or has yet to be notified of a step that the instance has
  /// made.
  var hasUninformedObservers: Bool { observers.contains(where: isUninformed) }

  fileprivate func isUninformed(_ observer: Observer) -> Bool {
    observer.base.map { history.hasSteps(after: $0.version) } ?? true
  }
}

extension Delivery {
  /// Whether every observer that waits for a call is included.
  func informsAll(of input: CalculationInput) -> Bool {
    var informed = Set(calls.map { ObjectIdentifier($0.subscription) })
    informed.formUnion(unaffected.map { ObjectIdentifier($0) })
    return input.observers.allSatisfy { observer in
      !input.isUninformed(observer) || informed.contains(ObjectIdentifier(observer.subscription))
    }
  }
}
