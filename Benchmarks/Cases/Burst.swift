import BenchmarkRunner
import LiveStore

/// Transactions of one row, one after the other without a pause, while the collection is observed.
enum Burst: Benchmark {
  static let name = "burst"
  static let summary =
    "1,000 one-row transactions back to back in another process, unobserved and observed in turn"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 30, quick: 5)
    let transactions = 1_000
    for rows in run.sizes(full: [1_000, 100_000], quick: [100_000]) {
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      var unobserved = Samples()
      var observed = Samples()
      var lateness = Samples()
      var callbacks = Samples()
      var processor = Samples()
      var writerAlone = Samples()
      var writerWatched = Samples()
      for round in -2..<samples {
        let alone = writer.perform(.burst(transactions, mark: 2 * round))
        let observer = try Observer(file, SortedWorkload.self)
        guard let marked = observer.store.object(ofType: Record.self, forPrimaryKey: 1) else {
          throw Failure("The file has no first record.")
        }
        let mark = WriterTask.burstMark(2 * round + 1)
        var seen: Int64?
        observer.called = { if seen == nil, marked.text == mark { seen = observer.lastCall } }
        let used = processNanoseconds()
        writer.request(.burst(transactions, mark: 2 * round + 1))
        while seen == nil { observer.wait(forCall: observer.calls + 1) }
        let watched = writer.answer()
        let spent = processNanoseconds() - used
        observer.called = nil
        if round >= 0, let seen {
          unobserved.append(Double(transactions) / Double(alone.commitReturned - alone.start) * 1e9)
          observed.append(Double(transactions) / Double(watched.commitReturned - watched.start) * 1e9)
          lateness.append(seen - watched.commitReturned)
          callbacks.append(Int64(observer.calls - 1))
          processor.append(spent / Int64(transactions))
          writerAlone.append(alone.processor / Int64(transactions))
          writerWatched.append(watched.processor / Int64(transactions))
        }
        observer.close()
      }
      run.append(
        Measurement(
          operation: "transactions, observed", rows: rows, unit: .perSecond, samples: observed.count,
          median: observed.median, processor: processor.median,
          baseline: ("the same, unobserved", unobserved.median), targets: [.ratio(atLeast: 0.8)],
          note: "\(significant(callbacks.median)) callbacks; CPU of the writer for each "
            + "\(quantity(writerWatched.median, .nanoseconds)), unobserved "
            + "\(quantity(writerAlone.median, .nanoseconds))"
        ))
      run.append(
        Measurement("last commit → seen", rows: rows, times: lateness, targets: [.median(atMost: 1_000_000)]))
    }
  }
}
