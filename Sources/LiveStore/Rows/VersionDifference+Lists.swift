/// The changes of lists that follow from changed rows of entries.
extension VersionDifference {
  /// The owners whose lists have other elements, or another order.
  ///
  /// - Parameters:
  ///   - table: The list's table of entries.
  ///   - reader: A reader of the new version.
  func ownersOfChangedLists(in table: Table, _ reader: RowReader) throws(StoreError) -> Set<SQLiteValue> {
    typealias Column = Table.EntryColumn
    var lists: [SQLiteValue: ChangedEntries] = [:]
    for (_, change) in self[table] {
      if let old = change.old { lists[old[Column.owner], default: ChangedEntries()].old.append(old) }
      if let new = change.new { lists[new[Column.owner], default: ChangedEntries()].new.append(new) }
    }
    var owners: Set<SQLiteValue> = []
    for (owner, entries) in lists where try VersionDifference.differs(entries, in: table, reader) {
      owners.insert(owner)
    }
    return owners
  }

  /// The objects that occur in the lists of other owners than before, or more or less often in one.
  func targetsOfChangedLists(in table: Table) -> Set<SQLiteValue> {
    typealias Column = Table.EntryColumn
    var counts: [[SQLiteValue]: Int] = [:]
    for (_, change) in self[table] {
      if let old = change.old { counts[[old[Column.owner], old[Column.target]], default: 0] -= 1 }
      if let new = change.new { counts[[new[Column.owner], new[Column.target]], default: 0] += 1 }
    }
    return Set(counts.lazy.filter { $0.value != 0 }.map { $0.key[1] })
  }

  /// The changed entries of a list, as they were and as they are.
  private struct ChangedEntries {
    var old: [PackedRow] = []
    var new: [PackedRow] = []
  }

  /// Whether a list has other elements, or another order. It has not if its changed entries lead to the same
  /// elements in the same order as before, and each has the same entry before it as before, among those that
  /// have not changed: entries that are moved and moved back, or removed and added again, make no difference.
  ///
  /// - Complexity: O(k log k + k log n) for k entries, and less when an early one has moved past another.
  private static func differs(
    _ entries: ChangedEntries, in table: Table, _ reader: RowReader
  ) throws(StoreError) -> Bool {
    typealias Column = Table.EntryColumn
    guard entries.old.count == entries.new.count else { return true }
    func inOrder(_ rows: [PackedRow]) -> [(place: RankKey, row: RowImage)] {
      rows.map { (place($0.image), $0.image) }.sorted { $0.place < $1.place }
    }
    let (old, new) = (inOrder(entries.old), inOrder(entries.new))
    guard old.elementsEqual(new, by: { $0.row[Column.target] == $1.row[Column.target] }) else { return true }
    let changed = Set(new.map { $0.row[Column.entry] })

    let select = try reader.statements.prepare(
      "SELECT \(table.columnList) FROM \(quoted(table.name)) WHERE owner = ? "
        + "AND (position, target, entry) < (?, ?, ?) ORDER BY position DESC, target DESC, entry DESC")
    defer { select.reset() }
    /// The nearest entry above a row that has not changed, but not above `limit`.
    func unchanged(above row: RowImage, downTo limit: RankKey?) throws(StoreError) -> SQLiteValue? {
      select.reset()
      select.bind([row[Column.owner], row[Column.position], row[Column.target], row[Column.entry]])
      while try select.step() {
        let other = select.values(0..<table.columns.count)
        if let limit, !(limit < place(other)) { return nil }
        if !changed.contains(other[Column.entry]) { return other[Column.entry] }
      }
      return nil
    }
    // If none lies between two of the changed ones, both have the same above them; so no entry is visited
    // twice.
    var (before, after): (SQLiteValue?, SQLiteValue?) = (nil, nil)
    var limits: (old: RankKey?, new: RankKey?) = (nil, nil)
    for (was, isNow) in zip(old, new) {
      before = try unchanged(above: was.row, downTo: limits.old) ?? before
      after = try unchanged(above: isNow.row, downTo: limits.new) ?? after
      if before != after { return true }
      limits = (was.place, isNow.place)
    }
    return false
  }

  private static func place(_ row: RowImage) -> RankKey {
    var key = RankKeyWriter()
    for column in [Table.EntryColumn.position, Table.EntryColumn.target, Table.EntryColumn.entry] {
      key.append(row[column])
    }
    return key.key
  }
}
