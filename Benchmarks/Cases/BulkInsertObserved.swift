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
      let floor = OrderFloor.Merging(file.path)
      var inserted = Measured()
      var deleted = Measured()
      for round in -1..<samples {
        func measure(_ task: WriterTask, _ measured: inout Measured) throws {
          let readOld = nanoseconds { floor.readOld() }
          let calls = observer.calls
          let used = processNanoseconds()
          writer.request(task)
          observer.wait(forCall: calls + 1)
          let answer = writer.answer()
          let spent = processNanoseconds() - used
          var changes = 0
          let merge = nanoseconds {
            let difference = floor.merge()
            changes = difference.deletions.count + difference.insertions.count
          }
          guard changes == count else { throw Failure("The keys differ in \(changes) rows.") }
          guard round >= 0 else { return }
          // With a long log a commit returns only after waiting for the observers, which would be too late
          // a start.
          measured.times.append(observer.lastCall - answer.commitCalled)
          measured.processor.append(spent)
          measured.floor.append(readOld + merge)
        }
        try measure(.insertMany(count), &inserted)
        try measure(.deleteMany(count), &deleted)
      }
      observer.close()
      run.append(inserted.measurement("insert 10,000", rows: rows))
      run.append(deleted.measurement("delete 10,000", rows: rows))
    }
  }

  private struct Measured {
    var times = Samples()
    var processor = Samples()
    var floor = Samples()

    func measurement(_ name: String, rows: Int) -> Measurement {
      Measurement(
        name, rows: rows, times: times, processor: processor.median,
        baseline: ("keys of both versions read and merged in C", floor),
        targets: [.ratio(atLeast: 1 / 2.5)])
    }
  }
}
