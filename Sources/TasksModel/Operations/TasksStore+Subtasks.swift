import LiveStore

/// Operations on the tasks below a task, of which there is one level.
extension TasksStore {
  /// Makes tasks of a list subtasks of another one of it, after its open ones and as one action; they keep
  /// their order. Deleted and completed tasks are left out, and in a part of a long action those that have
  /// subtasks.
  ///
  /// - Parameter owner: The open task that gets the subtasks; ignored if it is among `ids`.
  /// - Returns: The edit; without a change for `.gone` or `.neighbourGone` (the owner was deleted).
  /// - Throws: `Refusal.subtaskOfSubtask`, `Refusal.demotingTaskWithSubtasks`,
  ///   `Refusal.openSubtaskOfCompletedTask`; `Refusal.movingCompletedRow` when none of the tasks is open;
  ///   `StoreError`.
  ///
  /// Complexity: O(k log n + the number of completed subtasks) for k tasks.
  @discardableResult
  public func demote(
    _ ids: [Identifier], in scope: RowScope, below owner: Identifier, partOf long: LongAction? = nil
  ) throws -> Edit {
    try transaction(.demote, on: ids + [owner], in: scope, partOf: long) { recorder in
      guard let rows = scope.place.flatMap(rows(of:)) else { return .gone }
      guard let source = rows as? TaskRows, !source.place.isOfSubtasks else { throw Refusal.subtaskOfSubtask }
      let indices = ids.filter { $0 != owner }.compactMap { source.find($0)?.index }.sorted()
      guard !indices.isEmpty else { return .gone }
      guard let task = source.find(owner).flatMap({ $0.row as? TaskItem }) else { return .neighbourGone }
      let target = source.held(by: task)
      try checkOpenRow(in: target.place, isNew: true)
      let open = indices.filter { !source.items[$0].completed }
      guard !open.isEmpty else { throw Refusal.movingCompletedRow }
      let movable = open.filter { source.items[$0].subtasks.isEmpty }
      guard movable.count == open.count || long != nil && !movable.isEmpty else {
        throw Refusal.demotingTaskWithSubtasks
      }
      for (number, index) in movable.enumerated() {
        // Those before it have been removed already.
        try recorder.transferBelowOpenTasks(at: index - number, of: source, to: target)
      }
      return nil
    }
  }

  /// Makes subtasks tasks of the list that contains their task, directly below that task and as one action;
  /// they keep their order. Deleted and completed subtasks are left out.
  ///
  /// - Parameter long: The action that this is a part of; the lower part comes first.
  /// - Returns: The edit; without a change for `.gone`.
  /// - Throws: `Refusal.promotingTask` when none of them is a subtask of a task in a list,
  ///   `Refusal.movingCompletedRow` when none of them is open, `StoreError`.
  ///
  /// Complexity: O(log n) for each subtask; of a completed task O(log n + the number of completed tasks).
  @discardableResult
  public func promote(_ ids: [Identifier], in scope: RowScope, partOf long: LongAction? = nil) throws -> Edit
  {
    try change(.promote, ids, in: scope, partOf: long) { groups, recorder in
      var refusal = Refusal.promotingTask
      for case (let source as TaskRows, let indices) in groups {
        guard case .subtasks(let owner) = source.place, case .tasks(let list)? = self.place(ofTask: owner),
          let target = rows(of: .tasks(inList: list)) as? TaskRows
        else { continue }
        refusal = .movingCompletedRow
        for (number, index) in indices.filter({ !source.items[$0].completed }).enumerated() {
          // A completed owner is among the completed tasks.
          let task = target.find(owner)
          let below = task.map { $0.index + 1 + number } ?? 0
          let destination = task?.row.completed == false ? below : min(below, target.openEnd)
          // Those before it have been removed already.
          recorder.transfer(at: index - number, of: source, to: destination, of: target)
        }
      }
      if recorder.transitions.isEmpty { throw refusal }
    }
  }

  /// The list that contains a task, and the task that it is a subtask of, if it is one; the list is nil if
  /// there is none.
  ///
  /// Complexity: O(log n).
  public func holders(ofTask task: TaskItem) -> (list: TaskList?, owner: TaskItem?) {
    if let list = task.lists.first { return (list, nil) }
    let owner = task.parents.first
    return (owner?.lists.first, owner)
  }

  /// The place of a task in words: `List`, or `List › Task` for a subtask; nil if no list contains it.
  ///
  /// Complexity: O(log n).
  package func whereabouts(of task: TaskItem) -> String? {
    let (list, owner) = holders(ofTask: task)
    return list.map { list in owner.map { "\(list.text) › \($0.text)" } ?? list.text }
  }

  /// Whether an open row is allowed in a place.
  ///
  /// - Parameter isNew: Whether the row was not in the place before.
  func checkOpenRow(in place: Place, isNew: Bool = false) throws(Refusal) {
    if isNew, place == .archive { throw .openRowInArchive }
    guard case .subtasks(let owner) = place, let task = task(owner) else { return }
    if isNew, !task.parents.isEmpty { throw .subtaskOfSubtask }
    if task.completed { throw .openSubtaskOfCompletedTask }
  }
}
