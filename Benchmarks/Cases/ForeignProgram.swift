import BenchmarkRunner
import LiveStore

/// A change of one row by a program without LiveStore, beside the same change by one with it.
enum ForeignProgram: Benchmark {
  static let name = "foreign-program"
  static let summary =
    "commit in another process → callback here: by SQLite alone, and by a store, in turn (L13: within the "
    + "same time)"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 1_000, quick: 100)
    for rows in run.sizes(full: [1_000, 100_000, 1_000_000], quick: [100_000]) {
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, SortedWorkload.self)
      let ours = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      let foreign = try ChildProcess(.foreignWriter, [file.path, "\(rows)"])
      var times = Samples()
      var ownTimes = Samples()
      for round in -20..<samples {
        for writer in [ours, foreign] {
          let calls = observer.calls
          writer.request(.one(.modify))
          observer.wait(forCall: calls + 1)
          let took = observer.lastCall - writer.answer().commitReturned
          guard round >= 0 else { continue }
          if writer === foreign { times.append(took) } else { ownTimes.append(took) }
        }
      }
      observer.close()
      run.append(
        Measurement(
          "modify", rows: rows, times: times, baseline: ("by a store", ownTimes),
          targets: [.ratio(atLeast: 0.2)]))
    }
  }

  /// Writes like such a program: modifies a row for each request.
  static func write(_ path: String, rows: Int) {
    let database = RawDatabase(path)
    let update = database.prepare("UPDATE Record SET text = ? WHERE id = ?")
    var changes = 0
    while Wire.receive(3, from: 0) != nil {
      changes += 1
      let used = threadNanoseconds()
      let start = monotonicNanoseconds()
      update.bind("Foreign change \(changes) of \(start)", at: 1)
      update.bind(.random(in: 1...rows), at: 2)
      let called = monotonicNanoseconds()
      update.run()
      Wire.send([start, called, monotonicNanoseconds(), threadNanoseconds() - used], to: 1)
    }
  }
}
