/// The state of a frozen store: a snapshot that stays at its version, read by one thread at a time.
final class FrozenState: @unchecked Sendable {
  // `rows` and the statements of `reader` are used under the lock; everything else never changes.

  let snapshot: Snapshot
  let version: Int64
  /// A reader with its own statements, because the live store may be using those of the connection.
  let reader: RowReader
  let lock = RecursiveLock()
  /// The reason why nothing can be read; `nil` if the version can be read.
  let failure: StoreError?
  /// The store that was frozen.
  weak let source: Store?
  private let pin: Snapshot.Pin?
  // Weak, unlike the rows of a live store: another thread may ask for a row that is being released.
  private var rows: [RowIdentity: Weak<_ManagedRow>] = [:]

  init(_ snapshot: Snapshot, version: Int64, source: Store) {
    self.snapshot = snapshot
    self.version = version
    self.source = source
    failure = nil
    pin = snapshot.pinned()
    reader = RowReader(StatementCache(snapshot.connection), schema: snapshot.schema)
  }

  /// The state of a store that could not be frozen.
  init(unreadable snapshot: Snapshot, _ failure: StoreError, source: Store) {
    self.snapshot = snapshot
    self.source = source
    self.failure = failure
    version = snapshot.version ?? 0
    pin = nil
    reader = snapshot.instance
  }

  /// The row with a primary key; the same instance as long as it is referenced.
  func row(_ table: Table, _ key: SQLiteValue, of store: Store) -> _ManagedRow {
    lock.withLock {
      let id = RowIdentity(table: table.index, key: key)
      if let row = rows[id]?.value { return row }
      do throws(StoreError) {
        try store.requireReadable()
        let row = _ManagedRow(
          frozenIn: store, table: table, key: key, values: try reader.row(table, key))
        rows[id] = Weak(value: row)
        return row
      } catch {
        store.note(error)
        return _ManagedRow(frozenIn: store, table: table, key: key, values: table.defaults(key))
      }
    }
  }

  func removeRow(_ id: RowIdentity) {
    lock.withLock {
      // Another thread may have created the row again.
      if rows[id]?.value == nil { rows[id] = nil }
    }
  }
}
