import BenchmarkRunner
import LiveStore

/// Measures, for a workload and a kind of writer, the time until a change of one row arrives.
enum LatencyTable {
  static func measure(
    _ run: Run, _ workload: any Workload.Type, targets: [Target],
    writer makeWriter: (any Workload.Type, BenchmarkFile, Int) throws -> any Writer
  ) throws {
    let samples = run.samples(full: 1_000, quick: 100)
    // The first rounds prepare statements and fill caches.
    let warmUp = min(20, samples)
    for rows in run.sizes {
      let file = try BenchmarkFile()
      try workload.fill(file, rows: rows)
      let observer = try Observer(file, workload)
      let writer = try makeWriter(workload, file, rows)
      let baseline = RequeryBaseline(file.path, query: workload.query)
      let baselineSamples = run.baselineSamples(rows: rows)

      var times: [Operation: Samples] = [:]
      var timesFromCall: [Operation: Samples] = [:]
      var processor: [Operation: Samples] = [:]
      var baselineTimes: [Operation: Samples] = [:]
      for round in -warmUp..<samples {
        let takesBaseline = round >= 0 && round.isOne(of: baselineSamples, among: samples)
        for operation in Operation.allCases {
          if takesBaseline { baseline.read() }
          let calls = observer.calls
          let used = processNanoseconds()
          writer.request(.one(operation))
          observer.wait(forCall: calls + 1)
          let answer = writer.answer()
          // A writer's thread counts as part of the process.
          let observed = processNanoseconds() - used - (writer is WriterThread ? answer.processor : 0)
          if round >= 0 {
            times[operation, default: Samples()].append(observer.lastCall - answer.commitReturned)
            timesFromCall[operation, default: Samples()].append(observer.lastCall - answer.commitCalled)
            processor[operation, default: Samples()].append(observed)
          }
          if takesBaseline {
            let time = nanoseconds { _ = baseline.refresh() }
            baselineTimes[operation, default: Samples()].append(time)
          }
        }
      }
      observer.close()
      for operation in Operation.allCases {
        guard let measured = times[operation], let fromCall = timesFromCall[operation] else { continue }
        run.append(
          Measurement(
            operation.name, rows: rows, times: measured, processor: processor[operation]?.median,
            baseline: baselineTimes[operation].map { (RequeryBaseline.name, $0) }, targets: targets,
            note: "\(quantity(fromCall.median, .nanoseconds)) from the call of commit"))
      }
    }
  }
}

/// A change of one row by another process.
enum CrossProcessLatency: Benchmark {
  static let name = "cross-process"
  static let summary =
    "commit in another process → callback here with the change set, the snapshot advanced; sorted by an "
    + "indexed property"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, SortedWorkload.self, targets: [.median(atMost: 50_000), .p99(atMost: 200_000)],
      writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}

/// A change of one row by another thread, which has its own store.
enum InProcessLatency: Benchmark {
  static let name = "in-process"
  static let summary = "commit in another thread → callback here with the change set, the snapshot advanced"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, SortedWorkload.self, targets: [.median(atMost: 40_000)],
      writer: { try WriterThread($0, $1, rows: $2) })
  }
}

/// A change of one row of a filtered collection.
enum FilterLatency: Benchmark {
  static let name = "filter"
  static let summary =
    "commit in another process → callback, observed with a filter that keeps three quarters, and sorted"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, FilteredWorkload.self, targets: [], writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}

/// A change of one row of a collection that is filtered by objects that its rows lead to.
enum LinkFilterLatency: Benchmark {
  static let name = "link-filter"
  static let summary =
    "commit in another process → callback, filtered by a property of a linked object, and sorted; that "
    + "object changes"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, LinkedWorkload.self, targets: [], writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}

/// A change of one row of a collection that keeps the first of equal values.
enum DistinctLatency: Benchmark {
  static let name = "distinct"
  static let summary = "commit in another process → callback, sorted and made distinct by an indexed property"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, DistinctWorkload.self, targets: [], writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}

/// A change of one row of a limited collection.
enum LimitLatency: Benchmark {
  static let name = "limit"
  static let summary =
    "commit in another process → callback, sorted and limited to three quarters of the rows"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, LimitedWorkload.self, targets: [], writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}

/// A change of one element of a list.
enum ListLatency: Benchmark {
  static let name = "list"
  static let summary = "commit in another process → callback, an ordered list observed"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, ListWorkload.self, targets: [], writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}

/// A change of one row of a collection in sections.
enum SectionsLatency: Benchmark {
  static let name = "sections"
  static let summary =
    "commit in another process → callback, observed in sections by a property, sorted within each"

  static func run(_ run: Run) throws {
    try LatencyTable.measure(
      run, SectionedWorkload.self, targets: [], writer: { try ChildProcess(writing: $0, $1, rows: $2) })
  }
}
