import BenchmarkRunner

/// A window without input.
enum Idle: Benchmark {
  static let name = "terminal-idle"
  static let summary = "CPU time and bytes of a window at rest"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let window = try Window.settled(try TasksFile(rows: rows))
      window.rest(milliseconds: 1000)
      let seconds = run.options.isQuick ? 2 : 5
      let before = (window.processorTime, window.bytesRead)
      window.read(throughout: seconds * 1000)
      let note = "in \(seconds) s"
      run.append(
        Measurement(
          operation: "CPU time", rows: rows, samples: 1, median: Double(window.processorTime - before.0),
          targets: [.median(atMost: 0)], note: note))
      run.append(
        Measurement(
          operation: "bytes", rows: rows, unit: .bytes, samples: 1,
          median: Double(window.bytesRead - before.1),
          targets: [.median(atMost: 0)], note: note))
    }
  }
}
