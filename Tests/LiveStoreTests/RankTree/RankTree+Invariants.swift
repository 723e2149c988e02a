@testable import LiveStore

extension RankTree {
  /// Stops the program if the tree violates an invariant. Complexity: O(n).
  ///
  /// - All leaves are on one level, and none is empty, except the root of an empty tree.
  /// - Entries are strictly ascending, and lie between the separators around their leaf.
  /// - A leaf's weight is within its capacity and the limit, unless it has one entry only; a long entry is
  ///   alone.
  /// - An inner node has 2…``RankNode/maximumChildren`` children, whose counts are right; the prefix and the
  ///   heads are those of its separators.
  func _checkInvariants() {
    let node = root.handle
    guard node.level > 0 || node.count > 0 else { return }
    RankNode.checkInvariants(root, lower: nil, upper: nil)
  }
}

extension RankNode {
  fileprivate static func checkInvariants(
    _ reference: RankNode, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) {
    let node = reference.handle
    if node.level == 0 {
      checkLeaf(node, lower: lower, upper: upper)
      return
    }
    let count = node.count
    precondition(count >= 2 && count <= maximumChildren, "An inner node has \(count) children.")
    precondition(node.used <= node.capacity, "The separators are longer than their place.")
    var total = 0
    let prefixLength = commonPrefixLength(node.separator(1), node.separator(count - 1))
    precondition(node.prefixLength == prefixLength, "The common prefix is wrong.")
    precondition(node.separator(0).isEmpty, "There is a separator before the first child.")
    for index in 0..<count {
      let child = node.childHandle(index)
      precondition(child.level == node.level - 1, "A child is on another level.")
      if index > 0 {
        precondition(
          node.heads[index] == rankHead(of: node.separator(index), from: prefixLength), "A head is wrong.")
      }
      total += child.total
      precondition(Int(node.cumulative[index]) == total, "A count is wrong.")
      checkInvariants(
        node.child(index).takeUnretainedValue(), lower: index == 0 ? lower : node.separator(index),
        upper: index == count - 1 ? upper : node.separator(index + 1))
    }
  }

  private static func checkLeaf(
    _ leaf: Handle, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) {
    let count = leaf.count
    precondition(count > 0, "A leaf is empty.")
    precondition(leaf.weight(before: count) <= leaf.capacity, "A leaf overflows.")
    leaf.checkHeads()
    if count > 1 {
      precondition(leaf.weight(before: count) <= leafLimit, "A leaf is over the limit.")
    }
    for index in 0..<count {
      let entry = leaf.entry(index)
      precondition(count == 1 || entry.count <= oversize, "A long entry is not alone.")
      if index > 0 {
        precondition(compareRankBytes(leaf.entry(index - 1), entry) < 0, "Entries are out of order.")
      }
    }
    if let lower {
      precondition(compareRankBytes(lower, leaf.entry(0)) <= 0, "An entry is before its leaf.")
    }
    if let upper {
      precondition(compareRankBytes(leaf.entry(count - 1), upper) < 0, "An entry is behind its leaf.")
    }
  }
}

extension RankNode.Handle {
  /// Stops the program if a head of a leaf, or the prefix, is wrong.
  fileprivate func checkHeads() {
    for index in 0..<count {
      precondition(
        RankNode.commonPrefixLength(entry(0), entry(index)) >= prefixLength, "The common prefix is wrong.")
      precondition(
        slots[index] & 0xFFFF_0000 == Self.slotHead(of: entry(index), from: prefixLength), "A head is wrong.")
      precondition(
        slots[index] & 0xFFFF == UInt32(truncatingIfNeeded: bytes(before: index + 1)) & 0xFFFF,
        "An entry does not end where the next begins.")
    }
  }
}
