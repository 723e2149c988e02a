/// The time of a change: that of the clock on the wall, as far as it grows, with the machine that made the
/// change.
///
/// Of two changes of one cell the later one wins; no two changes of different machines have equal clocks. A
/// change that was made with knowledge of another has a later clock, however wrong the clocks on the walls
/// are.
public struct HybridClock: Hashable, Sendable {
  /// Milliseconds since 1970 by the server's clock, times 65,536, and a counter below that.
  public var stamp: Int64
  /// The machine's number in its space.
  public var replica: Int64

  /// Creates a clock of its parts.
  public init(stamp: Int64, replica: Int64) {
    self.stamp = stamp
    self.replica = replica
  }

  /// The clock of a change at a time in milliseconds since 1970, as if it were the first in that millisecond.
  public init(milliseconds: Int64, replica: Int64) {
    self.init(stamp: milliseconds << Self.counterBits, replica: replica)
  }

  /// Milliseconds since 1970.
  public var milliseconds: Int64 { stamp >> Self.counterBits }

  static let counterBits: Int64 = 16
}

extension HybridClock: Comparable {
  /// Whether a change was made before another, as all machines see it.
  public static func < (left: HybridClock, right: HybridClock) -> Bool {
    (left.stamp, left.replica) < (right.stamp, right.replica)
  }
}
