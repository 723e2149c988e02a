import FoundationEssentials
import LiveStore
import TasksModel

/// Several rows at once.
extension RowController {
  var markedRange: ClosedRange<Int>? { marks.range(to: list.selectedIndex) }
  var markedCount: Int { marks.count(range: markedRange, index: index(of:)) }

  /// The rows that a command is about: the marked ones from top to bottom, otherwise as many as counted from
  /// the cursor on, otherwise the meant one.
  ///
  /// - Complexity: O(k log n) for k rows.
  func rowsForCommand(count: Int) -> [Identifier] {
    if !marks.isEmpty {
      endRange()
      let rows = marks.ids.compactMap { id in index(of: id).map { (id, $0) } }.sorted { $0.1 < $1.1 }
      if rows.isEmpty { context.say("The marked rows have been deleted elsewhere.") }
      return rows.map(\.0)
    }
    guard let id = meantRow() else { return [] }
    guard count > 1, let index = index(of: id) else { return [id] }
    return (index..<min(items.count, index + min(count, items.count))).map { items[$0].id }
  }

  func toggleMark() {
    guard let id = meantRow() else { return }
    endRange()
    marks.toggle(id)
    list.moveSelection(by: 1)
  }

  func toggleRange() {
    guard let id = meantRow() else { return }
    if marks.anchor == nil { marks.beginRange(at: index(of: id)) } else { endRange() }
  }

  /// Complexity: O(n): each row is marked separately, so that later ones are not.
  func toggleAll() {
    endRange()
    marks.set(marks.ids.count == items.count ? [] : Set(items.map(\.id)))
  }

  private func endRange() { marks.endRange(markedRange) { element(at: $0)?.id } }

  func clearMarks() { marks = RowMarks() }

  /// Called with the changes of the rows before the list view gets them, when the store has the new rows.
  func keepMarks(after changes: ChangeSet) {
    marks.keepRange(after: changes, cursor: list.selectedIndex, count: items.count) { element(at: $0)?.id }
  }

  func dropMarksOfDeletedRows(_ changes: ChangeSet) {
    guard !marks.ids.isEmpty, changes.deletions.count > changes.moves.count else { return }
    marks.keep { index(of: $0) != nil }
  }
}
