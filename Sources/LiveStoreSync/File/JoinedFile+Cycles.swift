import LiveStore

/// Owners that two machines put into one another: each move alone is right, and together they would take
/// both objects, and all that is in them, out of every list that anyone sees.
extension JoinedFile {
  /// Whether an object in an owner would be in itself.
  func isCycle(_ identity: SyncedObject.Identity, in list: SyncedLayout.ListTable, of owner: SQLiteValue)
    throws(StoreError) -> Bool
  {
    guard layout.cyclicLists.contains(list.name) else { return false }
    var (type, key) = (list.ownerClass, owner)
    var seen: Set<SyncedObject.Identity> = []
    // A program on this machine may have made a cycle, which is not the one looked for.
    while seen.insert(SyncedObject.Identity(type: type, key: key)).inserted {
      if type == identity.type, key == identity.key { return true }
      guard let table = layout.classes[type], let above = try entry(of: key, in: table.places) else { break }
      (type, key) = (above.list.ownerClass, above.owner)
    }
    return false
  }

  /// Leaves an object where it is, whose place another machine has put into the object itself, and tells all
  /// machines. One that is nowhere goes to an owner that cannot be in it.
  ///
  /// The machine of the other move may do the same with the other object: both are then where they were.
  ///
  /// - Returns: False if there is no such owner, or if the object is in itself where it is.
  func leaveInPlace(_ identity: SyncedObject.Identity) throws(StoreError) -> Bool {
    guard let table = layout.classes[identity.type] else { return false }
    if try entry(of: identity.key, in: table.places) == nil {
      try appendToFirstOwner(identity.key, of: table)
    }
    // Where a program on this machine has made a cycle, each machine would go on leaving it as it has it.
    guard let entry = try entry(of: identity.key, in: table.places),
      try !isCycle(identity, in: entry.list, of: entry.owner)
    else { return false }
    try note(identity.key, ofEntry: entry.entry, in: entry.list)
    try releasePlace(of: identity)
    try assign(
      Placement(list: entry.list.name, owner: entry.owner).value, to: SyncedObject.place, of: identity)
    try assign(entry.position, to: SyncedObject.position, of: identity)
    return true
  }
}
