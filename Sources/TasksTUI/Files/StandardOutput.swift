import Glibc

/// Standard output, written at once and without a buffer.
enum StandardOutput {
  /// The reader was closed: a reason to stop, but no failure.
  struct Closed: Error {}

  /// - Throws: `Closed`, or `RuntimeError` when it cannot be written, because a disk is full for instance.
  static func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        try write(&rest)
      }
    }
  }

  /// Writes as much as possible without blocking, at least one byte, and removes it from the front: for
  /// callers that have found the descriptor writable.
  static func write(_ bytes: inout Slice<UnsafeRawBufferPointer>) throws {
    // If poll reports a pipe as writable, this much can be written without blocking.
    let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(PIPE_BUF)))
    let count = Glibc.write(STDOUT_FILENO, part.baseAddress, part.count)
    if count >= 0 {
      bytes = bytes.dropFirst(count)
    } else if errno == EPIPE {
      throw Closed()
    } else if errno != EINTR && errno != EAGAIN {
      throw RuntimeError("cannot write to standard output: \(String(cString: strerror(errno)))")
    }
  }
}
