import BenchmarkRunner
import LiveStore

/// A transaction that moves every row.
enum WorstOrders: Benchmark {
  static let name = "worst-orders"
  static let summary =
    "call of commit of one transaction that gives all rows other places, in another process → callback"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [1_000, 20_000, 100_000], quick: [1_000, 20_000]) {
      let samples = run.samples(full: rows > 20_000 ? 7 : 20, quick: 4)
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, SortedWorkload.self)
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      for order in Reordering.allCases {
        var times = Samples()
        var processor = Samples()
        var sorting = Samples()
        for round in -1..<samples {
          let calls = observer.calls
          let used = processNanoseconds()
          writer.request(.reorder(order))
          observer.wait(forCall: calls + 1)
          let answer = writer.answer()
          let spent = processNanoseconds() - used
          let floor = OrderFloor.sorting(rows)
          guard round >= 0 else { continue }
          // With a long log a commit returns only after waiting for the observers, which would be too late
          // a start.
          times.append(observer.lastCall - answer.commitCalled)
          processor.append(spent)
          sorting.append(floor)
        }
        run.append(
          Measurement(
            order.name, rows: rows, times: times, processor: processor.median,
            baseline: ("sorting the keys in C", sorting), targets: [.ratio(atLeast: 1 / 3.75)]))
      }
      observer.close()
    }
  }
}
