import BenchmarkRunner
import LiveStore

/// The growth of the files by many changes of one row.
enum FileGrowth: Benchmark {
  static let name = "file-growth"
  static let summary =
    "bytes that the file grows by while another process updates one row again and again, observed"

  static func run(_ run: Run) throws {
    let parts = 100
    let updates = max(parts, run.samples(full: 1_000_000, quick: 20_000))
    let rows = 1_000
    let file = try BenchmarkFile()
    try SortedWorkload.fill(file, rows: rows)
    let observer = try Observer(file, SortedWorkload.self)
    let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
    let before = file.size()
    var longestLog = 0
    var spent: Int64 = 0
    var calls = observer.calls
    for _ in 0..<parts {
      writer.request(.modifyOne(updates / parts))
      observer.process(until: writer.answers)
      let answer = writer.answer()
      spent += answer.commitReturned - answer.start
      longestLog = max(longestLog, file.size("-wal"))
    }
    calls = observer.calls - calls
    // Time for the log to be restarted, and for the processes that wait for that.
    observer.settle(milliseconds: 1_500)
    let after = file.size()
    let endOfLog = file.size("-wal")
    observer.close()
    let logged = RawDatabase(file.path).integer("SELECT count(*) FROM _livestore_log")
    run.append(
      Measurement(
        operation: "database", rows: updates, unit: .bytes, samples: 1, median: Double(after - before),
        note: "\(grouped(logged)) rows in the change log"))
    run.append(
      Measurement(
        operation: "write-ahead log, longest", rows: updates, unit: .bytes, samples: parts,
        median: Double(longestLog),
        note: "\(quantity(Double(endOfLog), .bytes)) at the end; \(grouped(calls)) callbacks"))
    run.append(
      Measurement(
        operation: "one update", rows: updates, samples: updates, median: Double(spent) / Double(updates),
        note: "the mean, while observed"))
  }
}
