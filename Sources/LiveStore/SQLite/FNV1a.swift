/// A hash function that is the same in every process and on every machine, unlike Swift's own.
package enum FNV1a {
  /// The value of no bytes.
  @inlinable package static var start: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// - Parameter value: The value of the bytes before, or another one to begin with.
  @inlinable
  package static func hash(_ bytes: some Sequence<UInt8>, from value: UInt64 = start) -> UInt64 {
    // One by one, by a protocol, they take ten times as long.
    bytes.withContiguousStorageIfAvailable { $0.reduce(value) { hash($1, from: $0) } }
      ?? bytes.reduce(value) { hash($1, from: $0) }
  }

  @inlinable
  package static func hash(_ byte: UInt8, from value: UInt64) -> UInt64 {
    (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The hash in sixteen hexadecimal digits.
  package static func digits(_ bytes: some Sequence<UInt8>, from value: UInt64 = start) -> String {
    let digits = String(hash(bytes, from: value), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
