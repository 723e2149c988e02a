import LiveStore

/// The parts, embedded objects, whose places the changes of other machines concern.
struct MovedParts {
  /// Those that have come into a place.
  var places: Set<SyncedObject.Identity> = []
  /// Those that have left a link into which this machine had put them.
  var left: Set<SyncedObject.Identity> = []
  /// Those that were deleted elsewhere while a link into which this machine had put them led to them, by
  /// these messages, with the values that they had.
  var lost: [SyncedObject.Identity: (remote: RemoteObject, values: [String: SQLiteValue])] = [:]

  var isEmpty: Bool { places.isEmpty && left.isEmpty && lost.isEmpty }
}

/// Keeping each part in one place, though two machines have put it into two, or each another into one link.
///
/// In a list the place of a part is a cell of the part, as where a list owns its elements. In a link it is
/// one of the owner's. While changes are applied a part may be in several places, or in none.
extension JoinedFile {
  /// Notes the parts that come into links of an object, or leave them.
  func notePlaces(
    ofPartsIn columns: [String], of old: SyncedObject?, _ new: SyncedObject,
    in table: SyncedLayout.ClassTable
  ) {
    for column in table.embeddingLinks where columns.contains(column) {
      guard let type = table.links[column] else { continue }
      if let value = new.cells[column]?.value, value != .null {
        unsettled.movedParts.places.insert(SyncedObject.Identity(type: type, key: value))
      }
      // The machine that had put it there deletes it, so that one does.
      if let former = old?.cells[column], former.value != .null, former.clock.replica == replica {
        unsettled.movedParts.left.insert(SyncedObject.Identity(type: type, key: former.value))
      }
    }
  }

  /// Notes the parts in the links of an object that is about to be deleted.
  func noteParts(of owner: SyncedObject.Identity, in table: SyncedLayout.ClassTable) throws(StoreError) {
    guard !table.embeddingLinks.isEmpty, let known = try known(owner)?.object,
      let object = try message(owner, known, from: .min)
    else { return }
    notePlaces(
      ofPartsIn: table.embeddingLinks, of: object, SyncedObject(owner, life: object.life), in: table)
  }

  /// Notes a part that is about to be deleted as elsewhere, if this machine had put it into a link since.
  func noteLoss(ofPart part: SyncedObject.Identity, by remote: RemoteObject?) throws(StoreError) {
    guard let remote, layout.hasParts,
      try placesInLinks(of: part).contains(where: { $0.clock.replica == replica }),
      let values = try localValues(of: part, known: known(part)?.object)
    else { return }
    unsettled.movedParts.lost[part] = (remote, values)
  }

  /// Has each part that was moved be in one place: the last of several, as on every machine. One that is in
  /// none because another machine has put another into its link is deleted, and told.
  func settleParts() throws(StoreError) {
    // A part that is deleted may have parts.
    while !unsettled.movedParts.isEmpty {
      let moved = unsettled.movedParts
      unsettled.movedParts = MovedParts()
      try settle(moved)
    }
  }

  private func settle(_ moved: MovedParts) throws(StoreError) {
    for part in moved.places.union(moved.left).sorted(by: { $0.key.precedes($1.key) }) {
      guard let table = layout.classes[part.type], try exists(part.key, in: table) else { continue }
      var places = try placesInLinks(of: part)
      let entry = try entry(of: part.key, in: table.places)
      if let entry, let clock = try clock(of: SyncedObject.place, of: part) {
        places.append(PartPlace(owner: part, cell: SyncedObject.place, clock: clock))
        places.sort { $0.precedes($1) }
        if places.last?.owner != part { try removeEntry(entry.entry, from: entry.list) }
      }
      for place in places.dropLast() { try leave(place, part) }
      let isHeld = try heldValues(of: part)[SyncedObject.place].map { $0 != .null } ?? false
      if places.isEmpty, entry == nil, !isHeld, moved.left.contains(part) {
        try deleteLeftPart(part, from: table)
      }
    }
    for (part, loss) in moved.lost.sorted(by: { $0.key.key.precedes($1.key.key) }) {
      guard try isHeldByLink(part), try !isToldAsDeleted(part) else { continue }
      var remote = loss.remote
      remote.object = SyncedObject(part)
      try noteDeletion(of: part, by: remote, mine: loss.values)
    }
  }

  /// A cell that says where a part is: a link of its owner, or its own place in a list.
  private struct PartPlace {
    var owner: SyncedObject.Identity
    var cell: String
    var clock: HybridClock

    /// Whether it is the earlier one, in an order that is the same on every machine.
    func precedes(_ other: PartPlace) -> Bool {
      if clock != other.clock { return clock < other.clock }
      if owner.type != other.owner.type { return owner.type < other.owner.type }
      return owner.key == other.owner.key ? cell < other.cell : owner.key.precedes(other.owner.key)
    }
  }

  /// The links that lead to a part, the earliest first.
  private func placesInLinks(of part: SyncedObject.Identity) throws(StoreError) -> [PartPlace] {
    var places: [PartPlace] = []
    for link in layout.linksByTarget[part.type] ?? [] where link.isEmbedding {
      for key in try keys(leadingTo: part, by: link) {
        let owner = SyncedObject.Identity(type: link.table, key: key)
        guard let clock = try clock(of: link.column, of: owner) else { continue }
        places.append(PartPlace(owner: owner, cell: link.column, clock: clock))
      }
    }
    return places.sorted { $0.precedes($1) }
  }

  func clock(of cell: String, of identity: SyncedObject.Identity) throws(StoreError) -> HybridClock? {
    try known(identity)?.object.cells[try number(ofCell: cell, type: identity.type)]?.clock
  }

  /// Takes a part out of a place, as every machine does that comes to both.
  private func leave(_ place: PartPlace, _ part: SyncedObject.Identity) throws(StoreError) {
    if place.owner != part, let table = layout.classes[place.owner.type] {
      try set([(place.cell, .null)], of: place.owner.key, in: table)
      if place.clock.replica == replica { try noteLoss(of: [place.cell: part.key], of: place.owner) }
    }
    try releaseHeld(place.cell, of: place.owner)
    try assign(.null, to: place.cell, of: place.owner)
  }

  private func deleteLeftPart(
    _ part: SyncedObject.Identity, from table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    guard var object = try known(part)?.object, let values = try localValues(of: part, known: object)
    else { return }
    try noteDeletion(of: part, mine: values)
    try delete(part, from: table)
    let stamp = nextStamp()
    object.delete(at: HybridClock(stamp: stamp, replica: replica))
    try keep(object, as: part, waiting: stamp)
  }

  /// Whether a link waits for a part to come back.
  func isHeldByLink(_ part: SyncedObject.Identity) throws(StoreError) -> Bool {
    for link in layout.linksByTarget[part.type] ?? [] where link.isEmbedding {
      let held = try statements.prepare(
        "SELECT 1 FROM \(SyncTables.held) WHERE type = ? AND name = ? AND value = ?")
      let number = try number(ofType: link.table)
      if try held.hasRow([.integer(number), .text(link.column), part.key]) { return true }
    }
    return false
  }

  private func isToldAsDeleted(_ part: SyncedObject.Identity) throws(StoreError) -> Bool {
    try statements.prepare(
      "SELECT 1 FROM \(SyncTables.conflicts) WHERE type = ? AND key = ? AND kind = ? AND NOT isSettled"
    ).hasRow([.text(part.type), part.key, .text(SyncConflict.Kind.deleted.rawValue)])
  }
}
