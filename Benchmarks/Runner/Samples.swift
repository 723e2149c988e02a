import Glibc

/// Nanoseconds of a clock that all processes share.
package func monotonicNanoseconds() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }

/// CPU time of all threads of the process.
package func processNanoseconds() -> Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

/// CPU time of the calling thread.
package func threadNanoseconds() -> Int64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

private func nanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The duration of `body`, in nanoseconds.
package func nanoseconds(of body: () throws -> Void) rethrows -> Int64 {
  let start = monotonicNanoseconds()
  try body()
  return monotonicNanoseconds() - start
}

/// Measured values of one operation, of any unit.
package struct Samples {
  private var values: [Double] = []

  package init() {}

  package var count: Int { values.count }
  package var isEmpty: Bool { values.isEmpty }
  package var sum: Double { values.reduce(0, +) }
  package var mean: Double { sum / Double(count) }
  package var median: Double { quantile(0.5) }
  /// The largest value if there are fewer than 100.
  package var p99: Double { quantile(0.99) }

  package mutating func append(_ value: Double) {
    values.append(value)
  }

  package mutating func append(_ value: Int64) {
    values.append(Double(value))
  }

  /// The value that a share of the samples does not exceed.
  private func quantile(_ share: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
