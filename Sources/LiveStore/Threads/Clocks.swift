import LibC

/// The time on this machine's clock, which may be wrong.
package enum WallClock {
  /// Milliseconds since 1970.
  package static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// A clock that cannot be set; it stops while the machine sleeps.
enum SteadyClock {
  /// Nanoseconds since some moment in the past.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
