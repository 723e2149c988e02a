import CSQLite
import Glibc

/// Copying a database while others use it. See <https://sqlite.org/backup.html>.
extension Connection {
  /// Copies the version that the connection reads, the newest where it reads none, into a new file that only
  /// its owner may read.
  ///
  /// The pages are copied in one read transaction, which keeps no program from reading or writing. The copy
  /// has its name when it is whole and on the disk: until then it is called `PATH.partial-…`.
  ///
  /// - Throws: ``StoreError`` when there is a file of that name, when the copy cannot be written, or when a
  ///   page is damaged; nothing is left behind then.
  /// - Complexity: O(size of the file).
  func copy(to path: String) throws(StoreError) {
    try NewFile.write(path) { (partial) throws(StoreError) in
      let copy = try Connection(path: partial, create: false)
      // The file is nothing until it has its name, so neither a journal nor SQLite's own waiting for the disk
      // is needed.
      try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try copyPages(to: copy, path)
      // Not by a quick check, which takes a primary key of another order than the columns' for damaged
      // (SQLite 3.40).
      guard case .text("ok")? = try copy.firstValue("PRAGMA integrity_check(1)") else {
        throw StoreError(
          .notADatabase, "The file is damaged, so that a copy of it would be; save what can be read of it.")
      }
    }
  }

  private func copyPages(to copy: Connection, _ path: String) throws(StoreError) {
    func failure(_ result: Int32) -> StoreError {
      StoreError(sqlite: result, handle: copy.handle, path: path, while: "copy the pages")
    }
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw failure(sqlite3_extended_errcode(copy.handle))
    }
    let result = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else { throw failure(end == SQLITE_OK ? result : end) }
  }
}
