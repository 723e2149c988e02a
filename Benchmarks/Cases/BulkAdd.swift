import BenchmarkRunner
import LiveStore

/// Many objects in one transaction.
enum BulkAdd: Benchmark {
  static let name = "bulk-add"
  static let summary =
    "rows a second in one transaction: objects made and added, everything logged, and the rows of a program "
    + "without LiveStore that triggers log; against SQLite in C without a log"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 10, quick: 3)
    for rows in run.sizes(full: [1_000, 10_000, 100_000], quick: [100_000]) {
      var ours = Samples()
      var unlogged = Samples()
      var triggered = Samples()
      var processor = Samples()
      for round in -1..<samples {
        let ranks = (0..<rows).map { _ in Int.random(in: 0..<rows * 10) }
        func rate(_ body: () throws -> Void) rethrows -> Double {
          Double(rows) / Double(try nanoseconds(of: body)) * 1e9
        }
        let file = try BenchmarkFile()
        let store = try file.store([Record.self])
        let used = processNanoseconds()
        let rateOfOurs = try rate {
          try store.write {
            for (index, rank) in ranks.enumerated() { store.add(Record(id: index + 1, rank: rank)) }
          }
        }
        let spent = processNanoseconds() - used
        store.close()

        func rawRate(_ raw: RawRecords) -> Double {
          rate {
            raw.transaction {
              for (index, rank) in ranks.enumerated() {
                raw.add(id: index + 1, rank: rank, text: "Record number \(index + 1)")
              }
            }
          }
        }
        let rawFile = try BenchmarkFile()
        let rateOfRaw = rawRate(RawRecords(rawFile.path))
        let loggedFile = try BenchmarkFile()
        try loggedFile.store([Record.self]).close()
        let rateOfLogged = rawRate(RawRecords(loggedFile.path, logging: .triggers))
        guard round >= 0 else { continue }
        ours.append(rateOfOurs)
        unlogged.append(rateOfRaw)
        triggered.append(rateOfLogged)
        processor.append(spent / Int64(rows))
      }
      run.append(
        Measurement(
          operation: "add", rows: rows, unit: .perSecond, samples: ours.count, median: ours.median,
          processor: processor.median, baseline: ("SQLite in C", unlogged.median),
          targets: rows >= 100_000 ? [.rate(atLeast: 650_000)] : []))
      run.append(
        Measurement(
          operation: "by a foreign program, with triggers", rows: rows, unit: .perSecond,
          samples: triggered.count, median: triggered.median,
          baseline: ("SQLite in C", unlogged.median), targets: [.ratio(atLeast: 1 / 1.8)]))
    }
  }
}
