import LibC

/// Random numbers that are the same again for the same seed, on every machine (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
  public let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// With a new seed, or with the one in the environment variable `TEST_SEED`, which repeats a run that has
  /// failed.
  public init() {
    let given = getenv("TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    self.init(seed: given ?? UInt64.random(in: 0...UInt64.max))
  }

  /// To be printed by every random test, so that its failure can be repeated.
  public var comment: String { "repeat with TEST_SEED=\(seed)" }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
