import LiveStore

/// A hash that is the same in every process, unlike Swift's own. It is for names and for detecting
/// damage, not for security.
enum StableHash {
  /// Sixteen hexadecimal digits.
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    let digits = String(FNV1a.hash(bytes), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
