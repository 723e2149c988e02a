/// An ordered set of byte strings that knows the rank of each: the order of a collection at one version.
///
/// A value: a copy is free, does not change with the original, and may be read on another thread. The first
/// change of a copy duplicates one path of nodes, later ones those that are still shared; a tree that shares
/// nothing is changed in place.
///
/// It is a counted B+tree whose leaves pack entries into 1.5 KB; see ``RankNode``. Entries are compared byte
/// by byte, a prefix before the longer entry. Any length is allowed, up to some 300 bytes is best. It holds
/// less than 2³² entries.
struct RankTree: @unchecked Sendable {
  // The nodes that a tree shares with another are never changed (see RankNode); its own are changed only by
  // `mutating` methods, for which Swift ensures exclusive access.

  private(set) var root: RankNode

  init() {
    root = RankNode.makeLeaf(capacity: 0)
  }

  init(root: RankNode) {
    self.root = root
  }

  /// The number of entries. Complexity: O(1).
  var count: Int { root.handle.total }

  var isEmpty: Bool { count == 0 }

  /// Inserts a key; returns its rank, or `nil` if it was there already. Complexity: O(log n).
  @discardableResult
  mutating func insert(_ key: UnsafeRawBufferPointer) -> Int? {
    // An existing key must not make a shared tree duplicate a path.
    if !isKnownUniquelyReferenced(&root), rank(of: key) != nil { return nil }
    precondition(count < UInt32.max, "A RankTree holds less than 2^32 entries.")
    while true {
      var split: RankNode.Split?
      let result = withUnsafeMutablePointer(to: &root) {
        RankNode.insert(key, into: $0, isFirst: true, isLast: true, split: &split)
      }
      if let split { root = RankNode.makeRoot(over: root, split) }
      switch result {
      case .inserted(let rank): return rank
      case .present: return nil
      case .divided: continue
      }
    }
  }

  /// Removes a key; returns its former rank, or `nil` if it was not there. Complexity: O(log n).
  @discardableResult
  mutating func remove(_ key: UnsafeRawBufferPointer) -> Int? {
    if !isKnownUniquelyReferenced(&root), rank(of: key) == nil { return nil }
    let rank = withUnsafeMutablePointer(to: &root) { RankNode.remove(key, from: $0) }
    while root.handle.level > 0, root.handle.count == 1 {
      root = root.handle.child(0).takeUnretainedValue()
    }
    return rank
  }

  /// The number of entries before `key` if it is in the set, otherwise `nil`. Complexity: O(log n).
  func rank(of key: UnsafeRawBufferPointer) -> Int? {
    let (rank, isFound) = find(key)
    return isFound ? rank : nil
  }

  /// The number of entries before `key`, which need not be in the set. Complexity: O(log n).
  func lowerBound(of key: UnsafeRawBufferPointer) -> Int {
    find(key).rank
  }

  /// Calls `body` with the entry at `rank`, which must be less than `count`. The bytes are valid until it
  /// returns.
  ///
  /// Complexity: O(log n).
  @inline(__always)
  func withEntry<R>(at rank: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    precondition(rank >= 0 && rank < count, "The rank is beyond the entries of the tree.")
    return try withExtendedLifetime(root) {
      let (leaf, index) = root.handle.leaf(atRank: rank)
      return try body(leaf.entry(index))
    }
  }

  private func find(_ key: UnsafeRawBufferPointer) -> (rank: Int, isFound: Bool) {
    withExtendedLifetime(root) {
      var node = root.handle
      var before = 0
      while node.level > 0 {
        let index = node.childIndex(for: key)
        before += node.entriesBefore(index)
        node = node.childHandle(index)
      }
      let (index, isFound) = node.find(key)
      return (before + index, isFound)
    }
  }

  @discardableResult
  mutating func insert(_ key: RankKey) -> Int? { key.withUnsafeBytes { insert($0) } }

  @discardableResult
  mutating func remove(_ key: RankKey) -> Int? { key.withUnsafeBytes { remove($0) } }

  /// The number of entries before `key` if it is in the set, otherwise `nil`. Complexity: O(log n).
  func rank(of key: RankKey) -> Int? { key.withUnsafeBytes { rank(of: $0) } }

  /// The number of entries before `key`, which need not be in the set. Complexity: O(log n).
  func lowerBound(of key: RankKey) -> Int { key.withUnsafeBytes { lowerBound(of: $0) } }

  /// A copy of the entry at `rank`, which must be less than `count`. Complexity: O(log n).
  func entry(at rank: Int) -> RankKey { withEntry(at: rank) { RankKey(copying: $0) } }
}
