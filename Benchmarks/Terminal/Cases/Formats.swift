import BenchmarkRunner

/// Many tasks in the formats of other programs.
enum Formats: Benchmark {
  static let name = "terminal-formats"
  static let summary = "tasks export into files of each format, and tasks import of them into new files"

  /// The ending of a file in each format.
  private static let endings = ["jsonl", "txt", "md", "csv", "json", "ics"]

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [100_000], quick: [10_000]) {
      let source = try TasksFile(rows: rows)
      for ending in endings {
        var exporting = Samples()
        var importing = Samples()
        for _ in 0..<run.samples(full: 3, quick: 1) {
          let copy = try TasksFile(rows: 0)
          let file = copy.path + "." + ending
          exporting.append(try source.run(["export", file]))
          importing.append(try copy.run(["import", file]))
        }
        run.append(Measurement("tasks export .\(ending)", rows: rows, times: exporting))
        run.append(
          Measurement(
            "tasks import .\(ending)", rows: rows, times: importing, targets: [.median(atMost: 3e9)]))
      }
    }
  }
}
