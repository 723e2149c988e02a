extension RankTree {
  /// A builder of a tree from sorted entries: as fast as they can be copied, and with leaves nine tenths
  /// full.
  struct Builder: ~Copyable {
    private var leaf = RankNode.makeLeaf(capacity: RankNode.leafLimit)
    private var leaves: [(separator: [UInt8], node: RankNode)] = []

    /// The separator before `leaf`.
    private var separator: [UInt8] = []

    private(set) var count = 0

    /// The bytes up to which a leaf is filled, which leaves space for a few insertions.
    private static let leafFill = RankNode.leafLimit * 9 / 10

    init() {}

    /// Appends an entry, which must be greater than the last one; the program stops if it is not.
    ///
    /// Complexity: O(length of the entry).
    mutating func append(_ key: UnsafeRawBufferPointer) {
      let isAppended = appendIfGreater(key)
      precondition(isAppended, "A RankTree is built from entries in strictly ascending order.")
    }

    /// Appends an entry if it is greater than the last one; returns whether it is.
    ///
    /// Complexity: O(length of the entry).
    mutating func appendIfGreater(_ key: UnsafeRawBufferPointer) -> Bool {
      var handle = leaf.handle
      if handle.count > 0 {
        let last = handle.entry(handle.count - 1)
        guard compareRankBytes(last, key) < 0 else { return false }
        if key.count > RankNode.oversize || handle.isOversized
          || handle.weight(before: handle.count) + key.count + RankNode.slotSize > Self.leafFill
        {
          let nextSeparator = RankNode.separator(last, key)
          finishLeaf()
          separator = nextSeparator
          handle = leaf.handle
        }
      }
      if !handle.hasRoom(for: key.count) {
        leaf = RankNode.makeLeaf(capacity: key.count + RankNode.slotSize)
        handle = leaf.handle
      }
      handle.insert(key, at: handle.count)
      count += 1
      return true
    }

    /// Appends an entry, which must be greater than the last one; the program stops if it is not.
    mutating func append(_ key: RankKey) { key.withUnsafeBytes { append($0) } }

    /// The tree of all entries. The builder is empty afterwards.
    ///
    /// Complexity: O(number of entries / 50).
    mutating func finish() -> RankTree {
      precondition(count < UInt32.max, "A RankTree holds less than 2^32 entries.")
      finishLeaf()
      let root = RankNode.makeRoot(over: leaves)
      self = Builder()
      return RankTree(root: root)
    }

    private mutating func finishLeaf() {
      // A leaf that was not filled, as that of a small collection, is reduced to the necessary size.
      if leaf.handle.weight(before: leaf.handle.count) < RankNode.leafLimit / 2 {
        let smaller = RankNode.makeLeaf(capacity: leaf.handle.weight(before: leaf.handle.count))
        smaller.handle.append(leaf.handle, from: 0, to: leaf.handle.count)
        leaves.append((separator, smaller))
        leaf.handle.truncate(to: 0)
        if leaf.handle.capacity < RankNode.leafLimit {
          leaf = RankNode.makeLeaf(capacity: RankNode.leafLimit)
        }
      } else {
        leaves.append((separator, leaf))
        leaf = RankNode.makeLeaf(capacity: RankNode.leafLimit)
      }
    }
  }
}

extension RankNode {
  static func makeRoot(over node: RankNode, _ split: Split) -> RankNode {
    makeRoot(over: [([], node), (split.separator, split.node)])
  }

  /// Creates the root over one or more nodes of one level, each with the separator before it.
  static func makeRoot(over nodes: [(separator: [UInt8], node: RankNode)]) -> RankNode {
    var nodes = nodes
    while nodes.count > 1 {
      // Groups of nearly equal size, none of a single node, with space for a few more.
      let groupCount =
        nodes.count <= maximumChildren ? 1 : (nodes.count + maximumChildren - 5) / (maximumChildren - 4)
      nodes = (0..<groupCount).map { group in
        let members = nodes[(nodes.count * group / groupCount)..<(nodes.count * (group + 1) / groupCount)]
        let parent = makeInner(
          level: members.first!.node.handle.level + 1,
          separatorBytes: members.dropFirst().reduce(64) { $0 + $1.separator.count })
        for member in members {
          member.separator.withUnsafeBytes {
            parent.handle.append(
              child: Unmanaged.passRetained(member.node), entries: member.node.handle.total, separator: $0)
          }
        }
        parent.handle.completeSeparators()
        return (members.first!.separator, parent)
      }
    }
    return nodes[0].node
  }
}
