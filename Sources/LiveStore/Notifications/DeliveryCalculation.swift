/// The calculation of a delivery from the rows that differ, in three steps: the orders of the collections,
/// the states of the results, and the calls of the observers, which follow from both.
struct DeliveryCalculation {
  private(set) var delivery: Delivery
  private let input: CalculationInput
  private let old: Snapshot
  private let new: Snapshot
  /// The tables whose observers, or sections, depend on everything that the elements lead to.
  private let deepTables: Set<Int>
  /// The changes since the version shown, the base of most observers.
  private let changesOfAdvance: ChangesSinceBase
  /// The tables with rows among these.
  private let changedTables: Set<Int>
  /// The changes since the other bases, as far as an observer has needed them.
  private var changesSince: [Int64: ChangesSinceBase] = [:]
  private var trees: [ObjectIdentifier: CollectionTree] = [:]
  private var states: [ObjectIdentifier: any Sendable] = [:]
  /// The errors of queries that fail at a value. Each ends the observers of its query, whose order or state
  /// is read again when it is next needed.
  private var failures: [ObjectIdentifier: StoreError] = [:]

  /// - Parameters:
  ///   - advance: The rows that differ between the version shown and the new one.
  ///   - old: The snapshot of the version shown; only its worker's statements are used.
  init(
    _ input: CalculationInput, advance: VersionDifference, to newVersion: Int64, old: Snapshot, new: Snapshot
  ) {
    self.input = input
    (self.old, self.new) = (old, new)
    deepTables = input.deepTables
    changesOfAdvance = ChangesSinceBase(
      ChangedObjects(advance, schema: input.schema, reader: new.worker, deepTables: deepTables))
    changedTables = advance.tables
    delivery = Delivery(version: newVersion, changes: advance)
  }

  // MARK: Collections

  /// Brings the order of each collection to the new version.
  mutating func advanceCollections() throws(StoreError) {
    let filters = input.filters
    for collection in input.collections {
      let id = ObjectIdentifier(collection.live)
      let advanced = try StoreError.ofQuery { () throws(StoreError) in
        try advance(collection, filters[id])
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
  }

  /// The order of a collection at the new version and, if it has sections, the members that have changed;
  /// `nil` if its order is not needed.
  private func advance(
    _ collection: CalculationInput.Collection, _ filter: PropertyFilter?
  ) throws(StoreError) -> (CollectionTree, [MemberChange]?)? {
    let live = collection.live
    guard let old = collection.tree else {
      return collection.mustFill ? (try live.query.load(on: new.worker.statements), nil) : nil
    }
    if live.sectionFilter == nil, live.tables.isDisjoint(with: changedTables) { return (old, nil) }
    let filter = live.sectionFilter ?? filter ?? .properties(PropertyTree(table: live.query.elements.index))
    let places = try changesOfAdvance.places(of: live, filter, from: old)
    var tree = old
    try live.query.advance(&tree, by: places, on: new.worker.statements)
    return (
      tree, live.sectionFilter == nil ? nil : live.query.memberChanges(from: old, to: tree, places)
    )
  }

  // MARK: Results

  /// Brings the state of each result to the new version.
  mutating func advanceResults() throws(StoreError) {
    for result in input.results {
      let id = ObjectIdentifier(result.live)
      let advanced = try StoreError.ofQuery { () throws(StoreError) in try advance(result) }
      switch advanced {
      case .success(let state?):
        states[id] = state
        delivery.results.append((result.live, state))
      case .success(nil): break
      case .failure(let error): failures[id] = error
      }
    }
  }

  /// The state of a result at the new version; `nil` if it is not needed.
  private func advance(_ result: CalculationInput.Result) throws(StoreError) -> (any Sendable)? {
    if let known = result.state {
      return try result.live.query.advance(erased: known, by: changesOfAdvance.objects, from: old.worker)
    }
    return result.mustLoad ? try result.live.query.load(on: new.worker.statements) : nil
  }

  // MARK: Observers

  /// The consequence of the new version for an observer.
  private enum Outcome {
    case call(Subscription.Event)
    /// Nothing has changed for it.
    case unaffected
    /// It waits for an order or a state that the delivery does not have.
    case waiting
  }

  /// Calculates the calls of the observers, in their order, once what they observe has been advanced.
  mutating func calculateCalls() throws(StoreError) {
    for observer in input.observers {
      let subscription = observer.subscription
      switch try outcome(for: observer) {
      case .call(let event): delivery.calls.append((subscription, event))
      case .unaffected: delivery.unaffected.append(subscription)
      case .waiting: break
      }
    }
  }

  private mutating func outcome(for observer: CalculationInput.Observer) throws(StoreError) -> Outcome {
    let observed = observer.subscription.observed
    if let error = observed.query.flatMap({ failures[$0] }) { return .call(.error(error)) }
    let tree = observed.live.flatMap { trees[ObjectIdentifier($0)] }
    if observed.live != nil, tree == nil { return .waiting }
    guard let base = observer.base else { return .call(.initial) }
    if let result = observed.result { return outcome(of: result, since: base) }
    let changes = try changes(since: base)
    guard isConcerned(observed, by: changes) else { return .unaffected }
    let event = try StoreError.ofQuery { () throws(StoreError) in
      try observed.event(since: base, changes, tree: tree)
    }
    return switch event {
    case .success(let event?): .call(event)
    case .success(nil): .unaffected
    case .failure(let error): .call(.error(error))
    }
  }

  private func outcome(of result: MaintainedResult, since base: Subscription.Base) -> Outcome {
    guard let state = states[ObjectIdentifier(result)] else { return .waiting }
    if let known = base.result, result.query.hasSameValue(erased: known, state) { return .unaffected }
    return .call(.result(state, since: base.result))
  }

  /// Whether changes may be about an observed collection or object.
  private func isConcerned(_ observed: any Observed, by changes: ChangesSinceBase) -> Bool {
    if changes.isEmpty { return false }
    if changes !== changesOfAdvance { return true }
    return observed.tables.map { !$0.isDisjoint(with: changedTables) } ?? true
  }

  /// The changes since the base of an observer, which may be older than the version shown.
  private mutating func changes(since base: Subscription.Base) throws(StoreError) -> ChangesSinceBase {
    guard input.history.hasSteps(after: base.version) else { return changesOfAdvance }
    if let known = changesSince[base.version] { return known }
    let rows = try rowChanges(since: base.version)
    let changes = ChangesSinceBase(
      ChangedObjects(rows, schema: input.schema, reader: new.worker, deepTables: deepTables),
      touched: try touchedRows(since: base.version))
    changesSince[base.version] = changes
    return changes
  }

  /// The rows that differ between an earlier version of the instance and the new one.
  private func rowChanges(since base: Int64) throws(StoreError) -> VersionDifference {
    let (schema, advance) = (input.schema, delivery.changes)
    let before = input.history.before(since: base)
    var byTable: [[(key: OrderedKey, old: RowImage?)]] = Array(repeating: [], count: schema.tables.count)
    for (row, old) in before { byTable[row.table].append((OrderedKey(row.key), old)) }
    var changes = VersionDifference.Builder(schema: schema)
    for table in schema.tables where !byTable[table.index].isEmpty {
      var after = try new.worker.cursor(table)
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

  /// The rows written to since an earlier version; `nil` when the former values of all of them are known.
  private func touchedRows(since base: Int64) throws(StoreError) -> TouchedRows? {
    if input.history.isWhole(since: base) { return nil }
    let rows = try ChangeLog.touched(
      after: base, through: delivery.version, of: new.section, schema: input.schema,
      on: new.worker.statements)
    return rows.map { .some($0.rows) } ?? .all
  }
}

extension CalculationInput {
  /// The tables whose observers, or sections, depend on everything that the elements lead to.
  fileprivate var deepTables: Set<Int> {
    let ofObservers = observers.compactMap { observer -> Int? in
      guard case .any = observer.subscription.observed.filter else { return nil }
      return observer.subscription.observed.live?.query.elements.index
    }
    let ofSections = collections.compactMap { collection -> Int? in
      guard case .any = collection.live.sectionFilter else { return nil }
      return collection.live.query.elements.index
    }
    return Set(ofObservers + ofSections)
  }

  /// The filters of the observers by their collections. The order of a collection depends on no filter;
  /// with that of an observer, the work is shared with it.
  fileprivate var filters: [ObjectIdentifier: PropertyFilter] {
    var filters: [ObjectIdentifier: PropertyFilter] = [:]
    for observer in observers {
      guard let live = observer.subscription.observed.live else { continue }
      filters[ObjectIdentifier(live)] = observer.subscription.observed.filter
    }
    return filters
  }
}
