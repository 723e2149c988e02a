/// The thing that a callback observes, which calculates the events for it.
///
/// Each kind of thing that can be observed has a type of its own. The calculation knows them through this
/// protocol only.
protocol Observed: Sendable {
  /// The identity of the thing; its callbacks are called together.
  var identity: ObservedIdentity { get }

  /// The collection that it depends on, whose order is at the new version before any event is calculated.
  var live: LiveQuery? { get }

  /// The result that it is, whose state is at the new version before its callbacks are called.
  var result: MaintainedResult? { get }

  /// The sections that it depends on, which are at the new version before any callback is called.
  var sections: ObjectIdentifier? { get }

  /// The modifications that the callback receives.
  var filter: PropertyFilter { get }

  /// The tables without whose rows nothing changes for it; `nil` if any table may matter.
  var tables: Set<Int>? { get }

  /// The event for a callback with the base `base`; `nil` when nothing changed for it.
  ///
  /// Called on any thread, with the new version's order in `tree`.
  func event(
    since base: Subscription.Base, _ changes: ChangesSinceBase, tree: CollectionTree?
  ) throws(StoreError) -> Subscription.Event?
}

extension Observed {
  /// The identity of the collection or the result that it depends on.
  var query: ObjectIdentifier? { live.map { ObjectIdentifier($0) } ?? result.map { ObjectIdentifier($0) } }
  var result: MaintainedResult? { nil }
  var sections: ObjectIdentifier? { nil }
  var tables: Set<Int>? { nil }
}

/// The identity of an observed thing within an instance.
enum ObservedIdentity: Hashable, Sendable {
  case collection(ObjectIdentifier)
  case object(RowIdentity)
  case sections(ObjectIdentifier)
  case result(ObjectIdentifier)
}

/// The changes between the base of a callback and the version that is to be delivered.
final class ChangesSinceBase {
  let objects: ChangedObjects
  /// The rows written to, if ``objects`` does not contain all changes because former values are lost.
  let touched: TouchedRows?
  private var places: [MemberKey: PlaceChanges] = [:]

  private struct MemberKey: Hashable {
    let live: ObjectIdentifier
    let filter: PropertyFilter
  }

  init(_ objects: ChangedObjects, touched: TouchedRows? = nil) {
    self.objects = objects
    self.touched = touched
  }

  var rows: VersionDifference { objects.rows }
  var isEmpty: Bool { rows.isEmpty && touched == nil }

  /// The changes of a collection's members between two orders of it, that of the callback's base and the new
  /// one.
  ///
  /// - Complexity: O(k log n) for k changed rows the first time; O(n) if former values are lost.
  func members(
    of live: LiveQuery, _ filter: PropertyFilter, from old: CollectionTree, to new: CollectionTree
  ) throws(StoreError) -> [MemberChange] {
    guard let touched else {
      return live.query.memberChanges(from: old, to: new, try places(of: live, filter, from: old))
    }
    let elements = try touched.elements(of: live.query.elements, filter, objects)
    return live.query.memberChanges(from: old, to: new, touched: elements)
  }

  /// The change set between two orders of a collection, that of the callback's base and the new one.
  ///
  /// - Complexity: O(k log n) for k changed rows; O(n) if former values are lost, or very many rows changed.
  func changeSet(
    of live: LiveQuery, _ filter: PropertyFilter, from old: CollectionTree, to new: CollectionTree
  ) throws(StoreError) -> ChangeSet {
    if let touched {
      let elements = try touched.elements(of: live.query.elements, filter, objects)
      return live.query.changeSet(from: old, to: new, touched: elements, reportsReplaced: true)
    }
    let places = try places(of: live, filter, from: old)
    if case .many(let modified, let reportsReplaced) = places {
      return live.query.changeSet(
        from: old, to: new, touched: .some(modified), reportsReplaced: reportsReplaced)
    }
    return live.query.changeSet(
      from: old, to: new, members: live.query.memberChanges(from: old, to: new, places))
  }

  /// The effect of the changes on the places of a collection's members.
  ///
  /// - Parameter tree: The collection's order at the base.
  /// - Complexity: O(k log n) for k changed rows the first time.
  func places(
    of live: LiveQuery, _ filter: PropertyFilter, from tree: CollectionTree
  ) throws(StoreError) -> PlaceChanges {
    if rows.isEmpty { return .some([], reportsReplaced: true) }
    let key = MemberKey(live: ObjectIdentifier(live), filter: filter)
    if let known = places[key] { return known }
    let changes = try live.query.placeChanges(
      objects, modified: try objects.modified(filter, of: live.query.elements),
      reportsReplaced: !filter.isEmpty,
      from: tree)
    places[key] = changes
    return changes
  }
}

/// A collection as one callback observes it.
struct ObservedCollection: Observed {
  let collection: LiveQuery
  let filter: PropertyFilter
  let tables: Set<Int>?

  init(collection: LiveQuery, filter: PropertyFilter) {
    self.collection = collection
    self.filter = filter
    tables = collection.tables.union(filter.tables(of: collection.query.elements, collection.query.schema))
  }

  var identity: ObservedIdentity { .collection(ObjectIdentifier(collection)) }
  var live: LiveQuery? { collection }

  func event(
    since base: Subscription.Base, _ changes: ChangesSinceBase, tree: CollectionTree?
  ) throws(StoreError) -> Subscription.Event? {
    guard let old = base.tree, let new = tree else { return nil }
    return event(try changes.changeSet(of: collection, filter, from: old, to: new), from: old, to: new)
  }

  /// The event for a change set; `nil` when it is empty.
  func event(
    _ changeSet: ChangeSet, from old: CollectionTree, to new: CollectionTree
  ) -> Subscription.Event? {
    #if DEBUG
      checkApplying(changeSet, from: old, to: new, query: collection.query)
    #endif
    return changeSet.isEmpty ? nil : .update(changeSet)
  }

  #if DEBUG
    /// L4: applied to the old order, the change set yields the new one.
    private func checkApplying(
      _ changeSet: ChangeSet, from old: CollectionTree, to new: CollectionTree, query: CollectionQuery
    ) {
      guard old.count + new.count < 2_000 else { return }
      func rows(_ tree: CollectionTree) -> [SQLiteValue] {
        (0..<tree.count).map { index in tree.withEntry(at: index) { query.identity(of: $0) } }
      }
      let order = ChangeSet(deletions: changeSet.deletions, insertions: changeSet.insertions)
      let expected = rows(new)
      precondition(
        order.apply(to: rows(old), from: expected) == expected,
        "A change set does not lead to the new version: \(changeSet)")
    }
  #endif
}

extension PropertyFilter {
  /// The tables whose rows may be modifications of objects of a class.
  fileprivate func tables(of table: Table, _ schema: Schema) -> Set<Int> {
    switch self {
    case .properties(let tree): return tree.tables
    case .any:
      let objects = DeepChanges.reachable(from: [table.index], schema: schema)
      return objects.union(objects.flatMap { schema.lists[$0] })
    }
  }
}
