import FoundationEssentials
import LiveStore

/// Tasks that people at two machines have changed while apart, and that stand where no operation leaves one.
extension TasksStore {
  /// Puts tasks that have come from other machines where an operation leaves them: open ones before the
  /// completed ones, and out of the archive into the list from which they were cleared. A completed task with
  /// an open subtask is opened there, as a person would have to open it first. It is no action of a person,
  /// so that there is nothing to undo. In a space that the person may only read, others do it.
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
    let arrived = """
      SELECT key, max(number) AS number FROM _livesync_author WHERE number > \(number) AND type = 'TaskItem'
      GROUP BY key
      """
    let doubtful =
      ["TaskList_items", "TaskItem_subtasks"].map { misplaced($0, among: arrived) }
      + ["s.owner", "s.target"].map { archivedWithOpenSubtask($0, among: arrived) }
    guard try !store.select(sql: doubtful.joined(separator: " UNION ALL ") + " LIMIT 1").isEmpty else {
      return
    }
    try write {
      let ids = try store.select(sql: "SELECT key FROM (\(arrived)) ORDER BY number")
        .map { Identifier(sqliteValue: $0["key"]) }
      // After one has been moved, it may be the next one that stands wrong.
      for id in ids {
        if let owner = archivedOwner(of: id), isMisplaced(owner) { try settle(owner) }
        if isMisplaced(id) { try settle(id) }
      }
    }
  }

  /// SQL that selects the tasks of the entries of a list for which `isMisplaced` holds: reading a thousand of
  /// them otherwise takes longer than a key may.
  private func misplaced(_ entries: String, among arrived: String) -> String {
    func neighbour(_ side: String, _ order: String) -> String {
      """
      (SELECT u.completed FROM \(entries) f JOIN TaskItem u ON u.id = f.target
      WHERE f.owner = e.owner AND f.position \(side) e.position ORDER BY f.position \(order) LIMIT 1)
      """
    }
    return """
      SELECT a.key FROM (\(arrived)) a JOIN TaskItem t ON t.id = a.key JOIN \(entries) e ON e.target = a.key
      WHERE CASE WHEN e.owner = \(literal(TaskList.archiveID.description)) THEN NOT t.completed
        WHEN t.completed THEN NOT \(neighbour(">", "ASC")) ELSE \(neighbour("<", "DESC")) END
      """
  }

  /// SQL that selects the tasks of the archive that have an open subtask, or these subtasks. With joins that
  /// may be reordered, SQLite would go through the whole archive.
  private func archivedWithOpenSubtask(_ column: String, among arrived: String) -> String {
    """
    SELECT a.key FROM (\(arrived)) a CROSS JOIN TaskItem_subtasks s ON \(column) = a.key
    CROSS JOIN TaskItem u ON u.id = s.target CROSS JOIN TaskList_items e ON e.target = s.owner
    WHERE NOT u.completed AND e.owner = \(literal(TaskList.archiveID.description))
    """
  }

  /// Whether an open task is below a completed one or in the archive, or a completed one above an open one or
  /// in the archive with an open subtask.
  private func isMisplaced(_ id: Identifier) -> Bool {
    guard let task = task(id), let place = place(ofTask: id), let rows = rows(of: place) as? TaskRows else {
      return false
    }
    if place == .archive { return !task.completed || task.ownSubtasks.contains { !$0.completed } }
    if rows.items.isRepeated(task) { return false }
    return task.completed
      ? rows.items.element(after: task)?.completed == false
      : rows.items.element(before: task)?.completed == true
  }

  /// The task of the archive that a task is a subtask of.
  private func archivedOwner(of id: Identifier) -> Identifier? {
    guard case .subtasks(let owner)? = place(ofTask: id), place(ofTask: owner) == .archive else { return nil }
    return owner
  }

  private func settle(_ id: Identifier) throws {
    guard let task = task(id), let place = place(ofTask: id), let rows = rows(of: place) as? TaskRows else {
      return
    }
    if place == .archive {
      guard let target = listOfReturn(for: task) else { return }
      while rows.items.remove(task) {}
      target.insert(task, below: try target.lastOpenTask())
      if task.completed { task.complete(false, at: nil) }
      task.archivedFrom = ""
    } else if task.completed {
      rows.items.move(task, after: try rows.lastOpenTask())
    } else if let first = try rows.items.filter(#Predicate { $0.completed }).first {
      rows.items.move(task, after: rows.items.element(before: first))
    }
  }
}
