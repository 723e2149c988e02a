import BenchmarkRunner

/// Another process changes much while a person scrolls.
enum ManyRowsChanged: Benchmark {
  static let name = "terminal-many-changes"
  static let summary =
    "from a key that scrolls to its effect, while 10,000 rows have been changed at once by another process"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      let window = try Window.settled(file)
      let database = RawDatabase(file.path)
      let changed = min(10_000, rows)
      var times = Samples()
      for round in 0..<run.samples(full: 10, quick: 3) {
        window.type(Window.home)
        window.rest()
        database.execute(
          """
          UPDATE TaskItem SET text = text || ' \(round)' WHERE id IN (SELECT target FROM TaskList_items
            WHERE owner = '\(TasksFile.list)' ORDER BY position LIMIT \(changed))
          """)
        for _ in 0..<30 {
          let top = window.task(onLine: 1)
          let struck = window.type(Window.pageDown)
          times.append(
            try window.wait("the next page") { window in
              window.task(onLine: 1).map { $0 != top } ?? false
            } - struck)
          window.read(throughout: 16)
        }
      }
      run.append(
        Measurement("key to effect", rows: rows, times: times, targets: [.p99(atMost: 16_000_000)]))
    }
  }
}
