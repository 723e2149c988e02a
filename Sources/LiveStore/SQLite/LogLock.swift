import CSQLite

/// A lock of the wal-index, taken where SQLite itself does not.
///
/// SQLite before 3.51.3 can lose commits when a checkpoint and a writer meet
/// (<https://sqlite.org/wal.html#walresetbug>). The checkpoint has read the header of the wal-index, while
/// all of the log is written back. Then the writer restarts the log. The checkpoint, which has yet to read
/// how much is written back, takes the new log for the old one and records that its frames are written back,
/// which they are not. Once they all seem to be, a writer overwrites them. This cannot happen while the
/// checkpointing program holds the write lock, nor while the writer that restarts the log holds the
/// checkpoint lock. A store does both, so that it takes part in neither way, regardless of the other program.
enum LogLock {
  case write
  case checkpoint
  /// One of the locks that readers of the log hold, which keeps the log from being restarted.
  case reading
  /// All of them, available when no snapshot reads from the log.
  case allReading

  /// The offsets in the wal-index, which every program relies on; see <https://sqlite.org/walformat.html>.
  fileprivate var places: (first: Int32, count: Int32) {
    switch self {
    case .write: (0, 1)
    case .checkpoint: (1, 1)
    // The one that is used last.
    case .reading: (7, 1)
    case .allReading: (4, 4)
    }
  }

  fileprivate var isShared: Bool { self == .reading }
}

extension Connection {
  /// Takes a lock without waiting; returns whether the lock was free, and this connection has mapped the
  /// wal-index, as it does with its first read.
  func take(_ lock: LogLock) -> Bool {
    guard change(lock, SQLITE_SHM_LOCK) == SQLITE_OK else { return false }
    if lock == .reading { keepsLog = true }
    return true
  }

  func release(_ lock: LogLock) {
    if lock == .reading {
      // Released already when the connection began to read, for which SQLite may need it.
      guard keepsLog else { return }
      keepsLog = false
    }
    _ = change(lock, SQLITE_SHM_UNLOCK)
  }

  /// Writes the log back into the file, as far as no reader needs it, and keeps others from committing
  /// meanwhile, for which it waits. The connection has read from the file.
  ///
  /// - Parameter holdsWriteLock: Whether the caller keeps others from committing already.
  /// - Returns: Whether all of it was written back.
  func writeLogBack(holdsWriteLock: Bool = false) throws(StoreError) -> Bool {
    let statement = try instance.prepare("PRAGMA wal_checkpoint(PASSIVE)")
    // SQLite would continue without the lock, and could meet a writer that restarts the log.
    guard holdsWriteLock || wait(for: .write) else { return false }
    defer { if !holdsWriteLock { release(.write) } }
    return try statement.first { $0.integer(0) == 0 && $0.integer(1) == $0.integer(2) } ?? false
  }

  /// The same without waiting for others that commit. The connection holds no version.
  package func writeLogBackAtOnce(holdsWriteLock: Bool = false) throws(StoreError) -> Bool {
    try withBusyTimeout(milliseconds: 0) { () throws(StoreError) in
      try writeLogBack(holdsWriteLock: holdsWriteLock)
    }
  }

  /// Writes the log back into the open file, and empties it, unless other connections to the file are open:
  /// then the last of them does it. Whatever this one reads has ended.
  func emptyLog() {
    guard let file = databaseFile, let methods = file.pointee.pMethods else { return }
    sqlite3_busy_timeout(handle, 0)
    release(.reading)
    var statement = sqlite3_next_stmt(handle, nil)
    while let next = statement {
      sqlite3_reset(next)
      statement = sqlite3_next_stmt(handle, next)
    }
    _ = executeResult("ROLLBACK")
    // As SQLite finds out whether a connection is the last one: all have a shared lock. Closing releases it.
    guard methods.pointee.xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK else { return }
    _ = executeResult("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private var databaseFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return file
  }

  private func change(_ lock: LogLock, _ action: Int32) -> Int32 {
    guard let file = databaseFile, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let changeLock = methods.pointee.xShmLock
    else { return SQLITE_ERROR }
    sqlite3_mutex_enter(sqlite3_db_mutex(handle))
    defer { sqlite3_mutex_leave(sqlite3_db_mutex(handle)) }
    let kind = lock.isShared ? SQLITE_SHM_SHARED : SQLITE_SHM_EXCLUSIVE
    return changeLock(file, lock.places.first, lock.places.count, action | kind)
  }
}
