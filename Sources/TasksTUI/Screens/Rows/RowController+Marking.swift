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
  /// A call that has asked for something is about the rows that were meant then, as far as they are here.
  ///
  /// - Parameter count: The number of rows from the cursor on.
  /// - Complexity: O(k log n) for k rows.
  func rowsForCommand(_ call: CommandCall, count: Int) -> [Identifier] {
    if let meant = call.rows {
      let rows = inOrder(meant)
      if rows.isEmpty { sayAreGone(meant) }
      return rows
    }
    if marks.areLost {
      marks.forgetLoss()
      context.say(Self.lostMarks)
      return []
    }
    if !marks.isEmpty {
      endRange()
      let rows = inOrder(marks.ids)
      if rows.isEmpty { context.say(Self.lostMarks) }
      return rows
    }
    guard let id = meantRow() else { return [] }
    guard count > 1, let index = index(of: id) else { return [id] }
    return (index..<min(items.count, index + min(count, items.count))).map { items[$0].id }
  }

  private static var lostMarks: String { "The marked rows are no longer here." }

  /// The ids of rows that are here, from top to bottom.
  private func inOrder(_ ids: some Collection<Identifier>) -> [Identifier] {
    // The place of a row takes twice as long to find as the row to pass. A row may be here more than once.
    if ids.count > items.count / 2 {
      var left = Set(ids)
      return items.compactMap { left.remove($0.id) }
    }
    return ids.compactMap { id in index(of: id).map { (id, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Says that none of the rows that were meant is here.
  func sayAreGone(_ ids: [Identifier]) {
    let isThere = ids.contains { context.store.row($0, of: Element.self) != nil }
    guard ids.count > 1 else { return context.sayRowIsGone(isThere: isThere) }
    context.say(isThere ? "Those rows are no longer here." : "Those rows have just been deleted elsewhere.")
  }

  /// The call with the rows that it is about, before it asks for something; nil if there are none, which is
  /// told.
  func naming(_ call: CommandCall) -> CommandCall? {
    var call = call
    let rows = rowsForCommand(call, count: call.times)
    call.rows = rows
    return rows.isEmpty ? nil : call
  }

  /// Takes over the marks of the rows that were shown before, and the place of the cursor if its row is not
  /// shown any more.
  func takeCursorAndMarks(of other: RowController) {
    if let cursor = other.list.selectedIndex, !other.isGone, cursor < other.items.count,
      index(of: other.items[cursor].id) == nil
    {
      let below = (cursor..<min(other.items.count, cursor + Self.mostFirstItems)).lazy
      let above = (max(0, cursor - Self.mostFirstItems)..<cursor).reversed().lazy
      let near = below.compactMap { [self] in index(of: other.items[$0].id) }.first
      if let index = near ?? above.compactMap({ [self] in index(of: other.items[$0].id) }).first {
        list.select(index)
      }
    }
    other.endRange()
    marks.set(other.marks.ids)
    marks.keep { index(of: $0) != nil }
    marks.forgetLoss()
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
    // The next command would be about the row under the cursor.
    if marks.areLost { context.say(Self.lostMarks) }
  }
}
