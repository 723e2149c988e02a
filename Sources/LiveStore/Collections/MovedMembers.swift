/// The rows of members that two orders have in different places, by the bytes that identify the member.
///
/// A dictionary hashes a key so that keys cannot be chosen to collide, and compares values of any kind, which
/// takes longer than all the rest of a comparison of two orders. Here a multiplication by a random number of
/// the process has to suffice, as in ``RowMap``.
struct MovedMembers {
  private struct Entry {
    let row: Int
    let hash: UInt32
    let start: Int
    let count: Int
  }

  private var entries: [Entry] = []
  /// The bytes of all entries.
  private var bytes: [UInt8] = []
  /// One more than the index in `entries`, at the first free slot from that of the hash on; 0 if the slot is
  /// free. Their number is a power of two, and at least half of them are free.
  private var slots: [UInt32]

  init(minimumCapacity: Int) {
    var count = 16
    while count < minimumCapacity * 2 { count *= 2 }
    slots = Array(repeating: 0, count: count)
    entries.reserveCapacity(minimumCapacity)
    bytes.reserveCapacity(minimumCapacity * 12)
  }

  /// The row of a member; `next`, which it then has, if it has none yet.
  ///
  /// - Complexity: O(1) on average.
  mutating func row(of member: UnsafeRawBufferPointer, next: Int) -> Int {
    if entries.count * 2 >= slots.count { grow() }
    let hash = quickHash(of: member)
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, entry.count == member.count, has(member, at: entry.start) { return entry.row }
      slot = (slot + 1) & mask
    }
    entries.append(Entry(row: next, hash: hash, start: bytes.count, count: member.count))
    bytes.append(contentsOf: member)
    slots[slot] = UInt32(entries.count)
    return next
  }

  private func has(_ member: UnsafeRawBufferPointer, at start: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      compareRankBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + member.count)]), member) == 0
    }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }
}
