import LiveStore

/// Bringing back changes that lost against those of another machine.
extension TasksStore {
  /// Brings back a lost change of a row, as an action that undo takes back.
  ///
  /// - Parameters:
  ///   - id: The row, with which the rows that it contained may come back.
  ///   - write: Writes them, in the transaction; returns whether the change is still lost.
  /// - Returns: What `write` returns.
  /// - Throws: What `write` throws, after which nothing has been written, or `StoreError`.
  public func bringBack(_ id: Identifier, by write: () throws -> Bool) throws -> Bool {
    var isFound = false
    _ = try transaction(.bringBack, on: [], in: RowScope(nil)) { recorder in
      let before = state(of: id)
      let contents = Set(contents(of: id)?.allIDs ?? [])
      isFound = try write()
      let after = state(of: id, withContents: before == nil)
      recorder.note(RowTransition(id: id, before: before, after: after))
      guard before != nil, after != nil, let rows = self.contents(of: id) else { return nil }
      for (index, row) in rows.items.enumerated() where !contents.contains(row.id) {
        recorder.note(
          RowTransition(id: row.id, before: nil, after: rows.state(at: index, withContents: true)))
      }
      return nil
    }
    return isFound
  }

  /// The state of a row at its first place; nil if it has none.
  private func state(of id: Identifier, withContents: Bool = false) -> RowState? {
    let place = list(id) == nil ? place(ofTask: id) : .lists
    guard let rows = place.flatMap(rows(of:)), let index = rows.find(id)?.index else { return nil }
    return rows.state(at: index, withContents: withContents)
  }

  /// The tasks of a list, or the subtasks of a task.
  private func contents(of id: Identifier) -> TaskRows? {
    rows(of: list(id) == nil ? .subtasks(of: id) : .tasks(inList: id)) as? TaskRows
  }
}

extension RowCollection {
  fileprivate func state(at index: Int, withContents: Bool) -> RowState {
    var state = state(at: index)
    if withContents { state.values = values(at: index) }
    return state
  }
}
