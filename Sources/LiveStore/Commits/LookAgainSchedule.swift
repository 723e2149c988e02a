/// When to look at a database again because something was written to its `-wal` that is not part of a commit
/// yet.
///
/// A commit becomes visible only after its frames are in the `-wal`: some microseconds later as a rule, after
/// an `fsync` with `synchronous=FULL`. No event marks that moment, so one has to look several times, at
/// growing intervals, and then stop: an idle program runs no timer. Only while the transaction is seen to go
/// on does the last interval repeat.
///
/// Times are nanoseconds of any steady clock.
struct LookAgainSchedule: Sendable {
  /// Each interval counts from the look before it. Together 1.3 s: longer than an `fsync` usually takes.
  static let intervals: [Int64] = [
    250_000, 1_000_000, 4_000_000, 16_000_000, 64_000_000, 250_000_000, 1_000_000_000,
  ]

  private var step: Int?

  /// When to look next; nil when there is nothing to wait for.
  private(set) var deadline: Int64?

  /// Whether nobody looks after the look that comes next, unless its outcome says that a commit may follow.
  var isLast: Bool { step == Self.intervals.indices.last }

  /// A look was taken, at `time`, because of `event`.
  mutating func looked(for event: CommitEvent, outcome: CommitEvent.Outcome, at time: Int64) {
    let next: Int?
    if outcome == .upToDate {
      next = nil
    } else if event.mayPrecedeCommit || step == nil && !event.contains(.lookAgain) {
      next = 0
    } else if event.contains(.lookAgain) {
      next = isLast && outcome == .commitMayFollow ? step : step.map { $0 + 1 }
    } else {
      return
    }
    step = next.flatMap { Self.intervals.indices.contains($0) ? $0 : nil }
    deadline = step.map { time + Self.intervals[$0] }
  }
}
