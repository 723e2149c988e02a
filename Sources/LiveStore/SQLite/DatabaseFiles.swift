import LibC

/// The names of a database's files: those that SQLite defines, and the one that LiveStore adds.
///
/// Only the signal file is ever opened here. Closing a descriptor of the database or its `-shm` would drop
/// the locks that SQLite holds on it anywhere in the process.
package struct DatabaseFiles: Hashable, Sendable {
  /// The database itself, absolute and without symbolic links. SQLite names the `-wal` after the target of a
  /// link, so that this path also tells whether two paths are of one database.
  package let path: String
  let directory: String
  /// The database's name within `directory`.
  let name: String

  var wal: String { path + Self.walSuffix }
  var memory: String { path + Self.memorySuffix }
  var signal: String { path + Self.signalSuffix }

  static let walSuffix = "-wal"
  static let memorySuffix = "-shm"
  static let signalSuffix = "-live"

  /// Resolves links and relative parts. The file need not exist; if its directory does not exist either, the
  /// path is used unchanged.
  package init(databasePath: String) {
    let (head, last) = Self.split(databasePath)
    if databasePath.isEmpty {
      path = databasePath
    } else if let resolved = Self.realPath(databasePath) {
      path = resolved
    } else if let resolved = Self.realPath(head) {
      path = resolved == "/" ? "/" + last : resolved + "/" + last
    } else {
      path = databasePath
    }
    (directory, name) = Self.split(path)
  }

  /// Whether a program has the database open, or was killed while it had.
  var areInUse: Bool { access(wal, F_OK) == 0 || access(memory, F_OK) == 0 }

  /// Whether SQLite can make nothing beside the database for its readers to share: on a disk that can only be
  /// read, or in a folder that may not be written, as long as no program has the database open that may.
  package var cannotBeShared: Bool {
    if access(path, W_OK) != 0, errno == EROFS { return true }
    return access(directory, W_OK) != 0 && !areInUse
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The names in a folder; none if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  static func folder(of path: String) -> String { split(path).directory }

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }
}
