import BenchmarkRunner

/// The start of the program until the first complete screen.
enum Start: Benchmark {
  static let name = "terminal-start"
  static let summary = "starting tasks: until the last byte of the first frame that fills the screen"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      var times = Samples()
      for round in -2..<run.samples(full: 30, quick: 10) {
        let window = try Window(file)
        let shown = try window.wait("the first screen") {
          // The first frame is drawn before the terminal has replied; the bottom line is its last.
          $0.task(onLine: $0.screen.lines - 2) != nil
            && $0.screen.text(line: $0.screen.lines - 1).contains("quit")
        }
        if round >= 0 { times.append(shown - window.started) }
      }
      run.append(
        Measurement("first screen", rows: rows, times: times, targets: [.median(atMost: 15_000_000)]))
    }
  }
}
