import BenchmarkRunner
import LiveStore

/// A transaction that moves every row.
enum WorstOrders: Benchmark {
  static let name = "worst-orders"
  static let summary =
    "call of commit of one transaction that gives all rows other places, in another process → callback"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [1_000, 10_000, 100_000], quick: [1_000, 10_000]) {
      let samples = run.samples(full: rows > 10_000 ? 7 : 20, quick: 2)
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, SortedWorkload.self)
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      let baseline = RequeryBaseline(file.path, query: SortedWorkload.query)
      // `CollectionDifference` takes time and memory that grow with the square of the differences: 10,000
      // rows in another order need gigabytes.
      let takesBaseline = rows <= 2_000
      for order in Reordering.allCases {
        var times = Samples()
        var processor = Samples()
        var baselineTimes = Samples()
        for round in -1..<samples {
          if takesBaseline { baseline.read() }
          let calls = observer.calls
          let used = processNanoseconds()
          writer.request(.reorder(order))
          observer.wait(forCall: calls + 1)
          let answer = writer.answer()
          if round >= 0 {
            // With a long log a commit returns only after waiting for the observers, which would be too late
            // a start.
            times.append(observer.lastCall - answer.commitCalled)
            processor.append(processNanoseconds() - used)
          }
          if takesBaseline { baselineTimes.append(nanoseconds { _ = baseline.refresh() }) }
        }
        run.append(
          Measurement(
            order.name, rows: rows, times: times, processor: processor.median,
            baseline: (RequeryBaseline.name, baselineTimes), targets: [.median(atMost: 150_000_000)],
            note: takesBaseline ? nil : "the baseline would need gigabytes"))
      }
      observer.close()
    }
  }
}
