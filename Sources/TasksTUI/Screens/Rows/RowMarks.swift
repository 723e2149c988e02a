import LiveStore
import TasksModel

/// The rows that the next command is about: single ones, and a range that ends at the cursor.
struct RowMarks {
  /// The rows marked one by one, or by a range that was ended.
  private(set) var ids: Set<Identifier> = []
  /// The start of the range that ends at the cursor.
  private(set) var anchor: Int?
  /// Rows that others have inserted into the range since, which the person did not mean.
  private var excluded: Set<Identifier> = []

  /// Whether all marked rows have gone, and the person has not done anything since.
  private(set) var areLost = false

  var isEmpty: Bool { ids.isEmpty && anchor == nil }

  mutating func forgetLoss() { areLost = false }

  /// The range that ends at the cursor.
  func range(to cursor: Int?) -> ClosedRange<Int>? {
    guard let anchor, let cursor else { return nil }
    return min(anchor, cursor)...max(anchor, cursor)
  }

  func contains(_ id: Identifier, at row: Int, range: ClosedRange<Int>?) -> Bool {
    if ids.contains(id) { return true }
    return range.map { $0.contains(row) && !excluded.contains(id) } ?? false
  }

  /// The number of marked rows.
  ///
  /// - Complexity: O(k) for k rows that are marked one by one or were inserted into the range by others.
  func count(range: ClosedRange<Int>?, index: (Identifier) -> Int?) -> Int {
    guard let range else { return ids.count }
    func isInRange(_ id: Identifier) -> Bool { index(id).map(range.contains) ?? false }
    // Rows that are marked singly and are in the range count once, and count although they are excluded.
    return ids.count + range.count - ids.union(excluded).count(where: isInRange)
  }

  mutating func toggle(_ id: Identifier) {
    areLost = false
    if ids.remove(id) == nil { ids.insert(id) }
  }

  mutating func set(_ ids: Set<Identifier>) {
    self.ids = ids
    areLost = false
  }

  mutating func beginRange(at row: Int?) {
    anchor = row
    areLost = false
  }

  /// Marks the rows of the range one by one. Complexity: O(k) for k rows.
  mutating func endRange(_ range: ClosedRange<Int>?, id: (Int) -> Identifier?) {
    ids.formUnion((range.map(Array.init) ?? []).compactMap(id).filter { !excluded.contains($0) })
    anchor = nil
    excluded = []
  }

  /// Keeps rows that are inserted between the two ends of the range out of it, and the start of the range in
  /// its place.
  ///
  /// - Parameters:
  ///   - cursor: The row with the cursor before the changes.
  ///   - count: The number of rows after the changes, whose ids are those that `id` returns.
  mutating func keepRange(
    after changes: ChangeSet, cursor: Int?, count: Int, id: (Int) -> Identifier?
  ) {
    guard let anchor, let cursor, let old = range(to: cursor) else { return }
    guard count > 0 else {
      self = RowMarks()
      return
    }
    func place(_ row: Int) -> Int {
      let place =
        changes.newIndex(ofOld: row) ?? changes.newIndex(ofStaying: changes.stayingCount(beforeOld: row))
      return min(place, count - 1)
    }
    let (first, last) = (place(anchor), place(cursor))
    self.anchor = first
    let origins = Dictionary(changes.moves.map { ($0.to, $0.from) }) { $1 }
    // The row that comes under the cursor in place of a deleted one was not meant.
    for (row, end) in [(anchor, first), (cursor, last)]
    where changes.newIndex(ofOld: row) == nil && changes.stays(new: end) {
      let origin = changes.oldIndex(ofStaying: changes.stayingCount(beforeNew: end))
      if !old.contains(origin), let id = id(end) { excluded.insert(id) }
    }
    for row in changes.insertions where min(first, last) <= row && row <= max(first, last) {
      if let origin = origins[row], old.contains(origin) { continue }
      if let id = id(row) { excluded.insert(id) }
    }
  }

  /// Removes the marks of the other rows.
  mutating func keep(where isThere: (Identifier) -> Bool) {
    let hadMarks = !isEmpty
    ids = ids.filter(isThere)
    areLost = hadMarks && isEmpty
  }
}
