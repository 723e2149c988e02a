import LiveStore

/// Reading an object from the tables as cells.
extension JoinedFile {
  /// The values of an object's cells, of which one that the tables cannot hold is the one that is held for
  /// it; `nil` if there is no such object.
  func localValues(
    of identity: SyncedObject.Identity, known: KnownObject?
  ) throws(StoreError) -> [String: SQLiteValue]? {
    if let list = list(ofElement: identity) { return try values(ofElement: identity, in: list) }
    guard let table = layout.classes[identity.type] else { return nil }
    let row = try statements.prepare(table.selection)
    let columns = table.columns
    guard let read = try row.first([identity.key], read: { $0.values(1..<columns.count + 1) }) else {
      return nil
    }
    var values = Dictionary(uniqueKeysWithValues: zip(columns, read))
    if let taken = unsettled.takenValues[identity] { values.merge(taken) { $1 } }
    let held = known == nil ? [:] : try heldValues(of: identity)
    for (name, value) in held where values[name] == .null { values[name] = value }
    guard !table.places.isEmpty else { return values }
    let entry = try entry(of: identity.key, in: table.places)
    if let entry { try note(identity.key, ofEntry: entry.entry, in: entry.list) }
    // While changes from elsewhere are applied, an entry is as it was before them.
    values[SyncedObject.place] =
      held[SyncedObject.place] ?? entry.map { Placement(list: $0.list.name, owner: $0.owner).value } ?? .null
    values[SyncedObject.position] = held[SyncedObject.position] ?? entry?.position ?? .null
    return values
  }

  /// The values of the columns that stay on this machine; `nil` if there is no such object, or no such
  /// column.
  func localOnlyValues(of identity: SyncedObject.Identity) throws(StoreError) -> [SQLiteValue]? {
    guard let table = layout.classes[identity.type], !table.localColumns.isEmpty else { return nil }
    let columns = table.localColumns.map(quoted).joined(separator: ", ")
    return try statements.prepare(
      "SELECT \(columns) FROM \(quoted(table.name)) WHERE \(quoted(table.primaryKey)) = ?"
    ).first([identity.key]) { $0.values(0..<table.localColumns.count) }
  }

  /// Gives an object, if it is there, values of the columns that stay on this machine.
  func setLocalOnlyValues(_ values: [SQLiteValue], of identity: SyncedObject.Identity) throws(StoreError) {
    guard let table = layout.classes[identity.type] else { return }
    try set(Array(zip(table.localColumns, values)), of: identity.key, in: table)
  }

  /// An object's entry in a list that places it.
  struct PlacedEntry {
    var list: SyncedLayout.ListTable
    var entry: SQLiteValue
    var owner: SQLiteValue
    var position: SQLiteValue
  }

  /// The entry by which an object is placed; the newest if another program has placed it twice.
  func entry(of key: SQLiteValue, in lists: [SyncedLayout.ListTable]) throws(StoreError) -> PlacedEntry? {
    for list in lists {
      let row = try statements.prepare(
        "SELECT entry, owner, position FROM \(quoted(list.name)) WHERE target = ? ORDER BY entry DESC LIMIT 1"
      )
      let entry = try row.first([key]) {
        PlacedEntry(list: list, entry: $0.value(0), owner: $0.value(1), position: $0.value(2))
      }
      if let entry { return entry }
    }
    return nil
  }

  /// An object as a message to other machines: the cells from a stamp on, or all of them.
  func message(
    _ identity: SyncedObject.Identity, _ known: KnownObject, from stamp: Int64
  ) throws(StoreError) -> SyncedObject? {
    if let deletion = known.deletion {
      return SyncedObject(identity, life: known.life, deletion: deletion, known: known.known)
    }
    guard let values = try localValues(of: identity, known: known) else { return nil }
    var object = SyncedObject(identity, life: known.life)
    for (number, cell) in known.cells where cell.clock.stamp >= stamp {
      guard let name = try cellName(number, type: identity.type), let value = values[name] else { continue }
      object.cells[name] = SyncedObject.Cell(value: value, clock: cell.clock, basis: cell.basis)
    }
    return object
  }

  /// The objects whose changes wait to be sent, the earliest first.
  func waitingObjects() throws(StoreError) -> [SyncedObject] {
    try unsentObjects(where: "refusal IS NULL")
  }

  func objectsSetAside() throws(StoreError) -> [SyncedObject] {
    try unsentObjects(where: "refusal IS NOT NULL")
  }

  private func unsentObjects(where condition: String) throws(StoreError) -> [SyncedObject] {
    let rows = try statements.prepare(
      """
      SELECT t.name, o.key, o.life, o.cells, o.waiting FROM \(SyncTables.objects) o JOIN \(SyncTables.types) t
        USING (type) WHERE o.waiting IS NOT NULL AND o.\(condition) ORDER BY o.waiting
      """)
    defer { rows.reset() }
    var objects: [SyncedObject] = []
    while try rows.step() {
      guard case .text(let type) = rows.value(0), case .blob(let bytes) = rows.value(3),
        let known = KnownObject(life: rows.integer(2), packed: bytes), rows.value(1).keyText != nil,
        let object = try message(.init(type: type, key: rows.value(1)), known, from: rows.integer(4))
      else { continue }
      objects.append(object)
    }
    return objects
  }

  /// The objects of classes whose changes wait to be sent or are set aside, the earliest first.
  func unsentIdentities() throws(StoreError) -> [SyncedObject.Identity] {
    try statements.prepare(
      "SELECT t.name, o.key FROM \(SyncTables.objects) o JOIN \(SyncTables.types) t USING (type) "
        + "WHERE o.waiting IS NOT NULL ORDER BY o.waiting"
    ).all { SyncedObject.Identity(type: $0.text(0), key: $0.value(1)) }
      .filter { layout.classes[$0.type] != nil }
  }

  /// The number of objects whose changes wait to be sent.
  var waitingCount: Int64 {
    get throws(StoreError) { try unsentCount(where: "refusal IS NULL") }
  }

  var setAsideCount: Int64 {
    get throws(StoreError) { try unsentCount(where: "refusal IS NOT NULL") }
  }

  private func unsentCount(where condition: String) throws(StoreError) -> Int64 {
    try statements.prepare(
      "SELECT count(*) FROM \(SyncTables.objects) WHERE waiting IS NOT NULL AND \(condition)"
    ).first { $0.integer(0) } ?? 0
  }

  /// Notes that the server has the changes of objects, but for those that have been changed again since they
  /// were read.
  ///
  /// - Parameter comparing: Whether other processes may have noted such changes, of which this one finds out
  ///   by comparing what waits with what was sent.
  func acknowledge(_ sent: [SyncedObject], comparing: Bool) throws(StoreError) {
    observeShared(sent.lazy.compactMap(\.latest).max())
    for object in sent where !changedAgain.contains(object.identity) {
      let identity = object.identity
      if comparing, let (known, waiting) = try known(identity),
        try message(identity, known, from: waiting ?? .max) != object
      {
        continue
      }
      try statements.prepare("UPDATE \(SyncTables.objects) SET waiting = NULL WHERE type = ? AND key = ?")
        .run(.integer(try number(ofType: identity.type)), identity.key)
    }
  }
}
