import Glibc
import LiveStore
import Synchronization

/// The inbox in which search threads leave their results, for the event loop to collect.
final class SearchInbox: Sendable {
  /// The result of a search, with its number.
  struct Finding: Sendable {
    let number: Int
    let indices: Result<[Int], StoreError>
  }

  /// A descriptor that is readable when there is a result.
  let descriptor: Int32
  private let writingEnd: Int32
  private let finding = Mutex<Finding?>(nil)
  private let lastNumber = Mutex(0)

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

  /// A unique number for a search.
  func makeNumber() -> Int {
    lastNumber.withLock { number in
      number += 1
      return number
    }
  }

  /// Leaves a result, from any thread. It replaces that of an earlier search.
  func post(_ new: Finding) {
    finding.withLock { $0 = new }
    var byte: UInt8 = 1
    // A full pipe is readable all the same.
    _ = write(writingEnd, &byte, 1)
  }

  func take() -> Finding? {
    var bytes: UInt64 = 0
    while read(descriptor, &bytes, 8) > 0 {}
    return finding.withLock { finding in
      defer { finding = nil }
      return finding
    }
  }
}
