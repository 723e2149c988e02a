import LibC

/// A pipe whose ends no program inherits that is started at the same moment: the reader of a pipe waits for
/// its end until everybody has closed it.
package final class PrivatePipe: @unchecked Sendable {
  // Each end belongs to one thread.

  /// -1 when it is closed, as the other end.
  package private(set) var reading: Int32 = -1
  package private(set) var writing: Int32 = -1

  package init() throws(Program.Failure) {
    var ends: [Int32] = [-1, -1]
    guard Self.pipe2(&ends, O_CLOEXEC) == 0 else {
      throw Program.Failure("There is no pipe: \(String(cString: strerror(errno))).")
    }
    // With numbers that a program's own descriptors do not have.
    (reading, writing) = (fcntl(ends[0], F_DUPFD_CLOEXEC, 10), fcntl(ends[1], F_DUPFD_CLOEXEC, 10))
    for end in ends { close(end) }
  }

  deinit {
    closeReading()
    closeWriting()
  }

  package func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  package func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  // A function of the C library that is not imported.
  private static let pipe2 = unsafeBitCast(
    dlsym(nil, "pipe2"), to: (@convention(c) (UnsafeMutablePointer<Int32>?, Int32) -> Int32).self)
}
