/// Values by row, in the order of insertion: for lookups that are made for every row that a transaction
/// writes.
///
/// A dictionary hashes a key so that keys cannot be chosen to collide, which takes longer than SQLite takes
/// for the row itself. Here a multiplication by a random number of the process has to suffice.
struct RowMap<Value> {
  struct Entry {
    let row: RowIdentity
    var value: Value
    fileprivate let hash: UInt32
  }

  /// The entries, in the order of insertion as long as none has been removed.
  private(set) var entries: [Entry] = []
  /// One more than the index in `entries`, at the first free slot from that of the hash on; 0 if the slot is
  /// free. Their number is a power of two, and at least a quarter of them are free.
  private var slots: [UInt32] = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// - Complexity: O(1) on average.
  subscript(row: RowIdentity) -> Value? {
    index(of: row).map { entries[$0].value }
  }

  /// The value at an index of ``entries``.
  subscript(index index: Int) -> Value {
    get { entries[index].value }
    _modify { yield &entries[index].value }
  }

  /// The index of a row in ``entries``, or `nil`.
  func index(of row: RowIdentity) -> Int? {
    guard !entries.isEmpty else { return nil }
    guard case .some(let index) = find(row, hash: row.quickHash).index else { return nil }
    return index
  }

  /// The index of a row, which is inserted if it is missing.
  ///
  /// - Complexity: O(1) on average.
  mutating func index(
    of row: RowIdentity, adding value: @autoclosure () -> Value
  ) -> (index: Int, isNew: Bool) {
    if entries.count * 4 >= slots.count * 3 { grow() }
    let hash = row.quickHash
    let (slot, index) = find(row, hash: hash)
    if let index { return (index, false) }
    entries.append(Entry(row: row, value: value(), hash: hash))
    slots[slot] = UInt32(entries.count)
    return (entries.count - 1, true)
  }

  /// Removes a row, which the last one replaces.
  ///
  /// - Complexity: O(1) on average.
  mutating func remove(at index: Int) {
    let last = entries.count - 1
    var hole = slot(of: index)
    if index != last {
      slots[slot(of: last)] = UInt32(index + 1)
      entries.swapAt(index, last)
    }
    entries.removeLast()
    // Entries after the hole move up if their own slots were taken when they were inserted.
    let mask = slots.count - 1
    var next = (hole + 1) & mask
    while slots[next] != 0 {
      let home = Int(entries[Int(slots[next]) - 1].hash) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = 0
  }

  mutating func removeAll() {
    guard !entries.isEmpty else { return }
    if slots.count > 1024 {
      self = RowMap()
    } else {
      entries.removeAll(keepingCapacity: true)
      for slot in slots.indices { slots[slot] = 0 }
    }
  }

  /// The slot and the index of a row; for a missing row the slot to insert it at.
  private func find(_ row: RowIdentity, hash: UInt32) -> (slot: Int, index: Int?) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while true {
      let place = Int(slots[slot])
      if place == 0 { return (slot, nil) }
      if entries[place - 1].hash == hash, entries[place - 1].row == row {
        return (slot, place - 1)
      }
      slot = (slot + 1) & mask
    }
  }

  private func slot(of index: Int) -> Int {
    let mask = slots.count - 1
    var slot = Int(entries[index].hash) & mask
    while Int(slots[slot]) != index + 1 { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: Swift.max(16, slots.count * 2))
    let mask = slots.count - 1
    for index in entries.indices {
      var slot = Int(entries[index].hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }
}

/// Odd, so that the multiplication loses no bit.
private let hashMultiplier = UInt64.random(in: 0 ... .max) | 1

extension RowIdentity {
  fileprivate var quickHash: UInt32 {
    let seed = UInt64(truncatingIfNeeded: table) &* 0x9E37_79B9_7F4A_7C15
    switch key {
    case .integer(let value): return finishedHash(seed ^ UInt64(bitPattern: value))
    case .real(let value): return finishedHash(seed ^ value.bitPattern)
    case .text(var text):
      return text.withUTF8 { LiveStore.quickHash(of: UnsafeRawBufferPointer($0), seed: seed) }
    case .malformedText(let bytes), .blob(let bytes):
      return bytes.withUnsafeBytes { LiveStore.quickHash(of: $0, seed: seed) }
    case .null: return finishedHash(seed)
    }
  }
}

/// A hash that differs from process to process, at the cost of a multiplication for each 8 bytes.
func quickHash(of bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt32 {
  let multiplier = hashMultiplier
  var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
  var offset = 0
  while offset + 8 <= bytes.count {
    hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* multiplier
    hash ^= hash >> 32
    offset += 8
  }
  var rest: UInt64 = 0
  while offset < bytes.count {
    rest = rest << 8 | UInt64(bytes[offset])
    offset += 1
  }
  hash = (hash ^ rest) &* multiplier
  return finishedHash(hash ^ hash >> 32)
}

private func finishedHash(_ hash: UInt64) -> UInt32 {
  let product = (hash ^ hash >> 32) &* hashMultiplier
  // The high bits depend on all bits below them.
  return UInt32(truncatingIfNeeded: (product ^ product >> 29) >> 32)
}
