import FoundationEssentials

/// What ``Results`` and ``List`` have in common, for code that works with either.
public protocol LiveCollection<Element>: RandomAccessCollection where Element: Object, Index == Int {
  /// Whether there is nothing to be read any more.
  var isInvalidated: Bool { get }
  /// Whether the collection stays as it is.
  var isFrozen: Bool { get }
  /// Where an object first stands, or `nil`.
  func index(of object: Element) -> Int?
  /// Those of the elements that match a predicate.
  func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element>
  /// The elements ordered by a property.
  func sorted<Value: Persistable>(by property: KeyPath<Element, Value>, ascending: Bool) -> Results<Element>
  /// Calls `block` first as the collection is and then after every change, as long as the token lives.
  func observe(_ block: @escaping (CollectionChange<Self>) -> Void) -> NotificationToken
  /// The same collection as it is now, to be read on any thread.
  func freeze() -> Self
}

extension Results: LiveCollection {}
extension List: LiveCollection {}

/// Any live collection of objects of one class, whatever it is.
public struct AnyLiveCollection<Element: Object>: LiveCollection {
  private let base: any LiveCollection<Element>

  /// Takes a collection for what it has in common with others. It is not copied.
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
  /// The first element, found without reading the others.
  public var first: Element? { base.first }
  /// Whether there is nothing to be read any more.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection stays as it is.
  public var isFrozen: Bool { base.isFrozen }

  /// Where an object first stands, or `nil`.
  ///
  /// - Complexity: O(log n) once the order has been read.
  public func index(of object: Element) -> Int? { base.index(of: object) }

  func iterator() -> AnyIterator<Element> {
    func iterator(_ base: some LiveCollection<Element>) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return iterator(base)
  }

  /// Those of the elements that match a predicate.
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL; it names the part.
  public func filter(_ predicate: Predicate<Element>) throws(QueryError) -> Results<Element> {
    try base.filter(predicate)
  }

  /// The elements ordered by a property; where its values are equal, as they were ordered before.
  public func sorted<Value: Persistable>(
    by property: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    base.sorted(by: property, ascending: ascending)
  }

  /// Calls `block` first as the collection is and then after every change, as long as the token lives.
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

  /// The same collection as it is now, to be read on any thread.
  public func freeze() -> AnyLiveCollection<Element> {
    AnyLiveCollection(existential: base.freeze())
  }
}

extension AnyLiveCollection {
  /// Iterates the elements that the collection has now; see ``CollectionIterator``.
  public func makeIterator() -> AnyIterator<Element> { iterator() }
}
