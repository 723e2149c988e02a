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
    try measureLargeTransactions(run)
  }

  /// Transactions that touch many rows each, whose log rows are long: the log is bounded in bytes, too.
  private static func measureLargeTransactions(_ run: Run) throws {
    let rows = 1_000
    let transactions = run.samples(full: 4_000, quick: 2_500)
    let file = try BenchmarkFile()
    try SortedWorkload.fill(file, rows: rows)
    let store = try file.store(SortedWorkload.types)
    let records = Array(store.objects(Record.self))
    let before = file.size()
    for number in 1...transactions {
      try store.write { for record in records { record.text = "Transaction \(number)" } }
    }
    store.close()
    let database = RawDatabase(file.path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let logged = database.integer("SELECT sum(length(entries)) FROM _livestore_log")
    let written = transactions * logged / max(1, database.integer("SELECT count(*) FROM _livestore_log"))
    run.append(
      Measurement(
        operation: "database, 1,000 rows a transaction", rows: transactions, unit: .bytes, samples: 1,
        median: Double(file.size() - before), targets: [.median(atMost: 12_000_000)],
        note: "\(quantity(Double(written), .bytes)) were logged"))
  }
}
