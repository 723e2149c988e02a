/// A row at one moment: its values, and its position.
struct RowState: Equatable, Sendable, Codable {
  var place: Place
  var values: RowValues
  /// The index to use when both neighbours were deleted.
  var index: Int
  /// The row above it; nil on top.
  var previous: Identifier?
  /// The row below it; nil at the end.
  var next: Identifier?

  /// The index of a row that was after the open ones, if its exact index was not needed: it goes there again.
  static let unknownIndex = Int.max

  /// Whether two rows have the same position, as far as their neighbours tell.
  func standsLike(_ other: RowState) -> Bool {
    place == other.place && previous == other.previous && next == other.next
  }
}

/// The change of one row by one action: enough to go from either state to the other, and to detect whether
/// another person has changed the row since.
struct RowTransition: Equatable, Sendable, Codable {
  var id: Identifier
  /// Nil: the row did not exist.
  var before: RowState?
  /// Nil: the row was deleted.
  var after: RowState?
  /// The order that the open tasks of a list had before it was kept sorted, or sorted otherwise.
  var order: TaskOrder?
  /// The order that the open rows of the place got when they were sorted once, if one of them is there
  /// several times, so that no state of it says where each of them stood; `order` is then the one before.
  var laterOrder: TaskOrder?
  /// The further places that a deletion has taken from the row and from those that went with it.
  var links: [RowLink]?

  var reversed: RowTransition {
    RowTransition(
      id: id, before: after, after: before, order: laterOrder ?? order,
      laterOrder: laterOrder == nil ? nil : order,
      links: links)
  }

  var text: String { (before ?? after)?.values.text ?? "" }

  /// Whether the row is added, or gets another text.
  var changesText: Bool { after != nil && before?.values.text != after?.values.text }

  /// The number of rows, with those that the row contains.
  var rowCount: Int { (before ?? after)?.values.rowCount ?? 0 }

  /// The tasks that the row is, or was, a subtask of.
  var owners: [Identifier] {
    func owner(_ state: RowState?) -> Identifier? {
      if case .subtasks(let owner)? = state?.place { owner } else { nil }
    }
    return [owner(before), owner(after)].compactMap { $0 }
  }
}

extension [RowTransition] {
  /// The addition of rows side by side.
  ///
  /// - Parameters:
  ///   - values: Their values, from the top down.
  ///   - index: The index of the first; nil when it is not known.
  ///   - above: The row above the first; nil on top.
  ///   - below: The row below the last; nil at the end.
  init(
    adding values: [RowValues], to place: Place, at index: Int? = nil, above: Identifier?, below: Identifier?
  ) {
    self = values.indices.map { offset in
      let state = RowState(
        place: place, values: values[offset], index: index.map { $0 + offset } ?? RowState.unknownIndex,
        previous: offset == 0 ? above : values[offset - 1].id,
        next: offset == values.count - 1 ? below : values[offset + 1].id)
      return RowTransition(id: values[offset].id, before: nil, after: state)
    }
  }

  /// The places that the rows leave, arrive at or stay in.
  var places: Set<Place> { Set(flatMap { [$0.before?.place, $0.after?.place].compactMap(\.self) }) }

  /// The transitions of the rows that the person was told about: those that they meant, without subtasks that
  /// followed their task.
  func rows(countedBy action: Action) -> [RowTransition] {
    switch action {
    // A subtask does not follow its task: it was meant as well.
    case .setDate, .setPriority, .setRepetition, .setWaiting: return self
    // The tasks of a list that was cleared have gone to the archive before it.
    case .clear:
      let cleared = filter { $0.before == nil || $0.after == nil }
      return cleared.isEmpty ? ofMeantRows : cleared
    // Neither the next task of one that repeats nor a new list was there before.
    case .complete, .moveToList: return ofMeantRows.filter { $0.before != nil }
    default: return ofMeantRows
    }
  }

  private var ofMeantRows: [RowTransition] {
    guard contains(where: { !$0.owners.isEmpty }) else { return self }
    let ids = Set(map(\.id))
    return filter { transition in !transition.owners.contains(where: ids.contains) }
  }

  /// The rows that look different after these transitions, each once.
  ///
  /// - Parameters:
  ///   - withHeld: Whether to include the tasks and subtasks that are added and deleted with the row that
  ///     contains them.
  ///   - withOwners: Whether to include the tasks whose subtasks changed.
  func touchedRows(withHeld: Bool, withOwners: Bool) -> [(id: Identifier, isModified: Bool)] {
    var ids: [Identifier] = []
    var isModified: [Identifier: Bool] = [:]
    func touch(_ id: Identifier, _ modified: Bool) {
      guard let known = isModified.updateValue(modified, forKey: id) else { return ids.append(id) }
      if known { isModified[id] = true }
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

extension RowValues {
  /// The number of rows, with those that the row contains.
  fileprivate var rowCount: Int { tasks.reduce(1) { $0 + $1.rowCount } }
}
