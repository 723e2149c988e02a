import CSQLite
import LibC

/// The wal-index of a database: the shared memory in which every committing process records its commits.
/// Reading it takes no transaction, no lock and no system call, and shows the commits of any program.
///
/// The layout is that of <https://sqlite.org/walformat.html>, "The WAL-Index Header". The header contains the
/// number of its layout. If that is unknown, the index is not read, and stores open a snapshot instead.
package final class WALIndex: @unchecked Sendable {
  // Any process writes the memory, and it is read atomically; the file pointers are used for `pread` only.
  // All of it is valid as long as the connection, which is retained.

  /// The part of the index that changes with every commit.
  struct Header: Equatable {
    fileprivate var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    /// Whether its layout is known here, and it has been filled.
    fileprivate var isKnown: Bool {
      UInt32(truncatingIfNeeded: words.0) == WALIndex.layoutVersion && words.1 >> 32 & 0xFF == 1
    }

    static func == (a: Header, b: Header) -> Bool { a.words == b.words }

    /// The frames of the write-ahead log that belong to commits; each is a page.
    var frames: UInt32 { UInt32(truncatingIfNeeded: words.2) }

    /// The size of the database in pages, after the last commit.
    fileprivate var pages: UInt32 { UInt32(truncatingIfNeeded: words.2 >> 32) }

    /// The transactions that were committed since the index was created; wraps around to zero.
    fileprivate var commits: UInt32 { UInt32(truncatingIfNeeded: words.1) }

    /// Whether the log has reached the length at which it is written back and restarted.
    var isLogLong: Bool { frames > WALIndex.longLog }

    fileprivate var pageSize: Int64 {
      let size = Int64(words.1 >> 48)
      // 1 stands for 65,536, which does not fit into sixteen bits.
      return size == 1 ? 65_536 : size
    }

    /// The mark of all frames of the present log.
    fileprivate var salt: UInt64 { words.4 }
  }

  /// The number of frames at which SQLite writes a log back by default.
  static let longLog: UInt32 = 1_000

  /// The first number of the header since SQLite 3.7.0.
  private static let layoutVersion: UInt32 = 3_007_000

  private let connection: Connection
  private let path: String
  private let memory: UnsafeRawPointer
  private let database: UnsafeMutablePointer<sqlite3_file>
  private let log: UnsafeMutablePointer<sqlite3_file>

  /// - Parameter connection: A connection that has read something of a database in WAL mode.
  package init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    // SQLite's own name for the file, which is absolute.
    path = sqlite3_db_filename(connection.handle, "main").map { String(cString: $0) } ?? ""
    var file: UnsafeMutablePointer<sqlite3_file>?
    var log: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
    var memory: UnsafeMutableRawPointer?
    // The first region of the wal-index; the connection has mapped it already.
    if let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2 {
      _ = methods.pointee.xShmMap(file, 0, 32_768, 0, &memory)
    }
    guard let memory, let file, let log, log.pointee.pMethods != nil else {
      throw StoreError(.fileAccess, "The shared memory of the database cannot be read.")
    }
    self.memory = UnsafeRawPointer(memory)
    database = file
    self.log = LogFile.written(log)
    guard Self.hasKnownLayout(memory) else {
      throw StoreError(.fileAccess, "The shared memory of the database has a layout that is not known.")
    }
  }

  /// Whether the layout of a wal-index, which has been filled, is known here.
  static func hasKnownLayout(_ memory: UnsafeRawPointer) -> Bool {
    var header = Header()
    withUnsafeMutableBytes(of: &header) {
      _ = csqlite_wal_index_header(memory, $0.baseAddress?.assumingMemoryBound(to: UInt64.self))
    }
    return header.isKnown
  }

  /// The present header, or `nil` while a commit is being recorded in it.
  func header() -> Header? {
    var header = Header()
    let isWhole = withUnsafeMutableBytes(of: &header) {
      csqlite_wal_index_header(memory, $0.baseAddress?.assumingMemoryBound(to: UInt64.self))
    }
    return isWhole != 0 && header.isKnown ? header : nil
  }

  /// Whether all commits have been written back into the database.
  func isWrittenBack(_ header: Header) -> Bool {
    csqlite_wal_index_written_back(memory) == header.frames
  }

  /// Whether there are commits that have not been written back into the database.
  package var hasCommits: Bool { header().map { !isWrittenBack($0) } ?? false }

  /// The frames of the log that have not been written back into the database.
  func framesToWriteBack(_ header: Header) -> UInt32 {
    header.frames - min(header.frames, csqlite_wal_index_written_back(memory))
  }

  /// The progress of writing the log back into the database.
  struct Progress: Equatable {
    private let salt: UInt64
    /// The frames that have been written back, of those in the log.
    private let writtenBack: UInt32
    private let frames: UInt32
    /// The transactions that were committed since the index was created.
    private let commits: UInt32

    fileprivate init(_ header: Header, writtenBack: UInt32) {
      salt = header.salt
      self.writtenBack = writtenBack
      frames = header.frames
      commits = header.commits
    }

    /// Whether it is certain that SQLite has not written the database since an earlier moment.
    ///
    /// When a process is killed while it records a commit in the index, the next one rebuilds the index from
    /// the log, all of which is then written back a second time, up to the same frame. Commits are counted
    /// from zero then, and each has at least one frame.
    func provesUnwritten(since earlier: Progress) -> Bool {
      guard salt == earlier.salt, writtenBack == earlier.writtenBack else { return false }
      return writtenBack == 0 || frames >= earlier.frames && commits > frames - earlier.frames
    }
  }

  /// The progress of writing the log back; `nil` while a process writes it, was killed then, or restarts the
  /// log: the database may change at any moment.
  func progress() -> Progress? {
    guard let header = header() else { return nil }
    let writtenBack = csqlite_wal_index_written_back(memory)
    guard csqlite_wal_index_to_be_written_back(memory) == writtenBack, writtenBack <= header.frames,
      self.header() == header
    else { return nil }
    return Progress(header, writtenBack: writtenBack)
  }

  /// Whether the file of the log contains the last frame that the index names.
  ///
  /// False also while the log is being restarted; ask again then. True if the disk does not tell, which the
  /// next reader of the log notices.
  func holdsLastFrame(of header: Header) -> Bool {
    guard header.frames > 0, header.pageSize > 0 else { return true }
    let (salt, result) = salt(ofFrame: header.frames - 1, header)
    guard result == SQLITE_OK || result == Self.shortRead else { return true }
    return result == SQLITE_OK && salt == header.salt
  }

  /// Whether the database contains the pages of the log's last frames, all of which have been written back.
  ///
  /// A program that writes over the database while the log is written back, or later, leaves other pages
  /// there, unless it has the same ones.
  ///
  /// - Returns: `nil` if the log has frames that are not written back, was restarted, or cannot be read.
  /// - Complexity: O(1); reads at most 16 headers of frames, and 4 pages twice.
  func databaseHoldsLastPages() -> Bool? {
    guard let progress = progress(), let header = header(), header.frames > 0, isWrittenBack(header),
      header.pageSize > 0
    else { return nil }
    let size = Int(header.pageSize)
    let written = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    let logged = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer {
      written.deallocate()
      logged.deallocate()
    }
    var seen: Set<UInt32> = []
    // A page beyond the end of the database was not written back, and may have been at any commit since.
    var end = header.pages
    var isEqual = true
    for frame in (header.frames - min(16, header.frames)..<header.frames).reversed() where seen.count < 4 {
      let offset = 32 + Int64(frame) * (24 + header.pageSize)
      var start: (page: UInt32, sizeAfterCommit: UInt32) = (0, 0)
      let isRead = withUnsafeMutableBytes(of: &start) { Self.read(log, $0, at: offset) }
      let page = UInt32(bigEndian: start.page)
      guard isRead, page > 0 else { return nil }
      if start.sizeAfterCommit != 0 { end = min(end, UInt32(bigEndian: start.sizeAfterCommit)) }
      guard seen.insert(page).inserted, page <= end else { continue }
      guard Self.read(log, logged, at: offset + 24) else { return nil }
      isEqual =
        Self.read(database, written, at: Int64(page - 1) * header.pageSize) && written.elementsEqual(logged)
      if !isEqual { break }
    }
    // Else the log has been written meanwhile.
    return self.progress() == progress ? isEqual : nil
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> Bool {
    file.pointee.pMethods.pointee.xRead(file, bytes.baseAddress, Int32(bytes.count), offset) == SQLITE_OK
  }

  /// SQLITE_IOERR_SHORT_READ, whose definition Swift cannot import: the file ends before.
  private static let shortRead = SQLITE_IOERR | 2 << 8

  /// Whether a transaction of any process holds the write lock, as far as the system lists its locks.
  ///
  /// Asking SQLite would take the lock for a moment, and make a program fail that does not wait for it. Takes
  /// some hundred microseconds.
  var isBeingWritten: Bool {
    var memory = stat()
    guard stat(path + DatabaseFiles.memorySuffix, &memory) == 0 else { return false }
    return FileLocks.isLocked(byte: Self.writeLock, ofInode: UInt64(memory.st_ino))
  }

  /// The byte of the `-shm` that a writer locks: <https://sqlite.org/walformat.html>, "WAL Locks".
  private static let writeLock: Int64 = 120

  /// Whether the log contains frames after those of the last commit: of a transaction that may still be
  /// committed, or that never was.
  func hasFrames(after header: Header) -> Bool {
    guard header.pageSize > 0 else { return true }
    let (salt, result) = salt(ofFrame: header.frames, header)
    if result == Self.shortRead { return false }
    return result != SQLITE_OK || salt == header.salt
  }

  /// The salt of a frame of the log, and SQLite's extended result code of reading it.
  private func salt(ofFrame number: UInt32, _ header: Header) -> (salt: UInt64, result: Int32) {
    var frame: (UInt64, UInt64, UInt64) = (0, 0, 0)
    let offset = 32 + Int64(number) * (24 + header.pageSize)
    let result = withUnsafeMutableBytes(of: &frame) {
      log.pointee.pMethods.pointee.xRead(log, $0.baseAddress, 24, offset)
    }
    // The salt follows the page number and the size of the database.
    return (frame.1, result)
  }
}
