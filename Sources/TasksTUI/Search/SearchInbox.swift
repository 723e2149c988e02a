import LiveStore
import Synchronization

/// The inbox in which search threads leave their results, for the event loop to collect.
final class SearchInbox: Sendable {
  /// The result of a search, with its number.
  struct Finding: Sendable {
    let number: Int
    let indices: Result<[Int], StoreError>
  }

  private let inbox: Inbox<Finding>
  private let lastNumber = Mutex(0)

  /// - Returns: Nil when no file descriptors are left.
  init?() {
    guard let inbox = Inbox<Finding>() else { return nil }
    self.inbox = inbox
  }

  /// A descriptor that is readable when there is a result.
  var descriptor: Int32 { inbox.descriptor }

  /// A unique number for a search.
  func makeNumber() -> Int {
    lastNumber.withLock { number in
      number += 1
      return number
    }
  }

  /// Leaves a result, from any thread. It replaces that of an earlier search, and is left out if there is one
  /// of a later search: a thread that was cancelled may come too late.
  func post(_ new: Finding) { inbox.post(new) { $0.number > new.number } }

  func take() -> Finding? { inbox.take() }
}
