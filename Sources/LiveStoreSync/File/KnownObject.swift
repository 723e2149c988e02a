import LiveStore

/// The part of an object's state that a joined file keeps beside the object itself: the clocks of its cells,
/// and a fingerprint of the value that each clock belongs to, by which a change is found whatever made it.
struct KnownObject: Equatable {
  struct KnownCell: Equatable {
    var fingerprint: UInt64
    var clock: HybridClock
    /// Of a value that was given on this machine: see `SyncedObject.Cell.basis`.
    var basis: HybridClock?

    /// The basis of a value that replaces this one on a machine.
    func basisOfNext(on replica: Int64) -> HybridClock {
      clock.replica == replica ? basis ?? clock : clock
    }
  }

  var life: Int64 = 0
  /// The time of the deletion that ended this life.
  var deletion: HybridClock?
  /// The clocks that were known where it was deleted; see `SyncedObject.known`.
  var known: [Int64: Int64] = [:]
  /// The cells by the numbers of their names; see ``CellNames``.
  var cells: [Int: KnownCell] = [:]

  var latest: HybridClock? { deletion ?? cells.values.lazy.map(\.clock).max() }

  /// Whether the space has never had the object: all that its cells have been waits to be sent.
  ///
  /// - Parameter waiting: The stamp of its earliest change that waits.
  func isNew(since waiting: Int64?) -> Bool {
    guard let waiting else { return false }
    return cells.values.allSatisfy { min($0.clock.stamp, $0.basis?.stamp ?? .max) >= waiting }
  }

  /// Deletes the object, with knowledge of all its cells.
  mutating func delete(at clock: HybridClock) {
    for cell in cells.values {
      known[cell.clock.replica] = max(known[cell.clock.replica] ?? .min, cell.clock.stamp)
    }
    deletion = clock
    cells = [:]
  }
}

extension SQLiteValue {
  /// A number that differs for different values, but for one pair in 2⁶⁴.
  var fingerprint: UInt64 {
    switch self {
    case .null: Fingerprint.of(UnsafeRawBufferPointer(start: nil, count: 0), kind: 0)
    case .integer(let value): Fingerprint.of(value, kind: 1)
    case .real(let value): Fingerprint.of(value.bitPattern, kind: 2)
    case .text(var text): text.withUTF8 { Fingerprint.of(UnsafeRawBufferPointer($0), kind: 3) }
    case .malformedText(let bytes): bytes.withUnsafeBytes { Fingerprint.of($0, kind: 3) }
    case .blob(let bytes): bytes.withUnsafeBytes { Fingerprint.of($0, kind: 4) }
    }
  }
}

/// A hash function whose values are kept in files, unlike those of Swift's `Hasher`, which differ in each
/// process.
private enum Fingerprint {
  static func of(_ value: some FixedWidthInteger, kind: UInt64) -> UInt64 {
    mix(mix(0x9E37_79B9_7F4A_7C15 ^ kind, UInt64(truncatingIfNeeded: value)), 8)
  }

  static func of(_ bytes: UnsafeRawBufferPointer, kind: UInt64) -> UInt64 {
    var state = 0x9E37_79B9_7F4A_7C15 ^ kind
    var offset = 0
    while offset + 8 <= bytes.count {
      state = mix(state, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
      offset += 8
    }
    var rest: UInt64 = 0
    for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
    return mix(mix(state, rest), UInt64(bytes.count))
  }

  /// Both halves of a product of 128 bits, in which every bit of the factors counts.
  private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: word ^ 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low ^ state &* 0x8EBC_6AF0_9C88_C6E3
  }
}

/// The names of a class's cells by the numbers under which ``KnownObject`` has them. A number is never given
/// to another name.
struct CellNames {
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]

  init(_ names: [String] = []) {
    for name in names { _ = number(of: name) }
  }

  /// The number of a name, which gets one if it has none.
  mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  func existingNumber(of name: String) -> Int? { numbers[name] }

  subscript(number: Int) -> String? { names.indices.contains(number) ? names[number] : nil }
}
