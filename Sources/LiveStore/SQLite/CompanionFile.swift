import LibC

/// A small file beside a database, `<database>-live` or one of its kind, by which the processes that use the
/// database tell one another of themselves.
///
/// In a folder that others write to, its name may have been planted: through a link of either kind they could
/// have any file overwritten, and a FIFO would block. A second name of the database must not even be opened:
/// closing it would drop SQLite's locks.
package enum CompanionFile {
  /// The reason why such a file cannot be used.
  package struct Unavailable: Error, CustomStringConvertible {
    /// The error number of the system; nil if the name is that of something else.
    package let code: Int32?
    private let path: String

    fileprivate init(_ path: String, _ code: Int32?) {
      self.path = path
      self.code = code
    }

    package var description: String {
      code.map { "“\(path)” cannot be opened: \(String(cString: strerror($0)))." }
        ?? "“\(path)” is no file of its own, but a link or something else: remove it."
    }
  }

  /// Opens a file for reading, and for writing if that is said; never waits.
  ///
  /// - Parameter database: The path of the database for which a missing file is created, with the access
  ///   rights of that, so that its writers can use both; nil if it is not created.
  /// - Returns: The descriptor, which the caller closes.
  package static func open(
    _ path: String, forWriting: Bool, creatingFor database: String? = nil
  ) throws(Unavailable) -> Int32 {
    var named = stat()
    if lstat(path, &named) == 0, named.st_mode & S_IFMT != S_IFREG || named.st_nlink != 1 {
      throw Unavailable(path, nil)
    }
    let flags = (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = LibC.open(path, flags)
    if descriptor < 0, errno == ENOENT, let database {
      descriptor = LibC.open(path, flags | O_CREAT | O_EXCL, 0o600)
      if descriptor >= 0 {
        takeOverAccess(of: database, for: descriptor)
      } else if errno == EEXIST {
        // Another process has created it at the same moment.
        descriptor = LibC.open(path, flags)
      }
    }
    guard descriptor >= 0 else { throw Unavailable(path, errno) }
    guard fstat(descriptor, &named) == 0, named.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Unavailable(path, nil)
    }
    return descriptor
  }

  /// Opens a file twice for reading and writing: two locks of one process need two descriptors.
  package static func openTwice(
    _ path: String, creatingFor database: String
  ) throws(Unavailable) -> [Int32] {
    let first = try open(path, forWriting: true, creatingFor: database)
    do throws(Unavailable) {
      return [first, try open(path, forWriting: true, creatingFor: database)]
    } catch {
      close(first)
      throw error
    }
  }

  private static func takeOverAccess(of database: String, for descriptor: Int32) {
    var status = stat()
    guard stat(database, &status) == 0 else { return }
    if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
    _ = fchmod(descriptor, status.st_mode & 0o666)
  }

  /// Whether the descriptor belongs to the file that has the name now.
  package static func isInPlace(_ descriptor: Int32, _ path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return descriptor >= 0 && fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}
