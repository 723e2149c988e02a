import BenchmarkRunner
import Glibc

/// A long list printed.
enum Listing: Benchmark {
  static let name = "terminal-listing"
  static let summary = "tasks list of many tasks, against sqlite3 that prints the same columns"

  private static let shell = "/usr/bin/sqlite3"

  static func run(_ run: Run) throws {
    let hasShell = access(shell, X_OK) == 0
    if !hasShell { print("sqlite3 is not installed: there is nothing to compare with.") }
    for rows in run.sizes(full: [300_000], quick: [30_000]) {
      let file = try TasksFile(rows: rows)
      let query = """
        SELECT t.completed, t.text, t.date, t.priority, t.repetition,
          (SELECT count(*) FROM TaskItem_subtasks s WHERE s.owner = t.id)
        FROM TaskList_items e CROSS JOIN TaskItem t ON t.id = e.target WHERE e.owner = '\(TasksFile.list)'
        ORDER BY e.position, e.target
        """
      var (times, floor, processor, floorProcessor) = (Samples(), Samples(), Samples(), Samples())
      for _ in 0..<run.samples(full: 5, quick: 3) {
        let cost = try file.measure(["list"])
        times.append(cost.time)
        processor.append(cost.processor)
        guard hasShell else { continue }
        let other = try file.measure(shell, [file.path, query])
        floor.append(other.time)
        floorProcessor.append(other.processor)
      }
      let name = "sqlite3 printing the same columns"
      run.append(
        Measurement(
          "tasks list", rows: rows, times: times, baseline: (name, floor), targets: [.ratio(atLeast: 0.5)]))
      run.append(
        Measurement("tasks list: CPU", rows: rows, times: processor, baseline: (name, floorProcessor)))
    }
  }
}
