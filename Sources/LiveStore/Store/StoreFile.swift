import FoundationEssentials
import Glibc
import Synchronization

/// The place of a store's file; for a store in memory a folder in shared memory that is removed with its last
/// user.
///
/// SQLite's own databases in memory have neither snapshots nor a write-ahead log, so that a store there would
/// have to behave differently; a file in shared memory behaves like any other.
final class StoreFile: Sendable {
  /// Resolved once: the working directory and links may change later.
  let files: DatabaseFiles
  var path: String { files.path }
  private let memory: String?

  private static let users = Mutex<[String: Int]>([:])

  init(_ location: Store.Configuration.Location) throws(StoreError) {
    switch location {
    case .file(let path):
      files = DatabaseFiles(databasePath: path)
      memory = nil
    case .memory(let identifier):
      let folder = StoreFile.folder(of: identifier)
      memory = identifier
      let failure = StoreFile.users.withLock { users -> Int32 in
        if users[identifier, default: 0] == 0, mkdir(folder, 0o700) != 0, errno != EEXIST { return errno }
        users[identifier, default: 0] += 1
        return 0
      }
      if failure != 0 {
        throw StoreError(
          .fileAccess, "“\(folder)” cannot be created: \(String(cString: strerror(failure))).")
      }
      files = DatabaseFiles(databasePath: folder + "/store.db")
    }
  }

  deinit {
    guard let identifier = memory else { return }
    StoreFile.users.withLock { users in
      users[identifier, default: 1] -= 1
      guard users[identifier] == 0 else { return }
      users[identifier] = nil
      let folder = StoreFile.folder(of: identifier)
      for suffix in ["", "-wal", "-shm", "-live"] { unlink(folder + "/store.db" + suffix) }
      rmdir(folder)
    }
  }

  private static func folder(of identifier: String) -> String {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    // The identifier may contain any characters; as hexadecimal digits it is a valid file name.
    let name = identifier.utf8.map { String($0, radix: 16) }.joined()
    return "\(base)/livestore-\(getuid())-\(getpid())-\(name)"
  }
}
