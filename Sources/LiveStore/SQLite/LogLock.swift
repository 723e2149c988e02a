import CSQLite

/// A lock of the wal-index, taken where SQLite itself does without.
///
/// SQLite before 3.51.3 loses commits where a checkpoint and a writer meet
/// (<https://sqlite.org/wal.html#walresetbug>): the checkpoint has read the header of the wal-index, all of
/// the log being written back; the writer starts the log anew; and the checkpoint, which has yet to read how
/// much is written back, takes the new log for the old one and notes that its frames are written back, which
/// they are not. Once they all seem to be, a writer overwrites them. That cannot happen while whoever
/// checkpoints holds the write lock, nor while whoever starts the log anew holds the lock for checkpoints, so
/// that a store takes part in it neither way, whatever the other program does.
enum LogLock {
  case write
  case checkpoint
  /// One of those that are held by those who read from the log, and so keeps it from being started anew.
  case reading
  /// To be had when nobody reads from the log.
  case allReading

  /// Where they are in the wal-index, which every program relies on; see <https://sqlite.org/walformat.html>.
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
  /// Takes a lock without waiting.
  ///
  /// - Returns: Whether nobody else has it, and this connection has mapped the wal-index, as it does when it
  ///   first reads.
  func take(_ lock: LogLock) -> Bool {
    guard change(lock, SQLITE_SHM_LOCK) == SQLITE_OK else { return false }
    if lock == .reading { keepsLog = true }
    return true
  }

  /// Gives up a lock that has been taken.
  func release(_ lock: LogLock) {
    if lock == .reading {
      // Given up already when the connection began to read, for which SQLite may need it.
      guard keepsLog else { return }
      keepsLog = false
    }
    _ = change(lock, SQLITE_SHM_UNLOCK)
  }

  private func change(_ lock: LogLock, _ action: Int32) -> Int32 {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let changeLock = methods.pointee.xShmLock
    else { return SQLITE_ERROR }
    sqlite3_mutex_enter(sqlite3_db_mutex(handle))
    defer { sqlite3_mutex_leave(sqlite3_db_mutex(handle)) }
    let kind = lock.isShared ? SQLITE_SHM_SHARED : SQLITE_SHM_EXCLUSIVE
    return changeLock(file, lock.places.first, lock.places.count, action | kind)
  }
}
