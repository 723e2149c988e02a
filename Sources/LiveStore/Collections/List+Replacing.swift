import FoundationEssentials

/// The algorithms that Swift has for arrays. The methods are those of a class: `list.removeAll { … }` needs
/// no variable, and another name for the list shows the same. `shuffle()` and `partition(by:)` are Swift's
/// own, which need one: `var tracks = disc.tracks; tracks.shuffle()` shuffles the list of the disc.
///
/// An element that leaves a list which embeds its elements is deleted, whatever method takes it out; see
/// ``ObjectRule/embeds(_:)``.
///
/// A slice is a part of the list, not a copy: changing it changes the list. `Array(list)` is a copy.
extension List: RangeReplaceableCollection, MutableCollection {
  /// Replaces the elements at some indexes by others, of which there may be more or fewer. A list that embeds
  /// its elements deletes those that go.
  ///
  /// Elements that are the same at the beginning and the end stay, so that observers are not notified of
  /// them. Embedded objects that are among the new ones too stay as well, and the fewest of them move.
  ///
  /// - Complexity: O((k + m) log n) for k elements that go and m that come, once the order has been read; as
  ///   many rows are written.
  public func replaceSubrange(_ subrange: Range<Int>, with newElements: some Collection<Element>) {
    switch storage {
    case .unmanaged: change { $0.replaceSubrange(subrange, with: newElements) }
    case .managed(let ranked, let owner):
      // An embedded object must not leave the list, not even for a moment.
      replace(
        subrange, with: keys(of: newElements, ranked), keepingEntries: isEmbedding(ranked, owner), ranked,
        owner)
    }
  }

  /// The elements at some indexes, as a slice whose changes are changes of the list.
  ///
  /// - Complexity: O(1); O(n) to change the slice of a list that embeds its n elements.
  public subscript(bounds: Range<Int>) -> Slice<List<Element>> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
    _modify {
      let countBefore = count
      var slice = Slice(base: baseOfChangedSlice, bounds: bounds)
      yield &slice
      // Some methods change the slice in place, and so the list; others make another slice. If one was
      // refused, the list counts no elements.
      let end = Swift.max(bounds.lowerBound, bounds.upperBound + count - countBefore)
      let present = bounds.lowerBound..<end
      if slice.base !== self || slice.startIndex..<slice.endIndex != present {
        replaceSubrange(present, with: Array(slice))
      }
    }
  }

  /// The elements at some indexes, such as `2...`; see ``subscript(_:)-(Range<Int>)``.
  public subscript(bounds: some RangeExpression<Int>) -> Slice<List<Element>> {
    get { self[bounds.relative(to: self)] }
    set { self[bounds.relative(to: self)] = newValue }
    _modify { yield &self[bounds.relative(to: self)] }
  }

  /// All elements, as a slice whose changes are changes of the list.
  public subscript(all: UnboundedRange) -> Slice<List<Element>> {
    get { self[0..<count] }
    set { self[0..<count] = newValue }
    _modify { yield &self[0..<count] }
  }

  /// The list itself, or a copy if it embeds its elements: those that are exchanged one after the other would
  /// be in two places meanwhile.
  private var baseOfChangedSlice: List {
    guard case .managed(let ranked, let owner) = storage, isEmbedding(ranked, owner) else { return self }
    return List._own(self)
  }

  /// Inserts elements before the one at an index, or at the end.
  ///
  /// - Complexity: O(m log n) for m elements, once the order has been read.
  public func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
    replaceSubrange(index..<index, with: newElements)
  }

  /// Removes the elements at some indexes from the list; the objects themselves are not deleted, unless the
  /// list embeds them.
  ///
  /// - Complexity: O(k log n) for k elements, once the order has been read.
  public func removeSubrange(_ bounds: Range<Int>) {
    replaceSubrange(bounds, with: EmptyCollection())
  }

  /// Removes the elements at some indexes, such as `2...`, from the list; see
  /// ``removeSubrange(_:)-(Range<Int>)``.
  public func removeSubrange(_ bounds: some RangeExpression<Int>) {
    removeSubrange(bounds.relative(to: self))
  }

  /// Removes the elements for which a closure returns `true`; the objects themselves are not deleted, unless
  /// the list embeds them.
  ///
  /// The closure is called with each element, in order, before any is removed. Most of the time goes into the
  /// objects that it is called with: see ``removeAll(matching:)`` for conditions that SQL can test.
  ///
  /// - Complexity: O(n), and O(k log n) for the k elements that are removed; as many rows are written.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    switch storage {
    case .unmanaged: try change { try $0.removeAll(where: shouldBeRemoved) }
    case .managed(let ranked, _):
      ranked.store.requireWrite()
      guard let tree = ranked.readableTree else { return }
      let query = ranked.query
      let iteration = Iteration(ranked)
      var removed: [SQLiteValue] = []
      while let row = iteration.nextRow() {
        guard try shouldBeRemoved(unsafeDowncast(row.object(), to: Element.self)) else { continue }
        removed.append(tree.withEntry(at: iteration.index) { query.entry(of: $0).entry })
      }
      remove(removed, ranked)
    }
  }

  /// Removes the elements that match a predicate from the list of an object in a store; the objects
  /// themselves are not deleted, unless the list embeds them.
  ///
  /// ```swift
  /// try list.removeAll(matching: #Predicate { $0.isRead })
  /// ```
  ///
  /// - Throws: ``QueryError`` when a part of the predicate has no counterpart in SQL; the error names the
  ///   part.
  /// - Complexity: One statement of SQL: O(n log m) for n elements of m objects. No objects are created.
  public func removeAll(matching predicate: Predicate<Element>) throws(QueryError) {
    let (ranked, owner) = requireManaged("changed by a predicate")
    let store = ranked.store
    store.requireWrite()
    let elements = ranked.query.elements
    var query = CollectionQuery(schema: store.schema, elements: elements)
    try query.filter(QueryCondition(predicate))
    guard let entries = ranked.query.list?.entries else { return }
    let name = quoted(entries.name)
    let matching = query.condition()
    let condition =
      "owner = ? AND EXISTS (SELECT 1 FROM \(quoted(elements.name)) WHERE "
      + "\(quoted(elements.name)).\(elements.key) = \(name).target AND \(matching.sql))"
    let values = [owner.key] + matching.parameters
    store.execute("DELETE FROM \(name) WHERE \(condition)", values)
    store.requireNone(of: entries, where: condition, values)
  }

  /// Removes all elements from the list; see ``removeAll()``.
  public func removeAll(keepingCapacity keepCapacity: Bool) { removeAll() }

  /// Removes the first element from the list, which must not be empty; see ``remove(at:)``.
  @discardableResult
  public func removeFirst() -> Element { remove(at: 0) }

  /// Removes the first elements from the list; see ``removeSubrange(_:)-(Range<Int>)``.
  public func removeFirst(_ k: Int) { removeSubrange(0..<k) }

  /// Removes the last element from the list, which must not be empty; see ``remove(at:)``.
  @discardableResult
  public func removeLast() -> Element { remove(at: count - 1) }

  /// Removes the last elements from the list; see ``removeSubrange(_:)-(Range<Int>)``.
  public func removeLast(_ k: Int) {
    let count = self.count
    removeSubrange(count - k..<count)
  }

  /// Removes the last element and returns it; `nil` if there is none. See ``remove(at:)``.
  public func popLast() -> Element? { isEmpty ? nil : removeLast() }

  /// Sorts the list. Elements that the closure takes for equal keep their order.
  ///
  /// The fewest elements that have to move do, so that observers see moves and nothing else.
  ///
  /// - Complexity: O(n log n); a row is written for each element that moves.
  public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    switch storage {
    case .unmanaged: try change { try $0.sort(by: areInIncreasingOrder) }
    case .managed(let ranked, let owner):
      let members = members(of: ranked)
      let order = try members.indices.sorted {
        try areInIncreasingOrder(members[$0].element, members[$1].element)
      }
      rearrange(order, ranked, owner)
    }
  }

  /// Puts the elements into another order.
  ///
  /// - Parameter order: The present indexes of all elements, in their new order.
  ///
  /// - Complexity: O(n log n); a row is written for each element that moves, and no objects are created.
  package func reorder(_ order: [Int]) {
    switch storage {
    case .unmanaged(let elements): storage = .unmanaged(order.map { elements[$0] })
    case .managed(let ranked, let owner): rearrange(order, ranked, owner)
    }
  }

  /// The primary keys of the elements; none of a list that is not in a store.
  ///
  /// - Complexity: O(n); no objects are created.
  package var elementKeys: [SQLiteValue] {
    guard case .managed(let ranked, _) = storage else { return [] }
    var keys: [SQLiteValue] = []
    ranked.readableTree?.forEachEntry {
      keys.append(ranked.query.element(of: $0))
      return true
    }
    return keys
  }

  /// Puts the elements into the opposite order.
  ///
  /// - Complexity: O(n log n); a row is written for each element but one.
  public func reverse() {
    switch storage {
    case .unmanaged(let elements): storage = .unmanaged(elements.reversed())
    case .managed(let ranked, let owner):
      rearrange((0..<(ranked.readableTree?.count ?? 0)).reversed(), ranked, owner)
    }
  }

  /// A new list, of no object, with the elements of a list and those of a sequence.
  ///
  /// Swift's own operator would append to the list on its left, as it takes that for a copy.
  public static func + (list: List, elements: some Sequence<Element>) -> List {
    let result = List()
    result.append(contentsOf: Array(list) + elements)
    return result
  }

  /// The elements for which a closure returns `true`, as an array that never changes. See `filter` with a
  /// predicate for results that follow the list.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    try Array(self).filter(isIncluded)
  }

  /// The entries and the elements of the list of an object in a store.
  private func members(of ranked: RankedCollection) -> [(entry: SQLiteValue, element: Element)] {
    ranked.store.requireWrite()
    var keys: [(entry: SQLiteValue, key: SQLiteValue)] = []
    ranked.readableTree?.forEachEntry {
      keys.append((ranked.query.entry(of: $0).entry, ranked.query.element(of: $0)))
      return true
    }
    return keys.map {
      ($0.entry, ranked.store.object(Element.self, listed: $0.key))
    }
  }

  /// - Parameter order: The present indexes of the elements, in their new order.
  private func rearrange(_ order: [Int], _ ranked: RankedCollection, _ owner: _ManagedRow) {
    ranked.store.requireWrite()
    guard let tree = ranked.readableTree else { return }
    arrange(order.map { .present($0) }, at: 0..<tree.count, of: tree, ranked, owner)
  }
}
