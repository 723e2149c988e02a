import FoundationEssentials
import Observation

/// The objects of a class, or the elements of a list, that match a predicate, in an order, at the version
/// that the store shows.
///
/// Results are live: they follow the store from version to version, and
/// ``LiveCollection/observe(keyPaths:_:)-([String]?,_)`` reports the changes.
///
/// They take part in Swift's Observation. A read of the count, of an element or of an index inside
/// `withObservationTracking` is invalidated when an object joins the results, leaves them or changes places:
/// before a delivery is shown, and right after a statement of this store's own write. Other values of the
/// elements are tracked only if they are read. While the order has not been read, changes without effect on
/// it may invalidate reads too. A sum, an average, the smallest or the greatest value is invalidated when a
/// property that it depends on changes, even if the number stays the same; see ``LiveCollection``.
public final class Results<Element: Object>: RandomAccessCollection, Observable {
  let ranked: RankedCollection

  init(_ ranked: RankedCollection) {
    self.ranked = ranked
  }

  /// Whether the store has been closed. The results must then not be used any more.
  public var isInvalidated: Bool { store.isClosed }

  /// The number of elements.
  public var endIndex: Int { ranked.count }
  /// - Complexity: O(1) once the order has been read; before that SQLite counts.
  public var count: Int { ranked.count }

  /// - Complexity: O(log n) once the order has been read.
  public subscript(index: Int) -> Element {
    ranked.store.object(Element.self, listed: ranked.key(at: index))
  }

  /// The first element, found without reading the others.
  public var first: Element? {
    ranked.firstKey.map { ranked.store.object(Element.self, listed: $0) }
  }

  /// The last element, found without reading the others; `nil` if there is none.
  ///
  /// - Complexity: O(log n) once the order has been read. Before that SQLite searches from the end: O(1)
  ///   where an index gives the order, and O(1) more for each object at the end that a predicate excludes.
  public var last: Element? {
    ranked.lastKey.map { ranked.store.object(Element.self, listed: $0) }
  }

  /// Whether there are no elements, found without counting them.
  public var isEmpty: Bool { ranked.firstKey == nil }

  /// The index of an object, or `nil` if it is not among the results.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func index(of object: Element) -> Int? {
    ranked.index(of: object)
  }
}
