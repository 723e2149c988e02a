import BenchmarkRunner
import LiveStore

/// Numbers that are kept up to date, against asking SQLite for them after each change.
enum Aggregates: Benchmark {
  static let name = "aggregates"
  static let summary =
    "one row changed and a number of all rows read again, which is kept up to date, against a program in C "
    + "that changes the row and asks SQLite for the number"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 400, quick: 60)
    for rows in run.sizes(full: [1_000, 100_000, 1_000_000], quick: [20_000]) {
      let file = try BenchmarkFile()
      try Record.fill(file, rows: rows)
      let store = try file.store([Record.self])
      let floorFile = try BenchmarkFile()
      try Record.fill(floorFile, rows: rows)
      let floor = RawDatabase(floorFile.path, firesTriggers: false)
      let records = store.objects(Record.self)
      try measure(
        run, store, records.liveSum(of: \.category), "sum of a property", floor,
        "SELECT sum(category) FROM Record", rows, samples)
      try measure(
        run, store, records.liveCount(by: \.category), "number in each of 20 groups", floor,
        "SELECT category, count(*) FROM Record GROUP BY category", rows, samples)
      store.close()
    }
  }

  private static func measure(
    _ run: Run, _ store: Store, _ aggregate: LiveAggregate<some Equatable>, _ operation: String,
    _ floor: RawDatabase, _ sql: String, _ rows: Int, _ samples: Int
  ) throws {
    var times = Samples()
    var floorTimes = Samples()
    _ = aggregate.value
    let select = floor.prepare(sql)
    for round in -5..<samples {
      let (id, category) = (Int.random(in: 1...rows), Int.random(in: 0..<Record.categories))
      let time = try nanoseconds {
        try store.write { store.object(ofType: Record.self, forPrimaryKey: id)?.category = category }
        _ = aggregate.value
      }
      let floorTime = nanoseconds {
        floor.execute("UPDATE Record SET category = \(category) WHERE id = \(id)")
        while select.step() {}
        select.reset()
      }
      guard round >= 0 else { continue }
      times.append(time)
      floorTimes.append(floorTime)
    }
    run.append(
      Measurement(operation, rows: rows, times: times, baseline: ("SQLite in C", floorTimes)))
  }
}
