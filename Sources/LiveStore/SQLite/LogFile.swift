import CSQLite
import LibC

/// A write-ahead log that is written once for each transaction.
///
/// SQLite writes the header of a frame and its page one after the other, each with its own system call, and
/// each call causes an event for the watchers of the file. This implementation collects the frames of a
/// transaction, and writes them together with the one that commits, before SQLite's call for that one
/// returns. Frames are held back only during a `COMMIT`. A transaction whose pages do not fit into the cache
/// writes earlier frames, which must be in the file before the write lock is released, or they would later
/// overwrite the commits of others. It is a shim in the sense of <https://sqlite.org/vfs.html>: all other
/// writes, and all other files, go to SQLite's own implementation.
enum LogFile {
  /// The name of the file system with such logs in SQLite; `nil` if it could not be registered.
  static let fileSystem: String? = {
    guard let original else { return nil }
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup("livestore"))
    copy.pointee.szOsFile = original.pointee.szOsFile + Int32(headerSize)
    copy.pointee.xOpen = { _, path, file, flags, outFlags in
      guard let original = LogFile.original, let file else { return SQLITE_CANTOPEN }
      guard flags & SQLITE_OPEN_WAL != 0 else {
        return original.pointee.xOpen(original, path, file, flags, outFlags)
      }
      let inner = LogFile.inner(file)
      file.pointee.pMethods = nil
      let result = original.pointee.xOpen(original, path, inner, flags, outFlags)
      if inner.pointee.pMethods != nil {
        LogFile.setFrames(LogFrames(inner), of: file)
        file.pointee.pMethods = LogFile.methods
      }
      return result
    }
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? "livestore" : nil
  }()

  /// The file of SQLite's own implementation, which any thread may read, and which lacks the frames that are
  /// held back.
  static func written(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    file.pointee.pMethods == methods ? inner(file) : file
  }

  /// Runs `COMMIT` on a connection, and writes its frames together.
  static func gathering<R, Failure: Error>(
    on connection: OpaquePointer, _ commit: () throws(Failure) -> R
  ) throws(Failure) -> R {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard let file, file.pointee.pMethods == methods else { return try commit() }
    let frames = frames(file)
    frames._withUnsafeGuaranteedRef { $0.isGathering = true }
    defer { frames._withUnsafeGuaranteedRef { $0.endGathering() } }
    return try commit()
  }

  nonisolated(unsafe) private static let original = sqlite3_vfs_find(nil)
  // SQLite's own file system, which lives as long as the process and never changes.

  // A file begins with its methods, as SQLite requires, and the frames; then comes the file of SQLite's own
  // implementation.
  private static let headerSize = 16

  private static func inner(
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func setFrames(_ frames: LogFrames, of file: UnsafeMutablePointer<sqlite3_file>) {
    (UnsafeMutableRawPointer(file) + 8).storeBytes(
      of: Unmanaged.passRetained(frames), as: Unmanaged<LogFrames>.self)
  }

  private static func frames(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Unmanaged<LogFrames> {
    guard let file else { fatalError("SQLite has named no file.") }
    return (UnsafeMutableRawPointer(file) + 8).load(as: Unmanaged<LogFrames>.self)
  }

  /// Writes the frames that are held back, and forwards a call.
  private static func passOn(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ call: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
  ) -> Int32 {
    frames(file)._withUnsafeGuaranteedRef { frames in
      let result = frames.flush()
      guard result == SQLITE_OK else { return result }
      return call(frames.file, frames.methods)
    }
  }

  nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
    // Written once here, only read afterwards.
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    // Without shared memory and mapped pages, which only the database itself uses.
    methods.pointee.iVersion = 1
    methods.pointee.xWrite = { file, bytes, count, offset in
      LogFile.frames(file)._withUnsafeGuaranteedRef { $0.write(bytes, Int(count), at: offset) }
    }
    methods.pointee.xClose = { file in
      let result = LogFile.passOn(file) { $1.xClose($0) }
      LogFile.frames(file).release()
      return result
    }
    methods.pointee.xRead = { file, bytes, count, offset in
      LogFile.passOn(file) { $1.xRead($0, bytes, count, offset) }
    }
    methods.pointee.xTruncate = { file, size in LogFile.passOn(file) { $1.xTruncate($0, size) } }
    methods.pointee.xSync = { file, flags in LogFile.passOn(file) { $1.xSync($0, flags) } }
    methods.pointee.xFileSize = { file, size in LogFile.passOn(file) { $1.xFileSize($0, size) } }
    methods.pointee.xLock = { file, lock in LogFile.passOn(file) { $1.xLock($0, lock) } }
    methods.pointee.xUnlock = { file, lock in LogFile.passOn(file) { $1.xUnlock($0, lock) } }
    methods.pointee.xCheckReservedLock = { file, result in
      LogFile.passOn(file) { $1.xCheckReservedLock($0, result) }
    }
    methods.pointee.xFileControl = { file, operation, argument in
      LogFile.passOn(file) { $1.xFileControl($0, operation, argument) }
    }
    methods.pointee.xSectorSize = { file in
      LogFile.frames(file)._withUnsafeGuaranteedRef { $0.methods.xSectorSize($0.file) }
    }
    methods.pointee.xDeviceCharacteristics = { file in
      LogFile.frames(file)._withUnsafeGuaranteedRef { $0.methods.xDeviceCharacteristics($0.file) }
    }
    return UnsafePointer(methods)
  }()
}

/// The frames that are held back from a log; used by one thread at a time, as SQLite uses its files.
private final class LogFrames {
  let file: UnsafeMutablePointer<sqlite3_file>
  /// The bytes to write, which are contiguous in the file, from `start` on.
  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
  private var count = 0
  private var start: Int64 = 0
  /// The end of the last frame, at which the next one has to begin.
  private var end: Int64 = 0
  /// The end of the last header, if nothing came after it: its page is expected there.
  private var pageOffset: Int64 = -1
  /// Whether that header says that its frame commits the transaction.
  private var isCommit = false
  /// Whether a `COMMIT` is in progress, whose last frame commits.
  var isGathering = false

  private static let capacity = 1 << 17
  private static let headerSize = 24

  init(_ file: UnsafeMutablePointer<sqlite3_file>) {
    self.file = file
  }

  deinit {
    bytes.deallocate()
  }

  var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }

  func write(_ source: UnsafeRawPointer?, _ length: Int, at offset: Int64) -> Int32 {
    guard let source else { return SQLITE_MISUSE }
    if offset == pageOffset { return writePage(source, length, at: offset) }
    let isAppended = offset >= end && (count == 0 || offset == start + Int64(count))
    guard length == Self.headerSize, isAppended, count == 0 || isGathering,
      count + length + 65_536 <= Self.capacity
    else {
      let result = flush()
      guard result == SQLITE_OK else { return result }
      // A frame elsewhere: another program has restarted the log. Headers that are rewritten for earlier
      // pages are not followed by a page.
      if length == Self.headerSize { expectPage(after: offset, source) }
      return methods.xWrite(file, source, Int32(length), offset)
    }
    append(source, length, at: offset)
    expectPage(after: offset, source)
    return SQLITE_OK
  }

  private func expectPage(after offset: Int64, _ header: UnsafeRawPointer) {
    pageOffset = offset + Int64(Self.headerSize)
    // The size of the database after the commit; zero in all other frames.
    isCommit = header.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
  }

  private func writePage(_ source: UnsafeRawPointer, _ length: Int, at offset: Int64) -> Int32 {
    pageOffset = -1
    end = offset + Int64(length)
    // The header was not held back.
    guard count > 0, count + length <= Self.capacity else {
      let result = flush()
      return result == SQLITE_OK ? methods.xWrite(file, source, Int32(length), offset) : result
    }
    append(source, length, at: offset)
    // The commit itself has to report an error now.
    return isGathering && !isCommit ? SQLITE_OK : flush()
  }

  private func append(_ source: UnsafeRawPointer, _ length: Int, at offset: Int64) {
    if count == 0 { start = offset }
    (bytes + count).copyMemory(from: source, byteCount: length)
    count += length
  }

  /// Discards the frames of a failed `COMMIT`.
  func endGathering() {
    isGathering = false
    count = 0
    pageOffset = -1
  }

  /// Writes the frames that are held back.
  func flush() -> Int32 {
    pageOffset = -1
    guard count > 0 else { return SQLITE_OK }
    let length = count
    count = 0
    return methods.xWrite(file, bytes, Int32(length), start)
  }
}
