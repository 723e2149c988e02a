import BenchmarkRunner

/// The command line.
enum Commands: Benchmark {
  static let name = "terminal-commands"
  static let summary = "a command as a whole process, from its start to its end"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      var add = Samples()
      var raw = Samples()
      for round in -2..<run.samples(full: 50, quick: 10) {
        let time = try file.run(["add", "A task from the command line"])
        let other = try file.run("/proc/self/exe", [baselineArgument, file.path])
        guard round >= 0 else { continue }
        add.append(time)
        raw.append(other)
      }
      run.append(
        Measurement(
          "tasks add", rows: rows, times: add,
          baseline: ("a process that adds the rows with SQLite in C", raw),
          targets: [.median(atMost: 8_000_000)]))
    }
  }

  static let baselineArgument = "--add-without-tasks"

  /// In the other process: `--add-without-tasks PATH`.
  static func addWithoutTasks(_ path: String) {
    RawDatabase(path).execute(
      """
      BEGIN IMMEDIATE; INSERT INTO TaskItem (text) VALUES ('A task from elsewhere');
      INSERT INTO TaskList_items (owner, position, target) VALUES ('\(TasksFile.list)',
        (SELECT max(position) || '1' FROM TaskList_items WHERE owner = '\(TasksFile.list)'),
        (SELECT key FROM _livestore_log ORDER BY seq DESC LIMIT 1)); COMMIT
      """)
  }
}
