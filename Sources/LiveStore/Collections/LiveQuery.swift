/// A collection that is kept up to date: its query and its order at the version that the instance shows.
final class LiveQuery: @unchecked Sendable {
  // Changed by the instance only, under the coordinator's lock; read by the worker under that lock.

  let query: CollectionQuery
  /// Which modifications may put an element into another section; `nil` when the collection is in no sections.
  let sectionFilter: PropertyFilter?
  /// The order, or `nil` while nobody has asked for it.
  var tree: RankTree?
  /// The order when the open write transaction began, once the transaction has changed it.
  var treeBeforeWrite: RankTree??
  /// Number of the first subscription; `nil` while there is none, and nobody needs the order.
  var registration: UInt64?

  init(_ query: CollectionQuery, sectionFilter: PropertyFilter? = nil) {
    self.query = query
    self.sectionFilter = sectionFilter
  }
}

/// What a change did to one member of a collection.
struct MemberChange {
  /// Where it stood, if it was a member; to be looked up in the tree.
  var oldKey: RankKey?
  /// Where it stands, if it is a member now.
  var newKey: RankKey?
  /// Whether a watched value, its own or one it leads to, is another.
  var isModified: Bool
}

extension CollectionQuery {
  /// Reads the whole order.
  ///
  /// - Complexity: O(n), and O(n log n) where no index gives the order.
  func load(on statements: StatementCache) throws(StoreError) -> RankTree {
    let rows = try members(on: statements)
    defer { rows.reset() }
    var builder = RankTree.Builder()
    var key = RankKeyWriter()
    while try rows.step() {
      key.removeAll()
      write(rows, to: &key)
      key.withUnsafeBytes { builder.append($0) }
    }
    return builder.finish()
  }

  /// What changes to rows mean for the members.
  ///
  /// - Parameters:
  ///   - modified: The elements of which a watched value changed, their own or one that they lead to.
  ///   - reportsReplaced: Whether an entry of a list that leads to another object is a modification; else it is a
  ///     deletion and an insertion.
  ///   - reader: Reads the new version.
  /// - Complexity: O(k log n) for k changed rows.
  func memberChanges(
    _ changes: RowChanges, modified: Set<SQLiteValue>, reportsReplaced: Bool = true, reader: RowReader
  ) throws(StoreError) -> [MemberChange] {
    if let list {
      return try entryChanges(
        changes, modified: modified, reportsReplaced: reportsReplaced, list: list, reader: reader)
    }
    var members: [MemberChange] = []
    for (key, change) in changes[elements] {
      var member = MemberChange(isModified: modified.contains(key))
      member.oldKey = change.old.map { rankKey(element: $0) }
      if let new = change.new, try matches(key, on: reader.statements) {
        member.newKey = rankKey(element: new)
      }
      members.append(member)
    }
    for key in modified where changes[elements, key] == nil {
      guard let row = try reader.row(elements, key), try matches(key, on: reader.statements) else { continue }
      let rankKey = rankKey(element: row)
      members.append(MemberChange(oldKey: rankKey, newKey: rankKey, isModified: true))
    }
    return members
  }

  private func entryChanges(
    _ changes: RowChanges, modified: Set<SQLiteValue>, reportsReplaced: Bool, list: List, reader: RowReader
  ) throws(StoreError) -> [MemberChange] {
    typealias Column = Table.EntryColumn
    var entries: [SQLiteValue: RowChanges.Change] = [:]
    for (entry, change) in changes[list.entries] {
      let old = change.old.flatMap { $0[Column.owner] == list.owner ? $0 : nil }
      let new = change.new.flatMap { $0[Column.owner] == list.owner ? $0 : nil }
      if old != nil || new != nil { entries[entry] = RowChanges.Change(old: old, new: new) }
    }
    // The entries of elements that changed are themselves as they were, unless they are in the changes already.
    func addEntries(of element: SQLiteValue) throws(StoreError) {
      // The plus keeps SQLite from the index by owner, which covers these columns but holds the whole list.
      let select = try reader.statements.prepare(
        "SELECT \(list.entries.columnList) FROM \(quoted(list.entries.name)) WHERE target = ? AND +owner = ?")
      select.bind(element, at: 1)
      select.bind(list.owner, at: 2)
      defer { select.reset() }
      while try select.step() {
        let entry = select.values(0..<list.entries.columns.count)
        if changes[list.entries, entry[Column.entry]] == nil {
          entries[entry[Column.entry]] = RowChanges.Change(old: entry, new: entry)
        }
      }
    }
    if dependsOnElements { for element in changes[elements].keys { try addEntries(of: element) } }
    for element in modified where !dependsOnElements || changes[elements, element] == nil {
      try addEntries(of: element)
    }

    var members: [MemberChange] = []
    for change in entries.values {
      var member = MemberChange(isModified: false)
      if let old = change.old {
        let element = try sort.isEmpty ? nil : oldElement(old[Column.target], changes, reader)
        member.oldKey = rankKey(entry: old, element: element)
      }
      if let new = change.new, try matches(new[Column.target], on: reader.statements) {
        let element = try sort.isEmpty ? nil : newElement(new[Column.target], changes, reader)
        member.newKey = rankKey(entry: new, element: element)
      }
      if let old = change.old, let new = change.new {
        let isReplaced = old[Column.target] != new[Column.target]
        if isReplaced, !reportsReplaced {
          members.append(MemberChange(oldKey: member.oldKey, isModified: false))
          members.append(MemberChange(newKey: member.newKey, isModified: false))
          continue
        }
        member.isModified = isReplaced || modified.contains(new[Column.target])
      }
      members.append(member)
    }
    return members
  }

  private func oldElement(
    _ key: SQLiteValue, _ changes: RowChanges, _ reader: RowReader
  ) throws(StoreError) -> RowImage? {
    if let change = changes[elements, key] { return change.old }
    return try reader.row(elements, key)
  }

  private func newElement(
    _ key: SQLiteValue, _ changes: RowChanges, _ reader: RowReader
  ) throws(StoreError) -> RowImage? {
    if let change = changes[elements, key] { return change.new }
    return try reader.row(elements, key)
  }

  /// Brings a tree from the old to the new version.
  ///
  /// - Parameter statements: Read the new version, from which the tree is built anew when so many members changed that
  ///   this is cheaper.
  /// - Complexity: O(k log n) for k members, O(n) at most.
  func advance(
    _ tree: inout RankTree, by members: [MemberChange], on statements: StatementCache
  ) throws(StoreError) {
    if members.count > 256, members.count * 8 > tree.count {
      tree = try load(on: statements)
      return
    }
    // All removals come first: a key that one member leaves may be taken by another.
    for member in members {
      if let oldKey = member.oldKey, oldKey != member.newKey { _ = tree.remove(oldKey) }
    }
    for member in members {
      if let newKey = member.newKey { _ = tree.insert(newKey) }
    }
  }

  /// The change set between two trees that differ by `members`.
  func changeSet(from old: RankTree, to new: RankTree, members: [MemberChange]) -> ChangeSet {
    var builder = ChangeSetBuilder()
    for member in members {
      let oldRank = member.oldKey.flatMap { old.rank(of: $0) }
      let newRank = member.newKey.flatMap { new.rank(of: $0) }
      if oldRank == nil, newRank == nil { continue }
      builder.append(
        TouchedRow(
          oldRank: oldRank, newRank: newRank, keyChanged: member.oldKey != member.newKey,
          isModified: member.isModified))
    }
    return builder.build()
  }
}
