import BenchmarkRunner
import LiveStore

/// The CPU time that a process spends on the change of one row by another, from its wake-up until it sleeps
/// again.
enum ObserverCPU: Benchmark {
  static let name = "observer-cpu"
  static let summary =
    "CPU time in the observing process for one row modified by another, a change every 2 ms"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 20, quick: 5)
    let changes = 50
    for rows in run.sizes {
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, SortedWorkload.self)
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      let baseline = RequeryBaseline(file.path, query: SortedWorkload.query)
      let baselineSamples = min(run.baselineSamples(rows: rows), samples)
      var times = Samples()
      var baselineTimes = Samples()
      for round in -1..<samples {
        let calls = observer.calls
        let used = processNanoseconds()
        writer.request(.paced(changes))
        observer.process(until: writer.answers)
        _ = writer.answer()
        observer.settle(milliseconds: 5)
        let spent = processNanoseconds() - used
        guard observer.calls > calls else { throw Failure("No callback has come.") }
        // Changes that were delivered together cost one callback.
        if round >= 0 { times.append(spent / Int64(observer.calls - calls)) }
        if round >= 0, round.isOne(of: baselineSamples, among: samples) {
          baseline.read()
          _ = writer.perform(.one(.modify))
          observer.settle(milliseconds: 5)
          let used = threadNanoseconds()
          _ = baseline.refresh()
          baselineTimes.append(threadNanoseconds() - used)
        }
      }
      observer.close()
      run.append(
        Measurement(
          "modify", rows: rows, times: times, baseline: (RequeryBaseline.name, baselineTimes),
          targets: [.median(atMost: 30_000)], note: "each sample is the mean of \(changes) changes"))
    }
  }
}
