import BenchmarkRunner
import Programs

/// The start of the program until the first complete screen, and what it costs afterwards.
enum Start: Benchmark {
  static let name = "terminal-start"
  static let summary =
    "starting tasks: until the last byte of the first frame that fills the screen, and the 10 s afterwards"

  static func run(_ run: Run) throws {
    let floorProgram = try Program.built("TasksFloor")
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      var times = Samples()
      var floor = Samples()
      var processor = Samples()
      var floorProcessor = Samples()
      for round in -2..<run.samples(full: 30, quick: 10) {
        let window = try Window(file)
        let shown = try window.wait("the first screen") {
          // The first frame is drawn before the terminal has replied; the bottom line is its last.
          $0.task(onLine: $0.screen.lines - 2) != nil
            && $0.screen.text(line: $0.screen.lines - 1).contains("quit")
        }
        let used = window.processorTime
        let other = try Window(
          floorProgram, ["show", file.path, TasksFile.list, "22"], environment: file.environment,
          keeping: file)
        let otherShown = try other.wait("the first screen of the program in C") {
          $0.task(onLine: $0.screen.lines - 2) != nil
            && $0.screen.text(line: $0.screen.lines - 1).contains("quit")
        }
        guard round >= 0 else { continue }
        times.append(shown - window.started)
        processor.append(used)
        floor.append(otherShown - other.started)
        floorProcessor.append(other.processorTime)
      }
      let name = "a program in C with ncurses and SQLite that shows the rows"
      run.append(
        Measurement(
          "first screen", rows: rows, times: times, baseline: (name, floor),
          targets: [.ratio(atLeast: 1 / 1.5)]))
      run.append(
        Measurement("first screen: CPU", rows: rows, times: processor, baseline: (name, floorProcessor)))
      try measureAfterwards(file, run)
    }
  }

  /// The first window on a file finds out what the next one knows, if the file has not changed.
  private static func measureAfterwards(_ file: TasksFile, _ run: Run) throws {
    let seconds = run.options.isQuick ? 3 : 10
    for (name, isLimited) in [("first window", false), ("next window", true)] {
      let window = try Window(file)
      try window.wait("the first screen") { $0.task(onLine: $0.screen.lines - 2) != nil }
      let used = window.processorTime
      window.read(throughout: seconds * 1000)
      run.append(
        Measurement(
          operation: "\(name): CPU in the \(seconds) s after it", rows: file.rows, samples: 1,
          median: Double(window.processorTime - used),
          targets: isLimited ? [.median(atMost: 50_000_000)] : []))
      run.append(
        Measurement(
          operation: "\(name): memory then", rows: file.rows, unit: .bytes, samples: 1,
          median: Double(window.memory("VmRSS")), targets: [.median(atMost: 60_000_000)],
          note: "peak \(quantity(Double(window.memory("VmHWM")), .bytes))"))
      // Not killed: it keeps what it has found out.
      _ = window.type("q")
      window.read(throughout: 1000)
    }
  }
}
