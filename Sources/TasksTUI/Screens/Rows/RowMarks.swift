import TasksModel

/// The rows that the next command is about: single ones, and a range that ends at the cursor.
struct RowMarks {
  /// The rows marked one by one, or by a range that was ended.
  var ids: Set<Identifier> = []
  /// The start of the range that ends at the cursor.
  var anchor: Int?
  /// Rows that others have inserted into the range since, which the person did not mean.
  var excluded: Set<Identifier> = []

  var isEmpty: Bool { ids.isEmpty && anchor == nil }

  func contains(_ id: Identifier, at row: Int, range: ClosedRange<Int>?) -> Bool {
    if ids.contains(id) { return true }
    return range.map { $0.contains(row) && !excluded.contains(id) } ?? false
  }
}
