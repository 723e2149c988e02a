extension RankNode {
  /// A node that was split off, to be inserted after the one it was part of.
  struct Split {
    /// Greater than all entries before, not greater than those of ``node``.
    var separator: [UInt8]
    var node: RankNode
  }

  enum InsertionResult {
    /// The key was inserted, at this rank in the node.
    case inserted(Int)
    /// The key was there already; nothing changed.
    case present
    /// A leaf was divided to make space for a long entry between its parts: insert again.
    case divided
  }

  /// Inserts a key into the tree below `slot`.
  ///
  /// - Parameters:
  ///   - isFirst, isLast: Whether the node is at the beginning, or at the end, of its level. Entries inserted
  ///     there one after the other leave full nodes.
  ///   - split: Set if the node became two.
  static func insert(
    _ key: UnsafeRawBufferPointer, into slot: UnsafeMutablePointer<RankNode>, isFirst: Bool, isLast: Bool,
    split: inout Split?
  ) -> InsertionResult {
    makeUnique(slot)
    let node = slot.pointee.handle
    if node.level == 0 {
      return insert(key, intoLeaf: slot, isFirst: isFirst, isLast: isLast, split: &split)
    }

    let index = node.childIndex(for: key)
    var childSplit: Split?
    let result = insert(
      key, into: node.childSlot(index), isFirst: isFirst && index == 0,
      isLast: isLast && index == node.count - 1, split: &childSplit)
    let before = node.entriesBefore(index)
    if let childSplit {
      insert(childSplit, intoInner: slot, behind: index, isFirst: isFirst, isLast: isLast, split: &split)
    } else if case .inserted = result {
      node.addEntries(1, toChild: index)
    }
    if case .inserted(let rank) = result { return .inserted(before + rank) }
    return result
  }

  private static func insert(
    _ key: UnsafeRawBufferPointer, intoLeaf slot: UnsafeMutablePointer<RankNode>, isFirst: Bool, isLast: Bool,
    split: inout Split?
  ) -> InsertionResult {
    let leaf = slot.pointee.handle
    let (index, isFound) = leaf.find(key)
    if isFound { return .present }
    let weight = leaf.weight(before: leaf.count) + key.count + slotSize
    let standsAlone = key.count > oversize || leaf.isOversized
    if leaf.count == 0 || !standsAlone && weight <= leafLimit {
      if !leaf.hasRoom(for: key.count) {
        let capacity = leaf.count == 0 ? weight : min(leafLimit, weight * 2)
        let larger = makeLeaf(capacity: capacity)
        larger.handle.append(leaf, from: 0, to: leaf.count)
        slot.pointee = larger
      }
      slot.pointee.handle.insert(key, at: index)
      return .inserted(index)
    }

    if index == leaf.count, standsAlone || isLast {
      let node = makeLeaf(capacity: standsAlone ? key.count + slotSize : leafLimit)
      node.handle.insert(key, at: 0)
      split = Split(separator: separator(leaf.entry(leaf.count - 1), key), node: node)
      return .inserted(index)
    }
    if index == 0, standsAlone || isFirst {
      let node = makeLeaf(capacity: standsAlone ? key.count + slotSize : leafLimit)
      node.handle.insert(key, at: 0)
      split = Split(separator: separator(key, leaf.entry(0)), node: slot.pointee)
      slot.pointee = node
      return .inserted(0)
    }
    if standsAlone {
      split = divide(leaf, at: index)
      return .divided
    }

    // Every entry is at most a quarter of the limit, so both halves have space for one more.
    var middle = 1
    let half = leaf.weight(before: leaf.count) / 2
    while middle < leaf.count - 1, leaf.weight(before: middle) < half { middle += 1 }
    let right = divide(leaf, at: middle)
    if index <= middle {
      if !leaf.hasRoom(for: key.count) {
        let larger = makeLeaf(capacity: leafLimit)
        larger.handle.append(leaf, from: 0, to: leaf.count)
        slot.pointee = larger
      }
      slot.pointee.handle.insert(key, at: index)
    } else {
      right.node.handle.insert(key, at: index - middle)
    }
    // A key at the end of the left part need not be less than the separator of the cut.
    split =
      index == middle
      ? Split(separator: separator(key, right.node.handle.entry(0)), node: right.node)
      : right
    return .inserted(index)
  }

  /// Moves the entries from `index` on into a new leaf.
  private static func divide(_ leaf: Handle, at index: Int) -> Split {
    let node = makeLeaf(capacity: leafLimit)
    node.handle.append(leaf, from: index, to: leaf.count)
    let separator = separator(leaf.entry(index - 1), leaf.entry(index))
    leaf.truncate(to: index)
    return Split(separator: separator, node: node)
  }

  /// Inserts a new child after the one at `index`, whose count may have changed too.
  ///
  /// It rebuilds the node: once in some thirty insertions, and far simpler than moving each of the arrays.
  private static func insert(
    _ new: Split, intoInner slot: UnsafeMutablePointer<RankNode>, behind index: Int, isFirst: Bool,
    isLast: Bool, split: inout Split?
  ) {
    let node = slot.pointee.handle
    let level = node.level
    let count = node.count + 1
    let leftCount: Int
    if count <= maximumChildren {
      leftCount = count
    } else if isLast {
      leftCount = count - 4
    } else if isFirst {
      leftCount = 4
    } else {
      leftCount = count / 2
    }
    let bytes = node.used + new.separator.count + 64
    let left = makeInner(level: level, separatorBytes: bytes)
    let right = leftCount < count ? makeInner(level: level, separatorBytes: bytes) : nil
    var splitSeparator: [UInt8] = []
    new.separator.withUnsafeBytes { newSeparator in
      for position in 0..<count {
        let isNew = position == index + 1
        let source = position <= index ? position : position - 1
        let child = isNew ? Unmanaged.passRetained(new.node) : node.child(source)
        let separator = isNew ? newSeparator : node.separator(source)
        let target = position < leftCount ? left : right ?? left
        if position == leftCount { splitSeparator = [UInt8](separator) }
        let entries =
          position == index || isNew
          ? Handle(child).total
          : node.entriesBefore(source + 1) - node.entriesBefore(source)
        target.handle.append(child: child, entries: entries, separator: separator)
      }
    }
    node.count = 0
    left.handle.completeSeparators()
    slot.pointee = left
    if let right {
      right.handle.completeSeparators()
      split = Split(separator: splitSeparator, node: right)
    }
  }
}
