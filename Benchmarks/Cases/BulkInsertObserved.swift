import BenchmarkRunner
import LiveStore

/// Many rows that are inserted, and deleted, in one transaction.
enum BulkInsertObserved: Benchmark {
  static let name = "bulk-observed"
  static let summary = "call of commit of 10,000 rows in one transaction in another process → callback"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 20, quick: 3)
    let count = 10_000
    for rows in run.sizes(full: [10_000, 100_000, 1_000_000], quick: [100_000]) {
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, SortedWorkload.self)
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      let baseline = RequeryBaseline(file.path, query: SortedWorkload.query)
      let baselineSamples = run.options.isQuick ? 1 : 3
      var inserted = Measured()
      var deleted = Measured()
      for round in -1..<samples {
        let takesBaseline = round >= 0 && round.isOne(of: baselineSamples, among: samples)
        func measure(_ task: WriterTask, _ measured: inout Measured, takesBaseline: Bool) {
          if takesBaseline { baseline.read() }
          let calls = observer.calls
          let used = processNanoseconds()
          writer.request(task)
          observer.wait(forCall: calls + 1)
          let answer = writer.answer()
          if round >= 0 {
            // With a long log a commit returns only after waiting for the observers, which would be too late
            // a start.
            measured.times.append(observer.lastCall - answer.commitCalled)
            measured.processor.append(processNanoseconds() - used)
          }
          if takesBaseline { measured.baseline.append(nanoseconds { _ = baseline.refresh() }) }
        }
        measure(.insertMany(count), &inserted, takesBaseline: takesBaseline)
        measure(.deleteMany(count), &deleted, takesBaseline: takesBaseline && !run.options.isQuick)
      }
      observer.close()
      let targets: [Target] = rows <= 100_000 ? [.median(atMost: 15_000_000)] : []
      run.append(inserted.measurement("insert 10,000", rows: rows, targets: targets))
      run.append(deleted.measurement("delete 10,000", rows: rows, targets: []))
    }
  }

  private struct Measured {
    var times = Samples()
    var processor = Samples()
    var baseline = Samples()

    func measurement(_ name: String, rows: Int, targets: [Target]) -> Measurement {
      Measurement(
        name, rows: rows, times: times, processor: processor.median,
        baseline: (RequeryBaseline.name, baseline), targets: targets)
    }
  }
}
