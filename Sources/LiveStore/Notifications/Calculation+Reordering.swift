/// Deliveries of very many rows in other places.
extension CalculationInput {
  /// The delivery to the only observer of the instance, if it follows from the old and the new order alone:
  /// the observer has a whole class in an order, and all rows that were written to have another place in it,
  /// were inserted or were deleted. A row in another place has another value, without which it would be where
  /// it was. Otherwise the rows have to be read in both versions, which takes as long as everything else.
  ///
  /// - Complexity: O(n).
  func reordering(
    _ touched: TouchedKeys, new: Snapshot, newVersion: Int64
  ) throws(StoreError) -> Delivery? {
    guard hasOneObserver, let observer = observers.first, observer.subscription.movesBase,
      let observed = observer.subscription.observed as? ObservedCollection, let base = observer.base,
      let oldTree = base.tree, !history.hasSteps(after: base.version),
      // Nothing else is to be advanced.
      results.allSatisfy({ $0.state == nil && !$0.mustLoad }),
      collections.allSatisfy({ $0.live === observed.collection || $0.tree == nil && !$0.mustFill })
    else { return nil }
    let live = observed.collection
    let query = live.query
    let table = query.elements
    guard live.sectionFilter == nil, query.isWholeClass, touched.onlyTable == table.index,
      query.isLoadCheaper(thanLookingUp: touched.byTable[table.index].count, of: oldTree),
      // Otherwise rows in their old places are likely, and have to be read.
      query.dependencies.columns.contains(where: {
        touched.commonColumns[table.index] & table.logBits[$0] != 0
      }),
      observed.filter.reportsAllMoved(by: query)
    else { return nil }
    let newTree = try query.load(on: new.worker.statements)
    var touched = touched
    // The keys of several transactions, of which a row may have more than one.
    if newVersion &- version > 1 { touched.sort() }
    guard
      let changeSet = query.changeSet(
        from: oldTree, to: newTree, ifAllMove: touched.byTable[table.index].count,
        areModified: !observed.filter.isEmpty)
    else { return nil }
    var delivery = Delivery(
      version: newVersion, isUnexamined: true, changes: VersionDifference(schema: schema))
    delivery.trees = [(live, newTree)]
    if let event = observed.event(changeSet, from: oldTree, to: newTree) {
      delivery.calls = [(observer.subscription, event)]
    } else {
      delivery.unaffected = [observer.subscription]
    }
    return delivery
  }
}

extension CollectionQuery {
  /// Whether all objects of a class are elements, whose places depend on their own columns alone.
  fileprivate var isWholeClass: Bool {
    list == nil && linking == nil && predicate == nil && distinct.isEmpty && limit == nil && !dependsOnOthers
  }
}

extension PropertyFilter {
  /// Whether all elements with another place are modified, or none are, and no element is because of another
  /// object.
  fileprivate func reportsAllMoved(by query: CollectionQuery) -> Bool {
    switch self {
    case .any:
      query.elements.references.isEmpty && query.schema.lists[query.elements.index].isEmpty
    case .properties(let tree):
      tree.isEmpty || !tree.leadsFurther && query.dependencies.columns.isSubset(of: tree.columns)
    }
  }
}
