import FoundationEssentials

/// The objects of a class, or the elements of a list, that match a predicate, in an order, at the version that the store
/// shows.
///
/// Results are live: they follow the store from version to version. ``observe(_:)`` tells how.
public final class Results<Element: Object>: RandomAccessCollection {
  let ranked: RankedCollection

  init(store: Store, query: CollectionQuery) {
    ranked = RankedCollection(store: store, query: query)
  }

  /// The store that the objects belong to.
  public var store: Store { ranked.store }

  public var startIndex: Int { 0 }
  public var endIndex: Int { ranked.count }
  /// - Complexity: O(1) once the order has been read; before that SQLite counts.
  public var count: Int { ranked.count }

  /// - Complexity: O(log n) once the order has been read.
  public subscript(index: Int) -> Element {
    unsafeDowncast(ranked.store.object(Element.self, existing: ranked.key(at: index)), to: Element.self)
  }

  /// The first element, found without reading the others.
  public var first: Element? {
    ranked.firstKey.map { unsafeDowncast(ranked.store.object(Element.self, existing: $0), to: Element.self) }
  }

  /// Where an object stands, or `nil` if it is not among the results.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func index(of object: Element) -> Int? {
    ranked.index(of: object)
  }
}
