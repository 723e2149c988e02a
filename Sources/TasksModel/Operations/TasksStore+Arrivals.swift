import FoundationEssentials
import LiveStore

/// Tasks that people at two machines have changed while apart, and that stand where no operation leaves one.
extension TasksStore {
  /// Puts tasks that have come from other machines where an operation leaves them: open ones before the
  /// completed ones, and out of the archive into the list from which they were cleared. It is no action of a
  /// person, so that there is nothing to undo. In a space that the person may only read, others do it.
  ///
  /// Two machines that put them right make the same of it, or one finds them in order.
  ///
  /// - Parameter number: The number of the last change that was looked at; see `lastArrival`.
  /// - Throws: `StoreError`, `QueryError`.
  ///
  /// Complexity: O(k log n) for k changes, of which at most some thousand are kept, and O(n) if one of them
  /// stands wrong.
  public func settleArrivals(after number: Int64) throws {
    guard lastArrival > number, !mayOnlyRead else { return }
    let rows = try store.select(
      sql: """
        SELECT key FROM _livesync_author WHERE number > ? AND type = 'TaskItem'
        GROUP BY key ORDER BY max(number)
        """, number)
    let ids = rows.map { Identifier(sqliteValue: $0["key"]) }
    guard ids.contains(where: isMisplaced) else { return }
    try write {
      for id in ids where isMisplaced(id) { try settle(id) }
    }
  }

  /// Whether an open task is below a completed one or in the archive, or a completed one above an open one.
  private func isMisplaced(_ id: Identifier) -> Bool {
    guard let task = task(id), let place = place(ofTask: id), let rows = rows(of: place) as? TaskRows else {
      return false
    }
    if place == .archive { return !task.completed }
    if rows.items.isRepeated(task) { return false }
    return task.completed
      ? rows.items.element(after: task)?.completed == false
      : rows.items.element(before: task)?.completed == true
  }

  private func settle(_ id: Identifier) throws {
    guard let task = task(id), let place = place(ofTask: id), let rows = rows(of: place) as? TaskRows else {
      return
    }
    if place == .archive {
      guard let target = listOfReturn(for: task) else { return }
      while rows.items.remove(task) {}
      target.insert(task, below: try target.lastOpenTask())
      task.archivedFrom = ""
    } else if task.completed {
      rows.items.move(task, after: try rows.lastOpenTask())
    } else if let first = try rows.items.filter(#Predicate { $0.completed }).first {
      rows.items.move(task, after: rows.items.element(before: first))
    }
  }
}
