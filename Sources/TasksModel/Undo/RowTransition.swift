/// A row at one moment: its values, and where it stood.
struct RowState: Equatable, Sendable, Codable {
  var place: Place
  var values: RowValues
  /// Where a row goes whose neighbours are both gone.
  var index: Int
  /// The row above it; nil on top.
  var previous: Identifier?
  /// The row below it; nil at the end.
  var next: Identifier?

  /// For a row that stood after the open ones, at an index that nobody needed to know: that is where it goes
  /// again.
  static let unknownIndex = Int.max

  /// Whether a row stands where it stood, as far as its neighbours tell.
  func standsLike(_ other: RowState) -> Bool {
    place == other.place && previous == other.previous && next == other.next
  }
}

/// What one action made of one row: enough to go from either state to the other, and to tell whether somebody
/// else has been there since.
struct RowTransition: Equatable, Sendable, Codable {
  var id: Identifier
  /// Nil: the row was not there.
  var before: RowState?
  /// Nil: the row is gone.
  var after: RowState?

  var reversed: RowTransition { RowTransition(id: id, before: after, after: before) }

  var text: String { (before ?? after)?.values.text ?? "" }

  /// The tasks of which the row is, or was, a subtask.
  var owners: [Identifier] {
    [before, after].compactMap { state in
      if case .subtasks(let owner)? = state?.place { owner } else { nil }
    }
  }
}

extension [RowTransition] {
  /// Those of rows that were meant, and not just went the way of their task.
  var ofMeantRows: [RowTransition] {
    let ids = Set(map(\.id))
    return filter { transition in !transition.owners.contains(where: ids.contains) }
  }

  /// The rows that look different after these transitions, each once.
  ///
  /// - Parameters:
  ///   - withHeld: Also the tasks and subtasks that come and go with what holds them.
  ///   - withOwners: Also the tasks that other subtasks stand below than before.
  func touchedRows(withHeld: Bool, withOwners: Bool) -> [(id: Identifier, isModified: Bool)] {
    var ids: [Identifier] = []
    var isModified: [Identifier: Bool] = [:]
    func touch(_ id: Identifier, _ modified: Bool) {
      if isModified[id] == nil { ids.append(id) }
      isModified[id] = modified || isModified[id] == true
    }
    func touchHeld(_ values: RowValues) {
      for row in values.tasks {
        touch(row.id, false)
        touchHeld(row)
      }
    }
    for transition in self {
      touch(transition.id, transition.before?.values != transition.after?.values)
      if withHeld { [transition.before, transition.after].compactMap(\.?.values).forEach(touchHeld) }
      if withOwners { for owner in transition.owners { touch(owner, true) } }
    }
    return ids.map { ($0, isModified[$0] == true) }
  }
}
