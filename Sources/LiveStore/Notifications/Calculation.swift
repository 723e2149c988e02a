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
    let reader = new.worker
    let touched = try touchedRows(through: newVersion, new: new)
    if let touched, let delivery = try reordering(touched, new: new, newVersion: newVersion) {
      return delivery
    }
    let advance = try difference(to: newVersion, touched, old: old, new: new)
    let section = new.section
    // The tables whose observers, or sections, depend on everything that the elements lead to.
    let deepTables = Set(
      observers.compactMap { observer -> Int? in
        guard case .any = observer.subscription.observed.filter else { return nil }
        return observer.subscription.observed.live?.query.elements.index
      }
        + collections.compactMap { collection -> Int? in
          guard case .any = collection.live.sectionFilter else { return nil }
          return collection.live.query.elements.index
        })
    let changesOfAdvance = ChangesSinceBase(
      ChangedObjects(advance, schema: schema, reader: reader, deepTables: deepTables))
    var delivery = Delivery(version: newVersion, changes: advance)

    // The order of a collection does not depend on the filter. That of an observer is used, so that the work
    // is shared with it.
    var filters: [ObjectIdentifier: PropertyFilter] = [:]
    for observer in observers {
      guard let live = observer.subscription.observed.live else { continue }
      filters[ObjectIdentifier(live)] = observer.subscription.observed.filter
    }
    // A query that fails at a value ends its own observers, and its order or state is read again when it is
    // next needed.
    var failures: [ObjectIdentifier: StoreError] = [:]
    let changedTables = advance.tables
    var trees: [ObjectIdentifier: CollectionTree] = [:]
    for collection in collections {
      let id = ObjectIdentifier(collection.live)
      let advanced = try StoreError.ofQuery { () throws(StoreError) in
        try self.advance(collection, by: changesOfAdvance, in: changedTables, filters[id])
      }
      switch advanced {
      case .success(let (tree, members)?):
        trees[id] = tree
        delivery.trees.append((collection.live, tree))
        delivery.members[id] = members
      case .success(nil): break
      case .failure(let error): failures[id] = error
      }
    }

    var states: [ObjectIdentifier: any Sendable] = [:]
    for result in results {
      let id = ObjectIdentifier(result.live)
      let advanced = try StoreError.ofQuery { () throws(StoreError) in
        try self.advance(result, by: changesOfAdvance, from: old.worker)
      }
      switch advanced {
      case .success(let state?):
        states[id] = state
        delivery.results.append((result.live, state))
      case .success(nil): break
      case .failure(let error): failures[id] = error
      }
    }

    var changesSince: [Int64: ChangesSinceBase] = [:]
    for observer in observers {
      let observed = observer.subscription.observed
      if let error = observed.query.flatMap({ failures[$0] }) {
        delivery.calls.append((observer.subscription, .error(error)))
        continue
      }
      let tree = observed.live.flatMap { trees[ObjectIdentifier($0)] }
      if observed.live != nil, tree == nil { continue }
      guard let base = observer.base else {
        delivery.calls.append((observer.subscription, .initial))
        continue
      }
      if let live = observed.result {
        guard let state = states[ObjectIdentifier(live)] else { continue }
        if let known = base.result, live.query.hasSameValue(erased: known, state) {
          delivery.unaffected.append(observer.subscription)
        } else {
          delivery.calls.append((observer.subscription, .result(state, since: base.result)))
        }
        continue
      }
      let changes: ChangesSinceBase
      if !history.hasSteps(after: base.version) {
        changes = changesOfAdvance
      } else if let known = changesSince[base.version] {
        changes = known
      } else {
        let rows = try rowChanges(since: base.version, advance: advance, reader: reader)
        changes = ChangesSinceBase(
          ChangedObjects(rows, schema: schema, reader: reader, deepTables: deepTables),
          touched: try touchedRows(
            since: base.version, through: newVersion, of: section, reader: reader))
        changesSince[base.version] = changes
      }
      let isConcerned =
        changes !== changesOfAdvance || observed.tables.map { !$0.isDisjoint(with: changedTables) } ?? true
      let event = try StoreError.ofQuery { () throws(StoreError) in
        isConcerned && !changes.isEmpty ? try observed.event(since: base, changes, tree: tree) : nil
      }
      switch event {
      case .success(let event?): delivery.calls.append((observer.subscription, event))
      case .success(nil): delivery.unaffected.append(observer.subscription)
      case .failure(let error): delivery.calls.append((observer.subscription, .error(error)))
      }
    }
    return delivery
  }

  /// The order of a collection at the new version and, if it has sections, the members that have changed;
  /// `nil` if its order is not needed.
  private func advance(
    _ collection: Collection, by changes: ChangesSinceBase, in changedTables: Set<Int>,
    _ filter: PropertyFilter?
  ) throws(StoreError) -> (CollectionTree, [MemberChange]?)? {
    let live = collection.live
    let statements = changes.objects.reader.statements
    guard let old = collection.tree else {
      return collection.mustFill ? (try live.query.load(on: statements), nil) : nil
    }
    if live.sectionFilter == nil, live.tables.isDisjoint(with: changedTables) { return (old, nil) }
    let filter = live.sectionFilter ?? filter ?? .properties(PropertyTree(table: live.query.elements.index))
    let places = try changes.places(of: live, filter, from: old)
    var tree = old
    try live.query.advance(&tree, by: places, on: statements)
    return (
      tree, live.sectionFilter == nil ? nil : live.query.memberChanges(from: old, to: tree, places)
    )
  }

  /// The state of a result at the new version; `nil` if it is not needed.
  private func advance(
    _ result: Result, by changes: ChangesSinceBase, from old: RowReader
  ) throws(StoreError) -> (any Sendable)? {
    if let known = result.state {
      return try result.live.query.advance(erased: known, by: changes.objects, from: old)
    }
    return result.mustLoad ? try result.live.query.load(on: changes.objects.reader.statements) : nil
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

  /// The rows that differ between an earlier version of the instance and the new one.
  private func rowChanges(
    since base: Int64, advance: VersionDifference, reader: RowReader
  ) throws(StoreError) -> VersionDifference {
    let before = history.before(since: base)
    var byTable: [[(key: OrderedKey, old: RowImage?)]] = Array(repeating: [], count: schema.tables.count)
    for (row, old) in before { byTable[row.table].append((OrderedKey(row.key), old)) }
    var changes = VersionDifference.Builder(schema: schema)
    for table in schema.tables where !byTable[table.index].isEmpty {
      var after = try reader.cursor(table)
      for (key, old) in byTable[table.index].sorted(by: { $0.key < $1.key }) {
        changes.add(table.index, key, old: old.map { .image($0) }, new: try after.source(key, table))
      }
    }
    for table in schema.tables {
      for (key, change) in advance[table] where before[RowIdentity(table: table.index, key: key)] == nil {
        changes.add(
          table.index, OrderedKey(key), old: change.old.map { .packed($0) },
          new: change.new.map { .packed($0) })
      }
    }
    return changes.finish()
  }

  /// The rows written to since a version, or `nil` when the former values of all of them are known.
  func touchedRows(
    since base: Int64, through version: Int64, of section: VersionLine.Section, reader: RowReader
  ) throws(StoreError) -> TouchedRows? {
    if history.isWhole(since: base) { return nil }
    let rows = try ChangeLog.touched(
      after: base, through: version, of: section, schema: schema, on: reader.statements)
    return rows.map { .some($0.rows) } ?? .all
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
