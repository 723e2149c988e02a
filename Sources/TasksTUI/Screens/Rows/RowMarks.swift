import TasksModel

/// The rows that the next command is about: single ones, and a range that goes with the cursor.
struct RowMarks {
  /// Marked one by one, or by a range that was ended.
  var ids: Set<Identifier> = []
  /// Where the range that goes with the cursor begins.
  var anchor: Int?
  /// Rows that others have put into the range since: the person did not mean them.
  var excluded: Set<Identifier> = []

  var isEmpty: Bool { ids.isEmpty && anchor == nil }

  func contains(_ id: Identifier, at row: Int, range: ClosedRange<Int>?) -> Bool {
    if ids.contains(id) { return true }
    return range.map { $0.contains(row) && !excluded.contains(id) } ?? false
  }
}
