/// The place of a row in a collection's order: a string of bytes whose byte order is the row order.
///
/// A key is the encoding of the row's sort values followed by its primary key (see ``RankKeyWriter``), so
/// that no two rows of a collection have the same key. Keys compare as unsigned bytes, a prefix before the
/// longer key.
struct RankKey: Hashable, Sendable {
  let bytes: [UInt8]

  /// A key of bytes that the caller has encoded.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A copy of bytes that ``RankTree`` or another owner provides for the duration of a call.
  init(copying bytes: UnsafeRawBufferPointer) {
    self.bytes = [UInt8](bytes)
  }

  /// Calls `body` with the key's bytes, which are valid until it returns.
  @inline(__always)
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try bytes.withUnsafeBytes(body)
  }
}

extension RankKey: Comparable {
  static func < (left: RankKey, right: RankKey) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { right in compareRankBytes(left, right) < 0 } }
  }
}

/// Compares as `memcmp` does and, where one is a prefix of the other, by length: negative, zero or positive.
@inline(__always)
func compareRankBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  compareRankBytes(left.baseAddress, left.count, right.baseAddress, right.count)
}

/// Compares as `memcmp` does and, where one is a prefix of the other, by length: negative, zero or positive.
///
/// Implemented here because keys are short: calling `memcmp` alone costs as much as comparing 16 bytes.
@inline(__always)
func compareRankBytes(
  _ left: UnsafeRawPointer?, _ leftCount: Int, _ right: UnsafeRawPointer?, _ rightCount: Int
) -> Int {
  guard let left, let right else { return leftCount - rightCount }
  let common = min(leftCount, rightCount)
  var a: UInt64 = 0
  var b: UInt64 = 0
  if common >= 8 {
    var offset = 0
    while offset < common {
      // The last 8 bytes may overlap those before, which are equal.
      let place = min(offset, common &- 8)
      a = left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      b = right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if a != b { return a.bigEndian < b.bigEndian ? -1 : 1 }
      offset &+= 8
    }
    return leftCount - rightCount
  }
  if common >= 4 {
    a = UInt64(left.loadUnaligned(as: UInt32.self).bigEndian) << 32
    b = UInt64(right.loadUnaligned(as: UInt32.self).bigEndian) << 32
    a |= UInt64(left.loadUnaligned(fromByteOffset: common &- 4, as: UInt32.self).bigEndian)
    b |= UInt64(right.loadUnaligned(fromByteOffset: common &- 4, as: UInt32.self).bigEndian)
  } else {
    for offset in 0..<common {
      a = a << 8 | UInt64(left.load(fromByteOffset: offset, as: UInt8.self))
      b = b << 8 | UInt64(right.load(fromByteOffset: offset, as: UInt8.self))
    }
  }
  return a == b ? leftCount - rightCount : a < b ? -1 : 1
}

/// The 8 bytes of a key from `offset` on as a number in the same order; zeros after the key's end.
@inline(__always)
func rankHead(of key: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
  if key.count - offset >= 8 {
    return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
  var head: UInt64 = 0
  for index in offset..<key.count { head |= UInt64(key[index]) << UInt64(8 * (7 - (index - offset))) }
  return head
}
