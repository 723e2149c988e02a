extension RankNode.Handle {
  /// The bytes of the arrays of an inner node.
  static var innerArrays: Int { RankNode.maximumChildren * (8 + 8 + 4 + 4) }

  /// The bytes after the common prefix of each separator, from the second on.
  @inline(__always)
  var heads: UnsafeMutablePointer<UInt64> {
    (body + RankNode.maximumChildren * 8).assumingMemoryBound(to: UInt64.self)
  }

  @inline(__always)
  private var childSlots: UnsafeMutableRawPointer { body }

  /// The number of entries in the children up to and with each.
  @inline(__always)
  var cumulative: UnsafeMutablePointer<UInt32> {
    (body + RankNode.maximumChildren * 16).assumingMemoryBound(to: UInt32.self)
  }

  /// The offset of each separator; the first is empty.
  @inline(__always)
  var separatorStarts: UnsafeMutablePointer<UInt32> {
    (body + RankNode.maximumChildren * 20).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  var separatorBytes: UnsafeMutableRawPointer { body + Self.innerArrays }

  /// The child at `index`, without retaining it.
  @inline(__always)
  func child(_ index: Int) -> Unmanaged<RankNode> {
    childSlots.load(fromByteOffset: 8 * index, as: Unmanaged<RankNode>.self)
  }

  /// The child at `index` as a mutable reference.
  @inline(__always)
  func childSlot(_ index: Int) -> UnsafeMutablePointer<RankNode> {
    childSlots.assumingMemoryBound(to: RankNode.self) + index
  }

  @inline(__always)
  func childHandle(_ index: Int) -> RankNode.Handle { RankNode.Handle(child(index)) }

  /// The number of entries before those of the child at `index`.
  @inline(__always)
  func entriesBefore(_ index: Int) -> Int { index == 0 ? 0 : Int(cumulative[index - 1]) }

  @inline(__always)
  func separator(_ index: Int) -> UnsafeRawBufferPointer {
    let start = Int(separatorStarts[index])
    let end = index + 1 < count ? Int(separatorStarts[index + 1]) : used
    return UnsafeRawBufferPointer(start: separatorBytes + start, count: end - start)
  }

  /// Adds a number to the counts of the child at `index`.
  @inline(__always)
  func addEntries(_ number: Int, toChild index: Int) {
    let number = UInt32(truncatingIfNeeded: number)
    for position in index..<count { cumulative[position] &+= number }
  }

  /// The child that contains `key` or would contain it.
  @inline(__always)
  func childIndex(for key: UnsafeRawBufferPointer) -> Int {
    let count = count
    if count <= 1 { return 0 }
    let prefixLength = prefixLength
    if prefixLength > 0 {
      let common = min(prefixLength, key.count)
      let order = compareRankBytes(key.baseAddress, common, separatorBytes, common)
      if order < 0 || order == 0 && key.count < prefixLength { return 0 }
      if order > 0 { return count - 1 }
    }
    let head = rankHead(of: key, from: prefixLength)
    let heads = heads
    // The first separator whose head is not less.
    var low = 1
    var length = count - 1
    while length > 1 {
      let half = length >> 1
      low = heads[low + half - 1] < head ? low + half : low
      length -= half
    }
    if heads[low] < head { low += 1 }
    if low == count || heads[low] > head { return low - 1 }
    return childIndex(for: key, amongHeadsFrom: low)
  }

  /// The child that contains `key`, given the first separator of the same head: only here the separators'
  /// bytes are compared.
  private func childIndex(for key: UnsafeRawBufferPointer, amongHeadsFrom first: Int) -> Int {
    var low = first
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      if heads[middle] == heads[first], compareRankBytes(separator(middle), key) <= 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low - 1
  }

  /// The child that holds the entry of rank `rank` in this node.
  @inline(__always)
  func childIndex(atRank rank: Int) -> Int {
    let rank = UInt32(truncatingIfNeeded: rank)
    let cumulative = cumulative
    var low = 0
    var length = count
    while length > 1 {
      let half = length >> 1
      low = cumulative[low + half - 1] <= rank ? low + half : low
      length -= half
    }
    return low
  }

  /// Appends a child, whose reference the node takes over. The node has space for it.
  ///
  /// ``completeSeparators()`` must follow before the node is searched.
  func append(
    child: Unmanaged<RankNode>, entries: Int, separator: UnsafeRawBufferPointer
  ) {
    let index = count
    childSlots.storeBytes(of: child, toByteOffset: 8 * index, as: Unmanaged<RankNode>.self)
    cumulative[index] = UInt32(truncatingIfNeeded: entriesBefore(index) + entries)
    separatorStarts[index] = UInt32(truncatingIfNeeded: used)
    if index > 0, let source = separator.baseAddress {
      (separatorBytes + used).copyMemory(from: source, byteCount: separator.count)
      used += separator.count
    }
    count = index + 1
  }

  /// Computes the values derived from the separators: their common prefix and their heads.
  func completeSeparators() {
    heads[0] = 0
    guard count > 1 else {
      prefixLength = 0
      return
    }
    let length = RankNode.commonPrefixLength(separator(1), separator(count - 1))
    prefixLength = length
    for index in 1..<count { heads[index] = rankHead(of: separator(index), from: length) }
  }

  /// Appends all children of another inner node, and takes them over; `separator` comes before the first.
  func append(childrenOf other: RankNode.Handle, separator: UnsafeRawBufferPointer) {
    for index in 0..<other.count {
      append(
        child: other.child(index), entries: other.childHandle(index).total,
        separator: index == 0 ? separator : other.separator(index))
    }
    other.count = 0
  }
}

extension RankNode {
  /// Creates an empty inner node with space for `separatorBytes` bytes of separators.
  static func makeInner(level: Int, separatorBytes: Int) -> RankNode {
    let node = make(
      level: level, bytes: Handle.innerArrays + separatorBytes, capacity: separatorBytes)
    node.handle.body.bindMemory(to: RankNode.self, capacity: maximumChildren)
    return node
  }

  /// The length of the common prefix of two keys.
  static func commonPrefixLength(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let limit = min(left.count, right.count)
    var length = 0
    while length + 8 <= limit,
      left.loadUnaligned(fromByteOffset: length, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: length, as: UInt64.self)
    {
      length += 8
    }
    while length < limit, left[length] == right[length] { length += 1 }
    return length
  }

  /// The shortest bytes that are greater than `left` and not greater than `right`.
  static func separator(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](right[..<(commonPrefixLength(left, right) + 1)])
  }
}
