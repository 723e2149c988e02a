import BenchmarkRunner
import Glibc
import LiveStore

/// The write of a key: the view shows it at once and is not notified of it.
enum InterfaceWrite: Benchmark {
  static let name = "interface-write"
  static let summary =
    "key action → committed without notifying the view's token, and its new place known; against the same "
    + "in C"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 1_000, quick: 200)
    for rows in run.sizes {
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, [Record.self])
      let records = observer.store.objects(Record.self).sorted(by: \.rank)
      observer.observe { _, called in records.observe { _ in called() } }
      observer.wait(forCall: 1)
      let rawFile = try BenchmarkFile()
      try Record.fill(rawFile, rows: rows)
      let raw = RawRecords(rawFile.path, logging: .transaction)

      var times: [Operation: Samples] = [:]
      var rawTimes: [Operation: Samples] = [:]
      var processor: [Operation: Samples] = [:]
      var rawProcessor: [Operation: Samples] = [:]
      var added: Record?
      for round in -20..<samples {
        for operation in Operation.allCases {
          let position = Int.random(in: 0..<rows)
          let rank = Int.random(in: 0..<rows * 5) * 2 + 1
          let text = "Written in round \(round)"
          let used = threadNanoseconds()
          let time = try nanoseconds {
            try observer.store.write(withoutNotifying: observer.tokens) {
              switch operation {
              case .modify: records[position].text = text
              case .insert:
                let record = Record(id: rows + 1, rank: rank)
                observer.store.add(record)
                added = record
              case .delete: if let added { observer.store.delete(added) }
              case .move:
                let record = records[position]
                record.rank = rank - record.rank % 2
                added = record
              }
            }
            if operation == .insert || operation == .move, let added { _ = records.index(of: added) }
          }
          let spent = threadNanoseconds() - used
          // The next key comes when the worker has finished with this one. The program in C pauses before its
          // own, too: after a pause everything takes longer.
          usleep(300)
          observer.settle(milliseconds: 0)
          usleep(300)
          let rawUsed = threadNanoseconds()
          let rawTime = nanoseconds {
            raw.transaction {
              switch operation {
              case .modify: raw.setText(text, of: position + 1)
              case .insert: raw.add(id: rows + 1, rank: rank, text: text)
              case .delete: raw.remove(rows + 1)
              case .move: raw.setRank(rank, of: position + 1)
              }
            }
          }
          let rawSpent = threadNanoseconds() - rawUsed
          if round >= 0 {
            times[operation, default: Samples()].append(time)
            rawTimes[operation, default: Samples()].append(rawTime)
            processor[operation, default: Samples()].append(spent)
            rawProcessor[operation, default: Samples()].append(rawSpent)
          }
          usleep(300)
        }
      }
      guard observer.calls == 1 else { throw Failure("The view was told of what it shows already.") }
      observer.close()
      for operation in Operation.allCases {
        guard let measured = times[operation], let rawMeasured = rawTimes[operation] else { continue }
        run.append(
          Measurement(
            operation.name, rows: rows, times: measured, processor: processor[operation]?.median,
            baseline: ("SQLite in C, with a log row", rawMeasured),
            targets: [.ratio(atLeast: 1 / 2.5)],
            note: rawProcessor[operation].map { "CPU in C \(quantity($0.median, .nanoseconds))" }))
      }
    }
  }
}
