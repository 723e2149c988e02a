/// The elements of a collection at the time of its creation, in their order then, while the collection itself
/// keeps changing. A loop over it may change each element even if that removes it from the collection.
///
/// The elements are live objects. One that has been deleted since keeps its place, and its
/// ``ObjectMembers/isInvalidated`` is true. A snapshot never changes, so it cannot be observed.
public final class CollectionSnapshot<Element: Object>: RandomAccessCollection {
  private let store: Store
  private let query: CollectionQuery
  private let tree: CollectionTree

  fileprivate init(_ ranked: RankedCollection) {
    store = ranked.store
    query = ranked.query
    tree = ranked.tree
  }

  /// The first index, zero.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { tree.count }

  /// - Complexity: O(log n).
  public subscript(index: Int) -> Element {
    store.requireOpen()
    precondition(indices.contains(index), "The snapshot has no element \(index), it has \(tree.count).")
    let key = tree.withEntry(at: index) { query.element(of: $0) }
    return store.object(Element.self, existing: key)
  }
}

extension Results {
  /// The elements that the results have now.
  ///
  /// - Complexity: O(1) once the order has been read, before that O(n).
  public func snapshot() -> CollectionSnapshot<Element> { CollectionSnapshot(ranked) }
}

extension List {
  /// The elements that the list of an object in a store has now.
  ///
  /// - Complexity: O(1) once the order has been read, before that O(n).
  public func snapshot() -> CollectionSnapshot<Element> {
    CollectionSnapshot(requireManaged("made a snapshot of").ranked)
  }
}
