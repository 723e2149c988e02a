import Glibc
import TestSupport
import Testing

@testable import LiveStore

/// A database for the watcher to watch.
struct WatchedDatabase {
  let directory = TemporaryFolder()
  let path: String
  /// Keeps the `-wal` from being deleted by others.
  let connection: TestDatabase

  init() {
    path = directory.path + "/tasks.db"
    connection = TestDatabase(path: path)
    connection.rows("pragma journal_mode = wal")
    connection.rows("create table t (a)")
  }

  func runSQLite(_ sql: String) {
    #expect(runProgram("sqlite3", path, sql) == 0)
  }

  /// How often the watchers' threads were switched out.
  static func watcherActivity() throws -> String {
    let directory = try #require(opendir("/proc/self/task"))
    defer { closedir(directory) }
    var activity: [String] = []
    while let entry = readdir(directory) {
      let id = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard contents("/proc/self/task/\(id)/comm") == CommitWatcher.threadName + "\n" else { continue }
      let status = contents("/proc/self/task/\(id)/status").split(separator: "\n")
      activity.append(id + status.filter { $0.contains("ctxt_switches") }.joined(separator: ";"))
    }
    #expect(!activity.isEmpty, "no watcher thread")
    return activity.sorted().joined(separator: "\n")
  }

  private static func contents(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
