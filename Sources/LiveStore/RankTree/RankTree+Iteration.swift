extension RankTree {
  /// Calls `body` with the entries in order from `rank` (at most `count`) on, until it returns `false`.
  ///
  /// Complexity: O(log n) for the first, O(1) for each further entry.
  func forEachEntry(from rank: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> Bool) rethrows {
    var cursor = cursor(at: rank)
    while !cursor.isAtEnd {
      guard try cursor.withEntry(body) else { return }
      cursor.advance()
    }
  }

  /// A cursor whose current entry is the one at `rank`, at most `count`. Complexity: O(log n).
  func cursor(at rank: Int = 0) -> Cursor { Cursor(self, rank: rank) }

  /// A position in a tree from which entries are read one by one, as for merging two ordered sources.
  ///
  /// It reads the tree as it was when the cursor was made, and as long as it lives that tree counts as
  /// shared.
  struct Cursor: @unchecked Sendable {
    // The tree that it holds keeps the leaf alive and unchanged.

    private let tree: RankTree
    private let count: Int

    /// The rank of the current entry; the tree's `count` after the last.
    private(set) var rank: Int

    private var leaf: RankNode.Handle
    private var index: Int
    private var leafCount: Int

    fileprivate init(_ tree: RankTree, rank: Int) {
      precondition(rank >= 0 && rank <= tree.count, "The rank is beyond the entries of the tree.")
      self.tree = tree
      self.rank = rank
      count = tree.count
      leaf = tree.root.handle
      index = 0
      leafCount = 0
      findLeaf()
    }

    var isAtEnd: Bool { rank == count }

    /// Calls `body` with the current entry. There must be one. The bytes are valid until it returns.
    @inline(__always)
    func withEntry<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      precondition(!isAtEnd, "Behind the last entry there is none.")
      return try withExtendedLifetime(tree.root) { try body(leaf.entry(index)) }
    }

    /// Advances to the next entry. There must be a current one.
    ///
    /// Complexity: O(1), O(log n) once a leaf.
    @inline(__always)
    mutating func advance() {
      precondition(!isAtEnd, "Behind the last entry there is none.")
      rank += 1
      index += 1
      if index == leafCount { findLeaf() }
    }

    private mutating func findLeaf() {
      guard rank < count else { return }
      (leaf, index) = tree.root.handle.leaf(atRank: rank)
      leafCount = leaf.count
    }
  }
}
