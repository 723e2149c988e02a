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
  /// subtask becomes a task of the list. A task that another program has put into several lists leaves the
  /// one of the scope, or all if the scope is no place, and is in the other list once.
  ///
  /// - Parameter scope: The rows among which the tasks are.
  /// - Returns: The edit; without a change for `.gone`, or for `.unchanged` if they are in the list already
  ///   or it was deleted.
  ///
  /// Complexity: O(k log n + the number of completed tasks of the list) for k open ones.
  @discardableResult
  public func move(
    _ ids: [Identifier], in scope: RowScope, toList target: Identifier, partOf long: LongAction? = nil
  ) throws -> Edit {
    try change(.moveToList, ids, in: scope, partOf: long) { groups, recorder in
      guard let target = rows(of: .tasks(inList: target)) as? TaskRows else { return }
      try transfer(groups, of: scope, to: target, &recorder)
    }
  }

  /// Moves tasks to a new list, which is made after the open ones, as one action.
  ///
  /// - Parameters:
  ///   - name: The text of the list, without white space at the ends.
  ///   - long: The action that this is the first part of.
  /// - Returns: The edit, with the list among the rows after it; without a change for `.gone` or
  ///   `.emptyText`.
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
      try transfer(groups, of: scope, to: target, &recorder)
    }
  }

  private func transfer(
    _ groups: [RowGroup], of scope: RowScope, to target: TaskRows, _ recorder: inout ActionRecorder
  ) throws {
    for case (let rows as TaskRows, let indices) in groups {
      for task in indices.map({ rows.items[$0] }) {
        // Another program may have put it into several lists. If no place is shown, all of them are meant.
        let further = scope.place == nil ? otherRows(that: task, isIn: rows.place) : []
        let sources = ([rows] + further).filter { $0.place != target.place }
        guard let source = sources.first, let index = source.find(task.id)?.index else { continue }
        for rows in sources.dropFirst() + [target] { while rows.items.remove(task) {} }
        guard task.completed else {
          try recorder.transferBelowOpenTasks(at: index, of: source, to: target)
          continue
        }
        let destination = target.destination(ofArriving: recorder.countArrival(at: target.place))
        recorder.transfer(at: index, of: source, to: destination, of: target)
      }
    }
  }

  /// The tasks of the further lists that contain a task.
  private func otherRows(that task: TaskItem, isIn place: Place) -> [TaskRows] {
    task.lists.map { Place.tasks(inList: $0.id) }.filter { $0 != place }
      .compactMap { rows(of: $0) as? TaskRows }
  }
}
