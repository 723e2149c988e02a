import BenchmarkRunner

/// Keys that need all rows of a long list, and a command on all of them.
enum AllRows: Benchmark {
  static let name = "terminal-all-rows"
  static let summary =
    "from the first key that needs all rows, or a command on all, to the next frame; another program's wait"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [100_000, 300_000], quick: [25_000]) {
      let file = try TasksFile(rows: rows)
      let database = RawDatabase(file.path)
      var (answering, reading, marking, beginning) = (Samples(), Samples(), Samples(), Samples())
      var waiting = Samples()
      for _ in 0..<run.samples(full: 5, quick: 2) {
        let window = try Window.settled(file)
        func strike(_ key: String) throws -> (struck: Int64, time: Int64) {
          let frames = window.screen.frames
          let struck = window.type(key)
          return (struck, try window.waitForFrame(after: frames) - struck)
        }
        let end = try strike("G")
        answering.append(end.time)
        reading.append(
          try window.wait("the last rows") { $0.screen.text(line: $0.screen.lines - 2).hasPrefix("›") }
            - end.struck)
        window.rest()
        marking.append(try strike("V").time)
        window.rest()
        beginning.append(try strike(" ").time)
        for _ in 0..<run.samples(full: 60, quick: 20) {
          window.read(throughout: 37)
          let asked = monotonicNanoseconds()
          database.execute("BEGIN IMMEDIATE")
          waiting.append(monotonicNanoseconds() - asked)
          database.execute("ROLLBACK")
        }
        window.type("\u{1B}")
        window.rest()
      }
      let targets: [Target] = [.p99(atMost: 50_000_000)]
      run.append(Measurement("G to a frame", rows: rows, times: answering, targets: targets))
      run.append(Measurement("G to the last rows", rows: rows, times: reading))
      run.append(Measurement("V to a frame", rows: rows, times: marking, targets: targets))
      run.append(Measurement("Space on all to a frame", rows: rows, times: beginning, targets: targets))
      run.append(
        Measurement(
          "BEGIN IMMEDIATE of another program", rows: rows, times: waiting,
          targets: [.p99(atMost: 100_000_000)]))
    }
  }
}
