import CSQLite
import LibC
import TestSupport

/// A program that knows nothing of LiveStore and is in the middle of a transaction for long.
struct LockHolder {
  let path: String

  func run() -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    sigprocmask(SIG_BLOCK, &signals, nil)
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK, let database else { fail("the file cannot be opened") }
    sqlite3_busy_timeout(database, Patience.milliseconds)
    execute("BEGIN IMMEDIATE; UPDATE Person SET age = age + 1", database)
    announce("1")
    var signal: Int32 = 0
    sigwait(&signals, &signal)
    execute("COMMIT", database)
    announce("2")
    while true { pause() }
  }

  private func execute(_ sql: String, _ database: OpaquePointer) {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      fail("“\(sql)” failed: \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}
