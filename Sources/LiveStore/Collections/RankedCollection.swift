import FoundationEssentials

/// The common implementation of the collections in a store: elements in the order of a live query.
///
/// - Complexity: The first elements are read as they are needed. Reading a later element, or the index of
///   one, reads the whole order, O(n); afterwards `count` is O(1), and an element by its index and the index
///   of an element are O(log n).
final class RankedCollection {
  let store: Store
  let live: LiveQuery
  /// The first rank keys, while no more are needed, and the state of the store when they were read.
  private var head: (state: StoreState, keys: [RankKey], isWhole: Bool)?
  /// The last count by SQLite.
  private var counted: (state: StoreState, count: Int)?

  /// The number of elements that are read one by one before the whole order is.
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

  /// Records a read of the members if reads are tracked on this thread.
  func noteRead() {
    if store.isTracked { store.noteRead(live) }
  }

  /// The order at the version that the store shows, including the writes of the open transaction; empty if it
  /// cannot be read.
  var tree: CollectionTree { readableTree ?? CollectionTree(ranks: RankTree()) }

  /// The order like ``tree``; `nil` if it cannot be read.
  var readableTree: CollectionTree? {
    store.exclusively {
      store.requireOpen()
      return store.reading(else: nil) { () throws(StoreError) in try currentTree() }
    }
  }

  private func currentTree() throws(StoreError) -> CollectionTree {
    try store.collect()
    if let tree = live.tree { return tree }
    let tree = try query.load(on: store.reader.statements)
    store.coordinator.setTree(tree, of: live)
    // The order read here becomes invalid if the open write is cancelled.
    if store.isInWriteTransaction {
      live.treeBeforeWrite = .some(nil)
      store.recorder.isCollecting = true
    }
    return tree
  }

  var count: Int {
    noteRead()
    return store.exclusively {
      store.requireOpen()
      return store.reading(else: 0) { () throws(StoreError) in try currentCount() }
    }
  }

  private func currentCount() throws(StoreError) -> Int {
    try store.collect()
    if let tree = live.tree { return tree.count }
    if let counted, counted.state == store.state { return counted.count }
    let count = try query.count(on: store.reader.statements)
    counted = (store.state, count)
    return count
  }

  /// Whether the first and the last element are searched for although the order has been read: in a list
  /// whose order an open transaction has changed, that costs less than updating all orders in use.
  private var isSearched: Bool {
    !query.dependsOnElements && query.limit == nil && store.hasUncollectedWrites
  }

  /// The primary key of the first element, found without reading the others.
  var firstKey: SQLiteValue? {
    noteRead()
    return store.exclusively {
      store.requireOpen()
      if live.tree != nil, isSearched {
        return store.reading(else: nil) { () throws(StoreError) in
          try query.head(1, on: store.reader.statements).first.map(query.element(of:))
        }
      }
      if let key = headKey(at: 0) { return query.element(of: key) }
      // The order of no elements is not kept: it would have to be updated with all that a transaction adds.
      return hasWholeHead || tree.isEmpty ? nil : key(at: 0)
    }
  }

  /// The primary key of the last element, found without reading the others if the order has not been read.
  var lastKey: SQLiteValue? {
    noteRead()
    return store.exclusively {
      store.requireOpen()
      if live.tree != nil, !isSearched { return tree.isEmpty ? nil : key(at: tree.count - 1) }
      return store.reading(else: nil) { () throws(StoreError) in
        try query.last(on: store.reader.statements).map(query.element(of:))
      }
    }
  }

  /// The primary key of an element; NULL if it cannot be read.
  func key(at index: Int) -> SQLiteValue {
    noteRead()
    return store.exclusively {
      if let key = headKey(at: index) { return query.element(of: key) }
      guard let tree = readableTree else { return .null }
      guard index >= 0, index < tree.count else {
        if store.failsByTriggers() { return .null }
        preconditionFailure("The collection has no element \(index), it has \(tree.count).")
      }
      return tree.withEntry(at: index) { query.element(of: $0) }
    }
  }

  /// The primary keys of some of the first elements, while the order has not been read. Empty at the end,
  /// `nil` if the order has to be read.
  func headKeys(from index: Int) -> [SQLiteValue]? {
    store.exclusively {
      if headKey(at: index) == nil {
        return hasWholeHead ? [] : nil
      }
      return head?.keys[index...].map(query.element(of:))
    }
  }

  /// Whether all elements are in `head`.
  private var hasWholeHead: Bool { head.map { $0.isWhole && $0.state == store.state } ?? false }

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
    return store.reading(else: nil) { () throws(StoreError) in
      let keys = try query.head(limit, on: store.reader.statements)
      head = (store.state, keys, keys.count < limit)
      return index < keys.count ? keys[index] : nil
    }
  }

  /// The first index of an object.
  func index(of object: Object) -> Int? {
    noteRead()
    guard let row = object._row, row.store === store, row.table === query.elements else { return nil }
    return store.exclusively { index(of: row) }
  }

  private func index(of row: _ManagedRow) -> Int? {
    guard let tree = readableTree else { return nil }
    let reader = store.reader
    return store.reading(else: nil) { () throws(StoreError) -> Int? in
      var element = row.values
      if element == nil { element = try reader.row(query.elements, row.key) }
      guard let element else { return nil }
      let rows = RowVersion(reader, schema: store.schema)
      guard let list = query.list else { return tree.rank(of: try query.place(element: element, rows).rank) }
      var entries: [RowImage] = []
      try reader.forEachEntry(of: row.key, in: list) { entries.append($0) }
      var first: Int?
      for entry in entries {
        if let place = try query.place(entry: entry, rows), let rank = tree.rank(of: place.rank) {
          first = min(first ?? rank, rank)
        }
      }
      return first
    }
  }

  /// The filter for key paths from an element.
  func filter(_ keyPaths: [String]?) -> PropertyFilter {
    guard let keyPaths else { return .any }
    return .properties(PropertyTree(keyPaths, of: query.elements, schema: store.schema))
  }

  /// A separate collection of the same elements with another selection or order.
  func derived<Failure: Error>(
    sectionFilter: PropertyFilter? = nil, _ change: (inout CollectionQuery) throws(Failure) -> Void
  ) throws(Failure) -> RankedCollection {
    var query = live.query
    try change(&query)
    return RankedCollection(store: store, query: query, sectionFilter: sectionFilter)
  }

  /// Numbers about a property of all elements, at the version that the store shows, and their query.
  func tally(
    _ function: (CollectionQuery) -> AggregateQuery.Function
  ) -> (query: AggregateQuery, tally: AggregateState.Tally) {
    let query = AggregateQuery(query, function(query), by: nil)
    if store.isTracked { store.noteRead(MaintainedResult(query)) }
    let tally = store.exclusively {
      store.requireOpen()
      return store.reading(else: AggregateState.Tally()) { () throws(StoreError) in
        try query.loadOnce(on: store.reader.statements)
      }
    }
    return (query, tally)
  }
}
