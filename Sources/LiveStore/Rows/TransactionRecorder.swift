import CSQLite

/// The rows that a transaction of this store touches, with their former values where they will be needed.
///
/// SQLite calls it before each row changes (<https://sqlite.org/c3ref/preupdate_blobwrite.html>), also for
/// the rows that a `REPLACE`, a cascade or a `DELETE` without `WHERE` removes. Asking SQLite for the values
/// of such a row takes longer than the change itself, and is done only for rows without an expectation.
final class TransactionRecorder {
  struct Touch {
    /// The row before the transaction; `nil` if it did not exist, or was not kept.
    fileprivate(set) var before: RowImage?
    /// Whether `before` was kept, or the row did not exist; otherwise it is not going to be needed.
    fileprivate(set) var isBeforeKnown: Bool
    /// The columns that were assigned another value, bit by bit; all for an inserted or deleted row.
    fileprivate(set) var columns: UInt64
    /// The row when it was first touched after collections were last updated.
    fileprivate var uncollected: RowImage?
    fileprivate var isUncollected: Bool
  }

  /// The change that a statement is about to make to one row, so that SQLite need not be asked.
  struct Expectation {
    let operation: Int32
    let table: Table
    let key: SQLiteValue
    let columns: UInt64
    /// The row as it is, if ``needsImage`` asks for it; `nil` for one that is inserted.
    var before: RowImage?
  }

  /// The rows that the transaction has touched so far.
  private(set) var touched = RowMap<Touch>()
  /// The indices in `touched` of the rows touched since collections were last updated.
  private var uncollected: [Int] = []
  /// Whether the rows before the transaction are going to be needed.
  private var keepsImages = false
  /// Whether an order has to be updated with the writes of the transaction, those so far included.
  var isCollecting = false

  /// The number of rows touched, and transactions ended, since the beginning.
  private(set) var touches: UInt64 = 0
  /// Whether the transaction has touched the table of a class that this store does not know: one that
  /// references, with an action, a table that it knows, or that a trigger of another program writes to.
  private var hasTouchedUnknown = false

  /// The store, which is notified of each row and its columns, so that no object shows former values.
  // The store owns the recorder, and writes nothing when it is released.
  unowned(unsafe) var store: Store?

  /// Whether rows that the transaction has touched were forgotten again, see ``forgetTouched()``.
  private(set) var hasTouchedMany = false

  /// Whether the rows touched are more than the change log names, and no observer needs them.
  var isFull: Bool { touched.count > ChangeLog.packedLimit && !keepsImages }

  /// Whether every row that the transaction has changed is in `touched`.
  var isComplete: Bool { !hasTouchedUnknown && !hasTouchedMany }

  /// Whether the transaction has touched no row of the store's classes.
  var isEmpty: Bool { touched.isEmpty && !hasTouchedMany }

  private let schema: Schema
  private var expectation: Expectation?
  private var installed: [Weak<Connection>] = []
  /// The layout of each table in the file.
  private var layouts: [TableLayout] = []
  /// The version of the file's tables when the layouts were read.
  private var layoutsVersion: Int64?
  /// The parts that other programs have added to the file, at the same version.
  private(set) var foreign = ForeignParts()
  /// The table that was looked up last.
  private var latest: TableLayout?

  init(schema: Schema) {
    self.schema = schema
  }

  /// Makes SQLite report the changes made through a connection, until ``uninstall()``. The first transaction
  /// reads the layouts that this needs.
  func install(on connection: Connection) {
    // A connection that was left to frozen copies may be released before the recorder.
    installed.removeAll { $0.value == nil }
    installed.append(Weak(value: connection))
    connection.setPreupdateHook(
      { context, handle, operation, _, name, oldRow, newRow in
        guard let context, let handle, let name else { return }
        let change = RowBeingChanged(
          handle: handle, operation: operation, oldRow: oldRow, newRow: newRow)
        Unmanaged<TransactionRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.record(change, tableName: name)
        }
      }, context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Prepares for a transaction that begins; reads the layouts again if another program has changed the
  /// tables.
  ///
  /// - Parameters:
  ///   - keepsImages: Whether the rows before the transaction are going to be needed.
  ///   - isCollecting: Whether there is an order that ``takeUncollected()`` updates.
  func prepare(for snapshot: Snapshot, keepsImages: Bool, isCollecting: Bool) throws(StoreError) {
    self.keepsImages = keepsImages
    self.isCollecting = isCollecting
    if snapshot.schemaVersion != layoutsVersion { try readLayouts(for: snapshot) }
    snapshot.connection.firesTriggers = !foreign.triggers.isEmpty || foreign.hasOwners
  }

  private func readLayouts(for snapshot: Snapshot) throws(StoreError) {
    layouts = try TableLayout.read(schema, snapshot.connection)
    latest = nil
    layoutsVersion = snapshot.schemaVersion
    foreign = try ForeignParts(snapshot.connection)
    guard !foreign.unseenReplacements.isEmpty else { return }
    try SchemaUpdate.logReplacements(in: schema, on: snapshot.connection)
    // The write may be cancelled.
    layoutsVersion = nil
  }

  func uninstall() {
    for connection in installed.compactMap(\.value) {
      connection.setPreupdateHook(nil, context: nil)
    }
    installed = []
  }

  func reset() {
    touches += 1
    hasTouchedUnknown = false
    hasTouchedMany = false
    touched.removeAll()
    uncollected.removeAll(keepingCapacity: uncollected.count < 1024)
  }

  /// Keeps the images of rows from now on, because there is a new observer of the state before the open
  /// transaction.
  func keepImages() {
    keepsImages = true
  }

  /// Forgets the rows touched so far, all of which have been collected: the log will say that anything may
  /// have changed, and the memory for a transaction of any size is bounded.
  func forgetTouched() {
    precondition(uncollected.isEmpty && !keepsImages)
    hasTouchedMany = true
    touched.removeAll()
  }

  var hasUncollected: Bool { !uncollected.isEmpty }

  /// Takes the rows touched since the last call, with their images from then.
  func takeUncollected() -> [(row: RowIdentity, before: RowImage?)] {
    defer { uncollected = [] }
    return uncollected.map { index in
      let entry = touched.entries[index]
      touched[index: index].uncollected = nil
      touched[index: index].isUncollected = false
      return (entry.row, entry.value.uncollected)
    }
  }

  /// Runs a statement that changes one row, and other rows by the rules of the file.
  func expecting<R, Failure: Error>(
    _ expectation: Expectation, _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    self.expectation = expectation
    defer { self.expectation = nil }
    return try body()
  }

  private func layout(named name: UnsafePointer<CChar>) -> TableLayout? {
    // One table after the other is the usual case.
    if let latest, latest.isNamed(name) { return latest }
    guard let table = schema.table(named: String(cString: name)) else { return nil }
    latest = layouts[table.index]
    return latest
  }

  private func record(_ change: RowBeingChanged, tableName: UnsafePointer<CChar>) {
    guard let layout = layout(named: tableName) else {
      // Tables of other programs, such as one that their triggers write to, do not concern any store.
      if foreign.loggedTables.contains(String(cString: tableName)) { hasTouchedUnknown = true }
      return
    }
    if let expectation, layout.hasDeclaredTypes, layout.table === expectation.table,
      change.operation == expectation.operation, change.isDirect
    {
      // Only once: further effects of the statement on the table are not part of the expectation.
      self.expectation = nil
      note(
        RowIdentity(table: layout.table.index, key: expectation.key), columns: expectation.columns,
        before: expectation.before, isBeforeKnown: needsImage || change.operation == SQLITE_INSERT)
      return
    }
    do throws(StoreError) {
      try recordUnexpected(change, layout)
    } catch {
      // SQLite continues the statement regardless of the hook.
      store?.failWrite(error)
    }
  }

  private func recordUnexpected(_ change: RowBeingChanged, _ layout: TableLayout) throws(StoreError) {
    let table = layout.table
    switch change.operation {
    case SQLITE_INSERT:
      note(
        RowIdentity(table: table.index, key: try change.newKey(layout)), columns: .max, before: nil,
        isBeforeKnown: true
      )
    case SQLITE_DELETE:
      note(
        RowIdentity(table: table.index, key: try change.oldKey(layout)), columns: .max,
        before: needsImage ? try change.oldImage(layout) : nil, isBeforeKnown: needsImage)
    default:
      let oldKey = try change.oldKey(layout)
      let newKey = try change.newKey(layout)
      note(
        RowIdentity(table: table.index, key: oldKey), columns: try change.changedColumns(layout),
        before: needsImage ? try change.oldImage(layout) : nil, isBeforeKnown: needsImage)
      if newKey != oldKey {
        note(RowIdentity(table: table.index, key: newKey), columns: .max, before: nil, isBeforeKnown: true)
      }
    }
  }

  /// Whether the image of a row that is about to change has to be kept.
  var needsImage: Bool { keepsImages || isCollecting }

  private func note(_ row: RowIdentity, columns: UInt64, before: RowImage?, isBeforeKnown: Bool) {
    touches += 1
    // A statement may change any number of rows.
    if isFull, !isCollecting { forgetTouched() }
    let (index, isNew) = touched.index(
      of: row,
      adding: Touch(
        before: before, isBeforeKnown: isBeforeKnown, columns: columns, uncollected: nil,
        isUncollected: false))
    if !isNew { touched[index: index].columns |= columns }
    // A row that is touched again keeps its first image.
    if isCollecting, !touched[index: index].isUncollected {
      touched[index: index].isUncollected = true
      touched[index: index].uncollected = before
      uncollected.append(index)
    }
    store?.didTouch(row, columns: columns)
  }
}

/// A version, and a count of the open transaction's changes to it: while both are the same, all reads give
/// the same results.
struct StoreState: Equatable {
  let version: Int64?
  let touches: UInt64
}
