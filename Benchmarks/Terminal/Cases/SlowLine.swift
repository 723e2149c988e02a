import BenchmarkRunner

/// A terminal at the end of a slow line.
enum SlowLine: Benchmark {
  static let name = "terminal-slow-line"
  static let summary =
    "over a line of 20 KB/s: from the last of 20 quick keys, each of which changes the whole screen, to "
    + "its effect"

  private static let rate = 20_000

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      let window = try Window.settled(file)
      let keys = 20
      // The text to be seen at the end, and the size of a frame.
      let read = window.bytesRead
      for _ in 0..<keys {
        let frames = window.screen.frames
        window.type(Window.pageDown)
        try window.waitForFrame(after: frames)
      }
      window.rest()
      let frame = Double(window.bytesRead - read) / Double(keys)
      let goal = window.task(onLine: 1)

      var times = Samples()
      var frames = Samples()
      for _ in 0..<run.samples(full: 5, quick: 2) {
        window.type(Window.home)
        window.rest()
        window.rate = rate
        let before = window.screen.frames
        var struck: Int64 = 0
        for _ in 0..<keys {
          struck = window.type(Window.pageDown)
          window.read(throughout: 30)
        }
        times.append(try window.wait("the last page") { $0.task(onLine: 1) == goal } - struck)
        frames.append(Double(window.screen.frames - before))
        window.rate = nil
        window.rest()
      }
      // The frame in transmission when the key is typed, and the key's own.
      let limit = 2 * frame / Double(rate) * 1e9
      run.append(
        Measurement(
          "key to effect", rows: rows, times: times, targets: [.p99(atMost: limit)],
          note: "\(significant(frames.median)) frames for \(keys) keys, \(quantity(frame, .bytes)) each"))
    }
  }
}
