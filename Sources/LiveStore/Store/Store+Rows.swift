import CSQLite
import LibC

/// Rows and the objects that show them, and single statements of the open transaction.
extension Store {
  /// The row with a primary key as objects show it; the same instance as long as it is referenced.
  func row(_ table: Table, _ key: SQLiteValue) -> _ManagedRow {
    if let frozen { return frozen.row(table, key, of: self) }
    let id = RowIdentity(table: table.index, key: key)
    if let row = rows[id] { return row.takeUnretainedValue() }
    let row = _ManagedRow(store: self, table: table, key: key)
    _ = rows.index(of: id, adding: Unmanaged.passUnretained(row))
    return row
  }

  func removeRow(_ row: _ManagedRow) {
    if let frozen { return frozen.removeRow(row.id) }
    // Another instance may have been created for the row in another version.
    if let index = rows.index(of: row.id),
      rows[index: index].toOpaque() == Unmanaged.passUnretained(row).toOpaque()
    {
      rows.remove(at: index)
    }
  }

  func forget(_ row: RowIdentity) {
    if let index = rows.index(of: row) { rows[index: index]._withUnsafeGuaranteedRef { $0.forget() } }
  }

  /// Discards the cached values of the rows that the open transaction has touched.
  func forgetTouchedRows() {
    if recorder.hasTouchedMany {
      forgetAllRows()
    } else {
      for entry in recorder.touched.entries { forget(entry.row) }
    }
  }

  /// Discards the cached values of changed rows.
  ///
  /// - Complexity: O(k) for k changed rows or, if they are fewer, O(r log k) for r rows that objects show.
  func forgetRows(in changes: VersionDifference) {
    if rows.count < changes.count {
      for entry in rows.entries where changes[schema.tables[entry.row.table], entry.row.key] != nil {
        entry.value._withUnsafeGuaranteedRef { $0.forget() }
      }
    } else {
      changes.forEachTable { table, changes in
        for key in changes.keys { forget(RowIdentity(table: table, key: key)) }
      }
    }
  }

  /// An object for a row that an order of the present version contains.
  func object<Element: Object>(_ type: Element.Type, listed key: SQLiteValue) -> Element {
    let row = row(schema.table(of: type), key)
    row.setListed()
    return unsafeDowncast(row.object(), to: type)
  }

  /// An object for a row that existed in some version.
  func object<Element: Object>(_ type: Element.Type, existing key: SQLiteValue) -> Element {
    unsafeDowncast(row(schema.table(of: type), key).object(), to: type)
  }

  /// An object for a row that may exist; `nil` if it does not, or cannot be read.
  func object<Element: Object>(_ type: Element.Type, key: SQLiteValue) -> Element? {
    let table = schema.table(of: type)
    // SQLite would find the row 42 by the text “42”, and the store would have a second object for it.
    guard table.mayHave(key: key) else { return nil }
    let row = row(table, key)
    return row.isThere ? unsafeDowncast(row.object(), to: type) : nil
  }

  /// A number for a new entry of a list. It is higher than those in the table, so that it is free, and than
  /// those that the transaction has removed from it, and derived from the time, so that the number of a
  /// removed entry is not used again. Numbers beyond any time, which only other programs assign, are ignored.
  func nextEntry(in entries: Table) -> Int64 {
    // A trigger may have inserted others.
    let known = connection.firesTriggers ? nil : highestEntry[entries.index]
    let highest =
      known
      ?? reading(else: 0) { () throws(StoreError) in
        try connection.instance.prepare(
          "SELECT max(entry) FROM \(quoted(entries.name)) WHERE entry < \(Self.entryLimit)"
        ).first { $0.integer(0) } ?? 0
      }
    let touched = highestTouchedEntry[entries.index].flatMap { $0 < Self.entryLimit ? $0 : nil } ?? 0
    let present = WallClock.milliseconds << 20
    // A transaction asks the system for a random number once in a millisecond, and counts on from it.
    let derived = known.map { $0 >= present } ?? false ? 0 : present | .random(in: 0..<(1 << 20))
    var next = max(highest + 1, touched + 1, derived)
    // All numbers up to the limit are taken, or the clock is wrong: any free number will do.
    if next >= Self.entryLimit { next = .random(in: 1..<Self.entryLimit) }
    highestEntry[entries.index] = next
    return next
  }

  private static let entryLimit: Int64 = 1 << 62

  /// Runs a statement of the open write transaction. If it fails, as on a full disk, the transaction can only
  /// be cancelled: nothing more is written, and ``commitWrite(withoutNotifying:)`` throws.
  ///
  /// - Parameter row: The row that the statement changes or deletes, if it is about one.
  /// - Returns: Whether it ran.
  @discardableResult
  func execute(_ sql: String, _ values: [SQLiteValue], on row: RowIdentity? = nil) -> Bool {
    perform { () throws(StoreError) in
      let statement = try connection.instance.prepare(sql)
      statement.bind(values)
      try statement.run()
      if let row { try requireChanged(row.key, of: schema.tables[row.table]) }
    }
  }

  /// Throws if a trigger of another program has skipped the last statement, which was to change or delete a
  /// row, with `RAISE(IGNORE)`: SQLite reports that as a success.
  private func requireChanged(_ key: SQLiteValue, of table: Table) throws(StoreError) {
    guard let error = recorder.foreign.skippingError(in: table), connection.lastChangeCount == 0,
      try front.instance.row(table, key) != nil
    else { return }
    throw error
  }

  /// Inserts a row with the values of all its columns, as ``execute(_:_:)`` does.
  func insertRow(_ values: RowImage, into table: Table) -> Bool {
    perform { () throws(StoreError) in
      try recorder.expecting(
        .init(operation: SQLITE_INSERT, table: table, key: values[table.primaryKey], columns: .max)
      ) { () throws(StoreError) in try front.writer.insert(values, into: table) }
      if let error = recorder.foreign.skippingError(in: table), connection.lastChangeCount == 0 {
        throw error
      }
    }
  }

  /// Assigns a column of a row, as ``execute(_:_:)`` does.
  ///
  /// - Parameter before: The present row.
  func updateRow(
    _ key: SQLiteValue, of table: Table, _ column: Int, to value: SQLiteValue, before: RowImage?
  ) -> Bool {
    perform { () throws(StoreError) in
      // The former row may be needed later and has not been read.
      guard before != nil || !recorder.needsImage else {
        try front.writer.update(column, of: key, in: table, to: value)
        return try requireChanged(key, of: table)
      }
      try recorder.expecting(
        .init(
          operation: SQLITE_UPDATE, table: table, key: key, columns: columnBit(column),
          before: recorder.needsImage ? before : nil)
      ) { () throws(StoreError) in try front.writer.update(column, of: key, in: table, to: value) }
      try requireChanged(key, of: table)
    }
  }

  /// Deletes a row, as ``execute(_:_:)`` does.
  ///
  /// - Parameter before: The present row, if it has been read.
  func deleteRow(_ key: SQLiteValue, from table: Table, before: RowImage? = nil) {
    perform { () throws(StoreError) in
      if before == nil, recorder.needsImage {
        try front.writer.delete(key, from: table)
      } else {
        try recorder.expecting(
          .init(
            operation: SQLITE_DELETE, table: table, key: key, columns: .max,
            before: recorder.needsImage ? before : nil)
        ) { () throws(StoreError) in try front.writer.delete(key, from: table) }
      }
      try requireChanged(key, of: table)
    }
  }

  /// Throws if a trigger of another program has kept rows from being deleted that still match a condition.
  func requireNone(of table: Table, where condition: String, _ values: [SQLiteValue]) {
    guard let error = recorder.foreign.skippingError(in: table) else { return }
    perform { () throws(StoreError) in
      let select = try connection.instance.prepare(
        "SELECT 1 FROM \(quoted(table.name)) WHERE \(condition) LIMIT 1")
      if try select.hasRow(values) { throw error }
    }
  }

  @discardableResult
  private func perform(_ statement: () throws(StoreError) -> Void) -> Bool {
    requireWrite()
    guard writeFailure == nil else { return false }
    do throws(StoreError) {
      try statement()
      try forgetExcess()
    } catch {
      let (result, message) = connection.lastError
      let error = namingDenials(namingMissingValue(error))
      failWrite(recorder.foreign.naming(error, result: result, message: message, schema: schema))
    }
    guard writeFailure == nil else { return false }
    notifyTouched()
    return true
  }

  /// The error of a statement that has just failed, with the property if that had to have a value. It was
  /// assigned one: SQLite has NULL for NaN, as a number or in a collection.
  private func namingMissingValue(_ error: StoreError) -> StoreError {
    let name = connection.lastError.message.split(separator: "NOT NULL constraint failed: ").last ?? ""
    guard name != connection.lastError.message,
      schema.tables.contains(where: { table in
        table.columns.contains { "\(table.name).\($0.name)" == name && !$0.isOptional }
      })
    else { return error }
    return StoreError(
      .invalidValue,
      "\(name) was assigned a value that a file cannot hold, such as NaN; assign another, or make the "
        + "property optional.", report: error.report)
  }

  /// Forgets the rows touched if they are more than the change log names.
  func forgetExcess() throws(StoreError) {
    guard recorder.isFull else { return }
    try collect()
    recorder.forgetTouched()
  }

  /// Makes the open write transaction fail when it is committed, unless it has failed already.
  func failWrite(_ error: StoreError) {
    writeFailure = writeFailure ?? error
  }

  func requireWrite() {
    requireLive("changed")
    confinement.require()
    guard isInWriteTransaction else {
      fatalError(
        "Objects and lists of a store can be changed in a write transaction only; use store.write { }.")
    }
    requireNotTelling()
  }

  /// Requires that no observers are being notified of a version that is about to be shown: the write that has
  /// begun cannot be used then.
  func requireNotTelling() {
    guard !turns.isAnnouncing else {
      fatalError(
        "A store cannot be changed while withObservationTracking tells of a change that is about to "
          + "arrive; do it afterwards."
      )
    }
  }

  /// Stops a process that was forked from the one of the store: SQLite's locks are not its own.
  func requireOwnProcess() {
    guard forks == ForkCount.present else {
      fatalError(
        "A store cannot be used by a process that was forked from the one that has opened it; "
          + "open another one there.")
    }
  }

  func requireOpen() {
    guard !isClosed else {
      fatalError("The store has been closed; nothing that came from it can be read any more.")
    }
  }
}
