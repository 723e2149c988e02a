import Glibc

/// A file that is written aside and gets its name once it is complete, so that there is all of it or none.
final class OutputFile {
  private let path: String
  private let replaces: Bool
  private var descriptor: Int32
  /// The name until the file is complete; nil for a device, which is written at once.
  private var temporary: String?

  /// - Parameter replaces: Whether a file of this name is replaced.
  /// - Throws: `RuntimeError`, also if there is such a file that is not to be replaced.
  init(_ path: String, replacing replaces: Bool) throws(RuntimeError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    self.replaces = replaces
    if exists, !isRegular {
      self.path = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw Self.failure(path) }
      return
    }
    guard !exists || replaces else { throw Self.exists(path) }
    // A link stays, and its file is replaced.
    let resolved = exists ? realpath(path, nil) : nil
    self.path = resolved.map { String(cString: $0) } ?? path
    free(resolved)
    var template = Array("\(self.path)-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.failure(path) }
    temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o666 & ~mask)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let temporary { unlink(temporary) }
  }

  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, part.baseAddress, part.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          throw Self.failure(path)
        }
      }
    }
  }

  /// Gives the complete file its name.
  func finish() throws(RuntimeError) {
    guard let temporary else { return }
    guard fsync(descriptor) == 0 else { throw Self.failure(path) }
    if replaces {
      guard rename(temporary, path) == 0 else { throw Self.failure(path) }
      self.temporary = nil
    } else if link(temporary, path) != 0 {
      // Some file systems have no links.
      if errno == EEXIST || access(path, F_OK) == 0 { throw Self.exists(path) }
      guard rename(temporary, path) == 0 else { throw Self.failure(path) }
      self.temporary = nil
    }
  }

  private static func exists(_ path: String) -> RuntimeError {
    RuntimeError("there is a file “\(path)” already; --force replaces it")
  }

  private static func failure(_ path: String) -> RuntimeError {
    RuntimeError("“\(path)” cannot be written: \(String(cString: strerror(errno)))")
  }
}
