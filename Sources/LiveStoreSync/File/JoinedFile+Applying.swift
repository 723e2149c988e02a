import LiveStore

/// Writing what other machines have changed, merged with what this one has changed since.
extension JoinedFile {
  /// Merges objects from the server into the file, as part of a transaction in which ``capture()`` was
  /// called.
  ///
  /// Their order does not matter: what leads to an object that is not there yet is held until it comes.
  func apply(_ objects: [RemoteObject]) throws(StoreError) {
    for (number, remote) in objects.enumerated() {
      if objects.count >= ExchangeProgress.interval, number % ExchangeProgress.interval == 0 {
        onProgress(.init(step: .writing, done: number, total: objects.count))
      }
      if let remote = try readable(remote) { try apply(remote) }
    }
  }

  /// Ends the transaction's part of merging: gives every object its place, and notes that the log has been
  /// looked at.
  func finishApplying() throws(StoreError) {
    try settleUniqueValues()
    try haveTextsReadAgain()
    try placeObjects()
    try settleParts()
    try noteDisplacements()
    try skipOwnChanges()
    (changedAgain, unsettled) = ([], Unsettled())
  }

  private func apply(_ remote: RemoteObject) throws(StoreError) {
    let identity = remote.object.identity
    if let list = list(ofElement: identity) {
      observeShared(remote.object.latest)
      return try apply(remote, toElementOf: list)
    }
    guard let table = layout.classes[identity.type] else { return }
    observeShared(remote.object.latest)
    guard let known = try known(identity), !isForgotten(known, remote.object) else {
      guard remote.object.deletion == nil else {
        try keep(
          KnownObject(
            life: remote.object.life, deletion: remote.object.deletion, known: remote.object.known),
          as: identity, waiting: nil)
        return
      }
      try insert(remote.object, into: table)
      try keep(try knownObject(remote.object), as: identity, waiting: nil)
      unsettled.unplaced.append(identity)
      try noteAuthor(of: remote)
      return
    }
    if known.waiting == nil, try applyPlainCells(of: remote, over: known.object, in: table) { return }
    let own = try state(of: identity, known.object)
    let merged = own.merged(with: remote.object)
    guard merged != own else { return }
    try noteConflict(between: own, and: remote, merged: merged, waiting: known.waiting)
    try write(merged, over: own, in: table, from: remote)
    let object = try knownObject(merged)
    try keep(object, as: identity, waiting: stillWaiting(known.waiting, own: own, merged: merged))
    noteReplacedText(of: own, by: merged, in: table)
    let changes = merged.cells.filter { own.cells[$0.key] != $0.value }.values.map(\.clock)
    let last = changes.filter { $0.replica != replica }.max()
    // Another machine has settled something in the name of this one.
    if last == nil, !changes.isEmpty, merged.deletion == nil { return }
    try noteAuthor(of: remote.changed(on: (merged.deletion ?? last)?.replica, of: participants))
  }

  /// Whether objects can be merged in any order. Of those that a notice has carried, the file has to have the
  /// cells that did not change.
  func areComplete(_ received: [RemoteObject]) throws(StoreError) -> Bool {
    let parts = received.filter { $0.isChange && !hasAllCells($0.object) }
    for part in parts where try !hasRest(of: part.object) { return false }
    // With one object others may be deleted, of which a part is not enough then.
    return parts.isEmpty || !received.contains { mayDeleteOthers($0.object) }
  }

  /// Whether an object needs no cell that the file has: it was deleted, or all its cells are here.
  private func hasAllCells(_ object: SyncedObject) -> Bool {
    guard object.deletion == nil else { return true }
    let table = layout.classes[object.identity.type]
    var cells = table?.columns ?? []
    if table.map({ !$0.places.isEmpty }) ?? true { cells.append(SyncedObject.position) }
    return cells.allSatisfy { object.cells[$0] != nil }
  }

  /// Whether the file has the cells of an object that a change of it lacks.
  private func hasRest(of object: SyncedObject) throws(StoreError) -> Bool {
    let table = layout.classes[object.identity.type]
    // An object of an unknown class is left alone.
    guard table != nil || list(ofElement: object.identity) != nil else { return true }
    guard let known = try known(object.identity)?.object, known.deletion == nil, known.life == object.life
    else {
      return false
    }
    guard let table else { return true }
    return try exists(object.identity.key, in: table)
  }

  /// Whether objects may be deleted with a change: the object's own, or parts that it leaves.
  private func mayDeleteOthers(_ object: SyncedObject) -> Bool {
    guard object.deletion == nil, let table = layout.classes[object.identity.type] else {
      return object.deletion != nil
    }
    return (table.ownedLinks + table.embeddingLinks).contains { object.cells[$0] != nil }
  }

  /// Whether the server has forgotten the deletion of an object, as it does in the end, and has had another
  /// one of the same key since: it knew all that does not wait here, and merging with that would have left no
  /// object.
  func isForgotten(_ known: (object: KnownObject, waiting: Int64?), _ remote: SyncedObject) -> Bool {
    known.object.deletion != nil && known.waiting == nil && remote.deletion == nil
      && remote.life <= known.object.life
  }

  /// Merges cells that replace those of other machines alone and lead to no object: most of what comes. No
  /// row has to be read for that. Returns false, with nothing done, if there may be more to it.
  private func applyPlainCells(
    of remote: RemoteObject, over known: KnownObject, in table: SyncedLayout.ClassTable
  ) throws(StoreError) -> Bool {
    let identity = remote.object.identity
    guard known.deletion == nil, remote.object.deletion == nil, known.life == remote.object.life,
      unsettled.takenValues[identity] == nil
    else { return false }
    var merged = known
    var changed: [(column: String, value: SQLiteValue)] = []
    var last: HybridClock?
    for (name, cell) in remote.object.cells {
      let number = try number(ofCell: name, type: identity.type)
      guard let own = known.cells[number] else { return false }
      if cell.clock < own.clock { continue }
      let fingerprint = cell.value.fingerprint
      if cell.clock == own.clock, fingerprint == own.fingerprint { continue }
      guard cell.clock != own.clock, own.clock.replica != replica, cell.clock.replica != replica,
        table.plainColumns.contains(name)
      else { return false }
      merged.cells[number] = .init(fingerprint: fingerprint, clock: cell.clock)
      if fingerprint != own.fingerprint { changed.append((name, cell.value)) }
      last = max(last ?? cell.clock, cell.clock)
    }
    guard let last else { return true }
    if !changed.isEmpty {
      changed.sort { $0.column < $1.column }
      // A rule of the table may not let it have a value.
      do throws(StoreError) { try update(changed, of: identity.key, in: table) } catch { return false }
    }
    try keep(merged, as: identity, waiting: nil)
    try noteAuthor(of: remote.changed(on: last.replica, of: participants))
    return true
  }

  /// Notes a text that another one has replaced, if this machine had read something out of it that stays.
  /// Only this machine finds out.
  private func noteReplacedText(
    of own: SyncedObject, by merged: SyncedObject, in table: SyncedLayout.ClassTable
  ) {
    guard merged.deletion == nil, merged.life == own.life else { return }
    for (text, readText) in table.readTexts where merged.cells[readText] != nil {
      guard let lost = own.cells[text], lost.clock.replica == replica,
        let value = merged.cells[text]?.value, value != lost.value,
        own.cells.contains(where: { name, cell in
          name != text && cell.clock == lost.clock && merged.cells[name] == cell
        })
      else { continue }
      unsettled.replacedTexts[own.identity, default: [:]][readText] = lost.value
    }
  }

  /// Has programs, on all machines, read the texts again that have replaced others.
  private func haveTextsReadAgain() throws(StoreError) {
    for (identity, values) in unsettled.replacedTexts {
      guard let table = layout.classes[identity.type], try exists(identity.key, in: table) else { continue }
      for (readText, value) in values {
        try update([(readText, value)], of: identity.key, in: table)
        try assign(value, to: readText, of: identity)
      }
    }
  }

  /// The state of an object, with the values that the tables have.
  func state(
    of identity: SyncedObject.Identity, _ known: KnownObject
  ) throws(StoreError) -> SyncedObject {
    try message(identity, known, from: .min) ?? SyncedObject(identity, life: known.life)
  }

  func knownObject(_ object: SyncedObject) throws(StoreError) -> KnownObject {
    var known = KnownObject(life: object.life, deletion: object.deletion, known: object.known)
    for (name, cell) in object.cells {
      known.cells[try number(ofCell: name, type: object.identity.type)] = .init(
        fingerprint: cell.value.fingerprint, clock: cell.clock,
        basis: cell.clock.replica == replica ? cell.basis : nil)
    }
    return known
  }

  /// The stamp of the earliest change that still waits: what a later one has replaced does so no more.
  func stillWaiting(_ waiting: Int64?, own: SyncedObject, merged: SyncedObject) -> Int64? {
    guard let waiting, merged.life == own.life else { return nil }
    if let deletion = merged.deletion { return deletion == own.deletion ? deletion.stamp : nil }
    return own.cells.filter { $0.value.clock.stamp >= waiting && merged.cells[$0.key] == $0.value }
      .map(\.value.clock.stamp).min()
  }

  /// Writes the state of an object over another.
  private func write(
    _ new: SyncedObject, over old: SyncedObject, in table: SyncedLayout.ClassTable, from remote: RemoteObject
  ) throws(StoreError) {
    if new.deletion != nil {
      if old.deletion == nil { try delete(new.identity, from: table, by: remote) }
      return
    }
    guard old.deletion == nil else {
      try insert(new, into: table)
      unsettled.unplaced.append(new.identity)
      return
    }
    let changed = table.columns.filter { column in
      new.cells[column].map { $0.value != old.cells[column]?.value } ?? false
    }
    if !changed.isEmpty {
      notePlaces(ofPartsIn: changed, of: old, new, in: table)
      let key = new.identity.key
      do throws(StoreError) {
        try update(changed.map { ($0, new.cells[$0]!.value) }, of: key, in: table)
      } catch {
        try update(setTakenValuesAside(of: new, changed, in: table, after: error), of: key, in: table)
      }
      try holdDanglingLinks(of: new, among: changed, in: table)
    }
    let placing = [SyncedObject.place, SyncedObject.position]
    if placing.contains(where: { new.cells[$0]?.value != old.cells[$0]?.value }) {
      try holdPlace(of: new)
      unsettled.unplaced.append(new.identity)
    }
  }

  private func insert(_ object: SyncedObject, into table: SyncedLayout.ClassTable) throws(StoreError) {
    // A column without a cell is one that the other machine does not know: it gets its default.
    let columns = table.columns.filter { object.cells[$0] != nil }
    notePlaces(ofPartsIn: columns, of: nil, object, in: table)
    let key = object.identity.key
    do throws(StoreError) {
      try insert(columns.map { ($0, object.cells[$0]!.value) }, of: key, into: table)
    } catch {
      try insert(setTakenValuesAside(of: object, columns, in: table, after: error), of: key, into: table)
    }
    try holdDanglingLinks(of: object, among: columns, in: table)
    try holdPlace(of: object)
  }

  private func insert(
    _ values: [(column: String, value: SQLiteValue)], of key: SQLiteValue,
    into table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    let names = ([table.primaryKey] + values.map(\.column)).map(quoted).joined(separator: ", ")
    let marks = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
    try change(
      table.name, "INSERT INTO \(quoted(table.name)) (\(names)) VALUES (\(marks))",
      [key] + values.map(\.value))
  }

  private func update(
    _ values: [(column: String, value: SQLiteValue)], of key: SQLiteValue, in table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    try change(table.name, table.update(of: values.map(\.column)), values.map(\.value) + [key])
  }

  /// Gives an object values, if it is there and no trigger of another program prevents it.
  func set(
    _ values: [(column: String, value: SQLiteValue)], of key: SQLiteValue, in table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    let statement = try statements.prepare(table.update(of: values.map(\.column)))
    statement.bind(values.map(\.value) + [key])
    try statement.run()
  }

  func delete(
    _ identity: SyncedObject.Identity, from table: SyncedLayout.ClassTable, by remote: RemoteObject? = nil
  ) throws(StoreError) {
    // The objects in its lists may have been placed there by others who did not know of the deletion: they
    // are not deleted with it, whatever the rules of its class say.
    for list in layout.lists.values where list.isPlace && list.ownerClass == identity.type {
      let entries = try statements.prepare("SELECT target FROM \(quoted(list.name)) WHERE owner = ?")
      for key in try entries.all([identity.key], read: { $0.value(0) }) {
        let target = SyncedObject.Identity(type: list.targetClass, key: key)
        // One that is about to move to another place holds that, one that is reordered this one.
        let held = try heldValues(of: target)[SyncedObject.place]
        let place = Placement(list: list.name, owner: identity.key)
        guard held == nil || held == place.value else { continue }
        if let known = try known(target)?.object, let object = try message(target, known, from: .min) {
          try holdPlace(of: object)
          if let remote { unsettled.displaced[target] = Displacement(place: place, remote: remote) }
        }
      }
    }
    try holdElements(with: identity)
    for list in layout.lists.values where list.isPlace && list.ownerClass == identity.type {
      try statements.prepare("DELETE FROM \(quoted(list.name)) WHERE owner = ?").run(identity.key)
    }
    for column in table.ownedLinks { try set([(column, .null)], of: identity.key, in: table) }
    try noteParts(of: identity, in: table)
    try noteLoss(ofPart: identity, by: remote)
    try holdLinks(to: identity)
    for name in try heldValues(of: identity).keys { try releaseHeld(name, of: identity) }
    unsettled.takenValues[identity] = nil
    guard try exists(identity.key, in: table) else { return }
    try change(
      table.name, "DELETE FROM \(quoted(table.name)) WHERE \(quoted(table.primaryKey)) = ?", [identity.key])
  }

  /// Removes an object, and all that is known of it, as if it had never been here.
  func forget(_ identity: SyncedObject.Identity) throws(StoreError) {
    if let table = layout.classes[identity.type] { try delete(identity, from: table) }
    if let list = list(ofElement: identity) { try removeElement(identity, from: list) }
    try statements.prepare("DELETE FROM \(SyncTables.objects) WHERE type = ? AND key = ?").run(
      .integer(try number(ofType: identity.type)), identity.key)
  }

  /// The objects that the space has, or has had: those of which not all cells wait to be sent.
  func objectsOfSpace() throws(StoreError) -> [SyncedObject.Identity] {
    let rows = try Statement(
      connection,
      """
      SELECT t.name, o.key, o.life, o.cells, o.waiting FROM \(SyncTables.objects) o
        JOIN \(SyncTables.types) t USING (type)
      WHERE NOT o.isDeleted
      """)
    var identities: [SyncedObject.Identity] = []
    while try rows.step() {
      guard case .text(let type) = rows.value(0), case .blob(let bytes) = rows.value(3),
        let known = KnownObject(life: rows.integer(2), packed: bytes)
      else { continue }
      if !known.isNew(since: rows.isNull(4) ? nil : rows.integer(4)) {
        identities.append(.init(type: type, key: rows.value(1)))
      }
    }
    return identities
  }

  /// Deletes an object that was deleted elsewhere, by a deletion that the server has forgotten. That it was
  /// there stays known: other machines may remember the deletion, and one that is brought back has to win
  /// over that.
  func deleteAsElsewhere(_ identity: SyncedObject.Identity) throws(StoreError) {
    guard let known = try known(identity) else { return }
    if known.waiting != nil, let values = try localValues(of: identity, known: known.object) {
      try noteDeletion(of: identity, mine: values)
    }
    if let table = layout.classes[identity.type] {
      try delete(identity, from: table, by: RemoteObject(ofUnknown: identity))
    }
    if let list = list(ofElement: identity) { try removeElement(identity, from: list) }
    var object = known.object
    object.delete(at: object.latest ?? HybridClock(stamp: 0, replica: 0))
    try keep(object, as: identity, waiting: nil)
  }

  /// Clears links to objects that are not there, and holds them.
  private func holdDanglingLinks(
    of object: SyncedObject, among columns: [String], in table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    for column in columns {
      guard let target = table.links[column].flatMap({ layout.classes[$0] }) else { continue }
      let value = object.cells[column]!.value
      let leadsSomewhere = try exists(value, in: target)
      if value == .null || leadsSomewhere {
        try releaseHeld(column, of: object.identity)
        continue
      }
      try hold(value, as: column, of: object.identity)
      try set([(column, .null)], of: object.identity.key, in: table)
    }
  }

  /// Clears the links to an object that is about to be deleted, and holds them: where the deletion was made
  /// it was not known that they lead there, so that it follows no rule about them.
  private func holdLinks(to identity: SyncedObject.Identity) throws(StoreError) {
    for link in layout.linksByTarget[identity.type] ?? [] {
      for key in try keys(leadingTo: identity, by: link) {
        if link.isCarried {
          try hold(identity.key, as: link.column, of: SyncedObject.Identity(type: link.table, key: key))
        }
        try statements.prepare(
          "UPDATE \(quoted(link.table)) SET \(quoted(link.column)) = NULL "
            + "WHERE \(quoted(link.primaryKey)) = ?"
        ).run(key)
      }
    }
  }

  /// The primary keys of the rows whose link leads to an object.
  func keys(
    leadingTo identity: SyncedObject.Identity, by link: SyncedLayout.Link
  ) throws(StoreError) -> [SQLiteValue] {
    try statements.prepare(
      "SELECT \(quoted(link.primaryKey)) FROM \(quoted(link.table)) WHERE \(quoted(link.column)) = ?"
    ).all([identity.key]) { $0.value(0) }
  }

  private func holdPlace(of object: SyncedObject) throws(StoreError) {
    for name in [SyncedObject.place, SyncedObject.position] {
      guard let cell = object.cells[name] else { continue }
      try hold(cell.value, as: name, of: object.identity)
    }
  }

  func exists(_ key: SQLiteValue, in table: SyncedLayout.ClassTable) throws(StoreError) -> Bool {
    try statements.prepare(
      "SELECT 1 FROM \(quoted(table.name)) WHERE \(quoted(table.primaryKey)) = ?"
    ).hasRow([key])
  }

  private func noteAuthor(of remote: RemoteObject) throws(StoreError) {
    try statements.prepare(
      "INSERT INTO \(SyncTables.authors) (time, type, key, author, machine) VALUES (?, ?, ?, ?, ?)"
    ).run(
      .integer(WallClock.milliseconds), .text(remote.object.identity.type), remote.object.identity.key,
      .text(remote.author), .text(remote.machine))
    let last = connection.lastInsertedRow
    guard last % 256 == 0 else { return }
    try statements.prepare("DELETE FROM \(SyncTables.authors) WHERE number <= ?").run(
      .integer(last - Int64(SyncTables.authorsKept)))
  }
}
