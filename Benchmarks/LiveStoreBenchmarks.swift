import Glibc

/// `make bench`: measures LiveStore, and in the same run the simplest thing that could do its work.
@main
struct LiveStoreBenchmarks {
  static let benchmarks: [any Benchmark.Type] =
    [
      CrossProcessLatency.self, InProcessLatency.self, FilterLatency.self, LinkFilterLatency.self,
      DistinctLatency.self, LimitLatency.self, ListLatency.self, SectionsLatency.self,
      ObserverCPU.self, ManyCollections.self, InterfaceWrite.self, ListMove.self, BulkInsertObserved.self,
      WorstOrders.self, Burst.self, Transactions.self, BulkAdd.self, PropertyRead.self, OpenFile.self,
      Memory.self, FileGrowth.self,
    ]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // The other processes of a benchmark are this program started again.
    if let role = arguments.first.flatMap(ChildRole.init(rawValue:)) {
      try role.run(Array(arguments.dropFirst()))
    }
    let options: Options
    do {
      options = try Options(arguments, known: benchmarks.map { $0.name })
    } catch {
      let message = error.description + "\n"
      _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(2)
    }
    if options.isListing {
      var table = TextTable(columns: 2, alignedLeft: [0, 1])
      for benchmark in benchmarks { table.append([benchmark.name, benchmark.summary]) }
      print(table.text)
      return
    }
    let report = try Report(options: options, machine: Machine())
    for benchmark in benchmarks where options.includes(benchmark.name) {
      try report.measure(benchmark)
    }
    report.finish()
  }
}
