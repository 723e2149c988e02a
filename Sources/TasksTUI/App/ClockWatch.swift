import CLinux
import Glibc

/// A watch that reports when the wall clock has jumped: a person has set it, or the machine has slept. A
/// timeout of `poll` does not see either, and would end hours after the day that it waits for has begun.
final class ClockWatch {
  /// A descriptor that is readable after a jump: call `take` then. -1 if the system has no such timer.
  let fileDescriptor = clinux_watch_clock()

  deinit {
    if fileDescriptor >= 0 { close(fileDescriptor) }
  }

  /// Waits for the next jump.
  func take() {
    var count: UInt64 = 0
    // It fails with ECANCELED, and the timer stays set.
    _ = read(fileDescriptor, &count, MemoryLayout.size(ofValue: count))
  }
}
