import LiveStore
import Synchronization

/// A place where threads leave an item for the event loop, which takes the last one.
final class Inbox<Item: Sendable>: Sendable {
  private let source = NotificationSource()
  private let item = Mutex<Item?>(nil)

  /// A descriptor that is readable when there is an item.
  var descriptor: Int32 { source.fileDescriptor }

  /// - Returns: Nil when no file descriptors are left.
  init?() {
    guard source.fileDescriptor >= 0 else { return nil }
  }

  /// Leaves an item, from any thread. It replaces the one before, unless `keeps` returns true for that.
  func post(_ new: Item, keeping keeps: (Item) -> Bool = { _ in false }) {
    item.withLock { item in
      if let present = item, keeps(present) { return }
      item = new
    }
    source.signal()
  }

  func take() -> Item? {
    source.clear()
    return item.withLock { item in
      defer { item = nil }
      return item
    }
  }
}

/// The result of a search, with its number.
struct SearchFinding: Sendable {
  let number: Int
  let indices: Result<[Int], StoreError>
}

/// The inbox in which search threads leave their results, for the event loop to collect.
typealias SearchInbox = Inbox<SearchFinding>

private let lastNumber = Atomic(0)

extension SearchInbox {
  func makeNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Leaves a result, from any thread. It replaces that of an earlier search, and is left out if there is one
  /// of a later search: a thread that was cancelled may come too late.
  func post(_ new: SearchFinding) { post(new) { $0.number > new.number } }
}
