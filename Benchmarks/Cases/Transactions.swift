import BenchmarkRunner
import LiveStore

/// The number of transactions of one row that a program can make.
enum Transactions: Benchmark {
  static let name = "transactions"
  static let summary =
    "one-row transactions a second, synchronous=NORMAL; against SQLite in C that writes the row and its log "
    + "row in one transaction"

  /// The rates of the programs in turn, each with its own file.
  private struct Rates {
    var ours = Samples()
    /// SQLite in C, with a row in the change log for each transaction.
    var logged = Samples()
    /// SQLite in C without a change log.
    var unlogged = Samples()
    /// SQLite in C with triggers that log.
    var triggered = Samples()
    var processor = Samples()
    var processorOfLogged = Samples()
  }

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 20, quick: 5)
    // Enough that the log is written back some times in each round.
    let transactions = 2_000
    for rows in run.sizes(full: [1_000, 100_000, 1_000_000], quick: [100_000]) {
      let file = try BenchmarkFile()
      try Record.fill(file, rows: rows)
      let store = try file.store([Record.self])
      func raw(_ logging: RawRecords.Logging) throws -> (BenchmarkFile, RawRecords) {
        let file = try BenchmarkFile()
        if logging != .none { try Record.fill(file, rows: rows) }
        let raw = RawRecords(file.path, logging: logging)
        if logging == .none { Record.fill(raw.database, rows: rows) }
        return (file, raw)
      }
      let logged = try raw(.transaction)
      let unlogged = try raw(.none)
      let triggered = try raw(.triggers)

      var rates: [String: Rates] = [:]
      func measure(_ name: String, _ round: Int, ours: (Int) throws -> Void, raw: (Int, RawRecords) -> Void)
        throws
      {
        func rate(_ body: (Int) throws -> Void) rethrows -> (rate: Double, processor: Int64) {
          let ids = (0..<transactions).map { _ in Int.random(in: 1...rows) }
          let used = processNanoseconds()
          let time = try nanoseconds { for id in ids { try body(id) } }
          return (
            Double(transactions) / Double(time) * 1e9, (processNanoseconds() - used) / Int64(transactions)
          )
        }
        var measured = rates[name] ?? Rates()
        let ofOurs = try rate(ours)
        store.processNotifications()
        let ofLogged = rate { raw($0, logged.1) }
        let ofUnlogged = rate { raw($0, unlogged.1) }
        let ofTriggered = rate { raw($0, triggered.1) }
        guard round >= 0 else { return }
        measured.ours.append(ofOurs.rate)
        measured.processor.append(ofOurs.processor)
        measured.logged.append(ofLogged.rate)
        measured.processorOfLogged.append(ofLogged.processor)
        measured.unlogged.append(ofUnlogged.rate)
        measured.triggered.append(ofTriggered.rate)
        rates[name] = measured
      }
      for round in -1..<samples {
        let text = "Written in round \(round)"
        try measure("update", round) { id in
          try store.write { store.object(ofType: Record.self, forPrimaryKey: id)?.text = text }
        } raw: { id, raw in
          raw.transaction { raw.setText(text, of: id) }
        }
        let first = rows + 1 + (round + 1) * transactions
        var next = [ObjectIdentifier: Int]()
        var nextOfOurs = first
        try measure("insert", round) { id in
          try store.write { store.add(Record(id: nextOfOurs, rank: id)) }
          nextOfOurs += 1
        } raw: { id, raw in
          let key = next[ObjectIdentifier(raw), default: first]
          raw.transaction { raw.add(id: key, rank: id, text: text) }
          next[ObjectIdentifier(raw)] = key + 1
        }
      }
      store.close()
      for name in ["update", "insert"] {
        guard let measured = rates[name] else { continue }
        run.append(
          Measurement(
            operation: name, rows: rows, unit: .perSecond, samples: measured.ours.count * transactions,
            median: measured.ours.median, processor: measured.processor.median,
            baseline: ("SQLite in C, with a log row", measured.logged.median),
            targets: [.ratio(atLeast: 0.75)],
            note: "CPU in C \(quantity(measured.processorOfLogged.median, .nanoseconds)); "
              + "in C without a log \(quantity(measured.unlogged.median, .perSecond)), "
              + "with triggers that log \(quantity(measured.triggered.median, .perSecond))"))
      }
    }
  }
}
