/// The one way in which a part of a list in a store gets other elements or another order.
extension List {
  /// An element of a new order.
  enum Arranged {
    /// One of the list, by its present index.
    case present(Int)
    /// Another one, by its primary key.
    case new(SQLiteValue)
  }

  /// Replaces all elements by those with the given primary keys.
  ///
  /// An element that stays keeps its entry, and the fewest of them move.
  ///
  /// - Complexity: O(n) for lists that are equal, O(n log n) otherwise; O(n d) for d differences where an
  ///   element occurs several times.
  func assign(_ keys: [SQLiteValue]) {
    let (ranked, owner) = requireManaged("assigned")
    replace(nil, with: keys, keepingEntries: true, ranked, owner)
  }

  /// Whether the elements are parts of the owner, so that taking one out deletes it.
  func isEmbedding(_ ranked: RankedCollection, _ owner: _ManagedRow) -> Bool {
    owner.table.rules.owners.contains { rule in
      guard rule.isEmbedding, case .list(let slot) = rule.property else { return false }
      return ranked.store.schema.table(ofList: slot, in: owner.table) === ranked.query.list?.entries
    }
  }

  /// Replaces the elements at some indexes, or all, by those with the given primary keys.
  ///
  /// Elements that are the same at the beginning and the end stay.
  ///
  /// - Parameter keepingEntries: Whether an element between them that is there before and after keeps its
  ///   entry, and moves if it has to; otherwise it goes and comes again.
  func replace(
    _ range: Range<Int>?, with keys: [SQLiteValue], keepingEntries: Bool, _ ranked: RankedCollection,
    _ owner: _ManagedRow
  ) {
    ranked.store.requireWrite()
    guard let tree = ranked.readableTree else { return }
    var old = range ?? 0..<tree.count
    guard old.lowerBound >= 0, old.upperBound <= tree.count else {
      if ranked.store.failsByTriggers() { return }
      preconditionFailure("The list has no places \(old), it has \(tree.count) elements.")
    }
    func key(_ index: Int) -> SQLiteValue { tree.withEntry(at: index) { ranked.query.element(of: $0) } }
    var new = keys[...]
    while let first = new.first, !old.isEmpty, key(old.lowerBound) == first {
      new.removeFirst()
      old = old.lowerBound + 1..<old.upperBound
    }
    while let last = new.last, !old.isEmpty, key(old.upperBound - 1) == last {
      new.removeLast()
      old = old.lowerBound..<old.upperBound - 1
    }
    let (sources, removed) =
      keepingEntries
      ? sources(of: Array(new), in: old.map(key))
      : ([Int?](repeating: nil, count: new.count), removed: Array(0..<old.count))
    remove(
      removed.map { offset in
        tree.withEntry(at: old.lowerBound + offset) { ranked.query.entry(of: $0).entry }
      }, ranked)
    let order = zip(new, sources).map { key, source in
      source.map { .present(old.lowerBound + $0) } ?? Arranged.new(key)
    }
    arrange(order, at: old, of: tree, ranked, owner)
  }

  func remove(_ entries: [SQLiteValue], _ ranked: RankedCollection) {
    guard let table = ranked.query.list?.entries else { return }
    for entry in entries { ranked.store.deleteRow(entry, from: table) }
  }

  /// Gives a part of the list its new order.
  ///
  /// - Parameters:
  ///   - order: The elements that the part will have; entries of others of it have been removed.
  ///   - part: The present indexes of the part.
  ///   - tree: The order before the first write.
  /// - Complexity: O(k log n) for k elements; a row is written for each that moves or is new.
  func arrange(
    _ order: [Arranged], at part: Range<Int>, of tree: CollectionTree, _ ranked: RankedCollection,
    _ owner: _ManagedRow
  ) {
    if order.isEmpty { return }
    let store = ranked.store
    var (order, part) = (order, part)
    func entry(_ index: Int) -> (position: String, entry: SQLiteValue) {
      tree.withEntry(at: index) { ranked.query.entry(of: $0) }
    }
    func presentIndex(_ place: Int) -> Int? {
      if case .present(let index) = order[place] { index } else { nil }
    }
    let lower = position(at: part.lowerBound - 1, of: tree, ranked)
    var upper = position(at: part.upperBound, of: tree, ranked)
    // Between two entries with one position, as two processes may have made at the same time, nothing fits:
    // the second one moves as well.
    while upper != nil, store.room(for: 1, between: lower, and: upper) == nil {
      order.append(.present(part.upperBound))
      part = part.lowerBound..<part.upperBound + 1
      upper = position(at: part.upperBound, of: tree, ranked)
    }
    var staying: [(place: Int, position: String)] = []
    let present = order.indices.compactMap { place in presentIndex(place).map { (place, index: $0) } }
    for (place, index) in longestAscent(in: present.map(\.index)).map({ present[$0] }) {
      let position = entry(index).position
      // Nothing fits before an empty one, which another program has made.
      if position.isEmpty || !isAscending(staying.last?.position ?? lower, position) { continue }
      guard isAscending(position, upper) else { continue }
      staying.append((place, position))
    }
    var place = 0
    var before = lower
    for (end, after) in staying.map({ ($0.place, Optional($0.position)) }) + [(order.count, upper)] {
      let positions = store.positions(end - place, between: before, and: after)
      for (element, position) in zip(order[place..<end], positions) {
        switch element {
        case .present(let index):
          setPosition(position, ofEntry: entry(index).entry, ranked)
        case .new(let key): insert([key], [position], ranked, owner)
        }
      }
      (place, before) = (end + 1, after)
    }
  }

  /// The position of the entry at an index; `nil` before the first and after the last.
  func position(at index: Int, of tree: CollectionTree, _ ranked: RankedCollection) -> String? {
    guard index >= 0, index < tree.count else { return nil }
    return tree.withEntry(at: index) { ranked.query.entry(of: $0).position }
  }
}

/// Whether a position comes before another; none is the beginning or the end.
private func isAscending(_ lower: String?, _ upper: String?) -> Bool {
  guard let lower, let upper else { return true }
  return lower.utf8.lexicographicallyPrecedes(upper.utf8)
}

/// The offset in `old` of the element that each of `new` is, or `nil` for an added one, and the offsets of
/// those that are removed.
///
/// Of an element that occurs several times those stay that are in the longest common part, unless the lists
/// are so long that finding it would take longer than writing.
private func sources(of new: [SQLiteValue], in old: [SQLiteValue]) -> ([Int?], removed: [Int]) {
  var sources = [Int?](repeating: nil, count: new.count)
  var free = Array(old.indices)
  let isRepeating = Set(old).count < old.count || Set(new).count < new.count
  if isRepeating, old.count * new.count <= 1_000_000 {
    let difference = new.difference(from: old)
    let added = Set(difference.insertions.map(\.offset))
    free = difference.removals.map(\.offset)
    let staying = Set(old.indices).subtracting(free).sorted()
    let kept = new.indices.filter { !added.contains($0) }
    for (place, offset) in zip(kept, staying) { sources[place] = offset }
  }
  var occurrences: [SQLiteValue: [Int]] = [:]
  for offset in free.reversed() { occurrences[old[offset], default: []].append(offset) }
  for place in new.indices where sources[place] == nil { sources[place] = occurrences[new[place]]?.popLast() }
  return (sources, occurrences.values.flatMap(\.self))
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

/// The places of the longest part of some different numbers that ascends.
package func longestAscent(in numbers: [Int]) -> [Int] {
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
