import LiveStore

/// Lists of one level, as those of subtasks: two machines together may put an object into one that the other
/// machine has put into such a list, where no program would show it. It comes into the owner of that one,
/// directly behind it, as every machine does that comes to both.
extension JoinedFile {
  /// Whether an object may be put into an owner as things are: it is not in itself, and lists of one level
  /// stay so.
  func canPlace(_ identity: SyncedObject.Identity, in list: SyncedLayout.ListTable, of owner: SQLiteValue)
    throws(StoreError) -> Bool
  {
    guard try !isCycle(identity, in: list, of: owner) else { return false }
    guard list.isFlat else { return true }
    let isNested = try entry(of: owner, in: [list]) != nil
    let hasElements = try !elements(of: identity.key, in: list).isEmpty
    return !isNested && !hasElements
  }

  /// Whether an owner, or one above it in a list of one level, is yet to be given a place.
  func isAwaited(_ owner: SQLiteValue, in list: SyncedLayout.ListTable) throws(StoreError) -> Bool {
    var seen: Set<SQLiteValue> = []
    var next: SQLiteValue? = owner
    while let key = next, seen.insert(key).inserted {
      let identity = SyncedObject.Identity(type: list.ownerClass, key: key)
      if try heldValues(of: identity)[SyncedObject.place] != nil { return true }
      next = try entry(of: key, in: [list])?.owner
    }
    return false
  }

  /// The place of an object that was put into an owner which is in the list itself: behind that one, or, if
  /// machines have raised it in turns, the last one of the first owner.
  func raise(
    _ identity: SyncedObject.Identity, _ wanted: Placement, _ position: SQLiteValue,
    in list: SyncedLayout.ListTable
  ) throws(StoreError) -> (Placement, SQLiteValue) {
    var (place, raised) = (wanted, position)
    var seen: Set<SQLiteValue> = []
    while seen.insert(place.owner).inserted, let above = try entry(of: place.owner, in: [list]) {
      place.owner = above.owner
      raised = above.position.followed(by: raised)
    }
    guard place.owner != wanted.owner else { return (place, raised) }
    if raised.isOfRaisingInTurns, let first = try firstPlace(for: identity) {
      (place, raised) = (first, .text(PositionSuffix.of(identity.key)))
    }
    try noteRaised(identity, from: wanted, to: place, raised, by: wanted.owner)
    return (place, raised)
  }

  /// The place to which every machine takes an object that they would else raise in turns without end: when
  /// three have put three objects into one another, each leaves another one where it is, and raises the rest
  /// behind that.
  private func firstPlace(for identity: SyncedObject.Identity) throws(StoreError) -> Placement? {
    guard let table = layout.classes[identity.type] else { return nil }
    return try firstOwner(for: table).map { Placement(list: $0.list.name, owner: $0.owner) }
  }

  /// Puts what is in an object that has come into a list of one level behind it.
  func raiseElements(
    of identity: SyncedObject.Identity, in list: SyncedLayout.ListTable, to owner: SQLiteValue,
    _ position: SQLiteValue
  ) throws(StoreError) {
    for element in try elements(of: identity.key, in: list) {
      let target = SyncedObject.Identity(type: list.targetClass, key: element.target)
      // One that is about to move holds its place.
      guard try heldValues(of: target)[SyncedObject.place] == nil else { continue }
      var place = Placement(list: list.name, owner: owner)
      var raised = position.followed(by: element.position)
      if raised.isOfRaisingInTurns, let first = try firstPlace(for: target),
        let table = layout.lists[first.list]
      {
        (place, raised) = (first, .text(PositionSuffix.of(target.key)))
        try removeEntry(element.entry, from: list)
        try insertEntry(of: target.key, into: table, owner: place.owner, position: raised)
        try note(target.key, ofEntry: .integer(connection.lastInsertedRow), in: table)
      } else {
        try statements.prepare("UPDATE \(quoted(list.name)) SET owner = ?, position = ? WHERE entry = ?").run(
          owner, raised, element.entry)
        try separateEntries(of: list, owner: owner, position: raised)
      }
      try noteRaised(
        target, from: Placement(list: list.name, owner: identity.key), to: place, raised, by: identity.key)
    }
  }

  private func elements(
    of owner: SQLiteValue, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> [(entry: SQLiteValue, target: SQLiteValue, position: SQLiteValue)] {
    try statements.prepare(
      "SELECT entry, target, position FROM \(quoted(list.name)) WHERE owner = ? ORDER BY position, entry"
    ).all([owner]) { ($0.value(0), $0.value(1), $0.value(2)) }
  }

  /// Notes the place of an object that could not stay where it was put because of the move of another one,
  /// and tells the person at this machine if they have put it there.
  private func noteRaised(
    _ identity: SyncedObject.Identity, from former: Placement, to place: Placement, _ position: SQLiteValue,
    by mover: SQLiteValue
  ) throws(StoreError) {
    if try clock(of: SyncedObject.place, of: identity)?.replica == replica {
      try noteLoss(
        of: [SyncedObject.place: former.value], to: [SyncedObject.place: place.value], of: identity,
        after: SyncedObject.Identity(type: identity.type, key: mover))
    }
    try assign(place.value, to: SyncedObject.place, of: identity)
    try assign(position, to: SyncedObject.position, of: identity)
  }
}

extension SQLiteValue {
  /// A position in a list behind this one, and before all that follow it, in the order of other positions.
  fileprivate func followed(by other: SQLiteValue) -> SQLiteValue {
    guard case .text(let own) = self, case .text(let other) = other else { return other }
    return .text(own + other)
  }

  /// Whether a position has become as long as only those do which machines put together in turns: their
  /// lengths double each time.
  fileprivate var isOfRaisingInTurns: Bool {
    guard case .text(let text) = self else { return false }
    return text.utf8.count > 4_000
  }
}
