import BenchmarkRunner

/// Many tasks added or deleted at once, and taken back.
enum Undoing: Benchmark {
  static let name = "terminal-undo"
  static let summary = "tasks undo of many tasks added, or deleted with their list, against doing it"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [10_000], quick: [10_000]) {
      var (adding, undoing, deleting, bringingBack) = (Samples(), Samples(), Samples(), Samples())
      for _ in 0..<run.samples(full: 5, quick: 3) {
        let file = try TasksFile(rows: 0)
        let lines = try file.writeLines(rows)
        adding.append(try file.measure(["add", "-"], input: lines).time)
        undoing.append(try file.measure(["undo"]).time)
        _ = try file.run(["list-add", "Long"])
        _ = try file.measure(["add", "--list", "Long", "-"], input: lines)
        deleting.append(try file.measure(["list-delete", "Long"]).time)
        bringingBack.append(try file.measure(["undo"]).time)
      }
      run.append(
        Measurement(
          "undo of adding", rows: rows, times: undoing, baseline: ("doing it", adding),
          targets: [.ratio(atLeast: 0.5)]))
      run.append(
        Measurement(
          "undo of deleting", rows: rows, times: bringingBack, baseline: ("doing it", deleting),
          targets: [.ratio(atLeast: 0.5)]))
    }
  }
}
