import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Moves an open row to another place among the open ones.
  ///
  /// - Parameter step: The number of the action that this one continues, if that is the newest and about the
  ///   same row: the two are then one action.
  /// - Returns: `.moved`, or `.none` with `.gone`, `.neighbourGone` or `.unchanged`.
  /// - Throws: `Refusal.movingCompletedRow`; `Refusal.movingAmongCompletedRows` when the row would be below a
  ///   completed one, or when it is the last open one and moves further down; `StoreError`.
  ///
  /// Complexity: O(log n + the number of completed rows).
  @discardableResult
  public func move(
    _ id: Identifier, in place: Place, to destination: Destination, continuing step: Int? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try transaction(.move, in: place, continuing: step, withoutNotifying: tokens) { rows, recorder in
      guard let (row, index) = rows.find(id) else { return Edit(place: place, change: .none(.gone)) }
      guard !row.completed else { throw Refusal.movingCompletedRow }
      // The row itself is open, so there is a last one.
      let lastOpen = rows.lastOpenIndex() ?? index

      let target: Int
      switch destination {
      case .offset(let offset):
        if offset > 0, index == lastOpen, lastOpen < rows.count - 1 {
          throw Refusal.movingAmongCompletedRows
        }
        // Clamped before the addition, so that no offset overflows.
        target = index + min(max(offset, -index), lastOpen - index)
      case .above(let neighbour), .below(let neighbour):
        guard neighbour != id else { return Edit(place: place, change: .none(.unchanged)) }
        guard let (_, neighbourIndex) = rows.find(neighbour) else {
          return Edit(place: place, change: .none(.neighbourGone))
        }
        // Indices after: the rows below the row have moved up by one.
        let settled = neighbourIndex > index ? neighbourIndex - 1 : neighbourIndex
        target = if case .above = destination { settled } else { settled + 1 }
        if target > lastOpen {
          throw Refusal.movingAmongCompletedRows
        }
      }

      guard target != index else { return Edit(place: place, change: .none(.unchanged)) }
      let values = recorder.change(at: index, to: target, in: rows)
      return Edit(
        place: place, change: .moved(from: index, to: target, modified: false),
        before: [values.before], after: [values.after])
    }
  }

  /// Moves several open rows up or down as one action, each as far as the others and the ends allow; they
  /// keep their order. Deleted and completed rows are left out.
  ///
  /// - Returns: `.several`, or `.none` with `.gone` or `.unchanged`.
  /// - Throws: `Refusal.movingCompletedRow` when none of the rows is open, `StoreError`.
  ///
  /// Complexity: O(k log n + the number of completed rows) for k rows.
  @discardableResult
  public func move(
    _ ids: [Identifier], in place: Place, by offset: Int, withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    try changeSeveral(.move, ids, in: place, showing: nil, withoutNotifying: tokens) { groups, recorder in
      let (rows, indices) = groups[0]
      let open = indices.filter { !rows.row(at: $0).completed }
      guard !open.isEmpty, let lastOpen = rows.lastOpenIndex() else { throw Refusal.movingCompletedRow }
      // Those in front go first, so that none has to pass another.
      for (number, index) in (offset > 0 ? open.reversed() : open).enumerated() {
        let target =
          offset > 0 ? index + min(offset, lastOpen - number - index) : index + max(offset, number - index)
        if target != index { recorder.change(at: index, to: target, in: rows) }
      }
    }
  }

  /// Moves tasks to another list as one action: open ones after its open tasks, completed ones to the place
  /// that `completedRows` specifies. They keep their order and their subtasks. Deleted tasks are left out. A
  /// subtask becomes a task of the list.
  ///
  /// - Parameters:
  ///   - place: The place of the tasks; nil for tasks of any places.
  ///   - shown: If there is no place, the tasks that a screen has collected; the edit is then in terms of
  ///     these.
  /// - Returns: The change of the place they came from: `.several`, or `.none` with `.gone` (also if the
  ///   target list was deleted) or `.unchanged` (it is the same list).
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(k (log n + the number of completed rows)) for k rows.
  @discardableResult
  public func move(
    _ ids: [Identifier], from place: Place?, toList target: Identifier,
    showing shown: Results<TaskItem>? = nil,
    withoutNotifying tokens: [NotificationToken] = []
  ) throws -> Edit {
    guard place != .tasks(inList: target) else {
      return Edit(place: .tasks(inList: target), change: .none(.unchanged))
    }
    return try changeSeveral(.moveToList, ids, in: place, showing: shown, withoutNotifying: tokens) {
      groups, recorder in
      guard let target = rows(of: .tasks(inList: target)) as? TaskRows else { return }
      var completedCount = 0
      for case (let source as TaskRows, let indices) in groups where source.place != target.place {
        for (number, index) in indices.enumerated() {
          // Those before it have been removed already.
          let isCompleted = source.items[index - number].completed
          let destination = isCompleted ? target.destination(ofArriving: completedCount) : target.openEnd
          if isCompleted { completedCount += 1 }
          recorder.transfer(at: index - number, of: source, to: destination, of: target)
        }
      }
    }
  }
}
