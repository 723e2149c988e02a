/// The place of a store's file; for a store in memory a folder in shared memory.
///
/// SQLite's own databases in memory have neither snapshots nor a write-ahead log, so that a store there would
/// have to behave differently; a file in shared memory behaves like any other.
final class StoreFile: Sendable {
  /// Resolved once: the working directory and links may change later.
  let files: DatabaseFiles
  var path: String { files.path }
  /// The identifier of a store in memory.
  private let memory: String?

  init(_ location: Store.Configuration.Location) throws(StoreError) {
    switch location {
    case .file(let path):
      files = DatabaseFiles(databasePath: path)
      memory = nil
    case .memory(let identifier):
      files = DatabaseFiles(databasePath: try MemoryFolder.acquire(identifier).databasePath)
      memory = identifier
    }
  }

  deinit {
    if let memory { MemoryFolder.release(memory) }
  }
}
