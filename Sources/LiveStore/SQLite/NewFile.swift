import LibC

/// A file that gets its name only when all of it has reached the disk, and that never replaces another file.
enum NewFile {
  /// Creates a file.
  ///
  /// - Parameter write: Fills the empty file at the path that it receives, and has closed it when it returns.
  /// - Throws: The error of `write`, and ``StoreError/Code/fileAccess`` when the file at `path` exists or
  ///   cannot be created; no file is left then.
  static func write(_ path: String, _ write: (String) throws(StoreError) -> Void) throws(StoreError) {
    var status = stat()
    if lstat(path, &status) == 0 { throw exists(path) }
    let partial = "\(path).partial-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let descriptor = open(partial, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    close(descriptor)
    defer { for suffix in ["", "-journal", "-wal", "-shm", "-live"] { unlink(partial + suffix) } }
    try write(partial)
    try sync(partial, path)
    // Unlike a rename it fails when another program has created the file meanwhile.
    if link(partial, path) != 0 {
      if errno == EEXIST { throw exists(path) }
      // File systems without hard links.
      guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS, rename(partial, path) == 0 else {
        throw failure(path, errno)
      }
    }
    try sync(DatabaseFiles.folder(of: path), path)
  }

  private static func exists(_ path: String) -> StoreError {
    StoreError(.fileAccess, "“\(path)” exists already; name a file that does not.")
  }

  private static func failure(_ path: String, _ code: Int32) -> StoreError {
    let kind: StoreError.Code = code == ENOSPC || code == EDQUOT || code == EIO ? .diskFailure : .fileAccess
    return StoreError(kind, "“\(path)” cannot be written: \(String(cString: strerror(code))).")
  }

  /// Waits until a file, or a folder's directory, is on the disk.
  private static func sync(_ file: String, _ path: String) throws(StoreError) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    // Some file systems do not support it for folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path, errno) }
  }
}
