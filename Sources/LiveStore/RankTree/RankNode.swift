/// A node of a ``RankTree``: a leaf, which packs entries into one run of bytes, or an inner node with child
/// nodes.
///
/// Only this class and its extensions access the memory of the tree. A node is changed only through its only
/// reference (see `isKnownUniquelyReferenced`); a shared node never changes, so that it may be read on
/// several threads.
///
/// Layout of the body, from its ``Header`` on:
///
/// - Leaf: a slot of 4 bytes for each entry, then free space, then the entries' bytes, the first at the end
///   of the body.
/// - Inner: arrays of ``maximumChildren`` children, heads, offsets of separators and cumulative counts, then
///   the separators' bytes. Separator i (i ≥ 1) is greater than all entries of child i - 1 and not greater
///   than those of child i; it is as short as that allows.
///
/// In both, entries or separators share their first `prefixLength` bytes. A head is what follows those, 2
/// bytes of an entry and 8 of a separator, as a big-endian number: a search compares numbers that are
/// adjacent, and rarely touches the bytes of more than one entry. Cache misses determine the cost of a
/// search.
final class RankNode: ManagedBuffer<Void, UInt64> {
  struct Header {
    /// 0 for a leaf, otherwise one more than that of the children.
    var level: Int32
    /// The number of entries, or of children.
    var count: Int32
    /// The bytes of entries, or of separators.
    var used: Int
    /// The bytes after the header; for an inner node, after its arrays.
    var capacity: Int
    /// The length of the common prefix of all entries, or separators.
    var prefixLength: Int
  }

  /// The greatest number of bytes of a leaf with more than one entry, including slots. With the headers of
  /// the object and of its allocation that makes 1,536.
  static var leafLimit: Int { 1472 }

  /// The number of bytes from which on an entry has its own leaf, so that all other leaves can be divided.
  static var oversize: Int { leafLimit / 4 - slotSize }

  /// The bytes that a leaf needs for an entry in addition to those of the entry.
  static var slotSize: Int { 4 }

  static var maximumChildren: Int { 32 }

  /// The number of children below which an inner node that lost some is merged with a neighbour or gets some
  /// of its children.
  static var minimumChildren: Int { 8 }

  /// A view of a node's memory. Only valid as long as the node is alive.
  struct Handle {
    let base: UnsafeMutableRawPointer

    /// The offset of the elements of a ManagedBuffer without a header: after the two words of every Swift
    /// object. ``RankNode/make(level:bytes:capacity:)`` checks it. Asking the object instead costs a retain
    /// and a release.
    private static var offset: Int { 16 }

    @inline(__always)
    init(_ node: Unmanaged<RankNode>) {
      base = node.toOpaque() + Self.offset
    }
  }

  /// The node's memory, for as long as the caller keeps the node alive.
  @inline(__always)
  var handle: Handle { Handle(Unmanaged.passUnretained(self)) }

  /// Creates a node with `bytes` bytes of body after the header, to be filled by the caller.
  static func make(level: Int, bytes: Int, capacity: Int) -> RankNode {
    let words = (MemoryLayout<Header>.size + bytes + 7) / 8
    let node = unsafeDowncast(create(minimumCapacity: words) { _ in () }, to: RankNode.self)
    precondition(
      node.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } == node.handle.base,
      "The elements of a ManagedBuffer begin at an unknown place.")
    node.handle.base.initializeMemory(
      as: Header.self,
      to: Header(level: Int32(level), count: 0, used: 0, capacity: capacity, prefixLength: 0))
    return node
  }

  /// A copy of the node with the same contents and the same children, and no other references.
  func copy() -> RankNode {
    let source = handle
    if source.level == 0 {
      let result = RankNode.makeLeaf(capacity: source.capacity)
      result.handle.copyLeaf(source)
      return result
    }
    let result = RankNode.makeInner(level: source.level, separatorBytes: source.capacity)
    // The children are scattered. Adding up their counts reads all their headers, so that the cache misses
    // overlap, for which the atomic increments of their reference counts would wait one after another.
    var total = 0
    for index in 0..<source.count { total += source.childHandle(index).total }
    precondition(total == source.total, "A node of a RankTree is damaged.")
    for index in 0..<source.count { _ = source.child(index).retain() }
    result.handle.base.copyMemory(
      from: source.base, byteCount: MemoryLayout<Header>.size + Handle.innerArrays + source.used)
    return result
  }

  /// Replaces the node in `slot` by a copy if it is shared.
  @inline(__always)
  static func makeUnique(_ slot: UnsafeMutablePointer<RankNode>) {
    if !isKnownUniquelyReferenced(&slot.pointee) { slot.pointee = slot.pointee.copy() }
  }

  deinit {
    let node = handle
    if node.level > 0 {
      for index in 0..<node.count { node.child(index).release() }
    }
  }
}

extension RankNode.Handle {
  @inline(__always)
  var header: UnsafeMutablePointer<RankNode.Header> { base.assumingMemoryBound(to: RankNode.Header.self) }

  @inline(__always)
  var level: Int { Int(header.pointee.level) }

  @inline(__always)
  var count: Int {
    get { Int(header.pointee.count) }
    nonmutating set { header.pointee.count = Int32(truncatingIfNeeded: newValue) }
  }

  @inline(__always)
  var used: Int {
    get { header.pointee.used }
    nonmutating set { header.pointee.used = newValue }
  }

  @inline(__always)
  var capacity: Int { header.pointee.capacity }

  @inline(__always)
  var prefixLength: Int {
    get { header.pointee.prefixLength }
    nonmutating set { header.pointee.prefixLength = newValue }
  }

  /// The memory after the header.
  @inline(__always)
  var body: UnsafeMutableRawPointer { base + MemoryLayout<RankNode.Header>.size }

  /// The number of entries in the node and below.
  @inline(__always)
  var total: Int { level == 0 ? count : count == 0 ? 0 : Int(cumulative[count - 1]) }

  /// The leaf that contains the entry of rank `rank` below this node, and the entry's index there.
  @inline(__always)
  func leaf(atRank rank: Int) -> (leaf: RankNode.Handle, index: Int) {
    var node = self
    var rank = rank
    while node.level > 0 {
      let index = node.childIndex(atRank: rank)
      rank -= node.entriesBefore(index)
      node = node.childHandle(index)
    }
    return (node, rank)
  }
}
