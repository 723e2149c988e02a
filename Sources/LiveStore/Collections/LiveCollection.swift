/// The common interface of the collections of objects in a store, ``Results``, ``List`` and
/// ``LinkingObjects``: everything that follows from their elements.
public protocol LiveCollection<Element>: RandomAccessCollection, SendableMetatype
where Element: Object, Index == Int {
  /// Whether the collection can no longer be read.
  var isInvalidated: Bool { get }
  /// Whether the collection belongs to a frozen store.
  var isFrozen: Bool { get }
  /// The first element, found without reading or counting the others.
  var first: Element? { get }
  /// The last element, found without reading or counting the others where an index gives the order.
  var last: Element? { get }
  /// The first index of an object, or `nil`.
  func index(of object: Element) -> Int?
  /// The elements, for a use such as “filtered”; a collection that belongs to no store stops the program with
  /// it.
  func _elements(_ use: String) -> _StoredElements
  /// Makes the same collection of its elements in another store.
  var _remake: @Sendable (_StoredElements) -> Self { get }
}

/// The elements of a collection in a store.
public struct _StoredElements {
  let ranked: RankedCollection
}

/// Indices are numbers, like those of an array. They are not compared with the number of elements, which
/// would be read each time, and falls while an algorithm runs that makes elements leave the collection.
extension LiveCollection {
  /// The first index, 0.
  public var startIndex: Int { 0 }
  /// The index after another.
  public func index(after index: Int) -> Int { index + 1 }
  /// The index before another.
  public func index(before index: Int) -> Int { index - 1 }
  /// The index at a distance from another.
  public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
  /// The distance between two indices.
  public func distance(from start: Int, to end: Int) -> Int { end - start }
}

extension Results: LiveCollection {
  public func _elements(_ use: String) -> _StoredElements { _StoredElements(ranked: ranked) }
  public var _remake: @Sendable (_StoredElements) -> Results<Element> { { Results($0.ranked) } }
}

extension List: LiveCollection {
  public func _elements(_ use: String) -> _StoredElements {
    _StoredElements(ranked: requireManaged(use).ranked)
  }

  public var _remake: @Sendable (_StoredElements) -> List<Element> {
    let owner = requireManaged("shown elsewhere").owner
    return { [table = owner.table, key = owner.key] elements in
      List(elements.ranked, owner: elements.ranked.store.row(table, key))
    }
  }
}

extension LinkingObjects: LiveCollection {
  public func _elements(_ use: String) -> _StoredElements { requireManaged(use)._elements(use) }
  public var _remake: @Sendable (_StoredElements) -> LinkingObjects<Element> {
    { LinkingObjects(Results($0.ranked)) }
  }
}
