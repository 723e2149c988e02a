import LiveStore

/// The entries of lists, of whichever kind, and what is noted of them for the time when they are gone.
extension JoinedFile {
  /// The key that was noted for an entry: of the object in it, or of the element that it is.
  func notedKey(
    ofEntry entry: SQLiteValue, in list: SyncedLayout.ListTable
  ) throws(StoreError) -> SQLiteValue? {
    try statements.prepare("SELECT key FROM \(SyncTables.entries) WHERE list = ? AND entry = ?")
      .first([.text(list.name), entry]) { $0.value(0) }
  }

  func note(
    _ key: SQLiteValue, ofEntry entry: SQLiteValue, in list: SyncedLayout.ListTable
  ) throws(StoreError) {
    try statements.prepare(
      "INSERT INTO \(SyncTables.entries) VALUES (?1, ?2, ?3) "
        + "ON CONFLICT DO UPDATE SET key = ?3 WHERE key IS NOT ?3"
    ).run(.text(list.name), entry, key)
  }

  func insertEntry(
    of key: SQLiteValue, into list: SyncedLayout.ListTable, owner: SQLiteValue, position: SQLiteValue
  ) throws(StoreError) {
    // The trigger of the list puts an entry without a position at the end.
    let text: SQLiteValue = if case .text = position { position } else { .text("") }
    try change(
      list.name, "INSERT INTO \(quoted(list.name)) (owner, position, target) VALUES (?, ?, ?)",
      [owner, text, key])
  }

  /// Removes an entry, if it is there, and what is noted of it.
  func removeEntry(_ entry: SQLiteValue, from list: SyncedLayout.ListTable) throws(StoreError) {
    try statements.prepare("DELETE FROM \(quoted(list.name)) WHERE entry = ?").run(entry)
    try statements.prepare("DELETE FROM \(SyncTables.entries) WHERE list = ? AND entry = ?").run(
      .text(list.name), entry)
  }

  /// Makes the positions of objects or elements that two machines put in the same place differ.
  ///
  /// The one with the least key keeps the position, and each other one gets a longer position that follows
  /// from its key, with a clock that follows from the one it had: every machine writes the same, whichever of
  /// them come to it.
  func separateEntries(
    of list: SyncedLayout.ListTable, owner: SQLiteValue, position: SQLiteValue
  ) throws(StoreError) {
    guard case .text(let text) = position else { return }
    let entries = try statements.prepare(
      "SELECT entry, target FROM \(quoted(list.name)) WHERE owner = ? AND position = ?"
    ).all([owner, position]) { (entry: $0.value(0), target: $0.value(1)) }
    guard entries.count > 1 else { return }
    var same: [(entry: SQLiteValue, identity: SyncedObject.Identity)] = []
    for (entry, target) in entries {
      guard
        let identity = list.isPlace
          ? SyncedObject.Identity(type: list.targetClass, key: target)
          : try element(ofEntry: entry, in: list)?.identity,
        // One that is about to move holds its position.
        try heldValues(of: identity)[SyncedObject.position] == nil
      else { continue }
      same.append((entry, identity))
    }
    same.sort { $0.identity.key.precedes($1.identity.key) }
    for (entry, identity) in same.dropFirst() {
      let longer = SQLiteValue.text(text + PositionSuffix.of(identity.key))
      try statements.prepare("UPDATE \(quoted(list.name)) SET position = ? WHERE entry = ?").run(
        longer, entry)
      try assign(longer, to: SyncedObject.position, of: identity)
    }
  }
}
