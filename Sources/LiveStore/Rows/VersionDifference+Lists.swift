/// The changes of lists that follow from changed rows of entries.
extension VersionDifference {
  /// The owners whose lists in a table of entries have other elements, or another order, in the new version.
  func ownersOfChangedLists(in table: Table, _ reader: RowReader) throws(StoreError) -> Set<SQLiteValue> {
    typealias Column = Table.EntryColumn
    var owners: Set<SQLiteValue> = []
    var moved: [SQLiteValue: [SQLiteValue: MovedEntry]] = [:]
    for (entry, change) in self[table] {
      if let old = change.old, let new = change.new, old[Column.owner] == new[Column.owner],
        old[Column.target] == new[Column.target]
      {
        moved[new[Column.owner], default: [:]][entry] = MovedEntry(before: old.image, after: new.image)
      } else {
        for case let row? in [change.old, change.new] { owners.insert(row[Column.owner]) }
      }
    }
    for (owner, entries) in moved where !owners.contains(owner) {
      if try VersionDifference.isReordered(entries, in: table, reader) { owners.insert(owner) }
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

  private struct MovedEntry {
    let before: RowImage
    let after: RowImage
  }

  /// Whether entries with only new positions are in another order. They are not if they have the same order
  /// among each other, and each of them has the same entry before it as before, among those that have not
  /// moved.
  ///
  /// - Complexity: O(k log k + k log n) for k entries, and less when an early one has moved past another.
  private static func isReordered(
    _ moved: [SQLiteValue: MovedEntry], in table: Table, _ reader: RowReader
  ) throws(StoreError) -> Bool {
    typealias Column = Table.EntryColumn
    let old = moved.values.map(\.before).map { (place: place($0), row: $0) }.sorted { $0.place < $1.place }
    let new = moved.values.map(\.after).map { (place: place($0), row: $0) }.sorted { $0.place < $1.place }
    guard old.elementsEqual(new, by: { $0.row[Column.entry] == $1.row[Column.entry] }) else { return true }

    let select = try reader.statements.prepare(
      "SELECT \(table.columnList) FROM \(quoted(table.name)) WHERE owner = ? "
        + "AND (position, target, entry) < (?, ?, ?) ORDER BY position DESC, target DESC, entry DESC")
    defer { select.reset() }
    /// The nearest entry above a row that has not moved, but not above `limit`.
    func unmoved(above row: RowImage, downTo limit: RankKey?) throws(StoreError) -> SQLiteValue? {
      select.reset()
      select.bind([row[Column.owner], row[Column.position], row[Column.target], row[Column.entry]])
      while try select.step() {
        let other = select.values(0..<table.columns.count)
        if let limit, !(limit < place(other)) { return nil }
        if moved[other[Column.entry]] == nil { return other[Column.entry] }
      }
      return nil
    }
    // If none lies between two of the moved ones, both have the same above them; so no entry is visited
    // twice.
    var (before, after): (SQLiteValue?, SQLiteValue?) = (nil, nil)
    var limits: (old: RankKey?, new: RankKey?) = (nil, nil)
    for (was, isNow) in zip(old, new) {
      before = try unmoved(above: was.row, downTo: limits.old) ?? before
      after = try unmoved(above: isNow.row, downTo: limits.new) ?? after
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
