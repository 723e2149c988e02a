import LiveStore
import Synchronization

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
