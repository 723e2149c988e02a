import BenchmarkRunner
import Glibc
import Programs

/// A file of `tasks` with one list of a number of tasks, in its own folder, which is removed at the end.
final class TasksFile {
  let program: String
  let path: String
  let rows: Int
  /// The arguments of `tasks`.
  let environment: [String: String]
  private let folder: ScratchFolder

  static let list = "80EB1620-165B-4600-A1B1-D97032FDD9A0"
  /// In the text of one task in a thousand.
  static let rareWord = "zeppelin"

  init(rows: Int) throws {
    program = TasksBenchmarks.program
    self.rows = rows
    folder = try ScratchFolder("tasks-benchmark")
    path = folder.path + "/tasks.db"
    environment = [
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path,
      "XDG_STATE_HOME": "\(folder.path)/state", "XDG_CONFIG_HOME": "\(folder.path)/config",
      "PATH": "/usr/bin:/bin",
    ]
    // The command that makes a file; its task goes when the rows are written.
    _ = try run(["add", "x"])
    fill()
  }

  /// Runs `tasks` with a command to its end; returns how long that took, in nanoseconds.
  func run(_ arguments: [String]) throws -> Int64 {
    try run(program, ["--file", path] + arguments)
  }

  /// Runs a program to its end; returns how long that took, in nanoseconds.
  func run(_ program: String, _ arguments: [String]) throws -> Int64 {
    try measure(program, arguments).time
  }

  /// The cost of a process, in nanoseconds.
  struct Cost {
    let time: Int64
    /// CPU time.
    let processor: Int64
  }

  /// Runs `tasks` with a command to its end.
  func measure(_ arguments: [String], input: String = "/dev/null") throws -> Cost {
    try measure(program, ["--file", path] + arguments, input: input)
  }

  /// Runs a program to its end.
  func measure(_ program: String, _ arguments: [String], input: String = "/dev/null") throws -> Cost {
    let begin = monotonicNanoseconds()
    let process = try start(program, arguments, input: input)
    var status: Int32 = 0
    var usage = rusage()
    wait4(process, &status, 0, &usage)
    let end = monotonicNanoseconds()
    guard status == 0 else { throw Failure("“\(program) \(arguments.joined(separator: " "))” has failed.") }
    let processor = [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
    }
    return Cost(time: end - begin, processor: processor)
  }

  /// Runs `tasks` with a command to its end; returns the most memory that it had, in bytes.
  ///
  /// Read while it runs: what the system tells at the end includes the memory of the process that started it.
  func peakMemory(_ arguments: [String], input: String) throws -> Int {
    let process = try start(program, ["--file", path] + arguments, input: input)
    var peak = 0
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      peak = max(peak, TasksBenchmarks.memory("VmHWM", of: process))
      poll(nil, 0, 2)
    }
    guard status == 0 else { throw Failure("“tasks \(arguments.joined(separator: " "))” has failed.") }
    return peak
  }

  private func start(_ program: String, _ arguments: [String], input: String) throws -> pid_t {
    try Program(
      [program] + arguments, environment: environment,
      streams: [0: .file(input), 1: .nothing, 2: .nothing]
    ).spawn()
  }

  /// Writes so many lines into a file beside the database; returns its path.
  func writeLines(_ count: Int) throws -> String {
    let lines = path + "-lines"
    guard let file = fopen(lines, "w") else { throw Failure("“\(lines)” cannot be written.") }
    for number in 1...count { fputs(Import.line(number) + "\n", file) }
    guard fclose(file) == 0 else { throw Failure("“\(lines)” cannot be written.") }
    return lines
  }

  /// The id of the task at an index.
  func task(_ index: Int, in database: RawDatabase) -> String {
    let select = database.prepare(
      "SELECT target FROM TaskList_items WHERE owner = '\(Self.list)' ORDER BY position LIMIT 1 OFFSET ?")
    select.bind(index, at: 1)
    defer { select.reset() }
    return select.step() ? select.text(0) : ""
  }

  /// The ids of open tasks from all over the list.
  func openTasks(count: Int) -> [String] {
    let database = RawDatabase(path)
    let select = database.prepare("SELECT id FROM TaskItem WHERE completed = 0 ORDER BY id LIMIT ?")
    select.bind(count, at: 1)
    defer { select.reset() }
    var ids: [String] = []
    while select.step() { ids.append(select.text(0)) }
    return ids
  }

  /// Adds the rows as `tasks` would write them, without a change log, since the file is not observed.
  private func fill() {
    let database = RawDatabase(path, firesTriggers: false)
    database.execute("DELETE FROM TaskItem; DELETE FROM TaskList_items; DELETE FROM UndoStep")
    guard rows > 0 else { return }
    // The position keys of rows added one after another.
    let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let position = [62 * 62 * 62, 62 * 62, 62, 1].map { "substr('\(digits)', 1 + (i / \($0)) % 62, 1)" }
    database.execute(
      """
      PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -200000; BEGIN;
      CREATE TEMP TABLE new AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(rows))
        SELECT i, hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
          || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)) AS id,
        'Task ' || (i + 1) || ': ' || CASE i % 4 WHEN 0 THEN 'buy milk' WHEN 1 THEN 'call the dentist'
          WHEN 2 THEN 'water the plants' ELSE 'fix the bicycle' END
          || CASE WHEN i % 1000 = 999 THEN ' by \(Self.rareWord)' ELSE '' END AS text FROM n;
      INSERT INTO TaskItem (id, text, readText) SELECT id, text, text FROM new ORDER BY id;
      INSERT INTO TaskList_items (owner, position, target)
        SELECT '\(Self.list)', 's' || \(position.joined(separator: " || ")), id FROM new ORDER BY i;
      DROP TABLE new; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }
}
