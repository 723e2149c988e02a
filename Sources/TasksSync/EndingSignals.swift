import Glibc

/// SIGINT, SIGTERM and SIGHUP, after which the agent finishes what it is doing and ends.
struct EndingSignals {
  nonisolated(unsafe) private static var descriptor: Int32 = -1
  // Set before a handler can run, and never again. A handler may not take a lock.

  /// Has a number written to a descriptor when one of the signals comes.
  func forward(to descriptor: Int32) {
    Self.descriptor = descriptor
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      Glibc.signal(signal) { _ in
        var one: UInt64 = 1
        _ = write(EndingSignals.descriptor, &one, MemoryLayout<UInt64>.size)
      }
    }
  }
}
