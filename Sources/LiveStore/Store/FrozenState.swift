import Glibc

/// What a frozen store reads from: a snapshot that is kept as it is, by whoever reads one at a time.
final class FrozenState: @unchecked Sendable {
  // `rows` and the statements of `reader` are used under the lock; everything else never changes.

  let snapshot: Snapshot
  let version: Int64
  /// With statements of its own, because the live store may be using the connection's.
  let reader: RowReader
  let lock = RecursiveLock()
  /// Why there is nothing to be read.
  let failure: StoreError?
  /// The store that was frozen.
  weak let source: Store?
  private let pin: Snapshot.Pin?
  private var rows: [RowIdentity: WeakRow] = [:]

  // Weak, unlike the rows of a live store: another thread may be asking for a row that is just going.
  private struct WeakRow {
    weak var row: _ManagedRow?
  }

  /// - Parameter snapshot: Holds a version.
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

  /// The row with a primary key; the same one as long as anybody has it.
  func row(_ table: Table, _ key: SQLiteValue, of store: Store) -> _ManagedRow {
    lock.withLock {
      let id = RowIdentity(table: table.index, key: key)
      if let row = rows[id]?.row { return row }
      do throws(StoreError) {
        try store.requireReadable()
        let row = _ManagedRow(
          frozenIn: store, table: table, key: key, values: try reader.row(table, key))
        rows[id] = WeakRow(row: row)
        return row
      } catch {
        store.note(error)
        return _ManagedRow(frozenIn: store, table: table, key: key, values: table.defaults(key))
      }
    }
  }

  func removeRow(_ id: RowIdentity) {
    lock.withLock {
      // Another thread may have asked for the row anew.
      if rows[id]?.row == nil { rows[id] = nil }
    }
  }
}

/// A lock that the thread which has it may take again.
final class RecursiveLock: @unchecked Sendable {
  // The memory holds the mutex at a fixed address, as its functions require.

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
