import BenchmarkRunner

/// The cost of a movement of the whole screen.
enum Animation: Benchmark {
  static let name = "terminal-animation"
  static let summary = "a frame of animation, 200×60, all rows moving: CPU time of all threads, and bytes"

  /// The frames of a movement, 60 a second: all rows move for a quarter of a second, and the list beside them
  /// flashes a little longer. Those that look like the one before are drawn, but not written.
  private static let frames = 24.0

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      let window = try Window.settled(file, columns: 200, lines: 60)
      let database = RawDatabase(file.path)
      let id = "00000000-0000-4000-8000-000000000001"
      var written = Samples()
      var processor = Samples()
      var bytes = Samples()
      for round in 0..<run.samples(full: 40, quick: 6) {
        let before = (window.processorTime, window.bytesRead, window.screen.frames)
        database.execute(
          round % 2 == 0
            ? """
            BEGIN IMMEDIATE; INSERT INTO TaskItem (id, text) VALUES ('\(id)', 'A task on top of the others');
            INSERT INTO TaskList_items (owner, position, target) VALUES ('\(TasksFile.list)', 'V', '\(id)'); COMMIT
            """ : "DELETE FROM TaskItem WHERE id = '\(id)'")
        try window.waitForFrame(after: before.2)
        window.rest()
        written.append(Double(window.screen.frames - before.2))
        processor.append(Double(window.processorTime - before.0) / frames)
        bytes.append(Double(window.bytesRead - before.1) / frames)
      }
      let note = "\(significant(written.median)) of \(significant(frames)) frames written"
      run.append(
        Measurement(
          "CPU time", rows: rows, times: processor, targets: [.median(atMost: 800_000)], note: note))
      run.append(
        Measurement(
          operation: "bytes", rows: rows, unit: .bytes, samples: bytes.count, median: bytes.median,
          p99: bytes.p99,
          targets: [.median(atMost: 6_000)]))
    }
  }
}
