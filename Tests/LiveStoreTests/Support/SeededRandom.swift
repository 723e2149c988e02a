import Glibc

/// A repeatable source of random numbers (SplitMix64). `TEST_SEED` in the environment repeats a failed run; expectations
/// print `seed`.
struct SeededRandom: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  static func fromEnvironment() -> SeededRandom {
    let given = getenv("TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    return SeededRandom(seed: given ?? UInt64.random(in: 0...UInt64.max))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
