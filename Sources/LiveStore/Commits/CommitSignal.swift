import LibC
import Synchronization

/// The signal that tells every process that watches a database (`CommitWatcher`) that a commit is visible: a
/// write to a small file next to it, `<database>-live`.
///
/// The content of the file, a counter of eight bytes, has no meaning; only the write counts. The file may be
/// deleted at any time: the next post creates it again. It gets the owner and permissions of the database, as
/// SQLite does with the `-wal`, so that every program that may write the database may also post.
///
/// Without the file commits only take longer to be noticed: watchers also see the `-wal`.
package final class CommitSignal: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var counter: UInt64 = 0
  }

  private let files: DatabaseFiles
  private let state = Mutex(State())

  /// Creates the file if it is missing. The database should exist, because its permissions are copied;
  /// without it only the owner gets access.
  package convenience init(databasePath: String) {
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

  /// Posts the signal; called after COMMIT, from any thread. Takes two system calls, never waits for another
  /// process, and ignores errors.
  package func post() {
    state.withLock { state in
      state.counter &+= 1
      // The write comes before the check whether the file is still in place, so that the usual case is the
      // fast one.
      Self.write(state)
      // A file that was deleted, or replaced, has no name any more. A renamed one is found only by a lookup
      // of the proper name, which costs more and is made only now and then.
      let isLookedFor = state.counter % Self.lookInterval == 0
      if !isLookedFor, Self.hasOneName(state.descriptor) { return }
      if CompanionFile.isInPlace(state.descriptor, files.signal) { return }
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

  /// The number of posts between two lookups of the file's name.
  private static let lookInterval: UInt64 = 64

  private static func hasOneName(_ descriptor: Int32) -> Bool {
    var opened = stat()
    return descriptor >= 0 && fstat(descriptor, &opened) == 0 && opened.st_nlink == 1
  }

  /// Opens the file; -1 if that is not possible.
  private static func open(_ files: DatabaseFiles) -> Int32 {
    (try? CompanionFile.open(files.signal, forWriting: true, creatingFor: files.path)) ?? -1
  }
}
