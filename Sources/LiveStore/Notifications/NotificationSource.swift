import CLinux
import LibC

/// A file descriptor that becomes readable when a store has something to deliver.
///
/// Several stores of one thread may share a source; each of them then takes its turn.
public final class NotificationSource: Sendable {
  /// The descriptor for `poll`, `select` or `epoll`, which must not be read or closed. -1 when the process
  /// has reached its limit of descriptors.
  public let fileDescriptor: Int32

  /// Creates a source whose descriptor is not readable yet. If no descriptor is available, opening the store
  /// fails; see ``Store/init(_:scheduler:)``.
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

  package func signal() {
    var one: UInt64 = 1
    _ = write(fileDescriptor, &one, 8)
  }

  package func clear() {
    var count: UInt64 = 0
    _ = read(fileDescriptor, &count, 8)
  }
}
