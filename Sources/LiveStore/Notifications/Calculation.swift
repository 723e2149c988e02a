/// What an instance shows, as the input of a calculation. All of it is values or fixed while the calculation runs.
struct CalculationInput {
  struct Collection {
    let live: LiveQuery
    let tree: RankTree?
  }

  struct Observer {
    let subscription: Subscription
    let base: Subscription.Base?
  }

  let schema: Schema
  /// The version that the instance shows.
  let version: Int64
  /// How the instance got there, as far back as the oldest base of an observer.
  let history: [Transition]
  let collections: [Collection]
  let observers: [Observer]
}

/// A step of the instance from one version to the next, kept while an observer has yet to hear of it.
struct Transition {
  /// The version that it led to.
  let version: Int64
  /// The rows that changed, as they were before it; `nil` for those that were not there. All of it is `nil` for a step that
  /// nobody saw: the snapshot before it had been given up.
  let before: [RowID: RowImage?]?
}

/// The outcome of a calculation: a version, and what has to be done to show it.
struct Delivery {
  let version: Int64
  /// Whether it is the version that the instance shows already, on a snapshot that does not need the write-ahead log.
  var isRenewal = false
  /// Whether the rows that differ are not known, because nobody has to be told of them.
  var isUnexamined = false
  /// A newer version, which the instance is not to go to by itself.
  var newerVersion: Int64?
  /// The rows that differ from what the instance shows.
  let changes: RowChanges
  /// The order of every collection that had one, or needs one.
  let trees: [(live: LiveQuery, tree: RankTree)]
  let calls: [(subscription: Subscription, event: Subscription.Event)]
}

extension CalculationInput {
  /// Works out how to get from what the instance shows to the version that `new` holds.
  ///
  /// - Parameter old: Holds the version that the instance shows; only its worker's statements are used.
  /// - Complexity: O(k log n) for each collection, k being the rows touched since; O(n) to fill a collection, and where
  ///   the log no longer reaches back.
  func calculate(old: Snapshot, new: Snapshot, newVersion: Int64) throws(StoreError) -> Delivery {
    if observers.isEmpty, collections.allSatisfy({ $0.tree == nil }) {
      return Delivery(
        version: newVersion, isUnexamined: true, changes: RowChanges(schema: schema), trees: [], calls: [])
    }
    let reader = new.worker
    let advance: RowChanges
    if newVersion == version {
      advance = RowChanges(schema: schema)
    } else if let rows = try ChangeLog.touched(
      after: version, through: newVersion, schema: schema, on: reader.statements)
    {
      advance = try RowChanges.between(old.worker, reader, rows: rows, schema: schema)
    } else {
      advance = try RowChanges.comparing(old.worker.statements, reader.statements, schema: schema)
    }

    let elementTables = Set(collections.map(\.live.query.elements.index))
    let advanceDeep = try DeepChanges(advance, schema: schema, reader: reader, for: elementTables)
    var trees: [(live: LiveQuery, tree: RankTree)] = []
    var newTrees: [ObjectIdentifier: RankTree] = [:]
    var members: [ObjectIdentifier: [MemberChange]] = [:]
    for collection in collections {
      let live = collection.live
      if var tree = collection.tree {
        if !advance.isEmpty {
          let changes = try live.query.memberChanges(
            advance, deep: advanceDeep[live.query.elements], reader: reader)
          try live.query.advance(&tree, by: changes, on: reader.statements)
          members[ObjectIdentifier(live)] = changes
        }
        trees.append((live, tree))
        newTrees[ObjectIdentifier(live)] = tree
      } else if live.registration != nil {
        let tree = try live.query.load(on: reader.statements)
        trees.append((live, tree))
        newTrees[ObjectIdentifier(live)] = tree
      }
    }

    var calls: [(subscription: Subscription, event: Subscription.Event)] = []
    var changesSince: [Int64: (rows: RowChanges, deep: DeepChanges)] = [:]
    for observer in observers {
      let live = observer.subscription.live
      guard let newTree = newTrees[ObjectIdentifier(live)] else { continue }
      guard let base = observer.base else {
        calls.append((observer.subscription, .initial))
        continue
      }
      let changes: [MemberChange]
      if !history.contains(where: { $0.version > base.version }) {
        guard let known = members[ObjectIdentifier(live)] else { continue }
        changes = known
      } else if history.contains(where: { $0.version > base.version && $0.before == nil }) {
        let touched = try touchedElements(
          since: base.version, through: newVersion, of: live.query.elements, reader: reader)
        changes = live.query.memberChanges(from: base.tree, to: newTree, touched: touched)
      } else {
        let since: (rows: RowChanges, deep: DeepChanges)
        if let known = changesSince[base.version] {
          since = known
        } else {
          let rows = try rowChanges(since: base.version, advance: advance, reader: reader)
          since = (rows, try DeepChanges(rows, schema: schema, reader: reader, for: elementTables))
          changesSince[base.version] = since
        }
        changes = try live.query.memberChanges(
          since.rows, deep: since.deep[live.query.elements], reader: reader)
      }
      let changeSet = live.query.changeSet(from: base.tree, to: newTree, members: changes)
      #if DEBUG
        checkApplying(changeSet, from: base.tree, to: newTree, query: live.query)
      #endif
      if !changeSet.isEmpty { calls.append((observer.subscription, .update(changeSet))) }
    }
    return Delivery(version: newVersion, changes: advance, trees: trees, calls: calls)
  }

  /// The rows that differ between an earlier version of the instance and the new one.
  private func rowChanges(
    since base: Int64, advance: RowChanges, reader: RowReader
  ) throws(StoreError) -> RowChanges {
    var before: [RowID: RowImage?] = [:]
    for transition in history where transition.version > base {
      // The first step after the base knows what the row was at the base.
      before.merge(transition.before ?? [:]) { first, _ in first }
    }
    var changes = RowChanges(schema: schema)
    for (row, old) in before {
      let table = schema.tables[row.table]
      changes.add(row, old: old, new: try reader.row(table, row.key))
    }
    for table in schema.tables {
      for (key, change) in advance[table] where before[RowID(table: table.index, key: key)] == nil {
        changes.add(RowID(table: table.index, key: key), old: change.old, new: change.new)
      }
    }
    return changes
  }

  #if DEBUG
    /// L4: applied to the old order, the change set yields the new one.
    private func checkApplying(
      _ changeSet: ChangeSet, from old: RankTree, to new: RankTree, query: CollectionQuery
    ) {
      guard old.count + new.count < 2_000 else { return }
      let elements = (0..<new.count).map { index in new.withEntry(at: index) { query.identity(of: $0) } }
      var rows = (0..<old.count).map { index in old.withEntry(at: index) { query.identity(of: $0) } }
      for index in changeSet.deletions.reversed() { rows.remove(at: index) }
      for index in changeSet.insertions { rows.insert(elements[index], at: index) }
      precondition(rows == elements, "A change set does not lead to the new version: \(changeSet)")
    }
  #endif
}
