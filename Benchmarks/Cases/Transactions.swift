import BenchmarkRunner
import LiveStore

/// The number of transactions of one row that a program can make.
enum Transactions: Benchmark {
  static let name = "transactions"
  static let summary =
    "one-row transactions a second, synchronous=NORMAL; against SQLite in C without a change log"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 50, quick: 10)
    let transactions = 200
    for rows in run.sizes(full: [1_000, 100_000, 1_000_000], quick: [100_000]) {
      let file = try BenchmarkFile()
      try Record.fill(file, rows: rows)
      let store = try file.store([Record.self])
      let rawFile = try BenchmarkFile()
      let raw = RawRecords(rawFile.path)
      Record.fill(raw.database, rows: rows)
      let loggedFile = try BenchmarkFile()
      try Record.fill(loggedFile, rows: rows)
      let logged = RawRecords(loggedFile.path, hasTable: true)

      var rates: [String: (ours: Samples, raw: Samples, logged: Samples, processor: Samples)] = [:]
      func measure(_ name: String, _ round: Int, ours: (Int) throws -> Void, raw: (Int, RawRecords) -> Void)
        throws
      {
        func rate(_ body: (Int) throws -> Void) rethrows -> Double {
          let ids = (0..<transactions).map { _ in Int.random(in: 1...rows) }
          let time = try nanoseconds { for id in ids { try body(id) } }
          return Double(transactions) / Double(time) * 1e9
        }
        var measured = rates[name] ?? (Samples(), Samples(), Samples(), Samples())
        let used = processNanoseconds()
        let ours = try rate(ours)
        let spent = processNanoseconds() - used
        store.processNotifications()
        let unlogged = rate { raw($0, rawRecords) }
        let triggered = rate { raw($0, logged) }
        guard round >= 0 else { return }
        measured.ours.append(ours)
        measured.processor.append(spent / Int64(transactions))
        measured.raw.append(unlogged)
        measured.logged.append(triggered)
        rates[name] = measured
      }
      let rawRecords = raw
      for round in -3..<samples {
        let text = "Written in round \(round)"
        try measure("update", round) { id in
          try store.write { store.object(ofType: Record.self, forPrimaryKey: id)?.text = text }
        } raw: { id, raw in
          raw.transaction { raw.setText(text, of: id) }
        }
        let first = rows + 1 + (round + 3) * transactions
        var next = (ours: first, raw: first, logged: first)
        try measure("insert", round) { id in
          try store.write { store.add(Record(id: next.ours, rank: id)) }
          next.ours += 1
        } raw: { id, raw in
          let isLogged = raw === logged
          raw.transaction { raw.add(id: isLogged ? next.logged : next.raw, rank: id, text: text) }
          if isLogged { next.logged += 1 } else { next.raw += 1 }
        }
      }
      store.close()
      for name in ["update", "insert"] {
        guard let measured = rates[name] else { continue }
        run.append(
          Measurement(
            operation: name, rows: rows, unit: .perSecond, samples: measured.ours.count * transactions,
            median: measured.ours.median, processor: measured.processor.median,
            baseline: ("SQLite in C", measured.raw.median), targets: [.ratio(atLeast: 0.65)],
            note: "SQLite in C with triggers that log: \(quantity(measured.logged.median, .perSecond))"))
      }
    }
  }
}
