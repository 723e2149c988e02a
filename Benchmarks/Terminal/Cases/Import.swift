import BenchmarkRunner
import Glibc

/// Many tasks added at once, from the lines of standard input.
enum Import: Benchmark {
  static let name = "terminal-import"
  static let summary = "tasks add - with many lines into a new file, and the first command after it"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [100_000, 1_000_000], quick: [10_000]) {
      var importing = Samples()
      var raw = Samples()
      var following = Samples()
      var memory = 0.0
      var size = 0.0
      for _ in 0..<run.samples(full: rows > 100_000 ? 1 : 3, quick: 2) {
        let file = try TasksFile(rows: 0)
        let lines = try file.writeLines(rows)
        importing.append(try file.measure(["add", "-"], input: lines).time)
        let other = try TasksFile(rows: 0)
        memory = max(memory, Double(try other.peakMemory(["add", "-"], input: lines)))
        size = file.size / Double(rows)
        following.append(try file.run(["add", "One more"]))
        let floor = try TasksFile(rows: 0)
        raw.append(try floor.measure("/proc/self/exe", [baselineArgument, floor.path, "\(rows)"]).time)
      }
      run.append(
        Measurement(
          "tasks add -", rows: rows, times: importing,
          baseline: ("a process that inserts the rows with SQLite in C, without triggers", raw),
          targets: [.ratio(atLeast: 0.6)]))
      run.append(
        Measurement(
          operation: "its memory at most", rows: rows, unit: .bytes, samples: importing.count, median: memory,
          targets: [.median(atMost: 60e6)]))
      run.append(
        Measurement(
          operation: "bytes of the file for each task", rows: rows, unit: .bytes, samples: importing.count,
          median: size, targets: [.median(atMost: 420)]))
      run.append(Measurement("tasks add after it", rows: rows, times: following))
    }
  }

  static let baselineArgument = "--import-without-tasks"

  /// In the other process: `--import-without-tasks PATH ROWS`.
  static func importWithoutTasks(_ path: String, rows: Int) {
    let database = RawDatabase(path, firesTriggers: false)
    let insertTask = database.prepare("INSERT INTO TaskItem (id, text, readText) VALUES (?, ?, ?)")
    let insertEntry = database.prepare(
      "INSERT INTO TaskList_items (owner, position, target) VALUES ('\(TasksFile.list)', ?, ?)")
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    let (high, low) = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    database.execute("BEGIN IMMEDIATE")
    for row in 1...rows {
      // Consecutive, as those of `tasks`; at random places of the file the rows would take twice as long.
      let (id, text) = (identifier(high &+ UInt64(row) << 32, low), line(row))
      insertTask.bind(id, at: 1)
      insertTask.bind(text, at: 2)
      insertTask.bind(text, at: 3)
      insertTask.run()
      insertEntry.bind("s" + [238_328, 3_844, 62, 1].map { String(digits[row / $0 % 62]) }.joined(), at: 1)
      insertEntry.bind(id, at: 2)
      insertEntry.run()
    }
    database.execute("COMMIT")
  }

  /// The line for a task.
  static func line(_ number: Int) -> String {
    let digits = String(number)
    return "task " + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }

  /// The UUID of two numbers, in upper case.
  private static func identifier(_ high: UInt64, _ low: UInt64) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(unsafeUninitializedCapacity: 36) { bytes in
      var nibble = 0
      for index in 0..<36 {
        if [8, 13, 18, 23].contains(index) {
          bytes[index] = UInt8(ascii: "-")
          continue
        }
        let word = nibble < 16 ? high : low
        let value = nibble == 12 ? 4 : nibble == 16 ? 8 : Int(word >> (60 - UInt64(nibble % 16) * 4) & 15)
        bytes[index] = digits[value]
        nibble += 1
      }
      return 36
    }
  }
}

extension TasksFile {
  /// The bytes of the database and its log.
  fileprivate var size: Double {
    [path, path + "-wal"].reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Double(status.st_size) : sum
    }
  }
}
