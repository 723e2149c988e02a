import BenchmarkRunner

/// The memory of a window with a list.
enum WindowMemory: Benchmark {
  static let name = "terminal-memory"
  static let summary = "memory of a window with one list open, at rest"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let window = try Window.settled(try TasksFile(rows: rows))
      run.append(
        Measurement(
          operation: "resident", rows: rows, unit: .bytes, samples: 1, median: Double(window.memory("VmRSS")),
          targets: [.median(atMost: 120_000_000)],
          note: "peak \(quantity(Double(window.memory("VmHWM")), .bytes))"))
    }
  }
}
