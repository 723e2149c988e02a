import CLinux
import Glibc

/// A file descriptor that becomes readable when a store has something to deliver.
///
/// Several stores of one thread may share a source; each of them then takes its turn.
public final class NotificationSource: Sendable {
  /// For `poll`, `select` or `epoll`; not to be read or closed. -1 when the process could have no more of
  /// them.
  public let fileDescriptor: Int32

  /// A descriptor that is not readable yet. Where there is none to be had, it is the store that cannot be
  /// opened; see ``Store/init(_:scheduler:)``.
  public init() {
    fileDescriptor = clinux_eventfd()
  }

  deinit {
    if fileDescriptor >= 0 { close(fileDescriptor) }
  }

  func requireDescriptor() throws(StoreError) {
    guard fileDescriptor < 0 else { return }
    throw StoreError(
      .fileAccess, "No file descriptor was left to tell of changes by; close some files and try again.")
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
