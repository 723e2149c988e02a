import BenchmarkRunner

/// The latency of keys.
enum Keys: Benchmark {
  static let name = "terminal-keys"
  static let summary = "from a key to the last byte of its frame, 80×24, and the bytes of the frame"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      let window = try Window.settled(file)
      let samples = run.samples(full: 2000, quick: 400)
      // Up and down in the middle of the screen, so that nothing scrolls.
      let inside = Array(repeating: "j", count: 5) + Array(repeating: "k", count: 5)
      try measure(
        "cursor", window, inside, samples, run, rows: rows,
        targets: [.median(atMost: 250_000), .p99(atMost: 2_000_000)], bytes: [.median(atMost: 150)])
      try compare(rows, with: TigWindow.settled(), inside, samples: min(samples, 400), run) {
        try Window.settled(file)
      }
      // From the last line of the screen on.
      window.type("L")
      window.rest()
      try measure("scrolling by a line", window, ["j"], min(samples, 500), run, rows: rows)
      try measure(
        "scrolling by a page", window, [Window.pageDown, Window.pageUp], min(samples, 200), run, rows: rows)
    }
  }

  /// Strikes the same keys in `tasks` and in another program, in turn, each at rest.
  private static func compare(
    _ rows: Int, with other: Window?, _ keys: [String], samples: Int, _ run: Run,
    opening open: () throws -> Window
  ) throws {
    guard let other else { return print("tig is not installed: there is nothing to compare keys with.") }
    let windows = [try open(), other]
    var times = [Samples(), Samples()]
    var processor = [Samples(), Samples()]
    for round in 0..<samples {
      for (index, window) in windows.enumerated() {
        let used = window.processorTime
        let struck = window.type(keys[round % keys.count])
        try window.waitForOutput()
        window.rest(milliseconds: 10)
        times[index].append(window.lastRead - struck)
        processor[index].append(Double(window.processorTime - used))
      }
    }
    for (operation, samples) in [("cursor, at rest: last byte", times), ("cursor, at rest: CPU", processor)] {
      run.append(
        Measurement(
          operation, rows: rows, times: samples[0], baseline: ("tig moving its cursor", samples[1]),
          targets: [.ratio(atLeast: 1)]))
    }
  }

  private static func measure(
    _ name: String, _ window: Window, _ keys: [String], _ samples: Int, _ run: Run, rows: Int,
    targets: [Target] = [], bytes limits: [Target] = []
  ) throws {
    var times = Samples()
    var bytes = Samples()
    let processor = window.processorTime
    for round in 0..<samples {
      let (frames, read) = (window.screen.frames, window.bytesRead)
      let struck = window.type(keys[round % keys.count])
      times.append(try window.waitForFrame(after: frames) - struck)
      bytes.append(Double(window.bytesRead - read))
    }
    let used = Double(window.processorTime - processor) / Double(samples)
    run.append(Measurement(name, rows: rows, times: times, processor: used, targets: targets))
    run.append(
      Measurement(
        operation: "\(name): bytes", rows: rows, unit: .bytes, samples: samples, median: bytes.median,
        p99: bytes.p99, targets: limits))
  }
}
