import Glibc

/// Random numbers that can be had again: the seed is printed with a failure (see `comment`), and given back by the
/// environment variable TASKS_TEST_SEED.
struct TerminalRandomSource: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init() {
    let given = getenv("TASKS_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    self.init(seed: given ?? UInt64.random(in: 0...UInt64.max))
  }

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  var comment: String { "repeat with TASKS_TEST_SEED=\(seed)" }
}
