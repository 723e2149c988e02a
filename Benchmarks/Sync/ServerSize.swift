import BenchmarkRunner
import LiveStore
import LiveStoreSync

/// The size of objects on the server.
enum ServerSize: Benchmark {
  static let name = "server-size"
  static let summary = "bytes for a task with its indexes on the server; against its values as text"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [100_000], quick: [10_000]) {
      let server = try BenchmarkServer()
      let (machine, _, replica) = try server.machine("laptop")
      let tasks = (0..<rows).map { BenchmarkServer.task($0, stamp: 1, by: replica) }
      _ = try machine.push(tasks, known: SpaceVersion())
      let own = tasks.reduce(0) { sum, task in task.cells.values.reduce(sum + 36) { $0 + length($1.value) } }
      let size = try server.size(of: "livestore.object")
      run.append(
        Measurement(
          operation: "task", rows: rows, unit: .bytes, samples: 1, median: Double(size) / Double(rows),
          baseline: ("values", Double(own) / Double(rows)), targets: [.ratio(atLeast: 0.25)]))
    }
  }

  private static func length(_ value: SQLiteValue) -> Int {
    switch value {
    case .null: 0
    case .integer(let number): String(number).utf8.count
    case .real: 8
    case .text(let text): text.utf8.count
    case .malformedText(let bytes), .blob(let bytes): bytes.count
    }
  }
}
