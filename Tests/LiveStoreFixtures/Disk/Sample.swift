import LibC
import TestSupport

extension Collection {
  /// So many of the elements, chosen at random, or a sixth as many if the tests take a sample; where the
  /// environment variable `CHAOS_DISK` is a number, so many times as many, and all of them where it is `all`,
  /// as `make chaos-disk` sets it.
  package func sample(_ count: Int, using random: inout some RandomNumberGenerator) -> [Element] {
    let count = cases(count, sample: Swift.max(1, count / 6))
    guard let factor = sampleFactor, count * factor < self.count else { return Array(self) }
    // In their order, so that a failure is found where it is looked for.
    return indices.shuffled(using: &random).prefix(count * factor).sorted().map { self[$0] }
  }
}

/// How many times as many as usual are chosen; `nil` for all.
private let sampleFactor: Int? = {
  guard let value = getenv("CHAOS_DISK").map({ String(cString: $0) }) else { return 1 }
  return value == "all" ? nil : max(1, Int(value) ?? 1)
}()
