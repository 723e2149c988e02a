import FoundationEssentials
import LiveStore

extension TasksStore {
  /// Moves open rows of a place up or down as one action, each as far as the others and the ends allow; they
  /// keep their order. Deleted and completed rows are left out.
  ///
  /// - Parameters:
  ///   - scope: The rows of a place.
  ///   - offset: The number of rows down, or up if negative; it is limited by the first and the last open
  ///     row.
  ///   - step: The number of the action that this one continues, if that is the newest and about the same
  ///     single row: the two are then one action.
  ///   - long: The action that this is a part of; its parts begin with the rows in front.
  /// - Returns: The edit; without a change for `.gone` or `.unchanged`.
  /// - Throws: `Refusal.movingCompletedRow` when none of the rows is open;
  ///   `Refusal.movingAmongCompletedRows` when the only one is the last open one and moves further down;
  ///   `StoreError`.
  ///
  /// Complexity: O(k log n + the number of completed rows) for k rows.
  @discardableResult
  public func move(
    _ ids: [Identifier], in scope: RowScope, by offset: Int, continuing step: Int? = nil,
    partOf long: LongAction? = nil
  ) throws -> Edit {
    var passed = long?.passed ?? 0
    let edit = try change(.move, ids, in: scope, continuing: step, partOf: long) { groups, recorder in
      let (rows, indices) = groups[0]
      let open = indices.filter { !rows.row(at: $0).completed }
      guard !open.isEmpty, let lastOpen = rows.lastOpenIndex() else { throw Refusal.movingCompletedRow }
      if offset > 0, indices == [lastOpen], lastOpen < rows.count - 1, long == nil {
        throw Refusal.movingAmongCompletedRows
      }
      // Those in front go first, so that none has to pass another.
      for index in offset > 0 ? open.reversed() : open {
        let target =
          offset > 0 ? index + min(offset, lastOpen - passed - index) : index + max(offset, passed - index)
        if target != index { recorder.change(at: index, to: target, in: rows) }
        passed += 1
      }
    }
    long?.passed = passed
    return edit
  }

  /// Moves tasks to another list as one action: open ones after its open tasks, completed ones to the place
  /// that `completedRows` specifies. They keep their order and their subtasks. Deleted tasks are left out. A
  /// subtask becomes a task of the list.
  ///
  /// - Parameters:
  ///   - scope: The rows among which the tasks are.
  ///   - long: The action that this is a part of.
  /// - Returns: The edit; without a change for `.gone`, or for `.unchanged` if they are in the list already
  ///   or it was deleted.
  /// - Throws: `StoreError`.
  ///
  /// Complexity: O(k (log n + the number of completed rows)) for k rows.
  @discardableResult
  public func move(
    _ ids: [Identifier], in scope: RowScope, toList target: Identifier, partOf long: LongAction? = nil
  ) throws -> Edit {
    try change(.moveToList, ids, in: scope, partOf: long) { groups, recorder in
      guard let target = rows(of: .tasks(inList: target)) as? TaskRows else { return }
      transfer(groups, to: target, &recorder)
    }
  }

  /// Moves tasks to a new list, which is made after the open ones, as one action.
  ///
  /// - Parameters:
  ///   - name: The text of the list, without white space at the ends.
  ///   - long: The action that this is the first part of.
  /// - Returns: The edit, with the list among the rows after it; without a change for `.gone` or
  ///   `.emptyText`.
  /// - Throws: `StoreError`.
  @discardableResult
  public func move(
    _ ids: [Identifier], in scope: RowScope, toNewList name: String, partOf long: LongAction? = nil
  ) throws -> Edit {
    let name = name.trimmedForRow
    guard !name.isEmpty else { return Edit(noChange: .emptyText) }
    return try change(.moveToList, ids, in: scope, partOf: long) { groups, recorder in
      guard let lists = rows(of: .lists) else { return }
      let list = RowValues(id: Identifier(), text: name)
      recorder.insert([list], at: lists.openEnd, in: lists)
      guard let target = rows(of: .tasks(inList: list.id)) as? TaskRows else { return }
      transfer(groups, to: target, &recorder)
    }
  }

  private func transfer(_ groups: [RowGroup], to target: TaskRows, _ recorder: inout ActionRecorder) {
    for case (let source as TaskRows, let indices) in groups where source.place != target.place {
      for (number, index) in indices.enumerated() {
        // Those before it have been removed already.
        let isCompleted = source.items[index - number].completed
        let destination =
          isCompleted
          ? target.destination(ofArriving: recorder.countArrival(at: target.place)) : target.openEnd
        recorder.transfer(at: index - number, of: source, to: destination, of: target)
      }
    }
  }
}
