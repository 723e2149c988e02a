import LiveStore

/// The objects that a transaction of merging finds deleted elsewhere, and has noted for people.
struct ToldDeletions {
  /// The numbers of the conflicts of those that were changed here.
  var conflicts: [SyncedObject.Identity: Int64] = [:]
  /// Those that were in one of these, and are told with it.
  var contents: Set<SyncedObject.Identity> = []
  /// The numbers of the conflicts of those in which something was.
  fileprivate var withContents: Set<Int64> = []
  /// The file as it was before the transaction.
  fileprivate var former: Connection?
}

/// The objects in one that lost against a deletion, deleted with it and unchanged: they come back with it.
extension JoinedFile {
  /// Notes the objects in an object, and in these, as they were before the transaction. A conflict of one of
  /// them is told with that of the object.
  func noteContents(of identity: SyncedObject.Identity, conflict number: Int64) throws(StoreError) {
    guard layout.lists.values.contains(where: { $0.isPlace && $0.ownerClass == identity.type }) else {
      return
    }
    // Some may have been deleted already.
    if unsettled.told.former == nil { unsettled.told.former = try self.identity.connect(isReadOnly: true) }
    guard let former = unsettled.told.former else { return }
    var owners = [identity]
    var next = 0
    while next < owners.count {
      let owner = owners[next]
      next += 1
      for list in layout.lists.values where list.isPlace && list.ownerClass == owner.type {
        let entries = try former.instance.prepare(
          "SELECT target, position FROM \(quoted(list.name)) WHERE owner = ?"
        ).all([owner.key]) { (key: $0.value(0), position: $0.value(1)) }
        for (key, position) in entries {
          let object = SyncedObject.Identity(type: list.targetClass, key: key)
          guard object != identity, unsettled.told.contents.insert(object).inserted,
            var values = try formerValues(of: object, former)
          else { continue }
          values[SyncedObject.place] = Placement(list: list.name, owner: owner.key).value
          values[SyncedObject.position] = position
          if let own = unsettled.told.conflicts[object] { try tell(own, with: number) }
          unsettled.told.withContents.insert(number)
          try note(Self.contents(of: number), RemoteObject(ofUnknown: object), mine: values, isSettled: true)
          owners.append(object)
        }
      }
    }
  }

  /// Leaves a conflict of this transaction, and what was in its object, to another one.
  private func tell(_ conflict: Int64, with number: Int64) throws(StoreError) {
    try statements.prepare("UPDATE \(SyncTables.conflicts) SET isSettled = 1 WHERE number = ?").run(
      .integer(conflict))
    guard unsettled.told.withContents.remove(conflict) != nil else { return }
    try statements.prepare("UPDATE \(SyncTables.conflicts) SET kind = ? WHERE kind = ?").run(
      .text(Self.contents(of: number)), .text(Self.contents(of: conflict)))
  }

  /// Brings back the objects that were in one that has been brought back, unless they are there.
  func bringBackContents(of number: Int64) throws(StoreError) {
    let notes = try statements.prepare(
      "SELECT number, type, key FROM \(SyncTables.conflicts) WHERE kind = ? ORDER BY number"
    ).all([.text(Self.contents(of: number))]) {
      (number: $0.integer(0), object: SyncedObject.Identity(type: $0.text(1), key: $0.value(2)))
    }
    var places:
      [(list: SyncedLayout.ListTable, owner: SQLiteValue, position: SQLiteValue, key: SQLiteValue)] = []
    for (number, object) in notes {
      guard let table = layout.classes[object.type], try !exists(object.key, in: table) else { continue }
      let values = try notedValues(ofConflict: number)
      try restore(object, values, in: table)
      if let place = values[SyncedObject.place].flatMap({ Placement($0) }),
        let list = layout.lists[place.list],
        let position = values[SyncedObject.position]
      {
        places.append((list, place.owner, position, object.key))
      }
    }
    // Their owners may have been among them.
    for place in places {
      try insertEntry(of: place.key, into: place.list, owner: place.owner, position: place.position)
    }
  }

  /// Forgets what was in the object of a conflict that has been settled.
  func forgetContents(of number: Int64) throws(StoreError) {
    let kind = SQLiteValue.text(Self.contents(of: number))
    try statements.prepare(
      "DELETE FROM \(SyncTables.conflictValues) WHERE number IN "
        + "(SELECT number FROM \(SyncTables.conflicts) WHERE kind = ?)"
    ).run(kind)
    try statements.prepare("DELETE FROM \(SyncTables.conflicts) WHERE kind = ?").run(kind)
  }

  /// The kind of the notes of what was in the object of a conflict.
  private static func contents(of number: Int64) -> String { "in \(number)" }

  /// The values of an object before the transaction that are not those of a new one.
  private func formerValues(
    of object: SyncedObject.Identity, _ former: Connection
  ) throws(StoreError) -> [String: SQLiteValue]? {
    guard let table = layout.classes[object.type] else { return nil }
    return try former.instance.prepare(table.selection).first([object.key]) { row in
      var values: [String: SQLiteValue] = [:]
      for (index, column) in table.columns.enumerated() {
        let value = row.value(index + 1)
        if value != table.defaults[column] ?? .null { values[column] = value }
      }
      return values
    }
  }
}
