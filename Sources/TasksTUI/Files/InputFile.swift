import Glibc

/// A file that is read once, from its beginning to its end.
final class InputFile {
  /// The name in messages.
  let name: String
  /// The part that has been read, from 0 to 1; nil if the length is not known.
  var part: Double? { size > 0 ? Double(position) / Double(size) : nil }

  let descriptor: Int32
  private var size = 0
  /// The offset at which reading has begun: standard input may have been read by another program before.
  private var start = 0
  private var position = 0
  /// All of a file that can keep its reader waiting, such as a pipe, in parts.
  private var parts: [[UInt8]]?
  private var nextPart = 0

  /// - Parameter path: The path of the file, or `-` for standard input. What is no regular file is read to
  ///   its end first: no other program is to wait for its writer while the file of the tasks is locked.
  init(_ path: String) throws(RuntimeError) {
    name = path
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : 0
    start = isRegular ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
    if !isRegular { parts = try readParts() }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next bytes; none at the end.
  func next() throws(RuntimeError) -> [UInt8] {
    guard let parts else { return try readPart() }
    guard nextPart < parts.count else { return [] }
    nextPart += 1
    return parts[nextPart - 1]
  }

  /// Makes ``next()`` begin again.
  func rewind() throws(RuntimeError) {
    (position, nextPart) = (0, 0)
    guard parts != nil || lseek(descriptor, start, SEEK_SET) == start else { throw Self.failure(name) }
  }

  private static let partLength = 65_536

  /// Reads all, in parts that are mostly full: a pipe may give a few bytes at a time.
  private func readParts() throws(RuntimeError) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    while true {
      let part = try readPart()
      if part.isEmpty { return parts.filter { !$0.isEmpty } }
      if parts[parts.count - 1].count + part.count <= Self.partLength {
        parts[parts.count - 1] += part
      } else {
        parts.append(part)
      }
    }
  }

  private func readPart() throws(RuntimeError) -> [UInt8] {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.partLength) { buffer, filled in
        count = read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count >= 0 {
        position += count
        return bytes
      }
      guard errno == EINTR else { throw Self.failure(name) }
    }
  }

  private static func failure(_ name: String) -> RuntimeError {
    let input = name == "-" ? "standard input" : "“\(name)”"
    return RuntimeError("\(input) cannot be read: \(String(cString: strerror(errno)))")
  }
}
