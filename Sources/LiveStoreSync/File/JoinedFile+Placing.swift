import LiveStore

/// Giving objects their places in lists, after all that a transaction brings has come.
extension JoinedFile {
  /// Places every object whose place, or whose owner, has come; the others stay without one and are held.
  func placeObjects() throws(StoreError) {
    var waiting = unsettled.unplaced
    unsettled.unplaced = []
    waiting += try objectsWithHeldValues()
    var seen: Set<SyncedObject.Identity> = []
    var deferred: [SyncedObject.Identity] = []
    for identity in waiting where seen.insert(identity).inserted {
      try setHeldLinks(of: identity)
      if try !place(identity) { deferred.append(identity) }
    }
    // The owner may have been about to leave the object, or the place in which it is.
    var count: Int
    repeat {
      count = deferred.count
      var rest: [SyncedObject.Identity] = []
      for identity in deferred where try !place(identity) { rest.append(identity) }
      deferred = rest
    } while deferred.count < count
    for identity in deferred where try !place(identity, awaitingOwner: false) {
      if try !leaveInPlace(identity) {
        _ = try place(identity, awaitingOwner: false, allowingCycle: true)
      }
    }
  }

  private func objectsWithHeldValues() throws(StoreError) -> [SyncedObject.Identity] {
    try statements.prepare(
      "SELECT DISTINCT t.name, h.key FROM \(SyncTables.held) h JOIN \(SyncTables.types) t USING (type)"
    ).all { .init(type: $0.text(0), key: $0.value(1)) }
  }

  private func setHeldLinks(of identity: SyncedObject.Identity) throws(StoreError) {
    guard let table = layout.classes[identity.type], !table.links.isEmpty else { return }
    for (name, value) in try heldValues(of: identity) {
      guard let target = table.links[name].flatMap({ layout.classes[$0] }), try exists(value, in: target)
      else { continue }
      do throws(StoreError) {
        try statements.prepare(
          "UPDATE \(quoted(table.name)) SET \(quoted(name)) = ? "
            + "WHERE \(quoted(table.primaryKey)) = ? AND \(quoted(name)) IS NULL"
        ).run(value, identity.key)
      } catch {
        // Another object may have come to have the link, alone or with other values that no two may have.
        try settle(value, of: name, identity, in: table)
      }
      if table.embeddingLinks.contains(name), let target = table.links[name] {
        unsettled.movedParts.places.insert(SyncedObject.Identity(type: target, key: value))
      }
      try releaseHeld(name, of: identity)
    }
  }

  /// Puts an object where its cells say, if the owner is there.
  ///
  /// - Parameter awaitingOwner: Whether the owner has to have its own place first, where that matters.
  /// - Returns: False, with nothing done, if the object would be in itself and that is not allowed, or if its
  ///   owner is awaited.
  private func place(
    _ identity: SyncedObject.Identity, awaitingOwner: Bool = true, allowingCycle: Bool = false
  ) throws(StoreError) -> Bool {
    if let list = list(ofElement: identity) {
      try placeElement(identity, in: list)
      return true
    }
    guard let table = layout.classes[identity.type], !table.places.isEmpty else { return true }
    let held = try heldValues(of: identity)
    guard held[SyncedObject.place] != nil, try exists(identity.key, in: table) else { return true }
    let present = try entry(of: identity.key, in: table.places)
    guard var (wanted, list, position) = try wantedPlace(of: identity, held, in: table) else {
      if let present { try removeEntry(present.entry, from: present.list) }
      if held[SyncedObject.place] == .null { try releasePlace(of: identity) }
      return true
    }
    if !allowingCycle, try isCycle(identity, in: list, of: wanted.owner) { return false }
    if awaitingOwner, list.isFlat, try isAwaited(wanted.owner, in: list) { return false }
    if case .text = position {
    } else {
      // One machine took it out of its list, and another put it into one at the position that it had.
      position = .text(PositionSuffix.of(identity.key))
      try assign(position, to: SyncedObject.position, of: identity)
    }
    if list.isFlat {
      (wanted, position) = try raise(identity, wanted, position, in: list)
      list = layout.lists[wanted.list] ?? list
    }
    if let present, present.list.name == list.name {
      try change(
        list.name, "UPDATE \(quoted(list.name)) SET owner = ?, position = ? WHERE entry = ?",
        [wanted.owner, position, present.entry])
    } else {
      if let present { try removeEntry(present.entry, from: present.list) }
      try insertEntry(of: identity.key, into: list, owner: wanted.owner, position: position)
      try note(identity.key, ofEntry: .integer(connection.lastInsertedRow), in: list)
    }
    if layout.hasParts { unsettled.movedParts.places.insert(identity) }
    try releasePlace(of: identity)
    try separateEntries(of: list, owner: wanted.owner, position: position)
    if list.isFlat { try raiseElements(of: identity, in: list, to: wanted.owner, position) }
    return true
  }

  /// The place and the position that an object is to have, by the values that are held or because the owner
  /// was deleted; `nil` for one in no list, or in one that this program does not know, or without its owner.
  private func wantedPlace(
    of identity: SyncedObject.Identity, _ held: [String: SQLiteValue], in table: SyncedLayout.ClassTable
  ) throws(StoreError) -> (Placement, SyncedLayout.ListTable, position: SQLiteValue)? {
    guard let place = held[SyncedObject.place].flatMap({ Placement($0) }),
      let list = table.places.first(where: { $0.name == place.list }),
      let owners = layout.classes[list.ownerClass]
    else { return nil }
    let position = held[SyncedObject.position] ?? .null
    if try exists(place.owner, in: owners) { return (place, list, position) }
    guard let refuge = try refuge(from: place, in: list, of: table) else { return nil }
    let other = Placement(list: refuge.list.name, owner: refuge.owner)
    try assign(other.value, to: SyncedObject.place, of: identity)
    try assign(position.inFront, to: SyncedObject.position, of: identity)
    return (other, refuge.list, position.inFront)
  }

  /// The owner that gets an object whose own was deleted without knowledge of it: on every machine one that
  /// people see. `nil` while the owner may still come, or if there is none.
  private func refuge(
    from place: Placement, in list: SyncedLayout.ListTable, of table: SyncedLayout.ClassTable
  ) throws(StoreError) -> (list: SyncedLayout.ListTable, owner: SQLiteValue)? {
    let owner = SyncedObject.Identity(type: list.ownerClass, key: place.owner)
    // A part belongs to its owner, and to no other one.
    guard !list.isEmbedding, maySend, try known(owner)?.object.deletion != nil else { return nil }
    return try firstOwner(for: table)
  }

  func releasePlace(of identity: SyncedObject.Identity) throws(StoreError) {
    try releaseHeld(SyncedObject.place, of: identity)
    try releaseHeld(SyncedObject.position, of: identity)
  }

  /// Gives a cell of an object another value, as every machine does that comes to the same: in the name of
  /// the machine that gave it the last one. One that may only read leaves it to the others to send it.
  func assign(
    _ value: SQLiteValue, to cell: String, of identity: SyncedObject.Identity
  ) throws(StoreError) {
    guard let known = try known(identity) else { return }
    var object = known.object
    let number = try number(ofCell: cell, type: identity.type)
    guard var cell = object.cells[number] else { return }
    cell.fingerprint = value.fingerprint
    cell.clock.stamp += 1
    let clock = cell.clock
    observe(clock)
    object.cells[number] = cell
    let waiting = maySend ? min(known.waiting ?? clock.stamp, clock.stamp) : known.waiting
    try keep(object, as: identity, waiting: waiting)
  }
}

extension SQLiteValue {
  /// A position before all those that programs give, and in the order of others that come there.
  ///
  /// It begins with an integer as ``LiveStore`` writes those of which positions consist: one of nine digits,
  /// far below zero.
  fileprivate var inFront: SQLiteValue {
    guard case .text(let text) = self else { return self }
    return .text("2VVVVVVVVV" + text)
  }
}

/// The end that makes a position in a list another object's own.
enum PositionSuffix {
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// An integer as ``LiveStore`` writes those of which positions consist: `t`, and five digits.
  static func of(_ key: SQLiteValue) -> String {
    var rest = key.fingerprint
    var text: [UInt8] = [UInt8(ascii: "t")]
    for _ in 0..<5 {
      text.append(digits[Int(rest % 62)])
      rest /= 62
    }
    return String(decoding: text, as: UTF8.self)
  }
}
