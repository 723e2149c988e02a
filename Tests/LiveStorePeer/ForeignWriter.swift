import CSQLite
import LiveStoreFixtures
import TestSupport

/// A program that knows nothing of LiveStore and writes without a pause, on a connection as SQLite makes it.
struct ForeignWriter {
  let path: String
  let seed: UInt64

  func run() -> Never {
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK, let database else { fail("the file cannot be opened") }
    sqlite3_busy_timeout(database, Patience.milliseconds)
    var writer = RandomWriter(seed: seed)
    while true {
      guard sqlite3_exec(database, writer.sql(), nil, nil, nil) == SQLITE_OK else {
        fail(String(cString: sqlite3_errmsg(database)))
      }
    }
  }
}
