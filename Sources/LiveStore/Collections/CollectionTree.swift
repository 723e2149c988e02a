/// The order of a collection at one version: a value, like ``RankTree``.
struct CollectionTree: Sendable {
  /// The rank keys of all elements, including those outside the limits.
  private(set) var ranks: RankTree
  /// All members by the values that must be distinct and then by rank; `nil` if the collection is not
  /// distinct.
  private(set) var groups: RankTree?
  /// The greatest number of elements that the collection shows.
  let limit: Int?
  /// The number of elements before the first that it shows.
  private let offset: Int

  init(ranks: RankTree, groups: RankTree? = nil, limit: Int? = nil, offset: Int = 0) {
    self.ranks = ranks
    self.groups = groups
    self.limit = limit
    self.offset = offset
  }

  /// The rank of the first element. Complexity: O(1).
  var start: Int { min(offset, ranks.count) }

  /// The number of elements. Complexity: O(1).
  var count: Int { min(ranks.count - start, limit ?? .max) }

  var isEmpty: Bool { count == 0 }

  /// The number of members, elements or not. Complexity: O(1).
  var memberCount: Int { groups?.count ?? ranks.count }

  /// Calls `body` with the rank key of the element at an index. The bytes are valid until it returns.
  ///
  /// Complexity: O(log n).
  func withEntry<R>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    precondition(index < count, "The index is beyond the elements of the collection.")
    return try ranks.withEntry(at: start + index, body)
  }

  /// A copy of the rank key of the element at an index. Complexity: O(log n).
  func entry(at index: Int) -> RankKey { withEntry(at: index) { RankKey(copying: $0) } }

  /// Calls `body` with the rank keys of the elements from an index on, in order, until it returns `false`.
  ///
  /// Complexity: O(log n), and O(1) for each element.
  func forEachEntry(from index: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> Bool) rethrows {
    var rest = count - index
    guard rest > 0 else { return }
    try ranks.forEachEntry(from: start + index) { entry in
      rest -= 1
      return try rest >= 0 && body(entry)
    }
  }

  /// The index of the element with a rank key, or `nil`. Complexity: O(log n).
  func rank(of key: RankKey) -> Int? {
    ranks.rank(of: key).flatMap { start..<start + count ~= $0 ? $0 - start : nil }
  }

  /// Whether there is a member at a place, element or not. Complexity: O(log n).
  func contains(_ place: CollectionQuery.MemberPlace) -> Bool {
    guard let groups else { return ranks.rank(of: place.rank) != nil }
    return groups.rank(of: place.inGroup) != nil
  }

  /// The rank key of the first member with some values. Complexity: O(log n).
  func first(in group: RankKey) -> RankKey? {
    guard let groups else { return nil }
    let rank = groups.lowerBound(of: group)
    guard rank < groups.count else { return nil }
    return groups.withEntry(at: rank) { entry in
      guard entry.starts(with: group.bytes) else { return nil }
      return RankKey(copying: UnsafeRawBufferPointer(rebasing: entry[group.bytes.count...]))
    }
  }

  /// Removes and inserts members by their old and new places.
  ///
  /// Complexity: O(k log n) for k members.
  mutating func update(_ members: [PlaceChange]) {
    guard groups != nil else {
      // All removals come first: a key that one member leaves may be taken by another.
      for case (let old?, let new) in members.lazy.map({ ($0.old?.rank, $0.new?.rank) }) where old != new {
        ranks.remove(old)
      }
      for case let member? in members.lazy.map(\.new) { ranks.insert(member.rank) }
      return
    }
    let changed = CollectionTree.groups(of: members)
    let before = changed.map(first(in:))
    for case let member? in members.lazy.map(\.old) { groups?.remove(member.inGroup) }
    for case let member? in members.lazy.map(\.new) { groups?.insert(member.inGroup) }
    let after = changed.map(first(in:))
    for case (let old?, let new) in zip(before, after) where old != new { ranks.remove(old) }
    for case let new? in after { ranks.insert(new) }
  }

  /// The values of the changed members that must be distinct, each once.
  static func groups(of members: [PlaceChange]) -> [RankKey] {
    var seen: Set<RankKey> = []
    return members.flatMap { [$0.old?.group, $0.new?.group] }.compactMap { $0 }.filter {
      seen.insert($0).inserted
    }
  }
}

extension CollectionQuery.MemberPlace {
  /// The key in ``CollectionTree/groups``.
  fileprivate var inGroup: RankKey { RankKey(bytes: (group?.bytes ?? []) + rank.bytes) }
}

/// The part of an order that has been read.
private struct LoadedOrder: ~Copyable {
  var ranks = RankTree.Builder()
  var groups: [RankKey] = []
  private var seen: Set<RankKey> = []
  private var key = RankKeyWriter()

  /// The number of rows that are read while the connection is locked.
  static let batch = 128
  /// The number of batches after which memory is released.
  static let batchesUntilRelease = 128

  /// Reads some more rows; returns whether there may be others.
  mutating func readBatch(_ rows: Statement, of query: CollectionQuery) throws(StoreError) -> Bool {
    for _ in 0..<Self.batch {
      guard try rows.step() else { return false }
      key.removeAll()
      if !query.distinct.isEmpty {
        query.writeGroup(rows, to: &key)
        let group = key.key
        query.write(rows, to: &key)
        groups.append(key.key)
        guard seen.insert(group).inserted else { continue }
        key.removeAll()
      }
      query.write(rows, to: &key)
      // Keys that are out of order come from a damaged index.
      guard key.withUnsafeBytes({ ranks.appendIfGreater($0) }) else { throw query.disorder }
    }
    return true
  }
}

extension CollectionQuery {
  /// Reads the whole order.
  ///
  /// - Complexity: O(n), and O(n log n) where no index gives the order.
  func load(on statements: StatementCache) throws(StoreError) -> CollectionTree {
    let rows = try members(on: statements)
    defer { rows.reset() }
    var order = LoadedOrder()
    var batches = 0
    while try rows.withLock({ () throws(StoreError) in try order.readBatch(rows, of: self) }) {
      batches += 1
      // The pages of one table in order are each needed once. Following links needs pages again.
      if batches % LoadedOrder.batchesUntilRelease == 0, !dependsOnOthers, list == nil {
        rows.releaseMemory()
      }
    }
    if distinct.isEmpty { return CollectionTree(ranks: order.ranks.finish(), limit: limit, offset: offset) }
    var members = RankTree.Builder()
    for group in order.groups.sorted() {
      guard group.withUnsafeBytes({ members.appendIfGreater($0) }) else { throw disorder }
    }
    return CollectionTree(
      ranks: order.ranks.finish(), groups: members.finish(), limit: limit, offset: offset)
  }

  fileprivate var disorder: StoreError {
    StoreError(
      .damaged,
      "The file is damaged: the rows of \(elements.name) do not come in their order; "
        + "copy what can be read into a new file.")
  }

  /// The rank keys of the first elements, at most `count`.
  ///
  /// - Complexity: O(count) where an index gives the order, after those that come before the first element;
  ///   for distinct collections O(m) for m members read until there are `count` elements.
  func head(_ count: Int, on statements: StatementCache) throws(StoreError) -> [RankKey] {
    let count = min(count, limit ?? count)
    var before = offset
    let (limit, isOverflow) = before.addingReportingOverflow(count)
    let rows = try members(on: statements, limit: isOverflow ? .max : limit)
    defer { rows.reset() }
    var keys: [RankKey] = []
    var seen: Set<RankKey> = []
    while keys.count < count, try rows.step() {
      if !distinct.isEmpty {
        var group = RankKeyWriter()
        writeGroup(rows, to: &group)
        guard seen.insert(group.key).inserted else { continue }
      }
      if before > 0 {
        before -= 1
        continue
      }
      var key = RankKeyWriter()
      write(rows, to: &key)
      keys.append(key.key)
    }
    return keys
  }

  /// The rank key of the last element, or `nil` if there is none.
  ///
  /// - Complexity: O(1) where an index gives the order, if no member after the last element is excluded by a
  ///   predicate; O(n) where elements are limited or distinct.
  func last(on statements: StatementCache) throws(StoreError) -> RankKey? {
    guard distinct.isEmpty, limit == nil else {
      let tree = try load(on: statements)
      return tree.isEmpty ? nil : tree.entry(at: tree.count - 1)
    }
    let rows = try members(on: statements, limit: 1, isReversed: true)
    defer { rows.reset() }
    guard try rows.step() else { return nil }
    var key = RankKeyWriter()
    write(rows, to: &key)
    return key.key
  }
}
