import BenchmarkRunner
import LiveStoreSync

/// All objects of a file, from a machine to the server and from the server to a machine.
enum ServerTransfer: Benchmark {
  static let name = "server-transfer"
  static let summary = "tasks of eleven cells: pushed to an empty space, changed, pushed again, pulled"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [1_000, 10_000, 100_000], quick: [10_000]) {
      var (pushes, again, changes, pulls) = (Samples(), Samples(), Samples(), Samples())
      for _ in 0..<run.samples(full: 3, quick: 1) {
        let server = try BenchmarkServer()
        let (machine, space, replica) = try server.machine("laptop")
        let (other, _, _) = try server.machine("tablet", in: space)
        let tasks = (0..<rows).map { BenchmarkServer.task($0, stamp: 1, by: replica) }
        pushes.append(try nanoseconds { _ = try machine.push(tasks, known: SpaceVersion()) })
        again.append(try nanoseconds { _ = try machine.push(tasks, known: SpaceVersion()) })
        var count = 0
        pulls.append(try nanoseconds { _ = try other.pull(after: 0) { count += $0.count } })
        guard count == rows else { throw Failure("\(count) objects were pulled.") }
        let completed = (0..<rows).map { BenchmarkServer.completion(of: $0, stamp: 2, by: replica) }
        changes.append(try nanoseconds { _ = try machine.push(completed, known: SpaceVersion()) })
      }
      let isLarge = rows >= 100_000
      run.append(
        Measurement("push", rows: rows, times: pushes, targets: isLarge ? [.median(atMost: 4e9)] : []))
      run.append(Measurement("the same push again", rows: rows, times: again))
      run.append(Measurement("push of one cell of each", rows: rows, times: changes))
      run.append(
        Measurement("pull", rows: rows, times: pulls, targets: isLarge ? [.median(atMost: 1.5e9)] : []))
    }
  }

  private static func nanoseconds(_ body: () throws -> Void) rethrows -> Int64 {
    try BenchmarkRunner.nanoseconds(of: body)
  }
}
