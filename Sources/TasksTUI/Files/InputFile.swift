import Glibc

/// A file that is read once, from its beginning to its end.
final class InputFile {
  /// The name in messages.
  let name: String
  /// The part that has been read, from 0 to 1; nil if the length is not known.
  var part: Double? { size > 0 ? Double(position) / Double(size) : nil }

  private let descriptor: Int32
  private let size: Int
  private var position = 0
  /// All of a file that can keep its reader waiting, such as a pipe.
  private var contents: [UInt8]?

  /// - Parameter path: The path of the file, or `-` for standard input. What is no regular file is read to
  ///   its end first: nobody else is to wait for its writer while the file of the tasks is locked.
  init(_ path: String) throws(RuntimeError) {
    name = path
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw RuntimeError("“\(path)” cannot be read: \(String(cString: strerror(errno)))")
    }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : 0
    if !isRegular {
      var all: [UInt8] = []
      while true {
        let part = try readPart()
        if part.isEmpty { break }
        all += part
      }
      contents = all
      position = 0
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next bytes; none at the end.
  func next() throws(RuntimeError) -> [UInt8] {
    guard let contents else { return try readPart() }
    defer { position = min(contents.count, position + Self.partLength) }
    return Array(contents[position..<min(contents.count, position + Self.partLength)])
  }

  private static let partLength = 65_536

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
      guard errno == EINTR else {
        throw RuntimeError("“\(name)” cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}
