import Glibc
import Synchronization

/// Tells every process that watches a database (`CommitWatcher`) that a commit is visible: by writing to a
/// small file that lies next to it, `<database>-live`.
///
/// The file's content, a counter of eight bytes, has no meaning; being written is what counts. The file may
/// be deleted at any time: the next post makes it again. It gets the database's owner and permissions, as
/// SQLite does with the `-wal`, so that whoever may write the database may also post.
///
/// A file that cannot be made or opened costs latency only: watchers also see the `-wal`.
final class CommitSignal: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var counter: UInt64 = 0
  }

  private let files: DatabaseFiles
  private let state = Mutex(State())

  /// Makes the file where it is missing. The database should exist, because its permissions are taken over;
  /// without it only the owner gets access.
  convenience init(databasePath: String) {
    self.init(files: DatabaseFiles(databasePath: databasePath))
  }

  init(files: DatabaseFiles) {
    self.files = files
    state.withLock { $0.descriptor = Self.open(files) }
  }

  deinit {
    state.withLock {
      if $0.descriptor >= 0 { close($0.descriptor) }
    }
  }

  /// To be called after COMMIT, from any thread. Takes two system calls, never waits for another process, and
  /// ignores errors.
  func post() {
    state.withLock { state in
      state.counter &+= 1
      // Written before it is known whether the file is still in place: the usual case is the fast one.
      Self.write(state)
      // A file that was deleted, or replaced, has no name any more. One that was given another name has to be
      // looked for by the name that it should have, which costs more, and is worth it only now and then.
      let isLookedFor = state.counter % Self.lookInterval == 0
      if !isLookedFor, Self.hasOneName(state.descriptor) { return }
      if Self.isInPlace(state.descriptor, files) { return }
      if state.descriptor >= 0 { close(state.descriptor) }
      state.descriptor = Self.open(files)
      Self.write(state)
    }
  }

  private static func write(_ state: State) {
    guard state.descriptor >= 0 else { return }
    withUnsafeBytes(of: state.counter.littleEndian) {
      _ = pwrite(state.descriptor, $0.baseAddress, $0.count, 0)
    }
  }

  /// After how many posts the file is looked for by its name.
  private static let lookInterval: UInt64 = 64

  private static func hasOneName(_ descriptor: Int32) -> Bool {
    var opened = stat()
    return descriptor >= 0 && fstat(descriptor, &opened) == 0 && opened.st_nlink == 1
  }

  /// Whether the descriptor is of the file that has the name now.
  private static func isInPlace(_ descriptor: Int32, _ files: DatabaseFiles) -> Bool {
    var opened = stat()
    var named = stat()
    return descriptor >= 0 && fstat(descriptor, &opened) == 0 && lstat(files.signal, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// -1 where there is no such file to be had.
  private static func open(_ files: DatabaseFiles) -> Int32 {
    // In a directory that others write to, the name may have been planted: a link of either kind would let
    // them have any file of ours overwritten, a FIFO would block. A second name of the database must not even
    // be opened: closing it would drop SQLite's locks.
    var named = stat()
    if lstat(files.signal, &named) == 0 {
      guard named.st_mode & S_IFMT == S_IFREG, named.st_nlink == 1 else { return -1 }
    }
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = Glibc.open(files.signal, flags)
    if descriptor < 0, errno == ENOENT {
      descriptor = Glibc.open(files.signal, flags | O_CREAT | O_EXCL, 0o600)
      if descriptor >= 0 {
        takeOverAccess(of: files.path, for: descriptor)
      } else if errno == EEXIST {
        descriptor = Glibc.open(files.signal, flags)
      }
    }
    guard descriptor >= 0 else { return -1 }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  private static func takeOverAccess(of database: String, for descriptor: Int32) {
    var status = stat()
    guard stat(database, &status) == 0 else { return }
    if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
    _ = fchmod(descriptor, status.st_mode & 0o666)
  }
}
