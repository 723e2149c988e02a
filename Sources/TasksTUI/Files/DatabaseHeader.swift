import Glibc
import TasksModel

/// The beginning of a file, if it is a database.
enum DatabaseHeader {
  /// Whether a file is an SQLite database, such as one of tasks.
  static func isThere(in path: String) -> Bool { read(path) != nil }

  /// Whether the first page says that an older version of the program has written the file. A newer page may
  /// be in the write-ahead log.
  static func isOfOlderVersion(in path: String) -> Bool {
    guard let header = read(path) else { return false }
    // The user version and the application id: https://www.sqlite.org/fileformat.html#the_database_header
    func number(at offset: Int) -> Int32 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
    }
    return number(at: 68) == TasksStore.applicationID
      && (1..<Int32(TasksStore.schemaVersion)) ~= number(at: 60)
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    guard pread(descriptor, &header, header.count, 0) == header.count,
      header.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    return header
  }
}
