import BenchmarkRunner

/// Two terminals on one file.
enum OtherWindow: Benchmark {
  static let name = "terminal-other-window"
  static let summary =
    "from a commit (of SQLite in C), or from a key in one window, to the first frame with it in another"

  static func run(_ run: Run) throws {
    let targets: [Target] = [.median(atMost: 3_000_000), .p99(atMost: 17_000_000)]
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      let window = try Window.settled(file)
      let database = RawDatabase(file.path)
      let id = file.task(5, in: database)
      let update = database.prepare("UPDATE TaskItem SET text = ?2 WHERE id = ?1")
      let samples = run.samples(full: 60, quick: 8)
      var times = Samples()
      for round in -2..<samples {
        let text = "Change number \(round + 3) of this text."
        database.execute("BEGIN IMMEDIATE")
        update.bind(id, at: 1)
        update.bind(text, at: 2)
        update.run()
        let committed = monotonicNanoseconds()
        database.execute("COMMIT")
        let shown = try window.wait("a changed text") { $0.screen.text(line: 6).contains(text) }
        if round >= 0 { times.append(shown - committed) }
        // Each change finds the window at rest.
        window.rest(milliseconds: 100)
      }
      run.append(Measurement("commit to frame", rows: rows, times: times, targets: targets))

      let other = try Window.settled(file)
      var here = Samples()
      var there = Samples()
      for round in 0..<samples {
        let frames = (window.screen.frames, other.screen.frames)
        let struck = other.type(round % 2 == 0 ? "J" : "K")
        there.append(try window.waitForFrame(after: frames.0) - struck)
        here.append(try other.waitForFrame(after: frames.1) - struck)
        other.rest(milliseconds: 100)
        window.rest(milliseconds: 100)
      }
      run.append(Measurement("key to frame there", rows: rows, times: there, targets: targets))
      run.append(
        Measurement("key to frame here", rows: rows, times: here, note: "read after that of the other window")
      )
    }
  }
}
