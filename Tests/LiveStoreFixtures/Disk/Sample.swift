import Glibc

extension Collection {
  /// Some of the elements, chosen at random; all of them where the environment variable `CHAOS_DISK` is `all`, as
  /// `make chaos-disk` sets it.
  package func sample(_ count: Int, using random: inout some RandomNumberGenerator) -> [Element] {
    if isSampleWhole { return Array(self) }
    // In their order, so that a failure is found where it is looked for.
    return indices.shuffled(using: &random).prefix(count).sorted().map { self[$0] }
  }
}

/// Whether ``Swift/Collection/sample(_:using:)`` gives everything.
package let isSampleWhole = getenv("CHAOS_DISK").map { String(cString: $0) } == "all"
