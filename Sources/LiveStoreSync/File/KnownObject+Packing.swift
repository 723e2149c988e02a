/// The bytes of a known object in its row: whether it is deleted; the latest of its clocks; then each cell:
/// its number, its fingerprint, its clock if that is another, and its basis if it has one; of a deleted one
/// the known clocks.
extension KnownObject {
  private static let live: UInt8 = 1
  private static let deleted: UInt8 = 2
  private static let ownClock: UInt8 = 1
  private static let basis: UInt8 = 2

  var packed: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(17 + cells.count * 10)
    let base = latest ?? HybridClock(stamp: 0, replica: 0)
    bytes.append(deletion == nil ? Self.live : Self.deleted)
    bytes.append(base)
    for (replica, stamp) in known.sorted(by: { $0.key < $1.key }) {
      bytes.append(HybridClock(stamp: stamp, replica: replica))
    }
    for (number, cell) in cells.sorted(by: { $0.key < $1.key }) {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
      bytes.append((cell.clock == base ? 0 : Self.ownClock) | (cell.basis == nil ? 0 : Self.basis))
      bytes.append(cell.fingerprint)
      if cell.clock != base { bytes.append(cell.clock) }
      if let basis = cell.basis { bytes.append(basis) }
    }
    return bytes
  }

  /// - Returns: `nil` for bytes that are no known object, which any program can write.
  init?(life: Int64, packed bytes: [UInt8]) {
    self.init(life: life)
    let object: KnownObject? = bytes.withUnsafeBytes { buffer in
      var object = KnownObject(life: life)
      var offset = 1
      func number() -> UInt64? {
        guard offset + 8 <= buffer.count else { return nil }
        defer { offset += 8 }
        return UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      func clock() -> HybridClock? {
        guard let stamp = number(), let replica = number() else { return nil }
        return HybridClock(stamp: Int64(bitPattern: stamp), replica: Int64(bitPattern: replica))
      }
      guard let kind = buffer.first, let base = clock() else { return nil }
      if kind == Self.deleted {
        object.deletion = base
        while let known = clock() { object.known[known.replica] = known.stamp }
        return object
      }
      while offset + 3 <= buffer.count {
        let name = Int(buffer[offset]) | Int(buffer[offset + 1]) << 8
        let parts = buffer[offset + 2]
        offset += 3
        guard let fingerprint = number() else { return nil }
        var cell = KnownCell(fingerprint: fingerprint, clock: base)
        if parts & Self.ownClock != 0 {
          guard let own = clock() else { return nil }
          cell.clock = own
        }
        if parts & Self.basis != 0 {
          guard let basis = clock() else { return nil }
          cell.basis = basis
        }
        object.cells[name] = cell
      }
      return object
    }
    guard let object else { return nil }
    self = object
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(_ clock: HybridClock) {
    append(UInt64(bitPattern: clock.stamp))
    append(UInt64(bitPattern: clock.replica))
  }
}
