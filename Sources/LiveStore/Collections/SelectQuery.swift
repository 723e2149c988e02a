/// A statement of the program that selects rows, and the tables on which they depend.
struct SelectQuery: MaintainedQuery {
  let sql: String
  let parameters: [SQLiteValue]
  /// The columns that it reads, by the number of the table; none where only the number of rows matters.
  let reads: [Int: Set<Int>]
  let columns: [String]
  /// The columns by which a row is the same in two versions; all of them if it is known by its values.
  let key: [Int]

  var tables: Set<Int> { Set(reads.keys) }
  // Which rows follow from a changed one, only SQLite knows.
  var isIncremental: Bool { false }

  func depends(on columns: UInt64, of table: Int) -> Bool {
    reads[table].map { columns == .max || $0.contains { columns & columnBit($0) != 0 } } ?? false
  }

  /// - Complexity: That of the statement.
  func load(on statements: StatementCache) throws(StoreError) -> SelectedRows {
    let rows = try statements.prepare(sql).all(parameters) { $0.values(0..<columns.count) }
    return SelectedRows(key: key, rows: rows)
  }

  /// - Complexity: O(k) for k changed rows if no column that is read differs; otherwise that of the
  ///   statement.
  func advance(
    _ state: SelectedRows, by changes: ChangedObjects, from old: RowReader
  ) throws(StoreError) -> SelectedRows {
    for (table, columns) in reads {
      let changed = changes.rows[table: table]
      if changed.contains(where: { $0.change.differs(in: columns) }) {
        return try load(on: changes.reader.statements)
      }
    }
    return state
  }
}

extension MaintainedQuery where State == SelectedRows {
  func hasSameValue(_ a: SelectedRows, _ b: SelectedRows) -> Bool { a === b || a.rows == b.rows }
}

/// The rows that a statement, or a search, has selected at one version.
final class SelectedRows: Sendable {
  let rows: [[SQLiteValue]]
  private let key: [Int]
  /// The part of the full-text index in which a search has found them.
  let coverage: SearchCoverage?

  init(key: [Int] = [], rows: [[SQLiteValue]] = [], coverage: SearchCoverage? = nil) {
    self.key = key
    self.rows = rows
    self.coverage = coverage
  }

  /// The values by which a row is known, and the number of rows before it that have the same.
  private struct Key: Hashable {
    let values: [SQLiteValue]
    var occurrence = 0
  }

  private func keys(_ range: Range<Int>) -> [Key] {
    var occurrences: [[SQLiteValue]: Int] = [:]
    return rows[range].map { row in
      let values = key.map { row[$0] }
      let occurrence = occurrences[values, default: 0]
      occurrences[values] = occurrence + 1
      return Key(values: values, occurrence: occurrence)
    }
  }

  /// The change set that leads from older rows to these.
  ///
  /// - Complexity: O(n log n) for the n rows between the first and the last that differ.
  func changeSet(since old: SelectedRows) -> ChangeSet {
    var start = 0
    while start < min(rows.count, old.rows.count), rows[start] == old.rows[start] { start += 1 }
    var end = 0
    while end < min(rows.count, old.rows.count) - start,
      rows[rows.count - 1 - end] == old.rows[old.rows.count - 1 - end]
    { end += 1 }
    let newRange = start..<(rows.count - end)
    let oldRange = start..<(old.rows.count - end)
    var newRanks: [Key: Int] = [:]
    for (key, rank) in zip(keys(newRange), newRange) { newRanks[key] = rank }
    var builder = ChangeSetBuilder()
    for (key, rank) in zip(old.keys(oldRange), oldRange) {
      let newRank = newRanks.removeValue(forKey: key)
      builder.append(
        TouchedRow(
          oldRank: rank, newRank: newRank, keyChanged: false,
          isModified: newRank.map { rows[$0] != old.rows[rank] } ?? false))
    }
    for rank in newRanks.values {
      builder.append(TouchedRow(oldRank: nil, newRank: rank, keyChanged: false, isModified: false))
    }
    return builder.build()
  }
}
