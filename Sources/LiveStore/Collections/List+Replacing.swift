/// The algorithms that Swift has for arrays. The methods are those of a class: `list.removeAll { … }` needs
/// no variable, and another name for the list shows the same.
///
/// A slice is a part of the list, not a copy: changing it changes the list. `Array(list)` is a copy.
extension List: RangeReplaceableCollection, MutableCollection {
  /// Replaces the elements at some indexes by others, of which there may be more or fewer.
  ///
  /// Elements that are the same at the beginning and the end stay, so that observers are not notified of
  /// them.
  ///
  /// - Complexity: O((k + m) log n) for k elements that go and m that come, once the order has been read; as
  ///   many rows are written.
  public func replaceSubrange(_ subrange: Range<Int>, with newElements: some Collection<Element>) {
    switch storage {
    case .unmanaged(var elements):
      elements.replaceSubrange(subrange, with: newElements)
      storage = .unmanaged(elements)
    case .managed(let ranked, let owner):
      var new = keys(of: newElements, ranked)[...]
      guard let tree = ranked.readableTree else { return }
      precondition(
        subrange.lowerBound >= 0 && subrange.upperBound <= tree.count,
        "The list has no places \(subrange), it has \(tree.count) elements.")
      func key(_ index: Int) -> SQLiteValue { tree.withEntry(at: index) { ranked.query.element(of: $0) } }
      var old = subrange
      while let first = new.first, !old.isEmpty, key(old.lowerBound) == first {
        new.removeFirst()
        old = old.lowerBound + 1..<old.upperBound
      }
      while let last = new.last, !old.isEmpty, key(old.upperBound - 1) == last {
        new.removeLast()
        old = old.lowerBound..<old.upperBound - 1
      }
      func position(_ index: Int) -> String? {
        guard index >= 0, index < tree.count else { return nil }
        return tree.withEntry(at: index) { ranked.query.entry(of: $0).position }
      }
      let positions = ranked.store.positions(
        new.count, between: position(old.lowerBound - 1), and: position(old.upperBound))
      remove(old.map { index in tree.withEntry(at: index) { ranked.query.entry(of: $0).entry } }, ranked)
      insert(Array(new), positions, ranked, owner)
    }
  }

  /// Inserts elements before the one at an index, or at the end.
  ///
  /// - Complexity: O(m log n) for m elements, once the order has been read.
  public func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
    replaceSubrange(index..<index, with: newElements)
  }

  /// Removes the elements at some indexes from the list; the objects themselves are not deleted.
  ///
  /// - Complexity: O(k log n) for k elements, once the order has been read.
  public func removeSubrange(_ bounds: Range<Int>) {
    replaceSubrange(bounds, with: EmptyCollection())
  }

  /// Removes the elements at some indexes, such as `2...`, from the list; the objects themselves are not
  /// deleted.
  public func removeSubrange(_ bounds: some RangeExpression<Int>) {
    removeSubrange(bounds.relative(to: self))
  }

  /// Removes the elements for which a closure returns `true`; the objects themselves are not deleted.
  ///
  /// The closure is called with each element, in order, before any is removed.
  ///
  /// - Complexity: O(n), and O(k log n) for the k elements that are removed; as many rows are written.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    switch storage {
    case .unmanaged(var elements):
      try elements.removeAll(where: shouldBeRemoved)
      storage = .unmanaged(elements)
    case .managed(let ranked, _):
      var removed: [SQLiteValue] = []
      for (entry, element) in members(of: ranked) where try shouldBeRemoved(element) { removed.append(entry) }
      remove(removed, ranked)
    }
  }

  /// Removes all elements from the list; the objects themselves are not deleted.
  public func removeAll(keepingCapacity keepCapacity: Bool) { removeAll() }

  /// Removes the first element from the list, which must not be empty; the object itself is not deleted.
  @discardableResult
  public func removeFirst() -> Element { remove(at: 0) }

  /// Removes the first elements from the list; the objects themselves are not deleted.
  public func removeFirst(_ k: Int) { removeSubrange(0..<k) }

  /// Removes the last element from the list, which must not be empty; the object itself is not deleted.
  @discardableResult
  public func removeLast() -> Element { remove(at: count - 1) }

  /// Removes the last elements from the list; the objects themselves are not deleted.
  public func removeLast(_ k: Int) {
    let count = self.count
    removeSubrange(count - k..<count)
  }

  /// Removes the last element and returns it; `nil` if there is none. The object itself is not deleted.
  public func popLast() -> Element? { isEmpty ? nil : removeLast() }

  /// Sorts the list. Elements that the closure takes for equal keep their order.
  ///
  /// The fewest elements that have to move do, so that observers see moves and nothing else.
  ///
  /// - Complexity: O(n log n); a row is written for each element that moves.
  public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    switch storage {
    case .unmanaged(var elements):
      try elements.sort(by: areInIncreasingOrder)
      storage = .unmanaged(elements)
    case .managed(let ranked, _):
      let members = members(of: ranked)
      let order = try members.indices.sorted {
        try areInIncreasingOrder(members[$0].element, members[$1].element)
      }
      reorder(order, ranked)
    }
  }

  /// Puts the elements into the opposite order.
  ///
  /// - Complexity: O(n log n); a row is written for each element but one.
  public func reverse() {
    switch storage {
    case .unmanaged(let elements): storage = .unmanaged(elements.reversed())
    case .managed(let ranked, _): reorder((0..<(ranked.readableTree?.count ?? 0)).reversed(), ranked)
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
      ($0.entry, unsafeDowncast(ranked.store.object(Element.self, listed: $0.key), to: Element.self))
    }
  }

  private func remove(_ entries: [SQLiteValue], _ ranked: RankedCollection) {
    for entry in entries {
      ranked.store.execute("DELETE FROM \(table(ranked)) WHERE entry = ?", [entry])
    }
  }

  /// Moves the fewest elements after which the list has another order.
  ///
  /// - Parameter order: The present indexes of the elements, in their new order.
  private func reorder(_ order: [Int], _ ranked: RankedCollection) {
    ranked.store.requireWrite()
    guard let tree = ranked.readableTree else { return }
    func entry(_ index: Int) -> (position: String, entry: SQLiteValue) {
      tree.withEntry(at: index) { ranked.query.entry(of: $0) }
    }
    // Between two entries with one position, as two processes may have made at the same time, nothing fits.
    var staying: [Int] = []
    for place in longestAscent(in: order)
    where staying.last.map({ entry(order[$0]).position < entry(order[place]).position }) ?? true {
      staying.append(place)
    }
    var place = 0
    for end in staying + [order.count] {
      let moved = order[place..<end]
      let positions = ranked.store.positions(
        moved.count, between: place > 0 ? entry(order[place - 1]).position : nil,
        and: end < order.count ? entry(order[end]).position : nil)
      for (index, position) in zip(moved, positions) {
        ranked.store.execute(
          "UPDATE \(table(ranked)) SET position = ? WHERE entry = ?", [.text(position), entry(index).entry])
      }
      place = end + 1
    }
  }
}

/// The places of the longest part of some different numbers that ascends.
private func longestAscent(in numbers: [Int]) -> [Int] {
  // The place of the least number with which an ascent of each length ends.
  var ends: [Int] = []
  var previous = [Int?](repeating: nil, count: numbers.count)
  for (place, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    previous[place] = low > 0 ? ends[low - 1] : nil
    if low < ends.count { ends[low] = place } else { ends.append(place) }
  }
  var ascent: [Int] = []
  var next = ends.last
  while let place = next {
    ascent.append(place)
    next = previous[place]
  }
  return ascent.reversed()
}
