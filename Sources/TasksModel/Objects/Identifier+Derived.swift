/// Ids that follow from something else, so that they are the same wherever they are made.
extension Identifier {
  /// The text of a UUID of two numbers, but for the bits that say that it is a random one.
  init(randomBits high: UInt64, _ low: UInt64) {
    self.init(Self.text(high & ~0xF000 | 0x4000, low & ~(0b11 << 62) | 0b10 << 62))
  }

  /// The text of a UUID, as Foundation writes it, which takes many times as long.
  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      var position = 0
      func write(_ count: Int, _ half: UInt64, from shift: UInt64) {
        for number in 0..<UInt64(count) {
          let digit = UInt8(truncatingIfNeeded: half >> (shift - 4 * number)) & 15
          text[position] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
          position += 1
        }
        if position == 36 { return }
        text[position] = UInt8(ascii: "-")
        position += 1
      }
      write(8, high, from: 60)
      write(4, high, from: 28)
      write(4, high, from: 12)
      write(4, low, from: 60)
      write(12, low, from: 44)
      return 36
    }
  }
}
