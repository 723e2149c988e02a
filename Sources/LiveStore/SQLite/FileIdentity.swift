import CLinux
import LibC
import Synchronization

/// The files that a store has open, and the names by which it opened them.
///
/// A person, or a program that knows nothing of SQLite, may delete, replace or overwrite them at any time.
/// SQLite continues with the open files, and its commits are then in no file of that name.
///
/// The database is never opened for reading here: its descriptors only identify it, so that closing them does
/// not drop the locks that SQLite holds (`O_PATH` in open(2)).
package final class FileIdentity: Sendable {
  private struct Identifier: Equatable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
    }

    /// Creates the identifier of the file that has the name now; `nil` if there is none.
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }
  }

  /// The attributes that change whenever a file is written.
  private struct Content: Equatable {
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      size = Int64(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  private struct State {
    /// The database that is to be opened; `nil` if any may be.
    var expected: Identifier?
    var database: Identifier?
    var log: Identifier?
    var memory: Identifier?
    var databaseDescriptor: Int32 = -1
    var folderDescriptor: Int32 = -1
    /// The folder's time of change when its names were last found to lead to the files; `nil` if it may
    /// change once more within the resolution of that time.
    var comparedAt: timespec?
    /// The database's content at a time when the log was not being written back, and the progress of that.
    var content: (Content, WALIndex.Progress)?
    /// Whether the database was written since an earlier look, which only writing the log back may have done.
    var mayBeOverwritten = false
    var isOverwritten = false
    // Valid as long as the store is open.
    weak var index: WALIndex?
    // That of the open connections.
    weak var claim: NameClaim?
  }

  let files: DatabaseFiles
  private let state = Mutex(State())

  /// - Parameters:
  ///   - files: The names.
  ///   - other: The identity of another store, if the same database is to be opened.
  package init(files: DatabaseFiles, of other: FileIdentity? = nil) {
    self.files = files
    let database = other?.state.withLock(\.database)
    state.withLock { $0.expected = database }
  }

  /// Whether the database is one that another store has open, and not to be created.
  var isOfOpenDatabase: Bool { state.withLock { $0.expected != nil } }

  deinit {
    state.withLock { state in
      for descriptor in [state.databaseDescriptor, state.folderDescriptor] where descriptor >= 0 {
        close(descriptor)
      }
    }
  }

  /// Records the database that has the name as the intended one; the first time only.
  package func noteDatabase() {
    state.withLock { state in
      guard state.database == nil else { return }
      state.folderDescriptor = clinux_open_path(files.directory)
      state.databaseDescriptor = clinux_open_path(files.path)
      var status = stat()
      guard state.databaseDescriptor >= 0, fstat(state.databaseDescriptor, &status) == 0 else { return }
      state.database = Identifier(status)
    }
  }

  /// The claim of the name for the database, which the connections to it hold.
  ///
  /// - Parameter createsFile: Whether to create the signal file, in which the claim is, if it is missing.
  /// - Throws: ``StoreError/Code/fileAccess`` if the name is claimed for another file.
  func claim(createsFile: Bool) throws(StoreError) -> NameClaim? {
    try state.withLock { (state) throws(StoreError) in
      if let claim = state.claim { return claim }
      guard let database = state.database else { return nil }
      let claim = try NameClaim(files: files, inode: database.inode, createsFile: createsFile)
      state.claim = claim
      return claim
    }
  }

  /// Whether the log is to be written back although the file has lost its name, and SQLite would leave it: to
  /// the next file of that name.
  ///
  /// Not if it may still be needed, because no file has the name and the open one has none; nor if another
  /// program may have written to that by a new name, with another log.
  var leavesLog: Bool {
    state.withLock { state in
      var status = stat()
      guard let database = state.database, let content = state.content?.0,
        fstat(state.databaseDescriptor, &status) == 0, content == Content(status), !state.isOverwritten
      else { return false }
      let named = Identifier(path: files.path)
      if named == database || named == nil && status.st_nlink == 0 { return false }
      var otherLog = stat()
      let path = Self.presentPath(of: state.databaseDescriptor) + DatabaseFiles.walSuffix
      return stat(path, &otherLog) != 0 || otherLog.st_size == 0
    }
  }

  /// The path of an open file; of one that was deleted, none that leads to a file.
  private static func presentPath(of descriptor: Int32) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &path, path.count)
    return String(decoding: path.prefix(max(0, count)).lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Records the log and the shared memory, which SQLite has opened for a snapshot. Without an index, writes
  /// into the files are not noticed.
  package func noteLog(_ index: WALIndex?) {
    state.withLock { state in
      state.log = Identifier(path: files.wal)
      state.memory = Identifier(path: files.memory)
      state.index = index
    }
  }

  /// Checks that the names lead to the open files, and that only SQLite has written the database since.
  ///
  /// - Throws: ``StoreError/Code/fileAccess`` or ``StoreError/Code/notADatabase``, naming the file and what
  ///   happened to it.
  /// - Complexity: O(1); three short system calls while nothing changes in the folder.
  package func check() throws(StoreError) {
    try state.withLock { (state) throws(StoreError) in
      try compareNames(&state)
      try compareContent(&state)
      try compareLog(state)
    }
  }

  private func compareNames(_ state: inout State) throws(StoreError) {
    guard let database = state.database else { return }
    var folder = stat()
    let isKnown = state.folderDescriptor >= 0 && fstat(state.folderDescriptor, &folder) == 0
    // The folder's time changes when a name is added, removed or replaced, and with the folder's own name.
    if isKnown, let known = state.comparedAt, known == folder.st_ctim { return }
    state.comparedAt = nil
    guard let found = Identifier(path: files.path) else {
      throw StoreError(
        .fileAccess,
        "The file was deleted or moved while it was open: "
          + "“\(files.path)” is not there any more; put it back, or start again.")
    }
    guard found == database, database == state.expected ?? database else { throw replaced }
    for (path, expected) in [(files.wal, state.log), (files.memory, state.memory)] {
      guard let expected, Identifier(path: path) != expected else { continue }
      // SQLite removes the log of a database that another program has emptied.
      try compareContent(&state)
      throw StoreError(
        .fileAccess,
        "A part of the file was removed or replaced while it was open, "
          + "and nothing can be saved without it (“\(path)”); quit every program that uses the file.")
    }
    if isKnown, WallClock.milliseconds - folder.st_ctim.milliseconds > Self.resolution {
      state.comparedAt = folder.st_ctim
    }
  }

  private var replaced: StoreError {
    StoreError(
      .fileAccess,
      "The file was replaced while it was open: “\(files.path)” is another one now; start again to use that.")
  }

  /// The milliseconds within which two changes of a folder may have the same time.
  private static let resolution: Int64 = 50

  private func compareContent(_ state: inout State) throws(StoreError) {
    if state.isOverwritten { throw overwritten }
    var status = stat()
    guard state.databaseDescriptor >= 0, let index = state.index, let progress = index.progress(),
      fstat(state.databaseDescriptor, &status) == 0
    else { return }
    // Writing back leaves no database empty, whenever that happens.
    if status.st_size == 0, let (known, _) = state.content, known.size > 0 {
      state.isOverwritten = true
      throw overwritten
    }
    guard index.progress() == progress else { return }
    // In WAL mode the database is written only when the log is written back, which is recorded in the index.
    let content = Content(status)
    if let (known, at) = state.content, known != content {
      state.isOverwritten = progress.provesUnwritten(since: at)
      state.mayBeOverwritten = true
    }
    // Another program may have written it since the log was written back, or meanwhile.
    if state.mayBeOverwritten, let holdsLastPages = index.databaseHoldsLastPages() {
      state.mayBeOverwritten = false
      if !holdsLastPages { state.isOverwritten = true }
    }
    if state.isOverwritten { throw overwritten }
    state.content = (content, progress)
  }

  private var overwritten: StoreError {
    StoreError(
      .notADatabase,
      "The file was written over by another program while it was open, and nothing more is saved to it; "
        + "quit every program that uses “\(files.path)”, then restore it again.")
  }

  private func compareLog(_ state: State) throws(StoreError) {
    guard let index = state.index, let header = index.header(), !index.holdsLastFrame(of: header),
      // A writer may just have restarted it.
      index.header() == header
    else { return }
    throw StoreError(
      .notADatabase,
      "The log of the file was cut off or exchanged while it was open, and nothing can be saved without it "
        + "(“\(files.wal)”); quit every program that uses the file.")
  }
}

extension timespec {
  fileprivate static func == (a: timespec, b: timespec) -> Bool {
    a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec
  }

  fileprivate var milliseconds: Int64 { Int64(tv_sec) * 1000 + Int64(tv_nsec) / 1_000_000 }
}
