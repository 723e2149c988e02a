/// What changed rows of entries mean for the lists.
extension RowChanges {
  /// The owners whose lists have other elements, or the same in another order.
  ///
  /// - Parameters:
  ///   - table: The list's table of entries.
  ///   - reader: Reads the new version.
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
      if try RowChanges.isReordered(entries, in: table, reader) { owners.insert(owner) }
    }
    return owners
  }

  /// The objects that stand in the lists of other owners than before, or more or less often in one.
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

  /// Whether entries that only got other positions stand in another order. It is the same order exactly when each of
  /// them has the same entry before it as it had.
  ///
  /// - Complexity: O(log n) until the first that has not; O(k²) for k entries that all have.
  private static func isReordered(
    _ moved: [SQLiteValue: MovedEntry], in table: Table, _ reader: RowReader
  ) throws(StoreError) -> Bool {
    typealias Column = Table.EntryColumn
    func place(_ row: RowImage) -> RankKey {
      var key = RankKeyWriter()
      for column in [Column.position, Column.target, Column.entry] { key.append(row[column]) }
      return key.key
    }
    let select = try reader.statements.prepare(
      "SELECT \(table.columnList) FROM \(quoted(table.name)) WHERE owner = ? "
        + "AND (position, target, entry) < (?, ?, ?) ORDER BY position DESC, target DESC, entry DESC")
    func entryBefore(_ row: RowImage, among moved: [RowImage], isMoved: (SQLiteValue) -> Bool)
      throws(StoreError)
      -> SQLiteValue?
    {
      select.reset()
      select.bind([row[Column.owner], row[Column.position], row[Column.target], row[Column.entry]])
      defer { select.reset() }
      var nearest: RowImage?
      while nearest == nil, try select.step() {
        let other = select.values(0..<table.columns.count)
        if !isMoved(other[Column.entry]) { nearest = other }
      }
      let own = place(row)
      for other in moved where place(other) < own {
        if nearest.map({ place($0) < place(other) }) ?? true { nearest = other }
      }
      return nearest?[Column.entry]
    }
    let isMoved = { (entry: SQLiteValue) in moved[entry] != nil }
    let old = moved.values.map(\.before)
    let new = moved.values.map(\.after)
    for entry in moved.values {
      if try entryBefore(entry.before, among: old, isMoved: isMoved)
        != entryBefore(entry.after, among: new, isMoved: isMoved)
      {
        return true
      }
    }
    return false
  }
}
