import FoundationEssentials
import LiveStore

/// Operations on the tasks below a task, of which there is one level.
extension TasksStore {
  /// Makes tasks of a list subtasks of another one of it, after its open ones and as one action; they keep
  /// their order. Deleted and completed tasks are left out.
  ///
  /// - Parameter owner: The open task that gets the subtasks; ignored if it is among `ids`.
  /// - Returns: The change of the list: `.several`, or `.none` with `.gone` or `.neighbourGone` (the owner
  ///   was deleted).
  /// - Throws: `Refusal.subtaskOfSubtask`, `Refusal.demotingTaskWithSubtasks`,
  ///   `Refusal.openSubtaskOfCompletedTask`; `Refusal.movingCompletedRow` when none of the tasks is open;
  ///   `StoreError`.
  ///
  /// Complexity: O(k (log n + the number of completed subtasks)) for k tasks.
  @discardableResult
  public func demote(
    _ ids: [Identifier], in place: Place, below owner: Identifier,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(.demote, in: place, withoutNotifying: tokens) { rows, recorder in
      guard let source = rows as? TaskRows, !place.isOfSubtasks else { throw Refusal.subtaskOfSubtask }
      var before: [Identifier: Int] = [:]
      for id in ids where id != owner { before[id] = source.find(id)?.index }
      guard !before.isEmpty else { return Edit(place: place, change: .none(.gone)) }
      guard let (ownerRow, ownerIndex) = source.find(owner), let task = ownerRow as? TaskItem else {
        return Edit(place: place, change: .none(.neighbourGone))
      }
      let target = source.subtasks(of: task)
      try checkOpenRow(in: target.place, isNew: true)
      let open = before.values.sorted().filter { !source.items[$0].completed }
      guard !open.isEmpty else { throw Refusal.movingCompletedRow }
      guard open.allSatisfy({ source.items[$0].subtasks.isEmpty }) else {
        throw Refusal.demotingTaskWithSubtasks
      }
      for (number, index) in open.enumerated() {
        // Those before it have been removed already.
        recorder.transfer(at: index - number, of: source, to: target.openEnd, of: target)
      }
      let changes: [(before: Int?, after: Int?, isModified: Bool)] =
        open.map { ($0, nil, false) } + [(ownerIndex, source.find(owner)?.index, true)]
      return recorder.edit(of: Set(ids), place: place, .several(RowDifference(of: changes)))
    }
  }

  /// Makes subtasks tasks of the list that contains their task, directly below that task and as one action;
  /// they keep their order. Deleted and completed subtasks are left out.
  ///
  /// - Parameters:
  ///   - place: Nil for subtasks of any tasks.
  ///   - shown: If there is no place, the tasks that a screen has collected; the edit is then in terms of
  ///     these.
  /// - Returns: The change of the place they came from: `.several`, or `.none(.gone)`.
  /// - Throws: `Refusal.promotingTask` when none of them is a subtask of a task in a list,
  ///   `Refusal.movingCompletedRow` when none of them is open, `StoreError`.
  ///
  /// Complexity: O(k (log n + the number of completed tasks)) for k subtasks.
  @discardableResult
  public func promote(
    _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeSeveral(.promote, ids, in: place, showing: shown, withoutNotifying: tokens) {
      groups, recorder in
      var refusal = Refusal.promotingTask
      for case (let source as TaskRows, let indices) in groups {
        guard case .subtasks(let owner) = source.place, case .tasks(let list)? = self.place(ofTask: owner),
          let target = rows(of: .tasks(inList: list)) as? TaskRows
        else { continue }
        refusal = .movingCompletedRow
        for (number, index) in indices.filter({ !source.items[$0].completed }).enumerated() {
          // Those before it have been removed already. A completed owner is among the completed tasks.
          let below = target.find(owner).map { $0.index + 1 + number } ?? 0
          recorder.transfer(at: index - number, of: source, to: min(below, target.openEnd), of: target)
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

  /// Whether an open row is allowed in a place.
  ///
  /// - Parameter isNew: Whether the row was not in the place before.
  func checkOpenRow(in place: Place, isNew: Bool = false) throws(Refusal) {
    guard case .subtasks(let owner) = place, let task = task(owner) else { return }
    if isNew, !task.parents.isEmpty { throw .subtaskOfSubtask }
    if task.completed { throw .openSubtaskOfCompletedTask }
  }
}
