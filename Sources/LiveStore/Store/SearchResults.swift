import Observation

/// An object that a search has found.
public struct SearchMatch<Element: Object> {
  /// The object.
  public let object: Element
  /// A part of one of its texts around the words that were found, which are marked.
  public let snippet: String
}

/// The objects of a class in whose texts a search has found something, the best matches first, at the version
/// that the store shows.
///
/// They are live like ``Results``, and ``observe(_:)`` reports the changes: a match is modified when one of
/// its searchable texts has changed. When a match comes or goes, the order of the others may change too,
/// because how rare a word is counts.
///
/// Reads of the matches take part in Swift's Observation as those of ``SQLResults`` do.
///
/// Objects that other programs have written since the last write of a store come after the others. The next
/// write of any store, whatever it changes, gives them their places, and observers are told of it.
public final class SearchResults<Element: Object>: RandomAccessCollection, ResultSource, Observable {
  let store: Store
  let query: SearchQuery
  let live: MaintainedResult
  let readInWrite = ReadInWrite<SelectedRows>()

  init(store: Store, query: SearchQuery) {
    store.confinement.require()
    self.store = store
    self.query = query
    live = MaintainedResult(query)
    store.coordinator.add(live)
  }

  /// The first index, zero.
  public var startIndex: Int { 0 }
  /// The number of matches.
  ///
  /// - Complexity: O(1) if the matches are known; otherwise the search is made.
  public var endIndex: Int { rows.count }

  /// The match at an index.
  ///
  /// - Complexity: O(log n) if the matches are known; otherwise the search is made.
  public subscript(index: Int) -> SearchMatch<Element> {
    let row = rows[index]
    return SearchMatch(
      object: store.object(Element.self, existing: row[0]), snippet: row[1].textReading ?? "")
  }

  /// Calls `block` first with ``CollectionChange/initial(_:)`` and then after every change, where the store
  /// is used, as long as the token lives.
  ///
  /// - Complexity: The search is made on a thread of the library for each commit, or several of them, that
  ///   has changed a searchable text or what the search is limited to.
  public func observe(
    _ block: @escaping (CollectionChange<SearchResults<Element>>) -> Void
  ) -> NotificationToken {
    NotificationToken(subscribe(nil, change, block).state, observing: query.index.table.name)
  }

  /// Calls `block` on another scheduler, with the matches in a store that is opened there on the same file.
  ///
  /// - Returns: A token, which keeps that store open; the callback is called as long as it lives.
  public func observe(
    on scheduler: Scheduler, _ block: @escaping @Sendable (CollectionChange<SearchResults<Element>>) -> Void
  ) -> NotificationToken {
    let query = query
    return NotificationToken(on: scheduler, asIn: store) { store, state in
      let results = SearchResults<Element>(store: store, query: query)
      _ = results.subscribe(state, results.change, block)
    } onFailure: {
      block(.error($0))
    }
  }

  /// The present matches, and then every change of them, as ``observe(_:)`` reports them.
  public var changes: ChangeStream<CollectionChange<SearchResults<Element>>> { stream(change) }
}
