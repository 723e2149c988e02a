import LiveStore

/// Finding what the programs on this machine have changed since the file was last looked at.
///
/// The change log says which rows to look at, and when they were changed; what has changed in them is found
/// by comparing them with the fingerprints that were kept. So nothing goes unnoticed that was written while
/// no agent ran, also by programs that know nothing of joining, and where the log does not reach all rows
/// are compared.
extension JoinedFile {
  /// The times at which a row was touched.
  private struct Touch {
    /// The last time, whatever was done.
    var last: Int64 = 0
    /// The last time at which the row came, or all of it may have been changed.
    var whole: Int64?
    /// The last time for each of the columns, as far as the log has them.
    var columns: [String: Int64] = [:]

    /// The stamp of a change of one cell.
    func stamp(of cell: String) -> Int64 {
      guard let column = columns[cell] else { return whole ?? last }
      return max(column, whole ?? column)
    }
  }

  /// Rows of classes by their keys, in the order in which they were first touched.
  private struct TouchedObjects {
    private(set) var touches: [SyncedObject.Identity: Touch] = [:]
    private(set) var order: [SyncedObject.Identity] = []

    mutating func touch(_ identity: SyncedObject.Identity, _ change: (inout Touch) -> Void) {
      if touches[identity] == nil { order.append(identity) }
      change(&touches[identity, default: Touch()])
    }
  }

  /// Looks at everything that has been changed since the last time, as part of a transaction; returns whether
  /// anything was found that has to be sent.
  @discardableResult
  func capture() throws(StoreError) -> Bool {
    guard let (end, endMark) = try endOfLog else { return false }
    let cursor = state[integer: .cursor]
    if end == cursor, endMark == state[.cursorMark] { return false }
    defer {
      state[integer: .cursor] = end
      state[.cursorMark] = endMark
    }
    guard let touched = try touchedObjects(after: cursor, mark: state[.cursorMark]) else {
      return try capture(everythingAt: nextStamp())
    }
    var found = false
    for identity in touched.order {
      if try capture(identity, touched.touches[identity]!) { found = true }
    }
    return found
  }

  /// The objects that the log names after one of its rows, which has a mark; `nil` if it does not say.
  func objectsTouched(after number: Int64, mark: SQLiteValue) throws(StoreError) -> [SyncedObject.Identity]? {
    try touchedObjects(after: number, mark: mark)?.order
  }

  /// Marks the log as looked at: what was just written was not changed on this machine.
  func skipOwnChanges() throws(StoreError) {
    guard let (end, mark) = try endOfLog else { return }
    state[integer: .cursor] = end
    state[.cursorMark] = mark
  }

  /// The number of the log's last row, and the mark of it.
  var endOfLog: (number: Int64, mark: SQLiteValue)? {
    get throws(StoreError) {
      try statements.prepare("SELECT coalesce(max(seq), 0), mark FROM \(LogTable.name)")
        .first { ($0.integer(0), $0.value(1)) }
    }
  }

  /// The rows that the log names after a row of it, which has a mark; `nil` if the log does not reach back so
  /// far, or is another one.
  private func touchedObjects(after cursor: Int64, mark: SQLiteValue) throws(StoreError) -> TouchedObjects? {
    let rows = try statements.prepare(
      "SELECT seq, mark, \"table\", key, columns, entries, \(SyncTables.time) FROM \(LogTable.name) "
        + "WHERE seq >= ? ORDER BY seq")
    rows.bind(.integer(cursor), at: 1)
    defer { rows.reset() }
    guard try rows.step(), rows.integer(0) == cursor, rows.value(1) == mark else { return nil }
    var touched = TouchedObjects()
    var expected = cursor
    while try rows.step() {
      expected += 1
      guard rows.integer(0) == expected else { return nil }
      let stamp = nextStamp(at: rows.isNull(6) ? nil : rows.integer(6))
      switch (rows.value(5), rows.value(2)) {
      case (.blob(let entries), _):
        var failure: StoreError?
        let isReadable = ChangeLog.forEachRow(of: entries) { table, key, columns in
          do throws(StoreError) {
            try note(table, key, columns, at: stamp, in: &touched)
          } catch {
            failure = error
          }
        }
        if let failure { throw failure }
        guard isReadable else { return nil }
      case (_, .text(let table)):
        try note(table, rows.value(3), UInt64(bitPattern: rows.integer(4)), at: stamp, in: &touched)
      default: return nil
      }
    }
    return touched
  }

  private func note(
    _ table: String, _ key: SQLiteValue, _ columns: UInt64, at stamp: Int64, in touched: inout TouchedObjects
  ) throws(StoreError) {
    if let list = layout.lists[table] {
      guard list.isPlace else {
        for element in try elements(ofEntry: key, in: list) {
          touched.touch(element) { $0.last = stamp }
        }
        return
      }
      for target in try targets(ofEntry: key, in: list) {
        touched.touch(SyncedObject.Identity(type: list.targetClass, key: target)) {
          $0.last = stamp
          $0.columns[SyncedObject.place] = stamp
          $0.columns[SyncedObject.position] = stamp
        }
      }
      return
    }
    guard layout.classes[table] != nil else { return }
    touched.touch(SyncedObject.Identity(type: table, key: key)) {
      $0.last = stamp
      let names = layout.columnsByBit[table] ?? []
      // The highest bit stands for all further columns.
      guard columns != .max, columns >> 62 == 0, columns >> UInt64(names.count) == 0 else {
        $0.whole = stamp
        return
      }
      for (bit, name) in names.enumerated() where columns & 1 << UInt64(bit) != 0 { $0.columns[name] = stamp }
    }
  }

  /// The objects in an entry now, and when it was last looked at.
  private func targets(ofEntry entry: SQLiteValue, in list: SyncedLayout.ListTable) throws(StoreError)
    -> [SQLiteValue]
  {
    var targets = try statements.prepare("SELECT target FROM \(quoted(list.name)) WHERE entry = ?")
      .all([entry]) { $0.value(0) }
    if let former = try notedKey(ofEntry: entry, in: list), !targets.contains(former) {
      targets.append(former)
    }
    return targets
  }

  /// Compares all rows with what is known of them, where the log does not say which have changed.
  @discardableResult
  func capture(everythingAt stamp: Int64) throws(StoreError) -> Bool {
    let touch = Touch(last: stamp)
    state[integer: .undatedStamp] = max(state[integer: .undatedStamp], stamp)
    var found = false
    for table in layout.classes.values.sorted(by: { $0.name < $1.name }) {
      let number = try number(ofType: table.name)
      let keys = try Statement(
        connection,
        """
        SELECT \(quoted(table.primaryKey)) FROM \(quoted(table.name)) UNION
        SELECT key FROM \(SyncTables.objects) WHERE type = \(number) AND NOT isDeleted
        """)
      while try keys.step() {
        if try capture(SyncedObject.Identity(type: table.name, key: keys.value(0)), touch) { found = true }
      }
    }
    for list in layout.lists.values.sorted(by: { $0.name < $1.name }) where !list.isPlace {
      for element in try allElements(of: list) where try capture(element, touch) { found = true }
    }
    return found
  }

  /// Compares one object with what is known of it, and notes what has changed.
  private func capture(_ identity: SyncedObject.Identity, _ touch: Touch) throws(StoreError) -> Bool {
    guard isCarried(identity) else { return false }
    let known = try known(identity)
    // A program has given it a place that it had none of: it awaits no other any more.
    if try heldValues(of: identity)[SyncedObject.place] != nil,
      let places = layout.classes[identity.type]?.places, try entry(of: identity.key, in: places) != nil
    {
      try releasePlace(of: identity)
    }
    if let list = list(ofElement: identity) { try releaseIfPresent(identity, in: list) }
    guard let values = try localValues(of: identity, known: known?.object) else {
      guard var object = known?.object, object.deletion == nil else { return false }
      object.delete(at: HybridClock(stamp: touch.last, replica: replica))
      for name in try heldValues(of: identity).keys { try releaseHeld(name, of: identity) }
      try keep(object, as: identity, waiting: touch.last)
      changedAgain.insert(identity)
      return true
    }
    // A program has given a link another value than the one that waits for its object.
    if let table = layout.classes[identity.type], !table.links.isEmpty {
      for (name, value) in try heldValues(of: identity)
      where table.links[name] != nil && values[name] != value {
        try releaseHeld(name, of: identity)
      }
    }
    var object = known?.object ?? KnownObject()
    if object.deletion != nil {
      object = KnownObject(life: object.life.next)
    }
    let isKnown = object == known?.object
    var earliest: Int64?
    for (name, value) in values {
      let number = try number(ofCell: name, type: identity.type)
      let fingerprint = value.fingerprint
      if object.cells[number]?.fingerprint == fingerprint { continue }
      // A value that only the tables have given is no change: another machine may have given one.
      if isKnown, value == layout.classes[identity.type]?.defaults[name] ?? .null {
        if newColumns[identity.type]?.contains(name) == true { object.cells[number] = nil }
        if object.cells[number] == nil, touch.columns[name] == nil { continue }
      }
      let stamp = touch.stamp(of: name)
      object.cells[number] = .init(
        fingerprint: fingerprint, clock: HybridClock(stamp: stamp, replica: replica),
        basis: object.cells[number]?.basisOfNext(on: replica))
      earliest = min(earliest ?? stamp, stamp)
    }
    // An object may consist of nothing but its key.
    if object.cells.isEmpty, known?.object != object { earliest = touch.last }
    guard let earliest else {
      if isKnown, object != known?.object { try keep(object, as: identity, waiting: known?.waiting) }
      return false
    }
    try keep(object, as: identity, waiting: min(known?.waiting ?? earliest, earliest))
    changedAgain.insert(identity)
    return true
  }
}
