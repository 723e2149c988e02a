/// A hash that is the same in every process, as Swift's own are not: FNV-1a. It is for names and for noticing
/// damage, not for keeping anybody from anything.
enum StableHash {
  /// Sixteen hexadecimal digits.
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
