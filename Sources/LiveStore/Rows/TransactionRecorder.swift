import CSQLite

/// Notes which rows a transaction of this store touches, and, where somebody will ask, what they were before.
///
/// SQLite calls it before each row changes (<https://sqlite.org/c3ref/preupdate_blobwrite.html>), also for
/// the rows that a `REPLACE`, a cascade or a `DELETE` without `WHERE` removes. Asking SQLite for the values
/// of such a row takes longer than the change itself, and so is done only for what nobody has said
/// beforehand.
final class TransactionRecorder {
  struct Touch {
    /// The row before the transaction; `nil` when there was none, or it was not kept.
    fileprivate(set) var before: RowImage?
    /// Whether `before` was kept, or there was none; otherwise nobody was going to ask.
    fileprivate(set) var isBeforeKnown: Bool
    /// The columns that were assigned another value, bit by bit; all for a row that came or went.
    fileprivate(set) var columns: UInt64
    /// The row when it was first touched after collections last caught up.
    fileprivate var uncollected: RowImage?
    fileprivate var isUncollected: Bool
  }

  /// What a statement is about to do to one row, so that SQLite need not be asked.
  struct Expectation {
    let operation: Int32
    let table: Table
    let key: SQLiteValue
    let columns: UInt64
    /// The row as it is, where ``needsImage`` asks for it; `nil` for one that is inserted.
    var before: RowImage?
  }

  /// What the transaction has touched so far.
  private(set) var touched = RowMap<Touch>()
  /// The places in `touched` of what has been touched since collections last caught up.
  private var uncollected: [Int] = []
  /// Whether somebody is going to ask for the rows before the transaction.
  private var keepsImages = false
  /// Whether an order has to be kept up with what the transaction does.
  private var isCollecting = false

  /// Rows touched, and transactions ended, since the beginning.
  private(set) var touches: UInt64 = 0
  /// Whether the transaction has touched the table of a class that this store does not know: one that
  /// references, with an action, a table that it knows, or that a trigger of another program writes to.
  /// Nobody can then say which rows changed.
  private(set) var hasTouchedUnknown = false

  /// Told of each row and its columns, so that no object goes on showing what was.
  // The store owns the recorder, and writes nothing when it goes.
  unowned(unsafe) var store: Store?

  private let schema: Schema
  private var expectation: Expectation?
  private var installed: [WeakConnection] = []
  /// For each table, how it is in the file.
  private var layouts: [TableLayout] = []
  /// The version of the file's tables that they were read in.
  private var layoutsVersion: Int64?
  /// What other programs have added to the file, at the same version.
  private(set) var foreign = ForeignParts()
  /// The table that was named last.
  private var latest: TableLayout?

  init(schema: Schema) {
    self.schema = schema
  }

  /// Has SQLite report the changes made through a connection, until ``uninstall()``.
  func install(on connection: Connection) throws(StoreError) {
    if layouts.isEmpty { layouts = try TableLayout.read(schema, connection) }
    // A connection that was left to frozen copies may be gone before the recorder.
    installed.removeAll { $0.connection == nil }
    installed.append(WeakConnection(connection: connection))
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

  /// Has it know where the columns stand in a transaction that begins, another program having changed the
  /// tables perhaps.
  ///
  /// - Parameters:
  ///   - keepsImages: Whether somebody is going to ask what rows were before the transaction.
  ///   - isCollecting: Whether somebody has an order that ``takeUncollected()`` keeps up.
  func prepare(for snapshot: Snapshot, keepsImages: Bool, isCollecting: Bool) throws(StoreError) {
    self.keepsImages = keepsImages
    self.isCollecting = isCollecting
    if snapshot.schemaVersion != layoutsVersion { try readLayouts(for: snapshot) }
    snapshot.connection.firesTriggers = !foreign.triggers.isEmpty
  }

  private func readLayouts(for snapshot: Snapshot) throws(StoreError) {
    layouts = try TableLayout.read(schema, snapshot.connection)
    latest = nil
    layoutsVersion = snapshot.schemaVersion
    foreign = try ForeignParts(snapshot.connection)
    guard !foreign.unseenReplacements.isEmpty else { return }
    try SchemaUpdate.logReplacements(in: schema, on: snapshot.connection)
    // The write may be taken back.
    layoutsVersion = nil
  }

  func uninstall() {
    for connection in installed.compactMap(\.connection) {
      connection.setPreupdateHook(nil, context: nil)
    }
    installed = []
  }

  func reset() {
    touches += 1
    hasTouchedUnknown = false
    touched.removeAll()
    uncollected.removeAll(keepingCapacity: uncollected.count < 1024)
  }

  // MARK: What was before

  /// Keeps what rows are from now on, because somebody has begun to observe.
  func keepImages() {
    keepsImages = true
  }

  /// Keeps up an order that has been read in the open transaction, with all that this has done so far.
  func beginCollecting() {
    isCollecting = true
  }

  var hasUncollected: Bool { !uncollected.isEmpty }

  /// What has been touched since it was last asked for, with the rows as they were then.
  func takeUncollected() -> [(row: RowIdentity, before: RowImage?)] {
    defer { uncollected = [] }
    return uncollected.map { index in
      let entry = touched.entries[index]
      touched[index: index].uncollected = nil
      touched[index: index].isUncollected = false
      return (entry.row, entry.value.uncollected)
    }
  }

  // MARK: Recording

  /// Runs a statement that changes one row, and whatever else the file has follow from it.
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
      // Another program's own tables, such as one that its triggers write to, concern no store.
      if foreign.loggedTables.contains(String(cString: tableName)) { hasTouchedUnknown = true }
      return
    }
    if let expectation, layout.hasDeclaredTypes, layout.table === expectation.table,
      change.operation == expectation.operation, change.isDirect
    {
      // Once: what else the statement does to the table is not what was expected.
      self.expectation = nil
      note(
        RowIdentity(table: layout.table.index, key: expectation.key), columns: expectation.columns,
        before: expectation.before, isBeforeKnown: needsImage || change.operation == SQLITE_INSERT)
      return
    }
    do throws(StoreError) {
      try recordUnexpected(change, layout)
    } catch {
      // SQLite goes on with the statement whatever the hook finds.
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

  /// Whether a row that is about to change has to be kept as it is.
  var needsImage: Bool { keepsImages || isCollecting }

  private func note(_ row: RowIdentity, columns: UInt64, before: RowImage?, isBeforeKnown: Bool) {
    touches += 1
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

/// A version, and how much the open transaction has done to it: as long as both are the same, so is all that
/// is read.
struct StoreState: Equatable {
  let version: Int64?
  let touches: UInt64
}

private struct WeakConnection {
  weak var connection: Connection?
}
