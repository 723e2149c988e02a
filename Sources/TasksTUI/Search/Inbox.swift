import Glibc
import Synchronization

/// A place where threads leave an item for the event loop, which takes the last one.
final class Inbox<Item: Sendable>: Sendable {
  /// A descriptor that is readable when there is an item.
  let descriptor: Int32
  private let writingEnd: Int32
  private let item = Mutex<Item?>(nil)

  /// - Returns: Nil when no file descriptors are left.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, writingEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Leaves an item, from any thread. It replaces the one before, unless `keeps` returns true for that.
  func post(_ new: Item, keeping keeps: (Item) -> Bool = { _ in false }) {
    item.withLock { item in
      if let present = item, keeps(present) { return }
      item = new
    }
    var byte: UInt8 = 1
    // A full pipe is readable all the same.
    _ = write(writingEnd, &byte, 1)
  }

  func take() -> Item? {
    var bytes: UInt64 = 0
    while read(descriptor, &bytes, 8) > 0 {}
    return item.withLock { item in
      defer { item = nil }
      return item
    }
  }
}
