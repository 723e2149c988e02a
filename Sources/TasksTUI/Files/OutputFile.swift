import Glibc

/// A file that has no name until it is complete: there is all of it or none, however the program ends.
final class OutputFile {
  private let path: String
  private let replaces: Bool
  private var descriptor: Int32
  /// Whether it is a device, which is written at once.
  private let isDevice: Bool
  /// The name until the file is complete, where the file system has no files without one.
  private var temporary: String?

  /// O_TMPFILE, which Swift does not import: a file of a folder, without a name.
  private static let unnamed = O_DIRECTORY | 0o20_000_000

  /// - Parameter replaces: Whether a file of this name is replaced.
  /// - Throws: `RuntimeError`, also if there is such a file that is not to be replaced.
  init(_ path: String, replacing replaces: Bool) throws(RuntimeError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    self.replaces = replaces
    isDevice = exists && !isRegular
    if isDevice {
      self.path = path
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw Self.failure(path) }
      return
    }
    guard !exists || replaces else { throw Self.exists(path) }
    guard !exists || !DatabaseHeader.isThere(in: path) else {
      throw RuntimeError("“\(path)” is a database, which is never replaced; choose another name")
    }
    // A link stays, and its file is replaced.
    let resolved = exists ? realpath(path, nil) : nil
    let target = resolved.map { String(cString: $0) } ?? path
    free(resolved)
    self.path = target
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
    let canBeNamed = access("/proc/self/fd", F_OK) == 0
    descriptor = canBeNamed ? open(folder, O_WRONLY | O_CLOEXEC | Self.unnamed, 0o600) : -1
    if descriptor < 0 {
      var template = Array("\(target)-XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw Self.failure(path) }
      temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
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
    guard !isDevice else { return }
    guard fsync(descriptor) == 0 else { throw Self.failure(path) }
    if replaces {
      // No call gives a file without a name that of another one: first it gets one of its own.
      let aside = if let temporary { temporary } else { try nameAside() }
      temporary = aside
      guard rename(aside, path) == 0 else { throw Self.failure(path) }
      temporary = nil
    } else if !(temporary.map { link($0, path) == 0 } ?? giveName(path)) {
      if errno == EEXIST || access(path, F_OK) == 0 { throw Self.exists(path) }
      // Some file systems have no links.
      guard let temporary, rename(temporary, path) == 0 else { throw Self.failure(path) }
      self.temporary = nil
    }
  }

  /// Gives the file that has no name this one; returns whether it could, with errno.
  private func giveName(_ name: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
  }

  private func nameAside() throws(RuntimeError) -> String {
    for number in 0..<1_000 {
      let name = "\(path)-\(getpid())-\(number)"
      if giveName(name) { return name }
      guard errno == EEXIST else { break }
    }
    throw Self.failure(path)
  }

  private static func exists(_ path: String) -> RuntimeError {
    RuntimeError("there is a file “\(path)” already; --force replaces it")
  }

  private static func failure(_ path: String) -> RuntimeError {
    RuntimeError("“\(path)” cannot be written: \(String(cString: strerror(errno)))")
  }
}
