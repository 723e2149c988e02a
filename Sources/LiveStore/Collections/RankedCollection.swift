import FoundationEssentials

/// What the collections of a store have in common: elements in the order of a live query.
///
/// - Complexity: The first elements are read as they are asked for. An element further on, or the index of one, reads
///   the whole order, O(n); afterwards `count` is O(1), an element by its index and the index of an element are O(log n).
final class RankedCollection {
  let store: Store
  let live: LiveQuery
  /// The first rank keys, as long as nobody needs more, and the state that they were read in.
  private var head: (state: StoreState, keys: [RankKey], isWhole: Bool)?
  /// What SQLite counted last.
  private var counted: (state: StoreState, count: Int)?

  /// How many elements are read one by one before the whole order is.
  private static let headLimit = 1024

  init(store: Store, query: CollectionQuery, sectionFilter: PropertyFilter? = nil) {
    store.confinement.require()
    self.store = store
    live = LiveQuery(query, sectionFilter: sectionFilter)
    store.coordinator.add(live)
  }

  /// The same collection in the frozen store of the version shown.
  func frozen() -> RankedCollection {
    let copy = RankedCollection(store: store.freeze(), query: query)
    copy.live.tree = live.tree
    return copy
  }

  var query: CollectionQuery { live.query }

  /// Notes a read of the members with whoever tracks reads on this thread.
  private func noteRead() {
    if store.isTracked { store.noteRead(live) }
  }

  /// The order at the version that the store shows, with what the open transaction has written.
  var tree: RankTree { store.exclusively { currentTree() } }

  private func currentTree() -> RankTree {
    store.requireOpen()
    store.unfailing { () throws(StoreError) in try store.collect() }
    if let tree = live.tree { return tree }
    let tree = store.unfailing { () throws(StoreError) in
      try query.load(on: store.reader.statements)
    }
    store.coordinator.setTree(tree, of: live)
    // An open write may be cancelled; what is read now is then no longer true.
    if store.isInWriteTransaction { live.treeBeforeWrite = .some(nil) }
    return tree
  }

  var count: Int {
    noteRead()
    return store.exclusively { currentCount() }
  }

  private func currentCount() -> Int {
    store.requireOpen()
    store.unfailing { () throws(StoreError) in try store.collect() }
    if let tree = live.tree { return tree.count }
    if let counted, counted.state == store.state { return counted.count }
    let count = store.unfailing { () throws(StoreError) in
      try query.count(on: store.reader.statements)
    }
    counted = (store.state, count)
    return count
  }

  /// The primary key of the first element.
  var firstKey: SQLiteValue? {
    noteRead()
    return store.exclusively {
      if let key = headKey(at: 0) { return query.element(of: key) }
      return tree.isEmpty ? nil : key(at: 0)
    }
  }

  /// The primary key of an element.
  func key(at index: Int) -> SQLiteValue {
    noteRead()
    return store.exclusively {
      if let key = headKey(at: index) { return query.element(of: key) }
      let tree = tree
      precondition(
        index >= 0 && index < tree.count, "The collection has no element \(index), it has \(tree.count).")
      return tree.withEntry(at: index) { query.element(of: $0) }
    }
  }

  /// The rank key of one of the first elements, while the order has not been read.
  private func headKey(at index: Int) -> RankKey? {
    store.requireOpen()
    guard live.tree == nil, index >= 0, index < Self.headLimit else {
      head = nil
      return nil
    }
    if let head, head.state == store.state {
      if index < head.keys.count { return head.keys[index] }
      if head.isWhole { return nil }
    }
    var limit = 64
    while limit <= index { limit *= 4 }
    let keys = store.unfailing { () throws(StoreError) in
      let rows = try query.members(on: store.reader.statements, limit: limit)
      defer { rows.reset() }
      var keys: [RankKey] = []
      while try rows.step() {
        var key = RankKeyWriter()
        query.write(rows, to: &key)
        keys.append(key.key)
      }
      return keys
    }
    head = (store.state, keys, keys.count < limit)
    return index < keys.count ? keys[index] : nil
  }

  /// The index of an object, the first one if it is in the collection several times.
  func index(of object: Object) -> Int? {
    noteRead()
    guard let row = object._row, row.store === store, row.table === query.elements else { return nil }
    return store.exclusively { index(of: row) }
  }

  private func index(of row: _ManagedRow) -> Int? {
    let tree = tree
    let reader = store.reader
    return store.unfailing { () throws(StoreError) -> Int? in
      guard let element = try reader.row(query.elements, row.key) else { return nil }
      guard let list = query.list else { return tree.rank(of: query.rankKey(element: element)) }
      // The plus keeps SQLite from the index by owner, which covers these columns but holds the whole list.
      let select = try reader.statements.prepare(
        "SELECT \(list.entries.columnList) FROM \(quoted(list.entries.name)) WHERE target = ? AND +owner = ?")
      select.bind(row.key, at: 1)
      select.bind(list.owner, at: 2)
      defer { select.reset() }
      var first: Int?
      while try select.step() {
        let entry = select.values(0..<list.entries.columns.count)
        if let key = query.rankKey(entry: entry, element: element), let rank = tree.rank(of: key) {
          first = min(first ?? rank, rank)
        }
      }
      return first
    }
  }

  /// The filter that key paths from an element make.
  func filter(_ keyPaths: [String]?) -> PropertyFilter {
    guard let keyPaths else { return .any }
    return .properties(PropertyTree(keyPaths, of: query.elements, schema: store.schema))
  }

  func observe(
    _ filter: PropertyFilter, _ state: SubscriptionState?,
    _ notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    observe(ObservedCollection(collection: live, filter: filter), state, notify)
  }

  /// Calls `notify` with the events of a view on the collection.
  func observe(
    _ observed: any Observed, _ state: SubscriptionState?,
    _ notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    store.confinement.require()
    store.requireLive("observed")
    if store.isInWriteTransaction, !store.recorder.touched.isEmpty, live.registration == nil {
      fatalError(
        "A collection cannot be observed in a write transaction that has changed something; observe it before."
      )
    }
    return store.coordinator.addSubscription(to: observed, state: state, notify: notify)
  }

  /// The same elements in another selection or order.
  func derived(_ change: (inout CollectionQuery) -> Void) -> CollectionQuery {
    var query = live.query
    change(&query)
    return query
  }
}

extension CollectionQuery {
  /// Adds a predicate; a collection that is filtered already is narrowed further.
  mutating func filter<Element: Object>(_ predicate: Predicate<Element>) throws(QueryError) {
    guard case .objects(let objectSchema) = elements.role else { return }
    let table = quoted(elements.name)
    let added: SQLPredicate
    do {
      added = try SQLPredicate(predicate) { keyPath throws -> QueryColumn in
        guard let column = objectSchema.column(for: keyPath) else {
          throw QueryError(
            expression: "\(keyPath)",
            advice: "use the persisted properties of \(objectSchema.name) themselves.")
        }
        let property = objectSchema.columns[column]
        return QueryColumn(
          name: property.name, isOptional: property.isOptional, sql: "\(table).\(quoted(property.name))")
      }
    } catch let error as QueryError {
      throw error
    } catch {
      throw QueryError(expression: "\(predicate)", advice: "\(error)")
    }
    self.predicate = self.predicate.map { $0.and(added) } ?? added
  }

  /// Sorts by a property, before those that it was sorted by.
  mutating func sort(by keyPath: AnyKeyPath, ascending: Bool) {
    guard case .objects(let schema) = elements.role, let column = schema.column(for: keyPath) else {
      fatalError("Only persisted properties of \(elements.name) can be sorted by, not \(keyPath).")
    }
    sort.insert(SortColumn(column: column, isAscending: ascending), at: 0)
  }
}
