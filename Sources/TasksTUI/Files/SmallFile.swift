import Glibc

/// A file of a few lines that is read and written as a whole.
enum SmallFile {
  static func isMissing(_ path: String) -> Bool {
    access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// The text of a file; nil if there is none.
  ///
  /// - Throws: A sentence, if the file exists and cannot be read, is longer, or is not in UTF-8.
  static func text(of path: String, atMost size: Int) throws(RuntimeError) -> String? {
    // Opening does not wait for the writer of a FIFO, which reads as empty.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw RuntimeError("“\(path)” cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw RuntimeError("“\(path)” cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes += buffer[..<count]
      guard bytes.count <= size else {
        throw RuntimeError("“\(path)” is too long to be a file of tasks")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RuntimeError("“\(path)” is not in UTF-8")
    }
    return text
  }

  /// Replaces a file, accessible only to its owner; if that is not possible, the old one stays.
  static func replace(_ path: String, with text: String) {
    // Written aside and renamed, so that a crash leaves the old or the new one. mkstemp gives access only to
    // the owner.
    var template = Array("\(path)-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return }
    let isWritten = write(descriptor, text, text.utf8.count) == text.utf8.count
    close(descriptor)
    if !isWritten || rename(template, path) != 0 { unlink(template) }
  }
}
