/// A live collection of objects of one class that hides its own type.
public struct AnyLiveCollection<Element: Object>: LiveCollection {
  private let base: any LiveCollection<Element>

  /// Wraps a collection, which is not copied.
  public init(_ base: some LiveCollection<Element>) {
    self.base = base
  }

  /// The number of elements.
  public var endIndex: Int { base.count }
  /// The element at an index.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public subscript(index: Int) -> Element { base[index] }
  /// Whether there are no elements, found without counting them.
  public var isEmpty: Bool { base.isEmpty }
  /// The first element, found without reading or counting the others.
  public var first: Element? { base.first }
  /// The last element, found without reading or counting the others where an index gives the order.
  public var last: Element? { base.last }
  /// Whether the collection can no longer be read.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection belongs to a frozen store.
  public var isFrozen: Bool { base.isFrozen }

  /// The first index of an object, or `nil`.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func index(of object: Element) -> Int? { base.index(of: object) }

  /// An iterator over the elements that the collection has now; see ``CollectionIterator``.
  public func makeIterator() -> AnyIterator<Element> {
    func iterator(_ base: some LiveCollection<Element>) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return iterator(base)
  }

  public func _elements(_ use: String) -> _StoredElements { base._elements(use) }

  public var _remake: @Sendable (_StoredElements) -> AnyLiveCollection<Element> {
    func remake(_ base: some LiveCollection<Element>) -> @Sendable (_StoredElements) -> AnyLiveCollection {
      { [remake = base._remake] in AnyLiveCollection(remake($0)) }
    }
    return remake(base)
  }
}
