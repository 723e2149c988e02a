import FoundationEssentials
import Testing

/// SplitMix64: the same numbers for the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Runs a random test with a fresh seed, or with the one in the environment variable `LIVESTORE_TEST_SEED`, and prints
/// the seed if the test records an issue or throws.
func withSeededGenerator(_ body: (inout SeededGenerator) throws -> Void) rethrows {
  let given = ProcessInfo.processInfo.environment["LIVESTORE_TEST_SEED"].flatMap { UInt64($0) }
  let seed = given ?? UInt64.random(in: .min ... .max)
  var generator = SeededGenerator(seed: seed)
  print("\(Test.current?.name ?? "random test"): LIVESTORE_TEST_SEED=\(seed)")
  try body(&generator)
}
