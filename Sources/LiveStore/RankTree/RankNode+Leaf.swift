extension RankNode {
  /// Creates an empty leaf with space for `capacity` bytes of entries and slots.
  static func makeLeaf(capacity: Int) -> RankNode {
    let whole = (capacity + 7) & ~7
    return make(level: 0, bytes: whole, capacity: whole)
  }
}

extension RankNode.Handle {
  /// One slot for each entry: in the lower half, the distance of its start from the end of the body; in the
  /// upper half, its head.
  @inline(__always)
  var slots: UnsafeMutablePointer<UInt32> { body.assumingMemoryBound(to: UInt32.self) }

  @inline(__always)
  private var bodyEnd: UnsafeMutableRawPointer { body + capacity }

  /// The bytes of the entries of a leaf before entry `index`.
  @inline(__always)
  func bytes(before index: Int) -> Int {
    // The total is not read from a slot: one long entry may have more bytes than 16 bits can represent.
    index == count ? used : index == 0 ? 0 : Int(slots[index - 1] & 0xFFFF)
  }

  @inline(__always)
  func entry(_ index: Int) -> UnsafeRawBufferPointer {
    let before = bytes(before: index)
    let through = bytes(before: index + 1)
    return UnsafeRawBufferPointer(start: bodyEnd - through, count: through - before)
  }

  /// The bytes of entries and slots before entry `index` of a leaf.
  @inline(__always)
  func weight(before index: Int) -> Int { bytes(before: index) + RankNode.slotSize * index }

  /// Whether a leaf contains one long entry.
  @inline(__always)
  var isOversized: Bool { used > RankNode.oversize && count == 1 }

  @inline(__always)
  func hasRoom(for byteCount: Int) -> Bool {
    used + byteCount + RankNode.slotSize * (count + 1) <= capacity
  }

  /// The 2 bytes of a key from `offset` on, at their place in a slot.
  @inline(__always)
  static func slotHead(of key: UnsafeRawBufferPointer, from offset: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: rankHead(of: key, from: offset) >> 32) & 0xFFFF_0000
  }

  /// The index of `key` in a leaf, and whether it is there.
  @inline(__always)
  func find(_ key: UnsafeRawBufferPointer) -> (index: Int, isFound: Bool) {
    let count = count
    if count == 0 { return (0, false) }
    let prefixLength = prefixLength
    if prefixLength > 0 {
      let common = min(prefixLength, key.count)
      let order = compareRankBytes(key.baseAddress, common, entry(0).baseAddress, common)
      if order < 0 || order == 0 && key.count < prefixLength { return (0, false) }
      if order > 0 { return (count, false) }
    }
    let wanted = Self.slotHead(of: key, from: prefixLength)
    let slots = slots
    // The first entry whose head is not less.
    var low = 0
    var length = count
    while length > 1 {
      let half = length >> 1
      low = slots[low + half - 1] < wanted ? low + half : low
      length -= half
    }
    if slots[low] < wanted { low += 1 }
    if low == count || slots[low] & 0xFFFF_0000 != wanted { return (low, false) }
    return find(key, among: wanted, from: low)
  }

  /// The same, given the first entry that has the key's head: only here the entries' bytes are compared.
  @inline(__always)
  private func find(
    _ key: UnsafeRawBufferPointer, among head: UInt32, from first: Int
  ) -> (index: Int, isFound: Bool) {
    var low = first
    // Usually there is only one.
    var high = first + 1
    if high < count, slots[high] & 0xFFFF_0000 == head { high = count }
    while low < high {
      let middle = (low + high) >> 1
      if slots[middle] & 0xFFFF_0000 != head {
        high = middle
        continue
      }
      let order = compareRankBytes(entry(middle), key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Inserts an entry into a leaf that has space for it.
  func insert(_ key: UnsafeRawBufferPointer, at index: Int) {
    let count = count
    if count == 0 {
      prefixLength = key.count
    } else if index == 0 || index == count {
      // A key between others shares their prefix.
      let common = RankNode.commonPrefixLength(key, entry(index == 0 ? 0 : count - 1))
      if common < prefixLength {
        prefixLength = common
        completeHeads()
      }
    }
    let before = bytes(before: index)
    (bodyEnd - used - key.count).copyMemory(from: bodyEnd - used, byteCount: used - before)
    if let source = key.baseAddress {
      (bodyEnd - before - key.count).copyMemory(from: source, byteCount: key.count)
    }
    let moved = slots + index
    UnsafeMutableRawPointer(moved + 1).copyMemory(
      from: moved, byteCount: RankNode.slotSize * (count - index))
    let offset = UInt32(truncatingIfNeeded: key.count)
    for position in 0..<(count - index) { moved[position + 1] &+= offset }
    let through = UInt32(truncatingIfNeeded: before + key.count) & 0xFFFF
    moved[0] = Self.slotHead(of: key, from: prefixLength) | through
    used += key.count
    self.count = count + 1
  }

  func removeEntry(at index: Int) {
    let count = count
    let before = bytes(before: index)
    let through = bytes(before: index + 1)
    let byteCount = through - before
    (bodyEnd - used + byteCount).copyMemory(from: bodyEnd - used, byteCount: used - through)
    let moved = slots + index
    UnsafeMutableRawPointer(moved).copyMemory(
      from: moved + 1, byteCount: RankNode.slotSize * (count - index - 1))
    let offset = UInt32(truncatingIfNeeded: byteCount)
    for position in 0..<(count - index - 1) { moved[position] &-= offset }
    used -= byteCount
    self.count = count - 1
  }

  func truncate(to index: Int) {
    used = bytes(before: index)
    count = index
    completePrefix()
  }

  /// Appends entries of another leaf to this one, which has space for them.
  func append(_ other: RankNode.Handle, from first: Int, to end: Int) {
    guard first < end else { return }
    let before = other.bytes(before: first)
    let byteCount = other.bytes(before: end) - before
    (bodyEnd - used - byteCount).copyMemory(from: other.bodyEnd - before - byteCount, byteCount: byteCount)
    let target = slots + count
    let source = other.slots + first
    let offset = UInt32(truncatingIfNeeded: used) &- UInt32(truncatingIfNeeded: before)
    // The heads are not copied: they depend on the prefix.
    for position in 0..<(end - first) { target[position] = (source[position] &+ offset) & 0xFFFF }
    used += byteCount
    count += end - first
    completePrefix()
  }

  /// Copies the complete contents of another leaf of the same capacity into this one, which is empty.
  func copyLeaf(_ other: RankNode.Handle) {
    base.copyMemory(
      from: other.base, byteCount: MemoryLayout<RankNode.Header>.size + RankNode.slotSize * other.count)
    (bodyEnd - used).copyMemory(from: other.bodyEnd - used, byteCount: used)
  }

  /// Computes the length of the common prefix of all entries of a leaf, and the heads after it.
  private func completePrefix() {
    guard count > 0 else { return }
    prefixLength = count == 1 ? used : RankNode.commonPrefixLength(entry(0), entry(count - 1))
    completeHeads()
  }

  private func completeHeads() {
    for index in 0..<count {
      slots[index] = Self.slotHead(of: entry(index), from: prefixLength) | slots[index] & 0xFFFF
    }
  }
}
