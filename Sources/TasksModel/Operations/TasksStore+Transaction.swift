import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The rows of a place, or nil when the list or task that contains them was deleted.
  func rows(of place: Place) -> (any RowCollection)? {
    switch place {
    case .lists: ListRows(store: store, items: lists, dates: dates, completedRows: completedRows)
    case .tasks(let listID): list(listID).map { rows($0.items, at: place) }
    case .subtasks(let taskID): task(taskID).map { rows($0.subtasks, at: place) }
    }
  }

  private func rows(_ items: List<TaskItem>, at place: Place) -> TaskRows {
    TaskRows(store: store, place: place, items: items, dates: dates, completedRows: completedRows)
  }

  func index(of id: Identifier, in shown: Results<TaskItem>) -> Int? { task(id).flatMap(shown.index(of:)) }

  private func indices(of ids: [Identifier], in shown: Results<TaskItem>) -> [Identifier: Int] {
    var indices: [Identifier: Int] = [:]
    for id in ids { indices[id] = index(of: id, in: shown) }
    return indices
  }

  /// The place of a task: the first of the lists that contain it, or of the tasks that it is a subtask of;
  /// nil if there is none.
  ///
  /// Complexity: O(log n).
  public func place(ofTask id: Identifier) -> Place? {
    guard let task = task(id) else { return nil }
    if let list = task.lists.first { return .tasks(inList: list.id) }
    return task.parents.first.map { .subtasks(of: $0.id) }
  }

  /// Runs one operation on the rows of a place in a transaction, and stores in the same transaction the step
  /// that undoes it. An operation without effect writes nothing and causes no notification.
  ///
  /// - Parameters:
  ///   - ids: The rows that it is about, if they exist already.
  ///   - shown: The tasks that a screen has collected; the edit is then in terms of these instead of the
  ///     place.
  ///   - step: The step that this one continues (see `keep(_:as:continuing:)`).
  ///   - body: Changes the rows through the recorder and returns the change.
  /// - Throws: A `Refusal` or another error of `body`, after which nothing has been written, or `StoreError`.
  func transaction(
    _ action: Action, in place: Place, about ids: [Identifier] = [], showing shown: Results<TaskItem>? = nil,
    continuing step: Int? = nil, withoutNotifying tokens: [NotificationToken],
    _ body: (any RowCollection, inout ActionRecorder) throws -> Edit
  ) throws -> Edit {
    try write(withoutNotifying: tokens) {
      guard let rows = rows(of: place) else { return Edit(place: place, change: .none(.gone)) }
      var recorder = ActionRecorder(action)
      // Their subtasks may be among the shown tasks as well.
      let before = shown.map { shown in
        indices(of: ids + ids.flatMap { task($0)?.subtasks.map(\.id) ?? [] }, in: shown)
      }
      var edit = try body(rows, &recorder)
      if let shown, let before, !recorder.transitions.isEmpty {
        let changes = recorder.transitions.touchedRows(withHeld: true, withOwners: false)
          .map { (before: before[$0.id], after: index(of: $0.id, in: shown), isModified: $0.isModified) }
        edit.change = .several(RowDifference(of: changes))
      }
      edit.step = try keep(recorder.transitions, as: recorder.action, continuing: step)
      return edit
    }
  }
}

extension TasksStore {
  /// Some rows of a place: their indices, ascending.
  typealias RowGroup = (rows: any RowCollection, indices: [Int])

  /// Runs an operation on several rows as one action.
  ///
  /// - Parameters:
  ///   - place: Nil for tasks of any lists.
  ///   - shown: If there is no place, the tasks that the edit is in terms of; nil for none.
  ///   - body: Receives the rows that exist.
  func changeSeveral(
    _ action: Action, _ ids: [Identifier], in place: Place?, showing shown: Results<TaskItem>?,
    withoutNotifying tokens: [NotificationToken], _ body: ([RowGroup], inout ActionRecorder) throws -> Void
  ) throws -> Edit {
    guard let place else {
      return try changeTasksAnywhere(action, ids, showing: shown, withoutNotifying: tokens, body)
    }
    return try transaction(action, in: place, withoutNotifying: tokens) { rows, recorder in
      var before: [Identifier: Int] = [:]
      for id in ids { before[id] = rows.find(id)?.index }
      guard !before.isEmpty else { return Edit(place: place, change: .none(.gone)) }
      try body([(rows, before.values.sorted())], &recorder)
      // Rows that were only changed with another do not count.
      let changes = recorder.transitions.map { transition in
        (
          before: before[transition.id], after: rows.find(transition.id)?.index,
          isModified: transition.before?.values != transition.after?.values
        )
      }
      let difference = RowDifference(of: changes)
      return recorder.edit(
        of: Set(before.keys), place: place,
        difference.isEmpty ? .none(.unchanged) : .several(difference))
    }
  }

  private func changeTasksAnywhere(
    _ action: Action, _ ids: [Identifier], showing shown: Results<TaskItem>?,
    withoutNotifying tokens: [NotificationToken], _ body: ([RowGroup], inout ActionRecorder) throws -> Void
  ) throws -> Edit {
    try transaction(action, in: .lists, about: ids, showing: shown, withoutNotifying: tokens) { _, recorder in
      var groups: [RowGroup] = []
      for id in action.takesSubtasksAlong ? withoutTheirSubtasks(ids) : ids {
        guard let place = place(ofTask: id) else { continue }
        if let known = groups.firstIndex(where: { $0.rows.place == place }) {
          if let index = groups[known].rows.find(id)?.index { groups[known].indices.append(index) }
        } else if let rows = rows(of: place), let index = rows.find(id)?.index {
          groups.append((rows, [index]))
        }
      }
      guard !groups.isEmpty else { return Edit(place: .lists, change: .none(.gone)) }
      // Tasks before their subtasks, whose changes may follow from those of the tasks.
      let order =
        groups.filter { !$0.rows.place.isOfSubtasks } + groups.filter { $0.rows.place.isOfSubtasks }
      try body(order.map { ($0.rows, $0.indices.sorted()) }, &recorder)
      return recorder.edit(
        of: Set(ids), place: .lists,
        recorder.transitions.isEmpty ? .none(.unchanged) : .several(RowDifference(of: [])))
    }
  }

  /// The ids without those of subtasks of another of them.
  private func withoutTheirSubtasks(_ ids: [Identifier]) -> [Identifier] {
    let all = Set(ids)
    return ids.filter { id in
      guard case .subtasks(let owner)? = place(ofTask: id) else { return true }
      return !all.contains(owner)
    }
  }
}

extension Action {
  /// Whether the action on a task includes its subtasks.
  fileprivate var takesSubtasksAlong: Bool { self == .delete || self == .moveToList }
}

extension String {
  /// The stored form of a note: without the white space at its end.
  var trimmedForNotes: String {
    lastIndex { !$0.isWhitespace }.map { String(self[...$0]) } ?? ""
  }

  /// The stored form of a text: without the white space around it.
  var trimmedForRow: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
