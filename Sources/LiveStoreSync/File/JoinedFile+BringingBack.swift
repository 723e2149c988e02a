import LiveStore

/// Bringing back work that lost against another's: it is done once more, now with knowledge of the other's.
extension JoinedFile {
  /// - Returns: Whether there is a conflict of that number.
  /// - Throws: An error, too, if an object cannot be put back into the place that it had.
  func bringBack(conflict number: Int64) throws(StoreError) -> Bool {
    guard let conflict = try conflicts().first(where: { $0.number == number }) else { return false }
    if let list = list(ofElement: conflict.identity) {
      try bringBackElement(of: conflict, in: list)
      try settle(conflict: number)
      return true
    }
    guard let table = layout.classes[conflict.identity.type] else { return false }
    let isThere = try exists(conflict.identity.key, in: table)
    if conflict.kind == .kept || conflict.kind == .refused && conflict.mine.isEmpty {
      if isThere { try deleteAgain(conflict.identity, from: table) }
      try settle(conflict: number)
      return true
    }
    guard conflict.kind != .overwritten || isThere else {
      throw StoreError(
        .misuse,
        "It was deleted since, and no more is known of it than what you had changed: forget the change.")
    }
    // One that lost only its place may have been changed where it is now.
    if conflict.kind != .displaced || !isThere {
      try restore(conflict.identity, conflict.mine, in: table)
    }
    try place(conflict, of: table)
    try bringBackContents(of: number)
    try settle(conflict: number)
    return true
  }

  /// Deletes an object that was deleted here, where that was taken back, unless something is in it: others
  /// may have put that there since.
  private func deleteAgain(
    _ identity: SyncedObject.Identity, from table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    for list in layout.lists.values where list.isPlace && list.ownerClass == identity.type {
      let entries = try statements.prepare("SELECT 1 FROM \(quoted(list.name)) WHERE owner = ? LIMIT 1")
      guard try !entries.hasRow([identity.key]) else {
        throw StoreError(
          .misuse,
          "Something is in it, which others may have put there since: look, delete it yourself, and forget "
            + "this change.")
      }
    }
    for list in table.places {
      try statements.prepare("DELETE FROM \(quoted(list.name)) WHERE target = ?").run(identity.key)
    }
    try statements.prepare("DELETE FROM \(quoted(table.name)) WHERE \(quoted(table.primaryKey)) = ?")
      .run(identity.key)
  }

  /// Notes that a person has decided about a conflict.
  func settle(conflict number: Int64) throws(StoreError) {
    try statements.prepare("UPDATE \(SyncTables.conflicts) SET isSettled = 1 WHERE number = ?").run(
      .integer(number))
    try forgetContents(of: number)
  }

  /// Gives an object some values again; it is a new one otherwise if it is not there.
  func restore(
    _ object: SyncedObject.Identity, _ values: [String: SQLiteValue], in table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    if try !exists(object.key, in: table) {
      try statements.prepare("INSERT INTO \(quoted(table.name)) (\(quoted(table.primaryKey))) VALUES (?)")
        .run(object.key)
    }
    let columns = table.columns.filter { values[$0] != nil }
    if !columns.isEmpty { try set(columns.map { ($0, values[$0]!) }, of: object.key, in: table) }
  }

  /// Puts an object where it was, or, if that is gone and it is in no list, at the end of another.
  private func place(_ conflict: SyncConflict, of table: SyncedLayout.ClassTable) throws(StoreError) {
    let present = try entry(of: conflict.identity.key, in: table.places)
    guard !table.places.isEmpty, present == nil || conflict.kind != .deleted else { return }
    if let wanted = conflict.mine[SyncedObject.place].flatMap({ Placement($0) }) {
      if let present, Placement(list: present.list.name, owner: present.owner) == wanted,
        conflict.mine[SyncedObject.position].map({ $0 == present.position }) ?? true
      {
        return
      }
      if let list = table.places.first(where: { $0.name == wanted.list }),
        let owners = layout.classes[list.ownerClass], try exists(wanted.owner, in: owners),
        try canPlace(conflict.identity, in: list, of: wanted.owner)
      {
        if let present { try removeEntry(present.entry, from: present.list) }
        return try insertEntry(
          of: conflict.identity.key, into: list, owner: wanted.owner,
          position: conflict.mine[SyncedObject.position] ?? .text(""))
      }
      guard present == nil else {
        throw StoreError(
          .misuse,
          "It stays where it is: what it was in is gone, is in it, or is in something else itself now. "
            + "Move it yourself, and forget the change.")
      }
    }
    // A part may have a link that waits for it.
    guard present == nil, try !isHeldByLink(conflict.identity) else { return }
    if try !appendToFirstOwner(conflict.identity.key, of: table),
      conflict.mine[SyncedObject.place] ?? .null != .null
    {
      throw StoreError(
        .misuse,
        "Nothing is left that it could be in: add something, such as a list, and bring it back then.")
    }
  }

  /// Puts an object that is in no list at the end of the first owner that cannot be in it; returns whether
  /// there is such an owner.
  @discardableResult
  func appendToFirstOwner(_ key: SQLiteValue, of table: SyncedLayout.ClassTable) throws(StoreError) -> Bool {
    guard let first = try firstOwner(for: table) else { return false }
    try insertEntry(of: key, into: first.list, owner: first.owner, position: .text(""))
    return true
  }

  /// The first owner, and its list, that cannot be in the objects of a class.
  func firstOwner(for table: SyncedLayout.ClassTable) throws(StoreError) -> (
    list: SyncedLayout.ListTable, owner: SQLiteValue
  )? {
    for list in table.places where !layout.cyclicLists.contains(list.name) {
      if let owners = layout.classes[list.ownerClass], let owner = try firstObject(of: owners) {
        return (list, owner)
      }
    }
    return nil
  }

  /// The key of the object that people see first: one that is in no list may be seen nowhere.
  private func firstObject(of table: SyncedLayout.ClassTable) throws(StoreError) -> SQLiteValue? {
    for list in table.places {
      let first = try connection.firstValue(
        "SELECT target FROM \(quoted(list.name)) ORDER BY owner, position LIMIT 1")
      if let first { return first }
    }
    return try connection.firstValue(
      "SELECT \(quoted(table.primaryKey)) FROM \(quoted(table.name)) ORDER BY 1 LIMIT 1")
  }
}
