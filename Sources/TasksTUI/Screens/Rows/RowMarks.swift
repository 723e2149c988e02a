import LiveStore
import TasksModel

/// The rows that the next command is about: single ones, and a range that ends at the cursor or is all rows.
struct RowMarks {
  private enum Span: Equatable {
    case toCursor(from: Int)
    /// All rows, however many they are: none of them has to be read.
    case all
  }

  /// The rows marked one by one, or by a range that was ended.
  private(set) var ids: Set<Identifier> = []
  private var span: Span?
  /// Rows that others have inserted into the range since, which the person did not mean.
  private var excluded: Set<Identifier> = []

  /// Whether all marked rows have gone, and the person has not done anything since.
  private(set) var areLost = false

  var isEmpty: Bool { ids.isEmpty && span == nil }
  var hasRangeToCursor: Bool { if case .toCursor? = span { true } else { false } }

  mutating func forgetLoss() { areLost = false }

  /// Removes all marks, which the person does not know yet.
  mutating func lose() {
    self = RowMarks()
    areLost = true
  }

  /// The range among so many rows, which are counted only where all are marked: while their order has not
  /// been read, counting takes as long as reading them.
  func range(to cursor: Int?, count: @autoclosure () -> Int) -> ClosedRange<Int>? {
    switch span {
    case nil: return nil
    case .all:
      let count = count()
      return count > 0 ? 0...(count - 1) : nil
    case .toCursor(let anchor): return cursor.map { min(anchor, $0)...max(anchor, $0) }
    }
  }

  func contains(_ id: Identifier, at row: Int, range: ClosedRange<Int>?) -> Bool {
    if ids.contains(id) { return true }
    return range.map { $0.contains(row) && !excluded.contains(id) } ?? false
  }

  /// The number of marked rows.
  ///
  /// - Complexity: O(k) for k rows that are marked one by one or were inserted into the range by others; O(1)
  ///   without a range to the cursor.
  func count(range: ClosedRange<Int>?, index: (Identifier) -> Int?) -> Int {
    guard let range else { return ids.count }
    if span == .all { return range.count - excluded.count }
    func isInRange(_ id: Identifier) -> Bool { index(id).map(range.contains) ?? false }
    // Rows that are marked singly and are in the range count once, and count although they are excluded.
    return ids.count + range.count - ids.union(excluded).count(where: isInRange)
  }

  mutating func toggle(_ id: Identifier) {
    areLost = false
    if ids.remove(id) == nil { ids.insert(id) }
  }

  /// Marks these rows one by one, and no others.
  mutating func set(_ ids: Set<Identifier>) {
    self = RowMarks()
    self.ids = ids
  }

  /// Marks all rows that are here, and no later ones.
  mutating func markAll() {
    self = RowMarks()
    span = .all
  }

  mutating func beginRange(at row: Int?) {
    span = row.map(Span.toCursor)
    areLost = false
  }

  /// Marks the rows of the range one by one. Complexity: O(k) for k rows.
  mutating func endRange(_ range: ClosedRange<Int>?, id: (Int) -> Identifier?) {
    ids.formUnion((range.map(Array.init) ?? []).compactMap(id).filter { !excluded.contains($0) })
    span = nil
    excluded = []
  }

  /// Keeps rows that are inserted into the range out of it, and the start of one that ends at the cursor in
  /// its place.
  ///
  /// - Parameters:
  ///   - cursor: The row with the cursor before the changes.
  ///   - count: The number of rows after the changes, whose ids are those that `id` returns.
  mutating func keepRange(
    after changes: ChangeSet, cursor: Int?, count: Int, id: (Int) -> Identifier?
  ) {
    if span == .all {
      let moved = Set(changes.moves.map(\.to))
      excluded.formUnion(changes.insertions.filter { !moved.contains($0) }.compactMap(id))
    }
    guard case .toCursor(let anchor)? = span, let cursor else { return }
    guard count > 0 else {
      self = RowMarks()
      return
    }
    let old = min(anchor, cursor)...max(anchor, cursor)
    func place(_ row: Int) -> Int {
      let place =
        changes.newIndex(ofOld: row) ?? changes.newIndex(ofStaying: changes.stayingCount(beforeOld: row))
      return min(place, count - 1)
    }
    let (first, last) = (place(anchor), place(cursor))
    span = .toCursor(from: first)
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

  /// Removes the mark of a row that is gone.
  mutating func drop(_ id: Identifier) {
    guard ids.remove(id) != nil else { return }
    areLost = isEmpty
  }

  /// Removes the marks of the other rows than those that are there, so many.
  mutating func keep(count: Int, where isThere: (Identifier) -> Bool) {
    let hadMarks = !isEmpty
    ids = ids.filter(isThere)
    if span == .all {
      excluded = excluded.filter(isThere)
      if excluded.count >= count { self = RowMarks() }
    }
    areLost = hadMarks && isEmpty
  }
}
