import CLinux
import Glibc

/// A file descriptor that becomes readable when a store has something to deliver.
///
/// Several stores of one thread may share a source; each of them then takes its turn.
public final class NotificationSource: Sendable {
  /// For `poll`, `select` or `epoll`; not to be read or closed.
  public let fileDescriptor: Int32

  public init() {
    fileDescriptor = clinux_eventfd()
    precondition(fileDescriptor >= 0, "No file descriptor is left for notifications; close some files first.")
  }

  deinit {
    close(fileDescriptor)
  }

  func signal() {
    var one: UInt64 = 1
    _ = write(fileDescriptor, &one, 8)
  }

  func clear() {
    var count: UInt64 = 0
    _ = read(fileDescriptor, &count, 8)
  }
}
