extension RankNode {
  /// Removes a key from the tree below `slot`, which may leave the node with fewer children than the minimum;
  /// returns its former rank in the node, if it was there.
  static func remove(_ key: UnsafeRawBufferPointer, from slot: UnsafeMutablePointer<RankNode>) -> Int? {
    makeUnique(slot)
    let node = slot.pointee.handle
    if node.level == 0 {
      let (index, isFound) = node.find(key)
      guard isFound else { return nil }
      node.removeEntry(at: index)
      return index
    }
    let index = node.childIndex(for: key)
    guard let rank = remove(key, from: node.childSlot(index)) else { return nil }
    let before = node.entriesBefore(index)
    node.addEntries(-1, toChild: index)
    refill(childAt: index, of: slot)
    return before + rank
  }

  /// Merges or refills a child that has lost an entry or a child, if necessary.
  private static func refill(childAt index: Int, of slot: UnsafeMutablePointer<RankNode>) {
    let node = slot.pointee.handle
    let child = node.childHandle(index)
    if child.level > 0 {
      if child.count >= minimumChildren || node.count < 2 { return }
      joinInner(at: index + 1 < node.count ? index : index - 1, of: slot)
    } else if child.count == 0 {
      removeChild(at: index, of: slot)
    } else if child.weight(before: child.count) < leafLimit / 4 {
      if index + 1 < node.count, joinLeaves(at: index, of: slot) { return }
      if index > 0 { _ = joinLeaves(at: index - 1, of: slot) }
    }
  }

  /// Joins the leaves at `index` and after it, unless the result would be nearly full.
  private static func joinLeaves(at index: Int, of slot: UnsafeMutablePointer<RankNode>) -> Bool {
    let node = slot.pointee.handle
    let right = node.childHandle(index + 1)
    let left = node.childHandle(index)
    if left.isOversized || right.isOversized { return false }
    let weight = left.weight(before: left.count) + right.weight(before: right.count)
    if weight > leafLimit * 3 / 4 { return false }
    let joined = makeLeaf(capacity: leafLimit)
    joined.handle.append(left, from: 0, to: left.count)
    joined.handle.append(right, from: 0, to: right.count)
    node.childSlot(index).pointee = joined
    node.cumulative[index] = node.cumulative[index + 1]
    removeChild(at: index + 1, of: slot)
    return true
  }

  /// Joins the inner nodes at `index` and after it, or divides their children evenly if they are too many for
  /// one.
  private static func joinInner(at index: Int, of slot: UnsafeMutablePointer<RankNode>) {
    let node = slot.pointee.handle
    makeUnique(node.childSlot(index))
    makeUnique(node.childSlot(index + 1))
    let left = node.childHandle(index)
    let right = node.childHandle(index + 1)
    let between = node.separator(index + 1)
    let count = left.count + right.count
    let bytes = left.used + right.used + between.count

    guard count > maximumChildren else {
      let joined = makeInner(level: left.level, separatorBytes: bytes)
      joined.handle.append(childrenOf: left, separator: UnsafeRawBufferPointer(start: nil, count: 0))
      joined.handle.append(childrenOf: right, separator: between)
      joined.handle.completeSeparators()
      node.childSlot(index).pointee = joined
      node.cumulative[index] = node.cumulative[index + 1]
      removeChild(at: index + 1, of: slot)
      return
    }

    let newLeft = makeInner(level: left.level, separatorBytes: bytes)
    let newRight = makeInner(level: left.level, separatorBytes: bytes)
    var newBetween: [UInt8] = []
    for position in 0..<count {
      let isLeft = position < left.count
      let source = isLeft ? left : right
      let place = isLeft ? position : position - left.count
      let separator = position == left.count ? between : source.separator(place)
      if position == count / 2 { newBetween = [UInt8](separator) }
      (position < count / 2 ? newLeft : newRight).handle.append(
        child: source.child(place), entries: source.childHandle(place).total, separator: separator)
    }
    left.count = 0
    right.count = 0
    newLeft.handle.completeSeparators()
    newRight.handle.completeSeparators()
    node.childSlot(index).pointee = newLeft
    node.childSlot(index + 1).pointee = newRight
    node.cumulative[index] = UInt32(truncatingIfNeeded: node.entriesBefore(index) + newLeft.handle.total)
    rebuild(slot, separatorBytes: newBetween.count) { position, separator, append in
      if position == index + 1 { newBetween.withUnsafeBytes { append($0) } } else { append(separator) }
    }
  }

  /// Removes a child, and the separator before it. Its entries must be counted with another child, or be
  /// none.
  private static func removeChild(at index: Int, of slot: UnsafeMutablePointer<RankNode>) {
    rebuild(slot, separatorBytes: 0) { position, separator, append in
      if position != index { append(separator) }
    }
  }

  /// Rebuilds an inner node from its children, each with the separator that `body` appends it with; a child
  /// that is not appended is released.
  private static func rebuild(
    _ slot: UnsafeMutablePointer<RankNode>, separatorBytes: Int,
    _ body: (_ position: Int, _ separator: UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    let node = slot.pointee.handle
    let result = makeInner(level: node.level, separatorBytes: node.used + separatorBytes + 64)
    for position in 0..<node.count {
      var isAppended = false
      body(position, node.separator(position)) { separator in
        isAppended = true
        result.handle.append(
          child: node.child(position),
          entries: node.entriesBefore(position + 1) - node.entriesBefore(position), separator: separator)
      }
      if !isAppended { node.child(position).release() }
    }
    node.count = 0
    result.handle.completeSeparators()
    slot.pointee = result
  }
}
