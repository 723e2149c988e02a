/// The times at which to look at a database again because its `-wal` was written and the frames do not belong
/// to a commit yet.
///
/// A commit becomes visible only after its frames are in the `-wal`: usually some microseconds later, and
/// after an `fsync` with `synchronous=FULL`. No event marks that moment. Therefore the worker looks several
/// times, at growing intervals, and then stops, because an idle program must not run a timer. The last
/// interval repeats only while the transaction is known to be in progress.
///
/// When all is known, it names the moment at which the log may be written back: a pause after the last event,
/// in which no person or program is likely to wait for the file.
///
/// Times are nanoseconds of any steady clock.
struct LookAgainSchedule: Sendable {
  /// Each interval begins with the look before it. Together 1.3 s: longer than an `fsync` usually takes.
  static let intervals: [Int64] = [
    250_000, 1_000_000, 4_000_000, 16_000_000, 64_000_000, 250_000_000, 1_000_000_000,
  ]

  /// The time without an event after which the log is written back. Not a whole number of seconds: what
  /// programs do by the clock would meet it again and again.
  static let pause: Int64 = 2_300_000_000

  private var step: Int?

  /// The time of the next look; `nil` if none is due.
  private(set) var deadline: Int64?

  /// Whether the next look is the last one, unless its outcome says that a commit may follow.
  var isLast: Bool { step == Self.intervals.indices.last }

  /// The reason for the next look, if one is due.
  var reason: CommitEvent { step == nil ? .pause : isLast ? [.lookAgain, .lastLook] : .lookAgain }

  /// Records a look at `time` because of `event`.
  mutating func looked(for event: CommitEvent, outcome: CommitEvent.Outcome, at time: Int64) {
    if outcome == .logHasCommits {
      // Polls do not put the pause off, and one look ends it.
      if step != nil || !event.isSubset(of: [.pause, .lookAgain]) {
        deadline = time + Self.pause
      } else if event.contains(.pause) {
        deadline = nil
      }
      step = nil
      return
    }
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
