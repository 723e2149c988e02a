/// A collection that is kept up to date: its query and its order at the version that the instance shows.
final class LiveQuery: @unchecked Sendable {
  // Changed by the instance only, under the coordinator's lock; read by the worker under that lock.

  let query: CollectionQuery
  /// Which modifications may put an element into another section; `nil` when the collection is in no sections.
  let sectionFilter: PropertyFilter?
  /// The order, or `nil` while nobody has asked for it.
  var tree: CollectionTree?
  /// The order when the open write transaction began, once the transaction has changed it.
  var treeBeforeWrite: CollectionTree??
  /// Number of the first subscription; `nil` while there is none, and nobody needs the order.
  var registration: UInt64?

  init(_ query: CollectionQuery, sectionFilter: PropertyFilter? = nil) {
    self.query = query
    self.sectionFilter = sectionFilter
  }
}

/// What a change did to one element of a collection.
struct MemberChange {
  /// Where it stood, if it was an element; to be looked up in the tree.
  var oldKey: RankKey?
  /// Where it stands, if it is an element now.
  var newKey: RankKey?
  /// Whether a watched value, its own or one it leads to, is another.
  var isModified: Bool
}

/// What a change did to one member of a collection, which is no element where only the first of equal values are, or so
/// many at most.
struct PlaceChange {
  /// Where it stood, if it was a member; to be looked up in the tree.
  var old: CollectionQuery.Place?
  /// Where it stands, if it is a member now.
  var new: CollectionQuery.Place?
  /// Whether a watched value, its own or one it leads to, is another.
  var isModified: Bool
}

/// What changes did to the members of a collection.
enum PlaceChanges {
  /// Nobody else can have come, gone, moved or been modified.
  case some([PlaceChange], reportsReplaced: Bool)
  /// So much changed that the orders are better compared. Those of `modified`, by primary key, have another value;
  /// `reportsReplaced` is as for ``CollectionQuery/placeChanges(_:modified:reportsReplaced:from:)``.
  case many(modified: Set<SQLiteValue>, reportsReplaced: Bool)

  var isEmpty: Bool {
    if case .some(let members, _) = self { members.isEmpty } else { false }
  }
}

extension CollectionQuery {
  /// What changes to rows mean for the members.
  ///
  /// - Parameters:
  ///   - modified: The elements of which a watched value changed, their own or one that they lead to.
  ///   - reportsReplaced: Whether an entry of a list that leads to another object is a modification; else it is a
  ///     deletion and an insertion.
  ///   - tree: The order before the changes.
  /// - Complexity: O(k log n) for k rows that changed, or whose place depends on one that did.
  func placeChanges(
    _ changes: ChangedObjects, modified: Set<SQLiteValue>, reportsReplaced: Bool = true,
    from tree: CollectionTree
  ) throws(StoreError) -> PlaceChanges {
    // Rows of the class are in the changes themselves.
    let dependent = dependsOnOthers ? try changes.keys(.properties(dependencies), of: elements) : []
    let changed = changes.rows[elements]
    if list == nil, dependent.isEmpty,
      !changed.values.contains(where: { $0.differs(in: dependencies.columns) })
    {
      return .some(try unmoved(modified, changes, in: tree), reportsReplaced: reportsReplaced)
    }
    let others = dependent.union(modified).filter { changed[$0] == nil }
    if let list {
      return try entryChanges(
        changes, list: list, elements: dependsOnElements ? others.union(changed.keys) : modified,
        modified: modified, reportsReplaced: reportsReplaced, from: tree)
    }
    if isLoadCheaper(thanLookingUp: changed.count + others.count, of: tree) {
      return .many(modified: modified, reportsReplaced: reportsReplaced)
    }
    let reader = changes.reader
    let (before, after) = versions(changes)
    var members: [PlaceChange] = []
    members.reserveCapacity(changed.count + others.count)
    for (key, change) in changed {
      var member = PlaceChange(isModified: modified.contains(key))
      if let old = change.old { member.old = try place(element: old, before) }
      if let new = change.new, try matches(key, on: reader.statements) {
        member.new = try place(element: new, after)
      }
      members.append(member)
    }
    for key in others {
      guard let row = try reader.row(elements, key) else { continue }
      var member = PlaceChange(old: try place(element: row, before), isModified: modified.contains(key))
      if try matches(key, on: reader.statements) { member.new = try place(element: row, after) }
      members.append(member)
    }
    return .some(members, reportsReplaced: reportsReplaced)
  }

  /// The members among elements that were modified, when nothing has come, gone or moved.
  ///
  /// - Complexity: O(k log n) for k elements.
  private func unmoved(
    _ modified: Set<SQLiteValue>, _ changes: ChangedObjects, in tree: CollectionTree
  ) throws(StoreError) -> [PlaceChange] {
    if modified.isEmpty { return [] }
    let (_, after) = versions(changes)
    var members: [PlaceChange] = []
    for key in modified {
      var row = changes.rows[elements, key]?.new
      if row == nil { row = try changes.reader.row(elements, key) }
      guard let row else { continue }
      let place = try place(element: row, after)
      guard tree.contains(place) else { continue }
      members.append(PlaceChange(old: place, new: place, isModified: true))
    }
    return members
  }

  private func entryChanges(
    _ changes: ChangedObjects, list: List, elements: Set<SQLiteValue>, modified: Set<SQLiteValue>,
    reportsReplaced: Bool, from tree: CollectionTree
  ) throws(StoreError) -> PlaceChanges {
    typealias Column = Table.EntryColumn
    var entries: [SQLiteValue: RowChanges.Change] = [:]
    for (entry, change) in changes.rows[list.entries] {
      let old = change.old.flatMap { $0[Column.owner] == list.owner ? $0 : nil }
      let new = change.new.flatMap { $0[Column.owner] == list.owner ? $0 : nil }
      if old != nil || new != nil { entries[entry] = RowChanges.Change(old: old, new: new) }
    }
    if isLoadCheaper(thanLookingUp: entries.count + elements.count, of: tree) {
      return .many(modified: modified, reportsReplaced: reportsReplaced)
    }
    // The entries of elements that changed are themselves as they were, unless they are in the changes already.
    let reader = changes.reader
    for element in elements {
      try reader.forEachEntry(of: element, in: list) { entry in
        if changes.rows[list.entries, entry[Column.entry]] == nil {
          entries[entry[Column.entry]] = RowChanges.Change(old: entry, new: entry)
        }
      }
    }
    let (before, after) = versions(changes)
    var members: [PlaceChange] = []
    members.reserveCapacity(entries.count)
    for change in entries.values {
      var member = PlaceChange(isModified: false)
      if let old = change.old { member.old = try place(entry: old, before) }
      if let new = change.new, try matches(new[Column.target], on: reader.statements) {
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

  /// Whether reading the whole order costs less than looking rows up one by one.
  ///
  /// A list is read as fast as it is long. To find those of a class that match, all of the class must be read, of which
  /// nobody knows how many there are: only when very many are to be looked up are they likely the greater part.
  private func isLoadCheaper(thanLookingUp count: Int, of tree: CollectionTree) -> Bool {
    let isWholeRead = list != nil || linking != nil || predicate == nil
    return count > (isWholeRead ? 256 : 16_384) && count * 8 > tree.memberCount
  }

  /// Brings a tree from the old to the new version.
  ///
  /// - Parameter statements: Read the new version.
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
  /// Passes on the entries of a list that lead to an element.
  ///
  /// - Complexity: O(log n) and O(1) for each entry.
  func forEachEntry(
    of element: SQLiteValue, in list: CollectionQuery.List, _ body: (RowImage) -> Void
  ) throws(StoreError) {
    // The plus keeps SQLite from the index by owner, which covers these columns but holds the whole list.
    let select = try statements.prepare(
      "SELECT \(list.entries.columnList) FROM \(quoted(list.entries.name)) WHERE target = ? AND +owner = ?")
    select.bind(element, at: 1)
    select.bind(list.owner, at: 2)
    defer { select.reset() }
    while try select.step() { body(select.values(0..<list.entries.columns.count)) }
  }
}
