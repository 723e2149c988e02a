import LibC
import Synchronization

/// A folder in shared memory with the file of a store in memory, shared by the stores of this process that
/// use the same identifier.
///
/// It is removed with its last store or when the process exits. One that is left by a process that was killed
/// is removed by the next process that opens a store in memory: the owner of a folder holds a lock on it,
/// which ends with the owner.
final class MemoryFolder: Sendable {
  private let path: String
  private let lock: Int32
  /// The forks until it was made: a process that was forked since leaves it alone.
  private let forks = ForkCount.present

  private static let databaseName = "store.db"
  var databasePath: String { "\(path)/\(MemoryFolder.databaseName)" }

  private struct Shared {
    var folders: [String: (folder: MemoryFolder, users: Int)] = [:]
    var isPrepared = false
  }

  private static let shared = Mutex(Shared())
  private static let prefix = "livestore-memory-\(getuid())-"
  private static var parent: String { access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp" }

  /// The folder of an identifier, to be given back by ``release(_:)``.
  static func acquire(_ identifier: String) throws(StoreError) -> MemoryFolder {
    try shared.withLock { shared throws(StoreError) in
      if !shared.isPrepared {
        shared.isPrepared = true
        removeAbandoned(in: parent)
        atexit { MemoryFolder.removeAll() }
      }
      if shared.folders[identifier] == nil { shared.folders[identifier] = (try MemoryFolder(), 0) }
      shared.folders[identifier]!.users += 1
      return shared.folders[identifier]!.folder
    }
  }

  static func release(_ identifier: String) {
    shared.withLock { shared in
      shared.folders[identifier]?.users -= 1
      guard let (folder, users) = shared.folders[identifier], users == 0 else { return }
      shared.folders[identifier] = nil
      folder.remove()
    }
  }

  private init() throws(StoreError) {
    while true {
      var template = Array("\(MemoryFolder.parent)/\(MemoryFolder.prefix)XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw MemoryFolder.failure(errno) }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 {
        self.path = path
        self.lock = lock
        return
      }
      let code = errno
      if lock >= 0 { close(lock) }
      // Until it is locked, another process may take it for an abandoned one and remove it.
      if code == EWOULDBLOCK || access(path, F_OK) != 0 { continue }
      rmdir(path)
      throw MemoryFolder.failure(code)
    }
  }

  private static func failure(_ code: Int32) -> StoreError {
    let reason = String(cString: strerror(code))
    return StoreError(.fileAccess, "A store in memory cannot have a folder in “\(parent)”: \(reason).")
  }

  private func remove() {
    guard forks == ForkCount.present else { return }
    MemoryFolder.remove(path)
    close(lock)
  }

  private static func removeAll() {
    // A thread that has been stopped by the exit of the process may hold it.
    _ = shared.withLockIfAvailable { shared in
      for (folder, _) in shared.folders.values { folder.remove() }
      shared.folders = [:]
    }
  }

  private static func remove(_ folder: String) {
    let database = "\(folder)/\(databaseName)"
    for suffix in ["", DatabaseFiles.walSuffix, DatabaseFiles.memorySuffix, DatabaseFiles.signalSuffix] {
      unlink(database + suffix)
    }
    rmdir(folder)
  }

  /// Removes the folders of processes that were killed.
  private static func removeAbandoned(in parent: String) {
    for name in DatabaseFiles.names(in: parent) where name.hasPrefix(prefix) {
      let folder = "\(parent)/\(name)"
      let lock = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard lock >= 0 else { continue }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
      close(lock)
    }
  }
}
