import CSQLite
import LibC

/// Copying a database while other programs use it. See <https://sqlite.org/backup.html>.
extension Connection {
  /// Copies the version that the connection reads, or the newest if it reads none, into a new file that only
  /// its owner may read.
  ///
  /// The pages are copied in one read transaction, which does not block other programs. The copy gets its
  /// name when it is complete and on the disk: until then it is named `PATH.partial-…`.
  ///
  /// - Throws: ``StoreError`` when the file exists already, when the copy cannot be written, or when a page
  ///   is damaged; no file is left then.
  /// - Complexity: O(size of the file).
  func copy(to path: String) throws(StoreError) {
    try NewFile.write(path) { (partial) throws(StoreError) in
      let copy = try Connection(path: partial, create: false)
      // The copy does not count until it has its name, so it needs neither a journal nor SQLite's own
      // flushes.
      try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try copyPages(to: copy, path)
      // Not `quick_check`, which reports a primary key in another order than the columns' as damaged (SQLite
      // 3.40).
      guard case .text("ok")? = try copy.firstValue("PRAGMA integrity_check(1)") else {
        let name = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
        throw StoreError(
          .damaged, "“\(name)” is damaged, so that a copy of it would be; save what can be read of it.")
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
