import FoundationEssentials
import LiveStore
import TasksModel

/// Several rows at once.
extension RowController {
  /// The range that ends at the cursor.
  var markedRange: ClosedRange<Int>? {
    guard let anchor = marks.anchor, let cursor = list.selectedIndex else { return nil }
    return min(anchor, cursor)...max(anchor, cursor)
  }

  /// The number of marked rows. Complexity: O(the rows that others have inserted into the range).
  var markedCount: Int {
    guard let range = markedRange else { return marks.ids.count }
    // Rows that are marked singly and are in the range count once.
    let twice = marks.ids.count { id in index(of: id).map(range.contains) ?? false }
    let excluded = marks.excluded.count { id in index(of: id).map(range.contains) ?? false }
    return marks.ids.count + range.count - twice - excluded
  }

  /// The marked rows from top to bottom. Complexity: O(k log n) for k marked rows.
  private var markedRows: [Identifier] {
    endRange()
    return marks.ids.compactMap { id in index(of: id).map { (id, $0) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The rows that a command is about: the marked ones, otherwise as many as counted from the cursor on,
  /// otherwise the meant one.
  func rowsForCommand(count: Int) -> [Identifier] {
    if !marks.isEmpty {
      let rows = markedRows
      if rows.isEmpty { context.say("The marked rows have been deleted elsewhere.") }
      return rows
    }
    guard let id = meantRow() else { return [] }
    guard count > 1, let index = index(of: id) else { return [id] }
    return (index..<min(items.count, index + min(count, items.count))).map { items[$0].id }
  }

  func toggleMark() {
    guard let id = meantRow() else { return }
    endRange()
    if marks.ids.remove(id) == nil { marks.ids.insert(id) }
    list.moveSelection(by: 1)
  }

  func toggleRange() {
    guard let id = meantRow() else { return }
    if marks.anchor != nil { return endRange() }
    marks.anchor = index(of: id)
  }

  /// Complexity: O(n): each row is marked separately, so that later ones are not.
  func toggleAll() {
    endRange()
    marks.ids = marks.ids.count == items.count ? [] : Set(items.map(\.id))
  }

  /// Marks the rows of the range one by one. Complexity: O(k log n) for k rows.
  func endRange() {
    if let range = markedRange {
      for row in range {
        if let id = element(at: row)?.id, !marks.excluded.contains(id) { marks.ids.insert(id) }
      }
    }
    marks.anchor = nil
    marks.excluded = []
  }

  func clearMarks() { marks = RowMarks() }

  /// Keeps rows that are inserted between the two ends of the range out of it, and the start of the range in
  /// its place. Called with the changes of the rows before the list view gets them, when the store has the
  /// new rows.
  func keepMarks(after changes: ChangeSet) {
    guard let anchor = marks.anchor, let cursor = list.selectedIndex, let old = markedRange else { return }
    guard items.count > 0 else { return clearMarks() }
    func place(_ row: Int) -> Int {
      let place =
        changes.newIndex(ofOld: row) ?? changes.newIndex(ofStaying: changes.stayingCount(beforeOld: row))
      return min(place, items.count - 1)
    }
    let (first, last) = (place(anchor), place(cursor))
    marks.anchor = first
    let origins = Dictionary(changes.moves.map { ($0.to, $0.from) }) { $1 }
    for row in changes.insertions where min(first, last) <= row && row <= max(first, last) {
      if let origin = origins[row], old.contains(origin) { continue }
      if let id = element(at: row)?.id { marks.excluded.insert(id) }
    }
  }

  func dropMarksOfDeletedRows(_ changes: ChangeSet) {
    guard !marks.ids.isEmpty, changes.deletions.count > changes.moves.count else { return }
    marks.ids = marks.ids.filter { index(of: $0) != nil }
  }
}
