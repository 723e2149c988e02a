/// A collection that is kept up to date: its query, and its order at the version that the instance shows.
final class LiveQuery: @unchecked Sendable {
  // Changed by the instance only, under the coordinator's lock or in phase `held`. Read by the worker under
  // that lock when it begins a calculation, which it cannot do in phase `held`.

  let query: CollectionQuery
  /// The tables on whose rows the members or their order may depend.
  let tables: Set<Int>
  /// The modifications that may move an element to another section; `nil` if the collection has no sections.
  let sectionFilter: PropertyFilter?
  /// The order, or `nil` if it has not been needed.
  var tree: CollectionTree?
  /// The order when the open write transaction began, once the transaction has changed it.
  var treeBeforeWrite: CollectionTree??
  /// The number of the first subscription; `nil` if there is none that needs the order.
  var registration: UInt64?

  init(_ query: CollectionQuery, sectionFilter: PropertyFilter? = nil) {
    self.query = query
    tables = query.tables
    self.sectionFilter = sectionFilter
  }
}

/// The change of one element of a collection.
struct MemberChange {
  /// The old rank key, if it was an element; to be looked up in the tree.
  var oldKey: RankKey?
  /// The new rank key, if it is an element now.
  var newKey: RankKey?
  /// Whether an observed value, its own or one it leads to, has changed.
  var isModified: Bool
}

/// The change of one member of a collection, which may be no element if the collection is distinct or
/// limited.
struct PlaceChange {
  /// The old place, if it was a member; to be looked up in the tree.
  var old: CollectionQuery.MemberPlace?
  /// The new place, if it is a member now.
  var new: CollectionQuery.MemberPlace?
  /// Whether an observed value, its own or one it leads to, has changed.
  var isModified: Bool
}

/// The changes of the members of a collection.
enum PlaceChanges {
  /// The complete list: no other member was inserted, deleted, moved or modified.
  case some([PlaceChange], reportsReplaced: Bool)
  /// Too many changes: comparing the orders costs less. The objects in `modified` have changed values; for
  /// `reportsReplaced` see ``CollectionQuery/placeChanges(_:modified:reportsReplaced:from:)``.
  case many(modified: ModifiedObjects, reportsReplaced: Bool)

  var isEmpty: Bool {
    if case .some(let members, _) = self { members.isEmpty } else { false }
  }
}

extension CollectionQuery {
  /// The changes of the members that follow from those of the rows.
  ///
  /// - Parameters:
  ///   - modified: The elements with a changed observed value, their own or one that they lead to.
  ///   - reportsReplaced: Whether an entry of a list that leads to another object is a modification;
  ///     otherwise it is a deletion and an insertion.
  ///   - tree: The order before the changes.
  /// - Complexity: O(k log n) for k rows that changed, or whose place depends on one that did.
  func placeChanges(
    _ changes: ChangedObjects, modified: ModifiedObjects, reportsReplaced: Bool = true,
    from tree: CollectionTree
  ) throws(StoreError) -> PlaceChanges {
    let changed = changes.rows[elements]
    let dependent = dependsOnOthers ? try changes.keys(leadingInto: dependencies) : []
    if list == nil, dependent.isEmpty,
      !changed.contains(where: { $0.change.differs(in: dependencies.columns) })
    {
      return .some(try unmoved(modified, changes, in: tree), reportsReplaced: reportsReplaced)
    }
    // The changes themselves contain the rows of the class.
    let others = dependent.union(modified.leading).filter { !changed.contains(key: $0) }
    if let list {
      let affected = changed.lazy.filter { dependsOnElements || modified.contains($0.key, $0.change) }
      return try entryChanges(
        changes, list: list, elements: others + affected.map(\.key), modified: modified,
        reportsReplaced: reportsReplaced, from: tree)
    }
    if isLoadCheaper(thanLookingUp: changed.count + others.count, of: tree) {
      return .many(modified: modified, reportsReplaced: reportsReplaced)
    }
    let reader = changes.reader
    let (before, after) = versions(changes)
    let test = try membershipTest(on: reader.statements)
    var members: [PlaceChange] = []
    members.reserveCapacity(changed.count + others.count)
    for (key, change) in changed {
      var member = PlaceChange(isModified: modified.contains(key, change))
      if let old = change.old { member.old = try place(element: old, before) }
      if let new = change.new, try test.passes(key) {
        member.new = try place(element: new, after)
      }
      members.append(member)
    }
    for key in others {
      guard let row = try reader.row(elements, key) else { continue }
      var member = PlaceChange(old: try place(element: row, before), isModified: modified.contains(key))
      if try test.passes(key) { member.new = try place(element: row, after) }
      members.append(member)
    }
    return .some(members, reportsReplaced: reportsReplaced)
  }

  /// The modified members, if none was inserted, deleted or moved.
  ///
  /// - Complexity: O(k log n) for k elements.
  private func unmoved(
    _ modified: ModifiedObjects, _ changes: ChangedObjects, in tree: CollectionTree
  ) throws(StoreError) -> [PlaceChange] {
    if modified.isEmpty { return [] }
    let (_, after) = versions(changes)
    let changed = changes.rows[elements]
    var members: [PlaceChange] = []
    func add(_ row: some ColumnValues) throws(StoreError) {
      let place = try place(element: row, after)
      guard tree.contains(place) else { return }
      members.append(PlaceChange(old: place, new: place, isModified: true))
    }
    for (key, change) in changed {
      if let row = change.new, modified.contains(key, change) { try add(row) }
    }
    for key in modified.leading where !changed.contains(key: key) {
      if let row = try changes.reader.row(elements, key) { try add(row) }
    }
    return members
  }

  private func entryChanges(
    _ changes: ChangedObjects, list: ListEntries, elements: [SQLiteValue], modified: ModifiedObjects,
    reportsReplaced: Bool, from tree: CollectionTree
  ) throws(StoreError) -> PlaceChanges {
    typealias Column = Table.EntryColumn
    var entries: [(old: RowImage?, new: RowImage?)] = []
    for (_, change) in changes.rows[list.entries] {
      let old = change.old.flatMap { $0[Column.owner] == list.owner ? $0.image : nil }
      let new = change.new.flatMap { $0[Column.owner] == list.owner ? $0.image : nil }
      if old != nil || new != nil { entries.append((old, new)) }
    }
    if isLoadCheaper(thanLookingUp: entries.count + elements.count, of: tree) {
      return .many(modified: modified, reportsReplaced: reportsReplaced)
    }
    // The entries of changed elements have not changed themselves, unless they are in the changes already.
    let reader = changes.reader
    for element in elements {
      try reader.forEachEntry(of: element, in: list) { entry in
        if changes.rows[list.entries, entry[Column.entry]] == nil { entries.append((entry, entry)) }
      }
    }
    let (before, after) = versions(changes)
    let test = try membershipTest(on: reader.statements)
    var members: [PlaceChange] = []
    members.reserveCapacity(entries.count)
    for change in entries {
      var member = PlaceChange(isModified: false)
      if let old = change.old { member.old = try place(entry: old, before) }
      if let new = change.new, try test.passes(new[Column.target]) {
        member.new = try place(entry: new, after)
      }
      if let old = change.old, let new = change.new {
        let isReplaced = old[Column.target] != new[Column.target]
        if isReplaced, !reportsReplaced {
          members.append(PlaceChange(old: member.old, isModified: false))
          members.append(PlaceChange(new: member.new, isModified: false))
          continue
        }
        member.isModified = isReplaced || modified.contains(new[Column.target])
      }
      members.append(member)
    }
    return .some(members, reportsReplaced: reportsReplaced)
  }

  private func versions(_ changes: ChangedObjects) -> (before: RowVersion, after: RowVersion) {
    (
      RowVersion(before: changes.rows, changes.reader, schema: schema),
      RowVersion(changes.reader, schema: schema)
    )
  }

  /// Whether reading the whole order costs less than looking up rows one by one.
  ///
  /// Reading a list costs its length. Finding the matching objects of a class reads all of the class, whose
  /// size is unknown: only when very many rows are to be looked up are they likely to be the greater part.
  func isLoadCheaper(thanLookingUp count: Int, of tree: CollectionTree) -> Bool {
    let isWholeRead = list != nil || linking != nil || predicate == nil
    return count > (isWholeRead ? 256 : 16_384) && count * 8 > tree.memberCount
  }

  /// Advances a tree from the old version to the new one, which the statements read.
  ///
  /// - Complexity: O(k log n) for k members, O(n) for many.
  func advance(
    _ tree: inout CollectionTree, by members: PlaceChanges, on statements: StatementCache
  ) throws(StoreError) {
    switch members {
    case .some(let members, _): tree.update(members)
    case .many: tree = try load(on: statements)
    }
  }
}

extension RowReader {
  /// Calls `body` with the entries of a list that lead to an element.
  ///
  /// - Complexity: O(log n) and O(1) for each entry.
  func forEachEntry(
    of element: SQLiteValue, in list: CollectionQuery.ListEntries, _ body: (RowImage) -> Void
  ) throws(StoreError) {
    let select = try statements.prepare(list.entries.selectEntries)
    select.bind(element, at: 1)
    select.bind(list.owner, at: 2)
    defer { select.reset() }
    while try select.step() { body(select.values(0..<list.entries.columns.count)) }
  }
}
