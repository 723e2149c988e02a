import FoundationEssentials

/// The common interface of ``Results`` and ``List``, for code that works with either.
public protocol LiveCollection<Element>: RandomAccessCollection where Element: Object, Index == Int {
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
  /// The elements that match a predicate.
  func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element>
  /// The elements ordered by a property.
  func sorted<Value: Persistable>(by property: KeyPath<Element, Value>, ascending: Bool) -> Results<Element>
  /// Calls `block` with the present collection and then after every change, as long as the token lives.
  func observe(_ block: @escaping (CollectionChange<Self>) -> Void) -> NotificationToken
  /// Returns the collection at its present version, which may be read on any thread.
  func freeze() -> Self
}

/// Indices are numbers, like those of an array. They are not compared with the number of elements, which
/// would be read each time, and falls while an algorithm runs that makes elements leave the collection.
extension LiveCollection {
  /// The index after another.
  public func index(after index: Int) -> Int { index + 1 }
  /// The index before another.
  public func index(before index: Int) -> Int { index - 1 }
  /// The index at a distance from another.
  public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
  /// The distance between two indices.
  public func distance(from start: Int, to end: Int) -> Int { end - start }
}

extension Results: LiveCollection {}
extension List: LiveCollection {}

/// A live collection of objects of one class that hides its own type.
public struct AnyLiveCollection<Element: Object>: LiveCollection {
  private let base: any LiveCollection<Element>

  /// Wraps a collection, which is not copied.
  public init(_ base: some LiveCollection<Element>) {
    self.base = base
  }

  private init(existential base: any LiveCollection<Element>) {
    self.base = base
  }

  /// The first index, zero.
  public var startIndex: Int { 0 }
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

  func iterator() -> AnyIterator<Element> {
    func iterator(_ base: some LiveCollection<Element>) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return iterator(base)
  }

  /// The elements that match a predicate.
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL; the error names the
  ///   part.
  public func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element> {
    try base.filter(predicate)
  }

  /// The elements ordered by a property; those with equal values keep their former order.
  public func sorted<Value: Persistable>(
    by property: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    base.sorted(by: property, ascending: ascending)
  }

  /// Calls `block` with the present collection and then after every change, as long as the token lives.
  public func observe(
    _ block: @escaping (CollectionChange<AnyLiveCollection<Element>>) -> Void
  ) -> NotificationToken {
    observe(base, block)
  }

  private func observe<Base: LiveCollection<Element>>(
    _ base: Base, _ block: @escaping (CollectionChange<AnyLiveCollection<Element>>) -> Void
  ) -> NotificationToken {
    base.observe { change in
      switch change {
      case .initial(let collection): block(.initial(AnyLiveCollection(collection)))
      case .update(let collection, let changes): block(.update(AnyLiveCollection(collection), changes))
      case .error(let error): block(.error(error))
      }
    }
  }

  /// Returns the collection at its present version, which may be read on any thread.
  public func freeze() -> AnyLiveCollection<Element> {
    AnyLiveCollection(existential: base.freeze())
  }
}

extension AnyLiveCollection {
  /// An iterator over the elements that the collection has now; see ``CollectionIterator``.
  public func makeIterator() -> AnyIterator<Element> { iterator() }
}
