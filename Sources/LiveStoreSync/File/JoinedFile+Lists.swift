import LiveStore

/// Lists that do not own their elements: an object may be in many of them, and in one several times. Each
/// element is carried as an object of its own, a ``ListElement``.
extension JoinedFile {
  /// The list whose element an object is; `nil` for an object of a class.
  func list(ofElement identity: SyncedObject.Identity) -> SyncedLayout.ListTable? {
    guard let list = layout.lists[identity.type], !list.isPlace else { return nil }
    return list
  }

  // MARK: Entries

  /// The element that an entry is, as far as it is known.
  func element(
    ofEntry entry: SQLiteValue, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> ListElement? {
    try notedKey(ofEntry: entry, in: list).flatMap { ListElement(.init(type: list.name, key: $0)) }
  }

  private func note(
    _ element: ListElement, asEntry entry: SQLiteValue, in list: SyncedLayout.ListTable
  ) throws(StoreError) {
    if let key = element.identity?.key { try note(key, ofEntry: entry, in: list) }
  }

  /// The entries of an object in a list, with their positions.
  private func entries(
    of element: ListElement
  ) throws(StoreError) -> [(entry: SQLiteValue, position: SQLiteValue)] {
    try statements.prepare(
      "SELECT entry, position FROM \(quoted(element.list)) WHERE target = ? AND owner = ?"
    ).all([element.target, element.owner]) { ($0.value(0), $0.value(1)) }
  }

  /// The entry that is an element, with its position.
  private func entry(
    of element: ListElement, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> (entry: SQLiteValue, position: SQLiteValue)? {
    for entry in try entries(of: element) where try self.element(ofEntry: entry.entry, in: list) == element {
      return entry
    }
    return nil
  }

  // MARK: Finding what has changed

  /// The elements that an entry is, and was when it was last looked at.
  func elements(
    ofEntry entry: SQLiteValue, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> [SyncedObject.Identity] {
    let former = try element(ofEntry: entry, in: list)
    let row = try statements.prepare("SELECT owner, target FROM \(quoted(list.name)) WHERE entry = ?")
    let found = try row.first([entry]) {
      ListElement(list: list.name, owner: $0.value(0), target: $0.value(1), number: 0)
    }
    guard var present = found else {
      try removeEntry(entry, from: list)
      return [former?.identity].compactMap(\.self)
    }
    if let former, former.owner == present.owner, former.target == present.target {
      return [former.identity].compactMap(\.self)
    }
    var numbers: Set<Int> = []
    for other in try entries(of: present) where other.entry != entry {
      if let other = try element(ofEntry: other.entry, in: list) { numbers.insert(other.number) }
    }
    while numbers.contains(present.number) { present.number += 1 }
    try note(present, asEntry: entry, in: list)
    return [former?.identity, present.identity].compactMap(\.self)
  }

  /// All elements of a list that are there or that were known.
  func allElements(of list: SyncedLayout.ListTable) throws(StoreError) -> [SyncedObject.Identity] {
    try statements.prepare(
      "DELETE FROM \(SyncTables.entries) WHERE list = ? "
        + "AND entry NOT IN (SELECT entry FROM \(quoted(list.name)))"
    ).run(.text(list.name))
    var identities: [SyncedObject.Identity] = []
    for entry in try values("SELECT entry FROM \(quoted(list.name)) ORDER BY entry") {
      identities += try elements(ofEntry: entry, in: list)
    }
    let number = try number(ofType: list.name)
    let known = try values("SELECT key FROM \(SyncTables.objects) WHERE type = \(number) AND NOT isDeleted")
    var seen = Set(identities)
    for key in known {
      let identity = SyncedObject.Identity(type: list.name, key: key)
      if seen.insert(identity).inserted { identities.append(identity) }
    }
    return identities
  }

  private func values(_ sql: String) throws(StoreError) -> [SQLiteValue] {
    try Statement(connection, sql).all { $0.value(0) }
  }

  /// The values of the cells of an element, of which one that waits for its objects is the one that is held;
  /// `nil` if there is no such element.
  func values(
    ofElement identity: SyncedObject.Identity, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> [String: SQLiteValue]? {
    guard let element = ListElement(identity) else { return nil }
    let held = try heldValues(of: identity)[SyncedObject.position]
    if let held { return [SyncedObject.position: held] }
    return try entry(of: element, in: list).map { [SyncedObject.position: $0.position] }
  }

  /// Releases the position that is held for an element which a program has put into its list again.
  func releaseIfPresent(
    _ identity: SyncedObject.Identity, in list: SyncedLayout.ListTable
  ) throws(StoreError) {
    guard try heldValues(of: identity)[SyncedObject.position] != nil, let element = ListElement(identity),
      try entry(of: element, in: list) != nil
    else { return }
    try releaseHeld(SyncedObject.position, of: identity)
  }

  // MARK: Writing what others have changed

  /// Merges an element from the server into the file.
  func apply(
    _ remote: RemoteObject, toElementOf list: SyncedLayout.ListTable
  ) throws(StoreError) {
    let identity = remote.object.identity
    let known = try known(identity).flatMap { isForgotten($0, remote.object) ? nil : $0 }
    let own = try known.map { known throws(StoreError) in try state(of: identity, known.object) }
    let merged = own?.merged(with: remote.object) ?? remote.object
    guard merged != own else { return }
    if merged.deletion != nil {
      try removeElement(identity, from: list)
    } else if let cell = merged.cells[SyncedObject.position],
      own?.deletion != nil || own?.cells[SyncedObject.position]?.value != cell.value
    {
      try hold(cell.value, as: SyncedObject.position, of: identity)
      unsettled.unplaced.append(identity)
    }
    let waiting = own.flatMap { stillWaiting(known?.waiting, own: $0, merged: merged) }
    try keep(try knownObject(merged), as: identity, waiting: waiting)
  }

  func removeElement(
    _ identity: SyncedObject.Identity, from list: SyncedLayout.ListTable
  ) throws(StoreError) {
    try releaseHeld(SyncedObject.position, of: identity)
    guard let element = ListElement(identity), let entry = try entry(of: element, in: list)?.entry
    else { return }
    try removeEntry(entry, from: list)
  }

  /// Puts an element where its cell says, if its objects are there; otherwise it goes on being held.
  func placeElement(
    _ identity: SyncedObject.Identity, in list: SyncedLayout.ListTable
  ) throws(StoreError) {
    guard let position = try heldValues(of: identity)[SyncedObject.position],
      let element = ListElement(identity), try hasObjects(element, in: list)
    else { return }
    if let entry = try entry(of: element, in: list)?.entry {
      try change(
        list.name, "UPDATE \(quoted(list.name)) SET position = ? WHERE entry = ?", [position, entry])
    } else {
      try insertEntry(of: element.target, into: list, owner: element.owner, position: position)
      try note(element, asEntry: .integer(connection.lastInsertedRow), in: list)
    }
    try releaseHeld(SyncedObject.position, of: identity)
    try separateEntries(of: list, owner: element.owner, position: position)
  }

  private func hasObjects(
    _ element: ListElement, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> Bool {
    guard let owners = layout.classes[list.ownerClass], let targets = layout.classes[list.targetClass]
    else { return false }
    guard try exists(element.owner, in: owners) else { return false }
    return try exists(element.target, in: targets)
  }

  /// Takes an object that is about to be deleted out of all lists, and empties its own: where the deletion
  /// was made, these elements may not have been known. They are held for the case that the object comes back.
  func holdElements(with identity: SyncedObject.Identity) throws(StoreError) {
    for list in layout.lists.values where !list.isPlace {
      for (column, type) in [("owner", list.ownerClass), ("target", list.targetClass)]
      where type == identity.type {
        let entries = try statements.prepare(
          "SELECT entry, position FROM \(quoted(list.name)) WHERE \(column) = ?"
        ).all([identity.key]) { ($0.value(0), $0.value(1)) }
        for (entry, position) in entries {
          if let element = try element(ofEntry: entry, in: list)?.identity,
            try heldValues(of: element)[SyncedObject.position] == nil
          {
            try hold(position, as: SyncedObject.position, of: element)
          }
          // SQLite may give its number to another entry, which is not the same element.
          try removeEntry(entry, from: list)
        }
      }
    }
  }

  /// Changes an element as it was changed here, which was refused or lost: removes it from its list, moves it
  /// there, or adds it.
  func bringBackElement(
    of conflict: SyncConflict, in list: SyncedLayout.ListTable
  ) throws(StoreError) {
    guard let element = ListElement(conflict.identity) else { return }
    let present = try entry(of: element, in: list)?.entry
    guard let position = conflict.mine[SyncedObject.position] else {
      guard let present else { return }
      return try statements.prepare("DELETE FROM \(quoted(list.name)) WHERE entry = ?").run(present)
    }
    if let present {
      try statements.prepare("UPDATE \(quoted(list.name)) SET position = ? WHERE entry = ?")
        .run(position, present)
    } else if try hasObjects(element, in: list) {
      try insertEntry(of: element.target, into: list, owner: element.owner, position: position)
    } else {
      throw StoreError(
        .misuse, "The list, or what was in it, is gone: bring that back first, or forget the change.")
    }
  }
}
