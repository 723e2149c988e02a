/// A hash that is the same in every process, unlike Swift's own: FNV-1a. It is for names and for detecting
/// damage, not for security.
enum StableHash {
  /// Sixteen hexadecimal digits.
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
