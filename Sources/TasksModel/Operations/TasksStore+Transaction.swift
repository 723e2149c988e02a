import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The rows of a place, or nil when the list that holds them is gone.
  func rows(of place: Place) -> (any RowCollection)? {
    switch place {
    case .lists: ListRows(store: store, items: lists)
    case .tasks(let listID): list(listID).map { TaskRows(store: store, place: place, items: $0.items) }
    }
  }

  /// Runs one operation on the rows of a place in a transaction of its own, and keeps in the same transaction what it
  /// takes to undo it. One that finds nothing to do writes nothing, and nobody is notified.
  ///
  /// - Parameters:
  ///   - step: The step that this is a continuation of (see `keep(_:as:continuing:)`).
  ///   - body: Changes the rows by way of the recorder and returns what it did.
  /// - Throws: A `Refusal` or what else `body` throws, after which nothing has been written, or `StoreError`.
  func transaction(
    _ action: Action, in place: Place, continuing step: Int? = nil,
    withoutNotifying tokens: [NotificationToken],
    _ body: (any RowCollection, inout ActionRecorder) throws -> Edit
  ) throws -> Edit {
    try store.write(withoutNotifying: tokens) {
      guard let rows = rows(of: place) else { return Edit(place: place, change: .none(.gone)) }
      var recorder = ActionRecorder(action)
      var edit = try body(rows, &recorder)
      edit.step = try keep(recorder.transitions, as: recorder.action, continuing: step)
      return edit
    }
  }
}

extension TasksStore {
  /// Runs an operation on several rows as one action.
  ///
  /// - Parameter body: Gets the indices, ascending, of those of the rows that are there.
  func changeSeveral(
    _ action: Action, _ ids: [UUID], in place: Place, withoutNotifying tokens: [NotificationToken],
    _ body: (any RowCollection, [Int], inout ActionRecorder) throws -> Void
  ) throws -> Edit {
    try transaction(action, in: place, withoutNotifying: tokens) { rows, recorder in
      var before: [UUID: Int] = [:]
      for id in ids { before[id] = rows.find(id)?.index }
      guard !before.isEmpty else { return Edit(place: place, change: .none(.gone)) }
      try body(rows, before.values.sorted(), &recorder)
      // The rows that were changed without having been meant are none.
      let changes = recorder.transitions.map { transition in
        (
          before: before[transition.id], after: rows.find(transition.id)?.index,
          isModified: transition.before?.values != transition.after?.values
        )
      }
      let difference = RowDifference(of: changes)
      return Edit(
        place: place, change: difference.isEmpty ? .none(.unchanged) : .several(difference),
        before: recorder.transitions.compactMap(\.before?.values),
        after: recorder.transitions.compactMap(\.after?.values))
    }
  }
}

extension String {
  /// As a text is kept: without the white space around it.
  var trimmedForRow: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
