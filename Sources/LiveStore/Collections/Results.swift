import FoundationEssentials
import Observation

/// The objects of a class, or the elements of a list, that match a predicate, in an order, at the version
/// that the store shows.
///
/// Results are live: they follow the store from version to version. ``observe(_:)`` tells how.
///
/// They take part in Swift's Observation: whoever reads the count, an element or an index inside
/// `withObservationTracking` is told when an object joins the results, leaves them or changes places, before
/// a delivery is shown and right after a statement of this store's own write. Of other values of the elements
/// only those are told that were read. As long as the order has not been read, changes that have no effect on
/// it may be told too.
public final class Results<Element: Object>: RandomAccessCollection, Observable {
  let ranked: RankedCollection

  init(_ ranked: RankedCollection) {
    self.ranked = ranked
  }

  /// Whether the store has been closed. The results must not be used any more.
  public var isInvalidated: Bool { store.isClosed }

  /// The first index, zero.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { ranked.count }
  /// - Complexity: O(1) once the order has been read; before that SQLite counts.
  public var count: Int { ranked.count }

  /// - Complexity: O(log n) once the order has been read.
  public subscript(index: Int) -> Element {
    unsafeDowncast(ranked.store.object(Element.self, listed: ranked.key(at: index)), to: Element.self)
  }

  /// The first element, found without reading the others.
  public var first: Element? {
    ranked.firstKey.map { unsafeDowncast(ranked.store.object(Element.self, listed: $0), to: Element.self) }
  }

  /// The last element, found without reading the others; `nil` if there is none.
  ///
  /// - Complexity: O(log n) once the order has been read. Before that SQLite looks from the end on: O(1)
  ///   where an index gives the order, and O(1) more for each object at the end that a predicate leaves out.
  public var last: Element? {
    ranked.lastKey.map { unsafeDowncast(ranked.store.object(Element.self, listed: $0), to: Element.self) }
  }

  /// Whether there are no elements, found without counting them.
  public var isEmpty: Bool { ranked.firstKey == nil }

  /// Where an object stands, or `nil` if it is not among the results.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func index(of object: Element) -> Int? {
    ranked.index(of: object)
  }
}
